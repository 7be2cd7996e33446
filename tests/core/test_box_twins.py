"""The boxes around blocks that the compiled core finds are those of the whole page."""

from array import array
from bisect import bisect_left
from itertools import islice
from random import Random

import pytest

import bonmun
from bonmun.core import core
from bonmun.model.boxes import CALLOUT_ROLES, CALLOUT_WORDS, boxes_among
from bonmun.model.page import Page
from tests.corpora import pages

compiled = core()
pytestmark = pytest.mark.skipif(compiled is None, reason="the compiled core is not built")

BOXES = (
    "<details>{}</details>",
    "<details data-callout=tip><summary>a</summary>{}</details>",
    "<details class='admonition warning'><summary>a</summary>{}</details>",
    "<div class='Admonition tip'><p class=title>T</p>{}</div>",
    "<div role=' Note '>{}</div>",
    "<div class=admonitions>{}</div>",
    "<div class='alert alert-danger'><b>Note:</b>{}</div>",
    "<div>{}<p>b</div>",
)


def compared(page: Page, random: Random) -> int:
    """The boxes with some of the blocks inside, after a comparison with those of the page."""
    shown = array("i", sorted(random.sample(range(len(page.blocks)), len(page.blocks) // 2)))
    starts = [page.blocks.first[index] for index in shown]
    wanted = {
        row: box
        for row, box in page.boxes.items()
        if bisect_left(starts, row) != bisect_left(starts, page.nodes.end[row])
    }
    assert compiled is not None
    rows = compiled.box_rows(page.writer_page, shown, CALLOUT_WORDS, CALLOUT_ROLES)
    assert boxes_among(page.nodes, memoryview(rows).cast("i")) == wanted
    return len(wanted)


def test_the_twins_agree_on_nested_boxes() -> None:
    random, count = Random(4), 0
    for _ in range(300):
        html = ""
        for _ in range(random.randint(1, 6)):
            html = random.choice(BOXES).format(f"{html}<p>{random.choice('xyz')}</p>") + random.choice(("", html))
        count += compared(bonmun.read_page(html), random)
    assert count > 500


def test_the_twins_agree_on_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 29):
        compared(bonmun.read_page(record["html"], url=record["url"]), Random(1))


def test_words_and_blocks_are_checked() -> None:
    page = bonmun.read_page("<p>a")
    assert compiled is not None
    for shown, words in (
        (array("i", [1]), b"a\0"),
        (array("i", [-99]), b"a\0"),
        (array("i"), b"A\0"),
        (array("i"), b"a"),
    ):
        with pytest.raises(ValueError, match="must"):
            compiled.box_rows(page.writer_page, shown, words, words)
