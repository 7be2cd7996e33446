"""The core and its twins give the same outputs for mutated pages; `bench/twins.py` compares them on 100,000."""

import pytest

import bonmun.write.text
from bench import twins
from bonmun.core import core
from fuzz.page_mutations import mutated, sources

pytestmark = pytest.mark.skipif(core() is None, reason="the core is not built")

PAGES = 200
PART = 50
STORY = b"<p>Tea is made of leaves, and of water that has just boiled; it is drunk all over the world.</p>"
PAGE = b"<h1>Tea</h1>" + STORY * 5


@pytest.mark.parametrize("first", range(0, PAGES, PART))
def test_the_twins_agree_on_mutated_pages(first: int) -> None:
    pages = sources(0)
    for number in range(first, first + PART):
        case = twins.Case(str(number), *mutated(pages, 2, number), few_trees=True)
        assert twins.differences(case) == (case.name, [])


def test_few_trees_judge_like_all_of_them() -> None:
    few, all_trees = (twins.outputs(twins.Case("tea", PAGE, None, few_trees)) for few_trees in (True, False))
    assert few["text"] == all_trees["text"] != ""
    assert few["verdicts"] != all_trees["verdicts"]


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bonmun.write.text, "body_by_reference", lambda document: "coffee")
    assert twins.differences(twins.Case("tea", PAGE, None, few_trees=True)) == ("tea", ["json", "text"])
