"""The rows of a table with every cell in its column, `colspan` and `rowspan` resolved."""

from collections.abc import Iterator, Mapping, Sequence

from bonmun.model.nodes import Nodes
from bonmun.model.tags import CELLS, TAG_ID
from bonmun.write.structure import Cell, Line, OutlineNode

Cells = Mapping[int, list[OutlineNode]]
"""The content of a row's cells, by the node row of the cell."""

_TABLE, _ROW, _HEADER = TAG_ID["table"], TAG_ID["tr"], TAG_ID["th"]
_MAX_SPAN = 1000  # HTML's own limit for columns
_MAX_GROWTH = 8
_SMALL = 4096


def grid(nodes: Nodes, table: int, kept: Mapping[int, Cells]) -> list[Line]:
    """Place the cells of a table's kept rows, given by node row, in their columns."""
    if "colspan" not in nodes.attr_id and "rowspan" not in nodes.attr_id:
        return [_unspanned(nodes, row, cells) for row, cells in kept.items()]
    rows = list(_rows(nodes, table))
    count = sum(1 for row in rows for _ in _cells(nodes, row))
    lines = _Placement(nodes, _MAX_GROWTH * count + _SMALL).lines(rows, kept)
    # Spans that multiply the size of a table are an attack or nonsense.
    return lines if lines is not None else _Placement(nodes, 0).lines(rows, kept) or []


def _unspanned(nodes: Nodes, row: int, cells: Cells) -> Line:
    """A line on a page without spans."""
    tag = nodes.tag
    return [Cell(tag[child] == _HEADER, 1, 1, cells.get(child, [])) for child in _cells(nodes, row)]


def _rows(nodes: Nodes, table: int) -> Iterator[int]:
    """The rows of a table without those of tables inside it."""
    row = table + 1
    while row < nodes.end[table]:
        if nodes.tag[row] == _ROW:
            yield row
        row = nodes.end[row] if nodes.tag[row] == _TABLE else row + 1


def _cells(nodes: Nodes, row: int) -> Iterator[int]:
    return (child for child in nodes.children(row) if nodes.tag[child] in CELLS)


class _Placement:
    """The state of placing cells; `room` is the number of places that spans may still fill, 0 to ignore spans."""

    def __init__(self, nodes: Nodes, room: int) -> None:
        self.nodes, self.room, self.spans = nodes, room, room > 0
        self.reaching: dict[int, tuple[Cell, int, bool]] = {}
        """By column: the cell spanning into it from above, the line where it ends, whether this is its first column."""

    def lines(self, rows: Sequence[int], kept: Mapping[int, Cells]) -> list[Line] | None:
        """The lines of the kept rows; `None` when the spans need more room."""
        lines: list[Line] = []
        for number, row in enumerate(rows):
            line = self._line(number, row, kept.get(row))
            if line is None:
                return None
            if row in kept:
                lines.append(line)
        return lines

    def _line(self, number: int, row: int, cells: Cells | None) -> Line | None:
        contents, kept = cells or {}, cells is not None
        line: Line = []
        for child in _cells(self.nodes, row):
            self._pass_reaching(line, number, kept)
            columns, rows = self._span(child, "colspan"), self._span(child, "rowspan")
            self.room -= columns
            if self.spans and self.room < 0:
                return None
            cell = Cell(self.nodes.tag[child] == _HEADER, columns, int(kept), contents.get(child, []))
            for offset in range(columns):
                if rows > 1:
                    self.reaching[len(line)] = (cell, number + rows, offset == 0)
                line.append(None if offset else cell)
        self._pass_reaching(line, number, kept)
        return line

    def _pass_reaching(self, line: Line, number: int, kept: bool) -> None:
        """Fill the next columns that cells of earlier rows span into."""
        while (reached := self.reaching.get(len(line))) is not None:
            cell, stop, first = reached
            if stop <= number:
                del self.reaching[len(line)]
                return
            self.room -= 1
            line.append(cell if kept and first and not cell.rows else None)
            cell.rows += kept and first

    def _span(self, row: int, name: str) -> int:
        value = (self.nodes.attr(row, name) or "").strip() if self.spans else ""
        return max(1, min(int(value), _MAX_SPAN)) if value.isdecimal() and value.isascii() and len(value) < 7 else 1
