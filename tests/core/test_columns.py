"""The columns of a page in Python: views of the reader's memory."""

import gc
from dataclasses import replace

import pytest

from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from tests.core.readers import compiled

PAGE = '<html lang=ko><p class="a b" id=c>one <b>two</b><my-tag \u3000x\x0by=1>three'


def test_a_column_is_made_once_and_cannot_be_written() -> None:
    nodes = compiled(PAGE)
    assert nodes.parent is nodes.parent
    assert nodes.tag_names is nodes.tag_names
    with pytest.raises(TypeError, match="read-only"):
        nodes.parent[0] = 7
    with pytest.raises(AttributeError):
        nodes.parent = nodes.tag  # type: ignore[misc]


def test_all_columns_have_a_cell_for_every_row_or_attribute() -> None:
    nodes = compiled(PAGE)
    by_row = (nodes.parent, nodes.tag, nodes.depth, nodes.end, nodes.start, nodes.stop, nodes.chars, nodes.flags)
    assert {len(column) for column in by_row} == {len(nodes)}
    assert nodes.source_start is not None and nodes.source_stop is not None
    assert len(nodes.source_start) == len(nodes.source_stop) == len(nodes)
    assert len(nodes.attr_first) == len(nodes) + 1
    assert len(nodes.attr_name) == len(nodes.attr_start) == len(nodes.attr_stop) == nodes.attr_first[len(nodes)] == 4


def test_views_outlive_the_nodes() -> None:
    nodes = compiled(PAGE * 50)
    wanted, starts = list(nodes.parent), list(nodes.attr_start)
    parent, attr_start = nodes.parent, nodes.attr_start
    del nodes
    gc.collect()
    compiled("<i>" * 5_000)  # would reuse the memory, were it freed
    assert list(parent) == wanted
    assert list(attr_start) == starts


def test_names_may_contain_any_character_but_delimiters() -> None:
    nodes = compiled(PAGE)
    row = len(nodes) - 2
    assert nodes.name(row) == "my-tag"
    assert nodes.attrs(row) == {"\u3000x\x0by": "1"}


def test_a_page_without_attributes_and_further_tags_has_their_columns() -> None:
    nodes = compiled("x")
    assert len(nodes.attr_name) == 0
    assert nodes.attr(0, "class") is None
    assert nodes.name(0) == "html"


def test_an_unknown_attribute_of_nodes_raises_an_error_that_names_it() -> None:
    nodes = compiled(PAGE)
    with pytest.raises(AttributeError, match="object has no attribute 'colour'"):
        nodes.colour  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(nodes, "__array_interface__")


def test_a_column_can_be_replaced() -> None:
    nodes = compiled(PAGE)
    changed = replace(nodes, flags=nodes.depth)
    assert changed.flags is nodes.depth
    assert changed.text(len(nodes) - 1) == nodes.text(len(nodes) - 1) == "three"
    assert changed.tag_names == nodes.tag_names


@pytest.mark.parametrize("most", [2**31 - 1, 2**31, 2**63, 10**30])
def test_limits_may_be_of_any_size(most: int) -> None:
    nodes = compiled(PAGE, Limits(nodes=most, depth=most, attributes=most))
    assert len(nodes) == len(compiled(PAGE))
    assert nodes.warnings == ()


@pytest.mark.parametrize("html", ['<p a="1" b="2" c="3">', "<p a=1 b=2 c=3>", "<p a b c>"])
def test_a_tag_keeps_attributes_up_to_the_limit(html: str) -> None:
    nodes = compiled(html + '<p a="4" b="5" c="6">' + "x" * 100, Limits(attributes=2))
    assert [list(nodes.attrs(row)) for row in (3, 4)] == [["a", "b"], ["a", "b"]]
    assert nodes.warnings == ("2 attributes beyond 2 on a tag were left out",)


def test_all_attributes_together_are_bounded_by_the_node_limit() -> None:
    tag = "<p " + " ".join(f"a{number}=1" for number in range(30)) + ">"
    assert len(compiled(tag, Limits(nodes=10))) == 4
    with pytest.raises(LimitExceeded, match="nodes"):
        compiled(tag * 2, Limits(nodes=10))


@pytest.mark.parametrize("html", ["<table>abc<tr>def", "<table>a&amp;bc<tr>d&amp;ef", "x</z>&amp;y</z>z"])
def test_the_spill_has_no_uninitialised_memory(html: str) -> None:
    compiled("<p>" + "&amp;ÿ" * 500)  # freed memory that is not zero
    assert not compiled(html).spill.strip(b"abcdefxyz& ")
