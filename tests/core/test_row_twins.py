"""Texts and attributes of single rows: the compiled core and its twins in `model.nodes`."""

from itertools import islice

import pytest

from bonmun.core import core
from bonmun.model.nodes import Nodes
from bonmun.read.formulas import with_formulas
from bonmun.read.parse import parse
from tests.core.tree_cases import CASES
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is missing or disabled")


def assert_rows_are_alike(nodes: Nodes) -> None:
    for row in range(len(nodes)):
        assert nodes.text(row) == nodes.text_by_reference(row)
        assert nodes.content(row) == nodes.content_by_reference(row)
        for name, number in nodes.attr_id.items():
            assert nodes.attr(row, name) == nodes.attr_by_reference(row, number, None)
            assert nodes.attr(row, name, 3) == nodes.attr_by_reference(row, number, 3)


def test_white_space_of_a_content_is_that_of_python() -> None:
    beyond = "".join(
        map(chr, (*range(0x21), *range(0x7E, 0xC0), 0x1680, 0x180E, *range(0x2000, 0x2070), 0x3000, 0x3001))
    )
    text = "".join(f"{char}a{char}{char}\u00e9\U0001f375" for char in beyond if char not in "\0\r") + "\u3000\xa0 "
    nodes = parse(f"<script>{text}</script>")
    (row,) = nodes.rows_of("script")
    assert nodes.content(row) == nodes.content_by_reference(row) == " ".join(text.split())


@pytest.mark.parametrize("rule", CASES)
def test_rows_of_cases_of_tree_construction(rule: str) -> None:
    for html in CASES[rule]:
        assert_rows_are_alike(parse(html))


def test_rows_of_real_pages() -> None:
    for page in islice(pages("wcxb_dev"), 0, 60, 20):
        assert_rows_are_alike(parse(page["html"]))


def test_a_formula_is_read_without_the_copies_inside_it() -> None:
    nodes = with_formulas(parse("<p>Let <math><msup><mi>x</mi><mn>2</mn></msup></math>  be &amp; even.</p>"))
    assert nodes is not None
    assert nodes.content(nodes.rows_of("p")[0]) == "Let x^2 be & even."
    assert_rows_are_alike(nodes)


def test_an_attribute_is_cut_by_bytes() -> None:
    nodes = parse("<p class=편집>x")
    assert nodes.attr(3, "class", 3) == "편"
    assert nodes.attr(3, "class", 4) == "편\ufffd"


def test_the_parent_of_the_root_has_no_attributes() -> None:
    assert parse("<html class=a><p class=b>x").attr(-1, "class") is None


def test_a_row_that_the_page_does_not_have_is_an_error() -> None:
    nodes = parse("<p class=a>x")
    for read in (nodes.text, nodes.content, lambda row: nodes.attr(row, "class")):
        with pytest.raises(IndexError):
            read(len(nodes))


def test_the_last_row_is_counted_from_the_end() -> None:
    nodes = parse("<p>one<p>two")
    assert nodes.text(-1) == "two"
