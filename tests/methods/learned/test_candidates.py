"""The compiled core finds the blocks of the rules as the Python twins do, for any choice of blocks."""

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.features.matrix import BlockFeatures
from bonmun.methods.learned import candidates
from bonmun.methods.learned.model import shipped
from bonmun.methods.learned.pictures import keep_pictures_inside
from bonmun.model.page import Page
from bonmun.read.page import read_page
from tests.core.tag_soup import tag_soup
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")

LINES = (
    "<p>Tea is made of leaves, and of water that has just boiled.",
    "<h2>Water <a href=#w>#</a></h2>",
    "<h2>Leaves</h2>",
    "<h3 role=heading aria-level=2>Cups</h3>",
    "<div role=heading>Pots</div>",
    "<pre>boil(water)</pre>",
    "<table class=photo><tr><td><img src=cup.jpg width=300 height=300><tr><td>A cup</table>",
    "<table><tr><th>Tea<th>Minutes<tr><td>Green<td>3<tr><td>Black<td>5</table>",
    "<figure><img src=pot.jpg width=300 height=300><figcaption>A pot</figcaption></figure>",
    "<img src=leaf.jpg width=300 height=300>",
    "<div class=Caption>A leaf</div>",
    "<div class='admonition note'><p class=title>Note</p><p>Do not boil it twice.</div>",
    "<div class='alert alert-warning'><b>Warning</b><p>It is hot.</div>",
    "<div class='custom-bloc\u212a'><p>Tip</p><p>Warm the pot.</div>",
    "<p>All Rights Reserved",
    "<p>\u24b8 Leaves",
    "<p>Per\u0131mssion",
    "<p>（原标题：茶）",
    "<p>jane@leaves.example",
    "<button>Buy</button>",
    "<p hidden>Not seen",
    "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>",
    "<p><math><mi>y</mi></math>",
    "<div></div>",
)


def measured(page: Page) -> object:
    return BlockFeatures(page, shipped().weights).measured()[0]


def check(page: Page, dice: random.Random) -> None:
    """Compare the twins on choices with few, many and all blocks."""
    if not len(page.blocks):
        return
    compiled = measured(page)
    for share in (0.0, 0.2, 0.8, 1.0):
        keep = bytearray(dice.random() < share for _ in range(len(page.blocks)))
        scores = array("d", [dice.random() * (2 if kept else 0.2) for kept in keep])
        assert candidates.end_of_text(page, scores, compiled) == candidates.end_of_text(page, scores)
        for find in (candidates.gaps, candidates.callout_titles, candidates.linked_headings):
            assert list(find(page, keep, compiled)) == list(find(page, keep)), find.__name__
        ours, twins = candidates.text_ends(page, keep, compiled), candidates.text_ends(page, keep)
        assert (list(ours.blocks), *ours[1:]) == (list(twins.blocks), *twins[1:])
        decided = [index for index in range(len(keep)) if dice.random() < 0.1]
        by_core, by_python = bytearray(keep), bytearray(keep)
        keep_pictures_inside(page, by_core, decided, compiled)
        keep_pictures_inside(page, by_python, decided)
        assert by_core == by_python


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=30), st.randoms(use_true_random=False))
def test_twins_agree_on_pages_with_what_rules_look_for(lines: list[str], dice: random.Random) -> None:
    check(read_page("".join(lines)), dice)


@settings(max_examples=60, deadline=None)
@given(tag_soup(), st.randoms(use_true_random=False))
def test_twins_agree_on_tag_soup(soup: str, dice: random.Random) -> None:
    check(read_page(soup), dice)


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_twins_agree_on_pages_of_the_corpora(corpus: str) -> None:
    dice = random.Random(1)
    for record in list(pages(corpus))[::60]:
        check(read_page(record["html"], url=record["url"]), dice)


def test_arguments_of_another_page_are_refused() -> None:
    compiled = core()
    page = read_page("<p>Tea<p>Water")
    assert compiled
    with pytest.raises(ValueError, match="one byte for each block"):
        compiled.linked_headings(measured(page), bytearray(3))
    with pytest.raises(ValueError, match="one double for each block"):
        compiled.end_of_text(measured(page), array("d", [1.0]))
    with pytest.raises(ValueError, match="one 32-bit integer"):
        compiled.gaps(measured(page), array("i", [1]), bytearray(2))
    with pytest.raises(ValueError, match="does not have"):
        compiled.pictures(measured(page), bytearray(2), array("i", [2]), b"")
    with pytest.raises(ValueError, match="NUL"):
        compiled.callout_titles(measured(page), bytearray(2), b"note")
