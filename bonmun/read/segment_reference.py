"""Segmentation in Python: the twin of the compiled one, and the fallback when that is not built."""

from array import array
from dataclasses import dataclass

from bonmun.model.block import KIND_OF_TAG, KINDS, Blocks, Kind, rows_shown, text_of
from bonmun.model.nodes import Nodes
from bonmun.model.pictures import is_picture
from bonmun.model.tags import (
    BLOCK_LEVEL,
    CELLS,
    CONTROL,
    HEADINGS,
    HIDDEN,
    LINES_OF_CODE,
    LINK,
    LISTS,
    PREFORMATTED,
    TAG_ID,
    TEXT,
    UNRENDERED,
    tag_set,
)

_LINES_STAY_TOGETHER = frozenset({Kind.HEADING, Kind.CODE, Kind.CAPTION})
_BREAK, _RULE, _IMAGE, _TABLE, _QUOTE = (TAG_ID[name] for name in ("br", "hr", "img", "table", "blockquote"))
_FIRST_HEADING, _ROW, _BUTTON, _DIV = TAG_ID["h1"], TAG_ID["tr"], TAG_ID["button"], TAG_ID["div"]
_NO_LINES = BLOCK_LEVEL | {_IMAGE}
HEADING_ROWS, HEADING_CHARACTERS = 40, 120
"""Size of a heading whose lines are one block."""
_HEADER = tag_set("th caption thead")
_SEPARATES = BLOCK_LEVEL - LISTS - tag_set("li dl dt dd")
_MAX_PIECES = 2
"""Mean pieces of content in a cell of a data table without headers. On the development sets, tables of values have up
to 2.0, layouts 3.3 and more."""


def segment_by_reference(nodes: Nodes) -> Blocks:
    """Segment a page into blocks."""
    tables = _data_tables(nodes)
    run = _Runs(nodes, tables)
    element, structure = _ancestry(nodes, tables)
    for row, tag in enumerate(nodes.tag):
        if nodes.flags[row] & UNRENDERED:
            continue
        if nodes.chars[row]:
            if tag in BLOCK_LEVEL:
                run.close()
            run.text(row, element[row], structure[row])
        elif tag == _IMAGE:
            run.image(row, element[row], structure[row])
        elif tag == _BREAK:
            run.line_break(structure[row])
        elif element[row] == row:
            run.close()
    run.close()
    return run.finish()


def _ancestry(nodes: Nodes, tables: frozenset[int]) -> tuple[list[int], list[int]]:
    """Return, for each row, its block-level element and the nearest element that determines a block's kind."""
    element, structure = [-1] * len(nodes), [-1] * len(nodes)
    table, lines_stop = -1, 0  # the latest table; the end of the latest `pre` of lines
    heading_stop = 0  # the end of the latest heading of lines
    for row, (parent, tag) in enumerate(zip(nodes.parent, nodes.tag, strict=True)):
        if parent >= 0:
            element[row], structure[row] = element[parent], structure[parent]
        if tag in BLOCK_LEVEL:
            element[row] = row
        if tag == _TABLE:
            table = row
        if row < lines_stop and tag in LINES_OF_CODE:
            element[row] = element[parent]
            continue
        if row < heading_stop and tag == _DIV:
            element[row] = element[parent]
        if tag in HEADINGS and _has_lines(nodes, row):
            heading_stop = nodes.end[row]
        if tag in PREFORMATTED and _holds_lines(nodes, row):
            lines_stop = nodes.end[row]
        if tag in KIND_OF_TAG and (tag not in CELLS or _table_of(nodes, row, table) in tables):
            structure[row] = row
    return element, structure


def _holds_lines(nodes: Nodes, pre: int) -> bool:
    """Whether all block-level elements in a `pre` are lines of its code."""
    inside = BLOCK_LEVEL.intersection(nodes.tag[pre + 1 : nodes.end[pre]]) - {_BUTTON}
    return bool(inside) and inside <= LINES_OF_CODE


def _has_lines(nodes: Nodes, heading: int) -> bool:
    """Whether the texts of a heading are in several `div`s, with no other block-level element and no image beside them.

    A large one is a part of the page around which the heading was not closed, or a title with its explanation.
    """
    stop = nodes.end[heading]
    if stop - heading > HEADING_ROWS or _NO_LINES.intersection(nodes.tag[heading + 1 : stop]) != {_DIV}:
        return False
    texts = [row for row in range(heading, stop) if nodes.chars[row] and not nodes.flags[row] & (UNRENDERED | HIDDEN)]
    lines = {_line_of(nodes, heading, row) for row in texts}
    return len(lines) > 1 and sum(nodes.chars[row] for row in texts) <= HEADING_CHARACTERS


def _line_of(nodes: Nodes, heading: int, row: int) -> int:
    return next(above for above in nodes.ancestors(row) if above == heading or nodes.tag[above] == _DIV)


def _table_of(nodes: Nodes, row: int, latest: int) -> int:
    """Return the table of a cell: usually the latest table, else the nearest among its ancestors."""
    if latest >= 0 and row < nodes.end[latest]:
        return latest
    return next((ancestor for ancestor in nodes.ancestors(row) if nodes.tag[ancestor] == _TABLE), -1)


@dataclass(slots=True)
class _TableCounts:
    """Counts over a table's own content, without that of tables inside it."""

    cells: int = 0
    rows: int = 0
    filled: int = 0
    """Cells with text."""
    pieces: int = 0
    """Separate texts in cells: paragraphs, boxes, a whole list."""
    headed: bool = False
    nested: bool = False
    is_new_cell: bool = False
    is_new_piece: bool = False

    def add(self, nodes: Nodes, row: int) -> None:
        tag = nodes.tag[row]
        if tag == TEXT:
            if nodes.chars[row] and not nodes.flags[row] & UNRENDERED:
                self.filled += self.is_new_cell
                self.pieces += self.is_new_piece
                self.is_new_cell = self.is_new_piece = False
        elif tag in CELLS:
            self.cells += 1
            self.is_new_cell = self.is_new_piece = True
        elif tag in _SEPARATES:
            self.is_new_piece = True
        self.rows += tag == _ROW
        self.headed = self.headed or tag in _HEADER

    def are_of_data(self) -> bool:
        """Whether the table has headers, or at least two rows of two cells.

        A table without headers whose cells hold several pieces each is a layout: a forum's posts, a page's columns.
        So is a table around other tables, unless it has headers and plain cells.
        """
        plain = self.pieces <= _MAX_PIECES * self.filled
        if self.headed:
            return self.cells > 1 and (plain or not self.nested)
        return plain and not self.nested and self.rows > 1 and self.cells >= 2 * self.rows


def _data_tables(nodes: Nodes) -> frozenset[int]:
    """Return the rows of data tables; the others are layout tables."""
    counts: dict[int, _TableCounts] = {}
    table_of: dict[int, int] = {}
    end = 0
    for row, tag in enumerate(nodes.tag):
        if tag != _TABLE and row >= end:
            continue
        if row < end:
            table_of[row] = table_of[nodes.parent[row]]
            counts[table_of[row]].add(nodes, row)
        if tag == _TABLE:
            if row < end:
                counts[table_of[row]].nested = True
            end = max(end, nodes.end[row])
            table_of[row], counts[row] = row, _TableCounts()
    layouts = ("presentation", "none")
    return frozenset(
        row for row, count in counts.items() if count.are_of_data() and nodes.attr(row, "role") not in layouts
    )


class _Runs:
    """The current run of text, and the columns of the closed runs."""

    def __init__(self, nodes: Nodes, tables: frozenset[int]) -> None:
        self.nodes, self.tables = nodes, tables
        self.texts: list[bytes] = []
        self.chars, self.text_starts, self.text_stops = array("i"), array("i"), array("i")
        self.size = 0
        self.kinds, self.level, self.elements = array("i"), array("i"), array("i")
        self.firsts, self.stops = array("i"), array("i")
        self.continues, self.link_chars, self.flags = array("i"), array("i"), array("i")
        self.breaks = 0  # since the last closed block
        self.element = self.structure = self.first = self.stop = -1
        self.shows = self.hides = self.pictures = False

    def text(self, row: int, element: int, structure: int) -> None:
        self._extend(row, element, structure)
        if self.nodes.flags[row] & HIDDEN:
            self.hides = True
        else:
            self.shows = True

    def image(self, row: int, element: int, structure: int) -> None:
        if self.nodes.flags[row] & HIDDEN or not is_picture(self.nodes, row):
            return
        self._extend(row, element, structure)
        self.pictures = True

    def line_break(self, structure: int) -> None:
        if structure >= 0 and KIND_OF_TAG[self.nodes.tag[structure]] in _LINES_STAY_TOGETHER:
            return
        self._end_run()
        self.breaks += 1

    def close(self) -> None:
        self._end_run()
        self.breaks = 2

    def _extend(self, row: int, element: int, structure: int) -> None:
        if element != self.element:
            self.close()
            self.element = element
        if self.first < 0:
            self.structure, self.first = structure, row
        self.stop = row + 1

    def _end_run(self) -> None:
        if self.shows or self.hides or self.pictures:
            self._append()
        self.first = -1
        self.shows = self.hides = self.pictures = False

    def _append(self) -> None:
        nodes, hidden = self.nodes, self.hides and not self.shows
        kind, level = self._kind_and_level()
        rows = tuple(rows_shown(nodes, self.first, self.stop, hidden))
        text = text_of(nodes, rows, kind is Kind.CODE, kind is Kind.HEADING)
        if not text and not self.pictures:
            return
        self.kinds.append(KINDS.index(kind if text else Kind.IMAGE))
        self.chars.append(len(text))
        self.texts.append(text.encode())
        self.text_starts.append(self.size)
        self.size += len(self.texts[-1])
        self.text_stops.append(self.size)
        self.level.append(level)
        self.elements.append(self.element)
        self.firsts.append(self.first)
        self.stops.append(self.stop)
        self.continues.append(int(self.breaks == 1))
        self.link_chars.append(sum(nodes.chars[row] for row in rows if nodes.flags[row] & LINK))
        self.flags.append((HIDDEN if hidden else 0) | nodes.flags[self.first] & CONTROL)
        self.breaks = 0

    def _kind_and_level(self) -> tuple[Kind, int]:
        nodes, row = self.nodes, self.structure
        if row < 0:
            return Kind.PARAGRAPH, 0
        tag = nodes.tag[row]
        kind = KIND_OF_TAG[tag]
        if kind is Kind.HEADING:
            return kind, tag - _FIRST_HEADING + 1
        if kind is Kind.ITEM:
            return kind, max(1, sum(nodes.tag[ancestor] in LISTS for ancestor in nodes.ancestors(row)))
        if kind is Kind.QUOTE:
            return kind, 1 + sum(nodes.tag[ancestor] == _QUOTE for ancestor in nodes.ancestors(row))
        return kind, 0

    def finish(self) -> Blocks:
        return Blocks(
            kind_code=memoryview(self.kinds).toreadonly(),
            level=memoryview(self.level).toreadonly(),
            element=memoryview(self.elements).toreadonly(),
            first=memoryview(self.firsts).toreadonly(),
            stop=memoryview(self.stops).toreadonly(),
            continues=memoryview(self.continues).toreadonly(),
            link_chars=memoryview(self.link_chars).toreadonly(),
            flags=memoryview(self.flags).toreadonly(),
            chars=memoryview(self.chars).toreadonly(),
            text_start=memoryview(self.text_starts).toreadonly(),
            text_stop=memoryview(self.text_stops).toreadonly(),
            text_buffer=b"".join(self.texts),
            tables=self.tables,
        )
