"""Blocks find back into the lists, quotes and tables of their page, however the page was written."""

from collections.abc import Iterable
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings

from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.write.grid import Grid, grid
from bonmun.write.outline import NESTING, Child, Group, Leaf, Role, leaves, outline
from bonmun.write.spans import Span, spans
from tests.write.documents import document, markup

MAY_HOLD: dict[Role, set[Role | None]] = {
    Role.LIST: {Role.ITEM},
    Role.DEFINITIONS: {Role.TERM, Role.DEFINITION},
    Role.TABLE: {Role.ROW, Role.LIST, Role.QUOTE, Role.DEFINITIONS, None},
    Role.ROW: {Role.CELL},
}
ANYTHING: set[Role | None] = {Role.LIST, Role.QUOTE, Role.DEFINITIONS, Role.TABLE, None}


def drawn(children: Iterable[Child]) -> list[Any]:
    """Leaves as their lines, groups as their role and children."""
    return [
        "/".join(block.text for block in child.blocks)
        if isinstance(child, Leaf)
        else (child.role.value, *drawn(child.children))
        for child in children
    ]


def shape(html: str, drop: tuple[str, ...] = ()) -> list[Any]:
    return drawn(outline(document(html, drop=drop).blocks))


def check(children: Iterable[Child], may_hold: set[Role | None], depth: int = 0) -> None:
    assert depth <= NESTING
    for child in children:
        if isinstance(child, Leaf):
            assert None in may_hold
            continue
        assert child.role in may_hold
        assert child.children
        check(child.children, MAY_HOLD.get(child.role, ANYTHING), depth + 1)


@settings(max_examples=200, deadline=None)
@given(markup)
def test_no_page_loses_a_block_or_puts_one_where_it_cannot_be(html: str) -> None:
    doc = document(html)
    tree = outline(doc.blocks)
    check(tree, ANYTHING)
    assert [block for leaf in leaves(tree) for block in leaf.blocks] == list(doc.blocks)


@settings(max_examples=100, deadline=None)
@given(markup)
def test_groups_are_those_that_the_block_names(html: str) -> None:
    def named(children: Iterable[Child], around: frozenset[int]) -> None:
        for child in children:
            if isinstance(child, Leaf):
                assert all(around <= {row for _, row in block.within} for block in child.blocks)
            else:
                own = child.row >= 0 and child.role is not Role.ITEM  # an item may have been given a stray list
                named(child.children, around | {child.row} if own else around)

    named(outline(document(html).blocks), frozenset())


def test_lists_hold_items_and_items_hold_lists() -> None:
    assert shape("<ul><li>a<ol><li>b</ol>c<li>d</ul><p>e") == [
        ("list", ("item", "a", ("list", ("item", "b")), "c"), ("item", "d")),
        "e",
    ]


def test_two_lists_in_a_row_are_two() -> None:
    assert shape("<ul><li>a</ul><ul><li>b</ul>") == [("list", ("item", "a")), ("list", ("item", "b"))]


def test_a_list_right_inside_a_list_belongs_to_the_item_before() -> None:
    html = "<ul><li>a</li><ul><li>b</li><li>c</li></ul><li>d</li></ul>"
    assert shape(html) == [("list", ("item", "a", ("list", ("item", "b"), ("item", "c"))), ("item", "d"))]
    assert shape(html, drop=("a",)) == [("list", ("item", "b"), ("item", "c")), ("list", ("item", "d"))]


def test_items_without_a_list_get_one() -> None:
    assert shape("<div><li>a<li>b</div><p>c<div><li>d</div>") == [
        ("list", ("item", "a"), ("item", "b")),
        "c",
        ("list", ("item", "d")),
    ]


def test_stray_text_leaves_the_list() -> None:
    assert shape("<ul>a<li>b<p>c</p></ul>") == ["a", ("list", ("item", "b", "c"))]
    assert shape("<dl>a<dt>b<dd>c</dl>") == ["a", ("definitions", ("term", "b"), ("definition", "c"))]


def test_lines_stay_together_unless_one_between_them_was_dropped() -> None:
    assert shape("<p>a<br>b<br>c<br><br>d") == ["a/b/c", "d"]
    assert shape("<p>a<br>b<br>c", drop=("b",)) == ["a", "c"]
    assert shape("<ul><li>a<br>b<li>c</ul>") == [("list", ("item", "a/b"), ("item", "c"))]


def test_only_ordered_lists_have_a_start() -> None:
    lists = outline(document("<ol start=7><li>a</ol><ol><li>b</ol><ol start=-2><li>c</ol><ul start=3><li>d").blocks)
    assert [child.start for child in lists if isinstance(child, Group)] == [7, 1, 1, None]


def test_what_lies_too_deep_joins_the_deepest_group() -> None:
    doc = document("".join(f"<blockquote>{level}" for level in range(200)))
    children, depth = outline(doc.blocks, 5), 0
    while isinstance(children[-1], Group):
        children, depth = children[-1].children, depth + 1
    assert (depth, len(children)) == (5, 196)


def test_a_cut_never_leaves_a_table_without_its_cells() -> None:
    html = "<blockquote><blockquote><table><tr><th>a<th>b<tr><td>c<td>d</table>"
    assert drawn(outline(document(html).blocks, 4)) == [("quote", ("quote", "a", "b", "c", "d"))]


def cells(doc: Document) -> list[list[Any]]:
    [table] = outline(doc.blocks)
    assert isinstance(table, Group)
    return drawn_lines(grid(table, doc.page.nodes))


def drawn_lines(table: Grid) -> list[list[Any]]:
    """A cell as its text, with what it spans; dots where another reaches in."""
    return [
        [
            "."
            if cell is None
            else (*drawn(cell.children), cell.rows, cell.columns)
            if cell.rows * cell.columns > 1
            else "".join(drawn(cell.children))
            for cell in line
        ]
        for line in table.lines
    ]


def test_spanning_cells_keep_the_columns_of_the_others() -> None:
    doc = document("<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td>f<td>g</table>")
    assert cells(doc) == [[("a", 2, 1), ("b", 1, 2), "."], [".", "c", "d"], ["e", "f", "g"]]


def test_dropped_and_empty_cells_keep_their_place() -> None:
    doc = document("<table><tr><th>a<th><th>c<tr><td>d<td>e<td>f</table>", drop=("d",))
    assert cells(doc) == [["a", "", "c"], ["", "e", "f"]]


def test_a_cell_reaches_over_kept_rows_only() -> None:
    html = "<table><tr><th rowspan=3>a<th>b<tr><td>c<tr><td>d</table>"
    assert cells(document(html, drop=("c",))) == [[("a", 2, 1), "b"], [".", "d"]]
    assert cells(document(html, drop=("a", "b"))) == [[(2, 1), "c"], [".", "d"]]


def test_spans_that_blow_a_table_up_are_ignored() -> None:
    html = "<table>" + "<tr><th rowspan=1000 colspan=1000>a<td>b" * 100 + "</table>"
    started = process_time()
    assert cells(document(html)) == [["a", "b"]] * 100
    assert process_time() - started < 1


def test_captions_keep_their_side_of_the_table() -> None:
    doc = document("<table><caption>up</caption><tr><th>a<th>b<tr><td>c<td>d</tr><caption>down</caption></table>")
    [table] = outline(doc.blocks)
    assert isinstance(table, Group)
    found = grid(table, doc.page.nodes)
    assert (drawn(found.above), drawn(found.below)) == (["up"], ["down"])


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([Run("a", ("strong",)), Run("b", ("strong", "em"))], ["strong(a em(b))"]),
        ([Run("a", (), "/x"), Run("b", ("em",), "/x"), Run("c", ("em",))], ["link(a em(b))", "em(c)"]),
        ([Run("a", ("em",)), Run("b", ("em",), "/x"), Run("c", ("em",))], ["em(a link(b) c)"]),
        ([Run("a", ("em",), "/x")], ["link(em(a))"]),
        ([Run("a", (), "/x"), Run("b", (), "/y")], ["link(a)", "link(b)"]),
    ],
)
def test_what_reaches_farthest_is_outermost(runs: list[Run], expected: list[str]) -> None:
    def draw(child: Span | Run) -> str:
        return child.text if isinstance(child, Run) else f"{child.mark}({' '.join(map(draw, child.children))})"

    assert [draw(child) for child in spans(runs)] == expected
