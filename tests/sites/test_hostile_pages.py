"""Learning and applying a site's rules is linear and bounded in the size of its pages."""

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest

import bonmun
from bonmun.errors import InputError
from bonmun.sites.parameters import DEFAULT
from bonmun.sites.shape import paths_of

_NOISE = 3.0
"""Factor above linear that a busy machine may add; quadratic time is a factor of 8."""


def _page(word: str, inside: str) -> str:
    text = f"<p>{word} is made of {word[::-1]}, and of water that has just boiled in a kettle.</p>" * 3
    return f"<title>{word}</title><div id=menu>Home News</div><div id=text>{text}{inside}</div>"


WORDS = ("Tea", "Bread", "Glass", "Paper")
HOSTILE: dict[str, Callable[[str, int], str]] = {
    "sections": lambda word, count: f"<section><div>{word}</div></section>" * count,
    "namesakes at positions": lambda word, count: "".join(
        f"<div><p class=a>{word} {number} is a longer text.</p></div>" for number in range(count)
    ),
    "siblings": lambda word, count: f"<div>{word}</div>" * count,
    "outside the rule": lambda word, count: "</div>" + f"<p>{word} is also made of leaves and water.</p>" * count,
}


def _seconds(hostile: str, count: int) -> float:
    pages = [bonmun.read_page(_page(word, HOSTILE[hostile](word, count))) for word in WORDS]
    started = process_time()
    with suppress(InputError):  # nothing to learn
        bonmun.Site.learn(pages, host="example.org").extract(pages[0])
    return process_time() - started


@pytest.mark.cpu_timed
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_site_of_hostile_pages_takes_linear_time(hostile: str) -> None:
    assert _seconds(hostile, 4_000) <= _NOISE * 8 * max(_seconds(hostile, 500), 0.05)


def test_pages_of_too_many_blocks_are_not_learned_from() -> None:
    large = "<p>Tea</p>" * (DEFAULT.most_blocks + 1)
    with pytest.raises(InputError, match="3 pages of more than 10,000 blocks left out"):
        bonmun.Site.learn([large] * 3)
    pages = [_page(word, "") for word in WORDS]
    assert bonmun.Site.learn([*pages, large]).templates == bonmun.Site.learn(pages).templates


@pytest.mark.cpu_timed
def test_paths_below_many_sections_take_linear_time() -> None:
    nodes = bonmun.read_page("<section><div>a</div></section>" * 20_000).nodes
    started = process_time()
    assert len(set(paths_of(nodes))) == 20_000
    assert process_time() - started < 5
