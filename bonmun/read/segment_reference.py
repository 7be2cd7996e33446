"""Segmentation in Python: the twin of the compiled one, and the fallback when that is not built."""

from array import array
from itertools import pairwise

from bonmun.model.block import KIND_OF_TAG, KINDS, Blocks, Kind, rows_shown, text_of
from bonmun.model.inline import picture_source
from bonmun.model.nodes import Nodes
from bonmun.model.tags import (
    BLOCK_LEVEL,
    CELLS,
    CONTROL,
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

_LINES_STAY_TOGETHER = frozenset({Kind.HEADING, Kind.CODE, Kind.CELL, Kind.CAPTION})
_BREAK, _RULE, _IMAGE, _TABLE, _QUOTE = (TAG_ID[name] for name in ("br", "hr", "img", "table", "blockquote"))
_FIRST_HEADING, _BUTTON = TAG_ID["h1"], TAG_ID["button"]


def segment_by_reference(nodes: Nodes) -> Blocks:
    """Segment a page into blocks."""
    tables = _data_tables(nodes)
    run = _Runs(nodes, tables)
    element, structure = _ancestry(nodes, tables)
    for row, tag in enumerate(nodes.tag):
        if nodes.flags[row] & UNRENDERED:
            continue
        if tag == TEXT:
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
        if tag in PREFORMATTED and _holds_lines(nodes, row):
            lines_stop = nodes.end[row]
        if tag in KIND_OF_TAG and (tag not in CELLS or _table_of(nodes, row, table) in tables):
            structure[row] = row
    return element, structure


def _holds_lines(nodes: Nodes, pre: int) -> bool:
    """Whether all block-level elements in a `pre` are lines of its code."""
    inside = BLOCK_LEVEL.intersection(nodes.tag[pre + 1 : nodes.end[pre]]) - {_BUTTON}
    return bool(inside) and inside <= LINES_OF_CODE


def _table_of(nodes: Nodes, row: int, latest: int) -> int:
    """Return the table of a cell: usually the latest table, else the nearest among its ancestors."""
    if latest >= 0 and row < nodes.end[latest]:
        return latest
    return next((ancestor for ancestor in nodes.ancestors(row) if nodes.tag[ancestor] == _TABLE), -1)


def _data_tables(nodes: Nodes) -> frozenset[int]:
    """Return the data tables: without nested tables, and with headers or at least two rows of two cells."""
    data = set()
    header, row_tag = tag_set("th caption thead"), TAG_ID["tr"]
    tables = [row for row, tag in enumerate(nodes.tag) if tag == _TABLE]
    for table, following in pairwise([*tables, len(nodes)]):
        if following < nodes.end[table] or nodes.attr(table, "role") in ("presentation", "none"):
            continue
        inside = nodes.tag[table + 1 : nodes.end[table]].tolist()
        cells = sum(tag in CELLS for tag in inside)
        rows = inside.count(row_tag)
        if cells > 1 and (not header.isdisjoint(inside) or (rows > 1 and cells >= 2 * rows)):
            data.add(table)
    return frozenset(data)


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
        if not self.nodes.chars[row]:
            return
        self._extend(row, element, structure)
        if self.nodes.flags[row] & HIDDEN:
            self.hides = True
        else:
            self.shows = True

    def image(self, row: int, element: int, structure: int) -> None:
        if self.nodes.flags[row] & HIDDEN or not picture_source(self.nodes, row):
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
        text = text_of(nodes, rows, preformatted=kind is Kind.CODE)
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
