"""The compiled twin judges a page as the Python one does, bit by bit, from the same features."""

import random
from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.deadline import within
from bonmun.errors import LimitExceeded
from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import TILE, BlockFeatures, texts_of
from bonmun.methods.learned.candidates import kind_column, signs
from bonmun.methods.learned.cascade import Cascade, Exit
from bonmun.methods.learned.choice import RECALL
from bonmun.methods.learned.judgement import Judgement, judged, judged_by_reference
from bonmun.methods.learned.model import LearnedModel, shipped
from bonmun.methods.learned.overruling import STEPS, overruled
from bonmun.methods.learned.page_figures import SUMMARY
from bonmun.methods.learned.tables import tables
from bonmun.model.page import Page
from bonmun.read.page import read_page
from tests.corpora import pages
from tests.methods.learned.test_forest import grown
from tests.methods.learned.test_method import _STORY, PAGE
from tests.without_core import without_core

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")

STORY = "".join(f"<p>{line}</p>" for line in _STORY)
CELLS = "".join(f"<tr><td>{n}<td><button>x</button><td><a href=/{n}>boat {n}</a>" for n in range(6))


def small_model(seed: int = 1, width: int = len(COLUMNS)) -> LearnedModel:
    """A few trees, quick to walk in Python; thresholds and leaves at random."""
    dice = random.Random(seed)
    blocks, about = grown(dice, [8, 31, 5, 40, 3, 2], width), [grown(dice, [5, 3], len(SUMMARY)) for _ in range(3)]
    exit = Exit(2, -0.5, 0.5, 1.5)
    types = shipped().types[:2]
    return replace(
        shipped(), trees=blocks, blocks=Cascade.of(blocks, exit), types=types, type_trees=(*about[:2],), trust=about[2]
    )


def both(page: Page, model: LearnedModel, beta: float) -> Iterator[dict[str, Any]]:
    """The judgements of the twins as plain data; the features are those of the compiled core."""
    yield plain(judgement_of(page, model, beta))
    rows = b"".join(tile for _, tile in BlockFeatures(page, model.weights).tiles())
    with without_core():
        yield plain(judged_by_reference(page, Measured(page, rows), model, tables(page), beta))


def judgement_of(page: Page, model: LearnedModel, beta: float = 1.0) -> Judgement:
    """The judgement of the compiled core, before any rule."""
    judgement, stopped = judged(page, model, tables(page), beta, step=len(STEPS))
    assert stopped and stopped.measured is None
    return judgement


class Measured(BlockFeatures):
    """Features that were measured before."""

    def __init__(self, page: Page, rows: bytes) -> None:
        super().__init__(page, shipped().weights)
        self._rows = lambda first, stop: rows[first * 4 * len(COLUMNS) : stop * 4 * len(COLUMNS)]  # type: ignore[misc]

    def forget(self) -> None:
        """Keep them."""


def plain(judgement: Judgement) -> dict[str, Any]:
    return {name: listed(value) for name, value in judgement._asdict().items()}


def listed(value: Any) -> Any:
    return list(value) if isinstance(value, array | memoryview | bytearray) else value


PAGES = {
    "an article": PAGE,
    "a snippet": "<p>Tea is made of leaves.</p><p><a href=/>More</a></p>",
    "a plain page": "<p>The ferry left the island at nine in the morning, and nobody was on the pier.</p>" * 20,
    "tables": f"{STORY}<table><caption>Boats</caption>{CELLS}</table><table><tr><th>a<tr><td>b</table>",
    "a table with buttons in its head": f"{STORY}<table><tr><th><button>Boat</button><th>Seats{CELLS}</table>",
    "comments": f"<article>{STORY}</article><div class=comments>{STORY}</div>",
    "links alone": "<ul>" + "<li><a href=/>News of the day</a>" * 30 + "</ul>",
    "pictures alone": "<img src=a.png>" * 5,
    "hidden text": f"<div hidden>{STORY}</div>{STORY}",
}


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0, 3.0, 1e200])
@pytest.mark.parametrize("name", PAGES)
def test_the_twins_agree_on(name: str, beta: float) -> None:
    compiled, reference = both(read_page(PAGES[name]), shipped() if beta == 1.0 else small_model(), beta)
    assert compiled == reference


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.sampled_from([*PAGES.values(), "<p>x</p>" * 30]), min_size=1, max_size=3))
def test_the_twins_agree_on_random_models(seed: int, parts: list[str]) -> None:
    compiled, reference = both(read_page("".join(parts)), small_model(seed), 1.0)
    assert compiled == reference


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for record in islice(pages(corpus), 5, 90, 12):
        page = read_page(record["html"])
        if len(page.blocks):
            compiled, reference = both(page, small_model(), 1.0)
            assert compiled == reference


MANY = "".join(f"<p>The {n}th ferry left the island</p><a href=/{n}>{n}</a>" for n in range(TILE))


def test_the_twins_agree_on_a_page_of_many_tiles() -> None:
    page = read_page(MANY)
    assert len(page.blocks) > TILE
    compiled, reference = both(page, small_model(), 1.0)
    assert compiled == reference


def test_the_time_limit_holds_within_a_page_of_many_tiles() -> None:
    page, model = read_page(MANY), shipped()
    with within(0.0), pytest.raises(LimitExceeded, match="seconds"):
        judged(page, model, (), 1.0)


def test_trees_over_more_columns_are_refused() -> None:
    page, model = read_page(PAGE), shipped()
    wide = small_model(width=len(COLUMNS) + 50)
    for malformed in (wide, replace(model, trust=wide.trees)):
        with pytest.raises(ValueError, match="columns"):
            judged(page, malformed, (), 1.0)


@pytest.mark.parametrize(
    ("blocks", "stops"), [([99999], [1, 1]), ([-1], [1, 1]), ([0], [1, 2]), ([0, 1], [2, 1]), ([0], [1])]
)
def test_data_tables_of_another_page_are_refused(blocks: list[int], stops: list[int]) -> None:
    with pytest.raises(ValueError, match="tables"):
        call(read_page(PAGE), array("i", blocks), array("i", stops))


@pytest.mark.parametrize("kinds", [array("i", [0]), array("b", [0] * 3)])
def test_kinds_of_another_page_are_refused(kinds: "array[int]") -> None:
    with pytest.raises(ValueError, match="kinds"):
        call(read_page(PAGE), array("i"), array("i"), kinds=kinds)


@pytest.mark.parametrize("step", [-1, len(STEPS) + 1])
def test_no_other_steps_are_taken(step: int) -> None:
    with pytest.raises(ValueError, match="no such step"):
        call(read_page(PAGE), array("i"), array("i"), step=step)


@pytest.mark.parametrize("recalls", [array("d"), array("d", [1.0] * 99), array("b", [1] * 12)])
def test_recalls_of_other_types_are_refused(recalls: "array[float]") -> None:
    with pytest.raises(ValueError, match="recalls"):
        call(read_page(PAGE), array("i"), array("i"), recalls=recalls)


def call(
    page: Page,
    blocks: "array[int]",
    stops: "array[int]",
    recalls: "array[float] | None" = None,
    kinds: "array[int] | None" = None,
    step: int = 0,
) -> object:
    compiled, model = core(), shipped()
    assert compiled
    of_page = model.recalls if recalls is None else recalls, kinds or kind_column(page), True, False, -1
    columns = page.nodes.columns, page.blocks.columns, texts_of(page)
    return compiled.judge(*columns, model.compiled, signs(), of_page, (blocks, stops), 1.0, 9.0, step)


def with_recalls(weight: float) -> LearnedModel:
    """The shipped model with one weight of recall for all types."""
    model = replace(shipped())
    vars(model)["recalls"] = array("d", [weight]) * len(model.types)
    return model


def test_the_type_of_a_page_decides_how_much_recall_weighs() -> None:
    page, model = read_page(PAGE), shipped()
    kept = [sum(judgement_of(page, with_recalls(weight)).keep) for weight in (0.01, 1.0, 9.0)]
    assert kept[0] < kept[1] < kept[2]
    article = judgement_of(page, model)
    assert model.page_type(article.about)[0] == "article"
    same = replace(model, types=tuple("other" if name == "article" else name for name in model.types))
    weighed = judgement_of(page, same, RECALL["article"])
    assert article.keep == weighed.keep
    assert article.expected_f1 == weighed.expected_f1
    for beta in (0.5, 3.0):  # a preference that goes further holds
        assert judgement_of(page, model, beta).expected_f1 == judgement_of(page, same, beta).expected_f1


def whole_answer(page: Page, beta: float) -> tuple[Any, ...]:
    """What the shipped model and the rules say of a page."""
    judgement, stopped = judged(page, shipped(), tables(page), beta)
    decided, parts = overruled(page, judgement, tables(page), stopped)
    return plain(judgement), dict(decided), dict(parts)


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "forums_dev"])
def test_rules_in_the_same_call_decide_as_the_twins(corpus: str) -> None:
    stops = set()
    for record in islice(pages(corpus), 3, 90, 9):
        page = read_page(record["html"], url=record["url"])
        if not len(page.blocks):
            continue
        compiled = whole_answer(page, 1.0)
        judgement, stopped = judged(page, shipped(), tables(page), 1.0, step=len(STEPS))
        assert judgement.whole or (stopped and not any(stopped.why))
        with without_core():
            decided, parts = overruled(page, judgement, tables(page), None)
        assert compiled == (plain(judgement), dict(decided), dict(parts))
        _, first = judged(page, shipped(), tables(page), 1.0)
        assert first
        stops.add(first.findings[0])
        assert (first.measured is None) == (first.findings[0] == len(STEPS))
    assert len(stops) > 1  # some pages need Python, and some do not
