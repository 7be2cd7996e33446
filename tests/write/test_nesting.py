"""Blocks are nested in the lists, quotes and tables of their page, however broken its markup is."""

from collections.abc import Iterable
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings

from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.write import (
    NESTING,
    Callout,
    Definitions,
    Details,
    Leaf,
    Line,
    List,
    OutlineNode,
    Quote,
    Rule,
    Span,
    Table,
    leaves,
    outline,
    spans,
)
from tests.without_core import needs_depth
from tests.write.documents import document, markup


def drawn(nodes: Iterable[OutlineNode]) -> list[Any]:
    """Leaves as their lines, other nodes as tuples of their name and content."""
    return [drawn_node(node) for node in nodes]


def drawn_node(node: OutlineNode) -> Any:
    match node:
        case Leaf():
            return "/".join(block.text for block in node.blocks)
        case List():
            return ("list", *map(drawn, node.items))
        case Quote():
            return ("quote", *drawn(node.children))
        case Callout():
            return (node.kind, drawn(node.title), *drawn(node.children))
        case Details():
            return ("details", drawn(node.summary), *drawn(node.children))
        case Rule():
            return "---"
        case Definitions():
            return ("definitions", *((type(entry).__name__.lower(), *drawn(entry.children)) for entry in node.entries))
        case Table():
            return ("table", drawn(node.above), drawn_lines(node.lines), drawn(node.below))


def drawn_lines(lines: Iterable[Line]) -> list[list[Any]]:
    """A cell as its text, with its spans; dots where another cell spans."""
    return [
        [
            "."
            if cell is None
            else (*drawn(cell.children), cell.rows, cell.columns)
            if cell.rows * cell.columns > 1
            else "".join(drawn(cell.children))
            for cell in line
        ]
        for line in lines
    ]


def shape(html: str, drop: tuple[str, ...] = ()) -> list[Any]:
    return drawn(outline(document(html, drop=drop).blocks))


def contents(node: OutlineNode) -> list[tuple[int, list[OutlineNode]]]:
    """The lists of nodes directly inside a node, each with the levels of nesting it takes."""
    match node:
        case Leaf() | Rule():
            return []
        case Callout():
            return [(2, node.title), (1, node.children)][not node.title :]
        case Details():
            return [(2, node.summary), (1, node.children)][not node.summary :]
        case List():
            return [(2, item) for item in node.items]
        case Quote():
            return [(1, node.children)]
        case Definitions():
            return [(2, entry.children) for entry in node.entries]
        case Table():
            cells = [(3, cell.children) for line in node.lines for cell in line if cell and cell.children]
            return [(1, part) for part in (node.above, node.below) if part] + cells


def check(nodes: Iterable[OutlineNode], depth: int = 0) -> None:
    """Nothing is empty, and nothing is nested too deep."""
    assert depth <= NESTING
    for node in nodes:
        inside = contents(node)
        assert inside or isinstance(node, Leaf | Rule)
        for levels, children in inside:
            assert children
            check(children, depth + levels)


@settings(max_examples=200, deadline=None)
@given(markup)
def test_no_page_loses_a_block_or_gets_an_empty_node(html: str) -> None:
    doc = document(html)
    tree = outline(doc.blocks)
    check(tree)
    blocks = [block for leaf in leaves(tree) for block in leaf.blocks]
    assert sorted(blocks, key=lambda block: block.index) == list(doc.blocks)


@settings(max_examples=200, deadline=None)
@given(markup)
def test_a_block_stands_in_the_groups_of_its_ancestors(html: str) -> None:
    names = {
        List: {"ul", "ol", "menu", "dir", "li"},
        Quote: {"blockquote"},
        Table: {"table"},
        Callout: {"aside"},
        Details: {"details"},
    }

    def stands(nodes: Iterable[OutlineNode], around: tuple[OutlineNode, ...]) -> None:
        for node in nodes:
            for block in node.blocks if isinstance(node, Leaf) else ():
                page = block.page
                ancestors = [page.nodes.name(row) for row in page.nodes.ancestors(page.blocks.first[block.index])]
                outermost_first = reversed(ancestors)
                for group in around:  # in this order, with other elements between
                    assert any(name in names.get(type(group), {"dl", "dt", "dd"}) for name in outermost_first)
            for _, children in contents(node):
                stands(children, (*around, node))

    stands(outline(document(html).blocks), ())


def test_lists_hold_items_and_items_hold_lists() -> None:
    assert shape("<ul><li>a<ol><li>b</ol>c<li>d</ul><p>e") == [
        ("list", ["a", ("list", ["b"]), "c"], ["d"]),
        "e",
    ]


def test_two_lists_in_a_row_are_two() -> None:
    assert shape("<ul><li>a</ul><ul><li>b</ul>") == [("list", ["a"]), ("list", ["b"])]


def test_a_list_directly_inside_a_list_belongs_to_the_item_before() -> None:
    html = "<ul><li>a</li><ul><li>b</li><li>c</li></ul><li>d</li></ul>"
    assert shape(html) == [("list", ["a", ("list", ["b"], ["c"])], ["d"])]
    assert shape(html, drop=("a",)) == [("list", ["b"], ["c"]), ("list", ["d"])]


def test_items_without_a_list_get_one() -> None:
    assert shape("<div><li>a<li>b</div><p>c<div><li>d</div>") == [
        ("list", ["a"], ["b"]),
        "c",
        ("list", ["d"]),
    ]


def test_stray_text_leaves_the_list() -> None:
    assert shape("<ul>a<li>b<p>c</p></ul>") == ["a", ("list", ["b", "c"])]
    assert shape("<dl>a<dt>b<dd>c</dl>") == ["a", ("definitions", ("term", "b"), ("definition", "c"))]


def test_lines_stay_together_unless_one_between_them_was_dropped() -> None:
    assert shape("<p>a<br>b<br>c<br><br>d") == ["a/b/c", "d"]
    assert shape("<p>a<br>b<br>c", drop=("b",)) == ["a", "c"]
    assert shape("<ul><li>a<br>b<li>c</ul>") == [("list", ["a/b"], ["c"])]


def test_only_ordered_lists_have_a_start() -> None:
    lists = outline(document("<ol start=7><li>a</ol><ol><li>b</ol><ol start=-2><li>c</ol><ul start=3><li>d").blocks)
    assert [node.start for node in lists if isinstance(node, List)] == [7, 1, 1, None]


def lists(html: str) -> list[List]:
    return [node for node in outline(document(html).blocks) if isinstance(node, List)]


def test_items_are_numbered_as_browsers_do() -> None:
    [values, down, down_from, broken] = lists(
        "<ol><li>a<li value=5>b<li>c</ol><ol reversed><li>a<li>b</ol><ol reversed start=9><li>a<li value=3>b<li>c</ol>"
        "<ol reversed start=1><li>a<li>b<li>c</ol>"
    )
    assert (values.start, values.numbers) == (1, (1, 5, 6))
    assert (down.start, down.numbers, down.reversed) == (2, (2, 1), True)
    assert (down_from.start, down_from.numbers) == (9, (9, 3, 2))
    assert (broken.start, broken.numbers) == (1, ()), "numbers below 0 are ignored"


def test_a_dropped_item_keeps_its_number() -> None:
    [node] = outline(document("<ol reversed><li>a<li>b<li>c</ol>", drop=("b",)).blocks)
    assert isinstance(node, List)
    assert node.numbers == (3, 1)


def test_values_that_count_up_by_one_are_a_start() -> None:
    [node] = lists("<ol><li value=3>a<li value=4>b</ol>")
    assert (node.start, node.numbers) == (3, ())


def test_only_known_types_of_lists_have_a_style() -> None:
    assert [node.style for node in lists("<ol type=i><li>a</ol><ol type='\"x'><li>b</ol><ul type=a><li>c</ul>")] == [
        "i",
        None,
        None,
    ]


def test_boxes_of_forms_are_no_tasks() -> None:
    [tasks, form, disabled] = lists(
        "<ul><li class=task-list-item><input type=checkbox checked>a<li>b</ul>"
        "<ul><li><input type=checkbox>c</ul><ul><li><input type=text disabled>d</ul>"
    )
    assert tasks.checked == (True, None)
    assert not form.checked
    assert not disabled.checked


def test_a_rule_stands_between_two_blocks_only() -> None:
    assert shape("<hr>a<hr><hr>b<hr>") == ["a", "---", "b"]
    assert shape("<p>a<hr><p>b<p>c", drop=("b",)) == ["a", "c"]
    assert shape("<ul><li>a<hr>b<li>c</ul><hr><p>d") == [("list", ["a", "---", "b"], ["c"]), "---", "d"]
    assert shape("<ul><li>a</li><hr><li>b</li></ul>") == [("list", ["a"], ["b"])], "a list holds items only"


def test_boxes_have_their_title_apart() -> None:
    assert shape("<details><summary>a</summary>b<p>c</details>d") == [("details", ["a"], "b", "c"), "d"]
    assert shape("<details>a<summary>b</summary>c</details>") == [("details", [], "a", "b", "c")]
    assert shape("<details><summary>a</summary></details>") == [("details", [], "a")]
    assert shape("<aside class=callout><h4>a</h4>b<ul><li>c</ul></aside>") == [("note", ["a"], "b", ("list", ["c"]))]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<div class='admonition hint'>", "tip"),
        ("<div class='alert alert-warning'>", "warning"),
        ("<div class=callout data-callout=bug>", "caution"),
        ("<div role=note>", "note"),
        ("<div class='note custom-block'>", "note"),
        ("<div class=alert>", None),
        ("<div class=callout>", None),
        ("<div class='hatnote' role=note>", None),
        ("<div class='admonition-title'>", None),
    ],
)
def test_callouts_are_known_by_whole_classes(markup: str, kind: str | None) -> None:
    assert shape(f"{markup}<p>a</div>") == (["a"] if kind is None else [(kind, [], "a")])


@pytest.mark.cpu_timed
@needs_depth
@pytest.mark.parametrize(
    "html",
    [
        "<div class='admonition note'>" * 30_000 + "a",
        "<details><summary>" * 20_000 + "a",
        "<p>a<hr>" * 40_000,
        "<ol>" + "<li value=7>a" * 40_000,
    ],
    ids=["callouts", "details", "rules", "values"],
)
def test_a_hostile_page_takes_linear_time(html: str) -> None:
    doc = document(html)
    started = process_time()
    outline(doc.blocks)
    assert process_time() - started < 12


def test_content_nested_too_deep_joins_the_deepest_node() -> None:
    doc = document("".join(f"<blockquote>{level}" for level in range(200)))
    children, depth = outline(doc.blocks, 5), 0
    while isinstance(quote := children[-1], Quote):
        children, depth = quote.children, depth + 1
    assert (depth, len(children)) == (5, 196)


def test_a_cut_never_leaves_a_table_without_its_cells() -> None:
    html = "<blockquote><blockquote><table><tr><th>a<th>b<tr><td>c<td>d</table>"
    assert drawn(outline(document(html).blocks, 4)) == [("quote", ("quote", "a", "b", "c", "d"))]


def cells(doc: Document) -> list[list[Any]]:
    [table] = outline(doc.blocks)
    assert isinstance(table, Table)
    return drawn_lines(table.lines)


def test_spanning_cells_keep_the_columns_of_the_others() -> None:
    doc = document("<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td>f<td>g</table>")
    assert cells(doc) == [[("a", 2, 1), ("b", 1, 2), "."], [".", "c", "d"], ["e", "f", "g"]]


def test_text_between_the_cells_of_a_row_loses_none_of_them() -> None:
    row = "<span role=columnheader>a</span>b<span role=cell><div class='admonition note'>c</div></span>"
    [table] = outline(document(f"<div role=table><div role=row>{row}").blocks)
    assert isinstance(table, Table)
    assert drawn(table.below) == ["b"]
    assert [[drawn(cell.children) for cell in line if cell] for line in table.lines] == [[["a"], [("note", [], "c")]]]


def test_dropped_and_empty_cells_keep_their_place() -> None:
    doc = document("<table><tr><th>a<th><th>c<tr><td>d<td>e<td>f</table>", drop=("d",))
    assert cells(doc) == [["a", "", "c"], ["", "e", "f"]]


def test_a_cell_reaches_over_kept_rows_only() -> None:
    html = "<table><tr><th rowspan=3>a<th>b<tr><td>c<tr><td>d</table>"
    assert cells(document(html, drop=("c",))) == [[("a", 2, 1), "b"], [".", "d"]]
    assert cells(document(html, drop=("a", "b"))) == [[(2, 1), "c"], [".", "d"]]


def test_a_table_in_a_cell_keeps_its_place_and_leaves_the_rows_of_the_outer_one_alone() -> None:
    inner = "<table><tr><th>x<tr><td>1<td>2</table>"
    doc = document(f"<table><tr><th rowspan=2>a<th>b<tr><td>{inner}<tr><td>c<td>d</table>")
    nested = ("table", [], [["x"], ["1", "2"]], [])
    [table] = outline(doc.blocks)
    assert isinstance(table, Table)
    assert drawn_lines([table.lines[0], table.lines[2]]) == [[("a", 2, 1), "b"], ["c", "d"]]
    assert [cell and drawn(cell.children) for cell in table.lines[1]] == [None, [nested]]


@pytest.mark.cpu_timed
def test_spans_that_blow_a_table_up_are_ignored() -> None:
    html = "<table>" + "<tr><th rowspan=1000 colspan=1000>a<td>b" * 100 + "</table>"
    started = process_time()
    assert cells(document(html)) == [["a", "b"]] * 100
    assert process_time() - started < 5


def test_captions_keep_their_side_of_the_table() -> None:
    doc = document("<table><caption>up</caption><tr><th>a<th>b<tr><td>c<td>d</tr><caption>down</caption></table>")
    assert drawn(outline(doc.blocks)) == [("table", ["up"], [["a", "b"], ["c", "d"]], ["down"])]


def test_a_column_without_content_is_not_counted() -> None:
    doc = document("<table><tr><th>a<th>-<th>c<tr><td>d<td>-<td>f</table>", drop=("-",))
    [table] = outline(doc.blocks)
    assert isinstance(table, Table)
    assert table.columns() == [0, 2]


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
def test_the_longest_span_is_outermost(runs: list[Run], expected: list[str]) -> None:
    def draw(child: Span | Run) -> str:
        return child.text if isinstance(child, Run) else f"{child.mark}({' '.join(map(draw, child.children))})"

    assert [draw(child) for child in spans(runs)] == expected
