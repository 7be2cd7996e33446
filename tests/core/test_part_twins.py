"""Texts of blocks that were kept in part: the compiled core agrees with its twin."""

from array import array
from itertools import islice
from random import Random

import pytest

import bonmun
from bonmun.core import core
from bonmun.model.block import KINDS, rows_shown
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID
from bonmun.write.compiled_text import part_texts, part_texts_by_reference
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is not built")

PIECES = (
    *(
        "tea ",
        " water",
        "10<sup>6</sup>",
        "x<sub>k+1</sub>",
        "<b>cup</b>",
        "<i> pot </i>",
        "<span>amount</span><span>integer</span>",
    ),
    *(
        "<sup><span>a</span><span>2</span></sup>",
        "<br>",
        "<a href=/a>link</a>",
        "\u00ad\ufeffsoft",
        "\u3000",
        "<code>x</code>",
    ),
    *(
        "<span style='display: block'>line</span>",
        "<sup>19</sup>",
        "<math><mi>x</mi></math>",
        "<img src=a.png>",
        "<wbr>",
    ),
    *("<div class=line>one</div>", "\n  ", "<sub>x<sup>2</sup></sub>", "<font></font>", "\u00e9t\u00e9"),
)
TAGS = ("p", "h2", "pre", "td", "li", "sup", "div")


def compared(page: Page, random: Random) -> int:
    """Compare the texts of random parts of all blocks; how many there are."""
    nodes, blocks = page.nodes, page.shown_blocks
    kinds, parts = array("i"), []
    for index in range(len(blocks)):
        shown = rows_shown(nodes, blocks.first[index], blocks.stop[index], hidden=True, images=random.random() < 0.1)
        rows = tuple(row for row in shown if random.random() < 0.6)
        if rows:
            parts.append(rows)
            kinds.append(random.choice((blocks.kind_code[index], random.randrange(len(KINDS)))))
    stops, texts = part_texts(nodes, kinds, parts)
    other_stops, other_texts = part_texts_by_reference(nodes, kinds, parts)
    assert texts == other_texts
    assert list(stops) == list(other_stops)
    return len(parts)


def test_the_twins_agree_on_parts_of_any_markup() -> None:
    random, count = Random(7), 0
    for _ in range(3000):
        tags = random.choices(TAGS, k=3)
        insides = ["".join(random.choices(PIECES, k=random.randint(1, 7))) for _ in tags]
        html = "".join(f"<{tag}>{inside}</{tag}>" for tag, inside in zip(tags, insides, strict=True))
        count += compared(bonmun.read_page(html), random)
    assert count > 5000


def test_the_twins_agree_on_parts_of_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 29):
        compared(bonmun.read_page(record["html"], url=record["url"]), Random(1))


def test_rows_that_are_no_texts_in_order_are_left_to_python() -> None:
    compiled, nodes = core(), bonmun.read_page("<p>a<b>b</b><img src=c.png>").nodes
    assert compiled is not None
    first, second = nodes.rows_of("#text")
    for rows in ([first, 99], [second, first], [-1], [first, first], [nodes.rows_of("img")[0]], [], [TAG_ID["html"]]):
        starts = array("i", [0, len(rows)])
        assert compiled.part_texts(nodes.held, bytes(9), -1, array("i", [0]), starts, array("i", rows)) is None
    with pytest.raises(ValueError, match="starts"):
        compiled.part_texts(nodes.held, b"", -1, array("i", [0]), array("i", [0]), array("i"))
    assert list(part_texts(nodes, array("i", [0]), [(second, first)])[0]) == [2]
