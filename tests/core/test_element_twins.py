"""The compiled search for elements and its twin."""

import pytest

from bonmun.model.nodes import Nodes
from bonmun.read.elements import elements, elements_by_reference
from bonmun.read.parse import parse

PAGE = """<html lang=en><meta name=author content="Ann &amp; Bob"><meta content=x><meta NAME=a NAME=b content>
<link rel="canonical" href="/tea"><div itemscope itemtype="https://schema.org/Recipe"><b itemprop=name>Tea</b>
<p itemprop="">x</p><i class=a>y</i></div>"""


@pytest.mark.parametrize("tag", ["meta", "link", "b", "video", None])
@pytest.mark.parametrize("names", [("name", "content"), ("itemprop", "itemscope", "itemtype"), ("rel", "none"), ()])
def test_both_find_the_same(tag: str | None, names: tuple[str, ...]) -> None:
    nodes: Nodes = parse(PAGE)
    for needed in range(len(names) + 1):
        for most in (0, 1, 99):
            found = elements(nodes, tag, names, most, needed)
            assert found == elements_by_reference(nodes, tag, names, most, needed)


def test_an_attribute_without_value_is_not_a_missing_one() -> None:
    assert elements(parse("<p itemscope>"), None, ("itemprop", "itemscope"), 9, needed=2) == [(3, None, "")]


def test_values_and_texts_of_rows_are_those_of_the_twin() -> None:
    nodes: Nodes = parse(PAGE + "<p class='a &amp; ä'>ä &lt; b")
    for row in range(-1, len(nodes)):
        assert row < 0 or nodes.text(row) == nodes.text_by_reference(row)
        for name, number in nodes.attr_id.items():
            for most in (None, 0, 3, 5, 99):
                assert nodes.attr(row, name, most) == nodes.attr_by_reference(row, number, most)


def test_a_row_beyond_the_last_is_an_index_error() -> None:
    nodes: Nodes = parse("<p class=a>x")
    with pytest.raises(IndexError):
        nodes.attr(len(nodes), "class")
    with pytest.raises(IndexError):
        nodes.text(len(nodes))
