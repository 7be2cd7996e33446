"""Pages that a server sent in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.core import core
from bonmun.read.streamed import _found, found_by_reference, with_parts_in_place

_FIRST = "<p>The sea was calm that morning, and nobody spoke until the boats had come in again.</p>"
_SECOND = "<p>Then the nets were carried up the beach, and the buyers came out of the inn.</p>"


def _part(number: str, markup: str) -> str:
    return f'<div hidden id="S:{number}">{markup}</div><script>$RC("B:{number}","S:{number}")</script>'


def _place(number: str, kind: str = "B") -> str:
    return f'<!--$?--><template id="{kind}:{number}"></template><!--/$-->'


def test_late_parts_are_read_where_a_browser_shows_them():
    shown = f"<main><h1>Sea</h1>{_place('1')}{_place('0')}</main><footer>Imprint</footer>"
    body = shown + _part("0", _SECOND) + _part("1", _FIRST)
    page = bonmun.read_page(f"<body>{body}")
    texts = page.blocks.text
    assert [text.split()[0] for text in texts] == ["Sea", "The", "Then", "Imprint"]
    assert not any(page.blocks.flags)
    assert page.nodes.xpath(page.blocks.element[1]) == "/html/body/main[1]/p[1]"
    assert any("sent late" in warning for warning in page.warnings)
    doc = bonmun.extract(f"<body>{body}")
    assert doc.text.index("nobody spoke") < doc.text.index("nets were carried")


def test_parts_inside_late_parts_are_read_in_place():
    inner = f'<div hidden id="S:2">{_SECOND}</div><script>$RS("S:2","P:2")</script>'
    page = bonmun.read_page(
        f"<main>{_place('1')}</main>{inner}{_part('1', _FIRST + '<div>' + _place('2', 'P') + '</div>')}"
    )
    assert [text.split()[0] for text in page.blocks.text] == ["The", "Then"]
    assert page.nodes.xpath(page.blocks.element[1]) == "/html/body/main[1]/div[1]/p[1]"


def test_a_part_without_a_place_stays_hidden_where_it_is():
    page = bonmun.read_page(f"<main>{_FIRST}{_place('7')}</main>{_part('1', _SECOND)}")
    assert [bool(flags) for flags in page.blocks.flags] == [False, True]
    assert not page.warnings


@pytest.mark.skipif(core() is None, reason="the reference reader has no offsets")
def test_spans_are_those_of_the_page_as_it_was_read():
    doc = bonmun.extract(f"<main>{_place('1')}</main>{_part('1', _FIRST)}")
    start, stop = doc.blocks[0].span
    assert doc.page.source[start:stop].decode().strip("</p>") == doc.blocks[0].text


@pytest.mark.parametrize(
    "source",
    [
        _part("0", _place("0")),
        _part("0", _place("1")) + _part("1", _place("0")),
        f'<template id="B:0"></template><div hidden id="S:0">{_FIRST}',
        f'<script>"<template id=\\"B:0\\"></template>"</script>{_part("0", _FIRST)}',
        _place("0"),
    ],
    ids=["in-itself", "in-each-other", "unclosed", "in-a-script", "no-part"],
)
def test_nothing_is_lost_where_parts_cannot_be_placed(source: str):
    assert with_parts_in_place(source.encode()) == source.encode()


def test_tags_in_scripts_do_not_end_a_part():
    inside = "<script>document.write('</div>')</script>" + _FIRST
    assert (
        with_parts_in_place((_place("0") + _part("0", inside)).encode())
        .decode()
        .startswith(f"<!--$?-->{inside}<!--/$-->")
    )


def test_of_two_parts_or_places_with_one_number_the_first_counts():
    source = _place("0") + _place("0") + _part("0", _FIRST) + _part("0", _SECOND)
    placed = with_parts_in_place(source.encode()).decode()
    assert placed.startswith(f"<!--$?-->{_FIRST}<!--/$-->{_place('0')}")
    assert placed.count(_SECOND) == 1


def test_many_parts_are_placed_in_one_pass():
    numbers = [f"{number:x}" for number in range(20_000)]
    source = "".join(map(_place, numbers)) + "".join(_part(number, f"<p>{number}") for number in numbers)
    placed = with_parts_in_place(source.encode())
    assert placed.count(b"<p>") == 20_000
    assert b"hidden" not in placed


_PIECES = (
    '<div hidden id="S:1">',
    '<div hidden id="S:a0">',
    '<div hidden id="S:123456789">',
    '<div hidden id="S:">',
    "<div>",
    "<div\n",
    "<divs>",
    "</div>",
    "</div \t>",
    "</divs>",
    "<script>",
    "<script src=a>",
    "<scripts>",
    "</script>",
    "</script\x0b>",
    "</script",
    '<template id="B:1"></template>',
    '<template id="P:a0"></template>',
    '<template id="C:1"></template>',
    '<template id="B:1">',
    "<",
    "Tea",
    "B:1",
    '"',
    ">",
    "0",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
def test_parts_are_found_like_by_the_twin(markup: str):
    assert _found(markup.encode()) == found_by_reference(markup.encode())
