"""The rows and columns of a table, cells that span several included."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bonmun.model.nodes import Nodes
from bonmun.model.tags import CELLS, TAG_ID
from bonmun.write.outline import Child, Group, Role

_ROW, _HEADER = TAG_ID["tr"], TAG_ID["th"]
_MOST_SPAN = 1000  # HTML's own limit for columns
_MOST_BLOWN_UP = 8
_SMALL = 4096


@dataclass(slots=True)
class Cell:
    """A cell at its first row and column; empty where the page's is empty or was dropped."""

    header: bool = False
    columns: int = 1
    rows: int = 1
    """How many of the kept rows it covers."""
    children: list[Child] = field(default_factory=list)


Line = list[Cell | None]
"""A row, column by column; `None` where a cell from the left or from above reaches in."""


@dataclass(slots=True)
class Grid:
    """A table: what stands above its rows, the rows, what stands below."""

    above: list[Child]
    lines: list[Line]
    below: list[Child]

    def columns(self) -> list[int]:
        """The columns with anything in them."""
        return sorted({at for line in self.lines for at, cell in enumerate(line) if cell and cell.children})


def grid(table: Group, nodes: Nodes) -> Grid:
    """The kept rows of a table, every cell in its column."""
    kept = {part.row: part for part in table.parts(Role.ROW)}
    is_row = [isinstance(child, Group) and child.role is Role.ROW for child in table.children]
    first = is_row.index(True) if kept else len(is_row)
    rest = [child for child, row in zip(table.children, is_row, strict=True) if not row][first:]
    return Grid(table.children[:first], _lines(table.row, kept, nodes), rest)


def _lines(table: int, kept: dict[int, Group], nodes: Nodes) -> list[Line]:
    rows = [at for at in range(table, nodes.end[table]) if nodes.tag[at] == _ROW]
    cells = sum(1 for row in rows for _ in _cells(nodes, row))
    placed = _Placing(nodes, _MOST_BLOWN_UP * cells + _SMALL).place(rows, kept)
    # Spans that blow a table up are a trick, or nonsense.
    return placed if placed is not None else _Placing(nodes, 0).place(rows, kept) or []


def _cells(nodes: Nodes, row: int) -> Iterator[int]:
    return (at for at in nodes.children(row) if nodes.tag[at] in CELLS)


class _Placing:
    """Cells on their way to their columns; `room` is how many places spans may fill, 0 to ignore them."""

    def __init__(self, nodes: Nodes, room: int) -> None:
        self.nodes, self.room, self.spans = nodes, room, room > 0
        self.reaching: dict[int, tuple[Cell, int, bool]] = {}
        """By column, the cell that reaches down into it, the row where it ends, whether this is its first column."""

    def place(self, rows: list[int], kept: dict[int, Group]) -> list[Line] | None:
        lines: list[Line] = []
        for number, row in enumerate(rows):
            line = self._line(number, row, kept.get(row))
            if line is None:
                return None
            if row in kept:
                lines.append(line)
        return lines

    def _line(self, number: int, row: int, group: Group | None) -> Line | None:
        found = {part.row: part.children for part in group.parts(Role.CELL)} if group else {}
        line: Line = []
        for at in _cells(self.nodes, row):
            self._pass_reaching(line, number, kept=group is not None)
            columns, rows = self._span(at, "colspan"), self._span(at, "rowspan")
            self.room -= columns
            if self.spans and self.room < 0:
                return None
            cell = Cell(self.nodes.tag[at] == _HEADER, columns, int(group is not None), found.get(at, []))
            for offset in range(columns):
                if rows > 1:
                    self.reaching[len(line)] = (cell, number + rows, offset == 0)
                line.append(None if offset else cell)
        self._pass_reaching(line, number, kept=group is not None)
        return line

    def _pass_reaching(self, line: Line, number: int, kept: bool) -> None:
        """Fill the columns from here on that cells of earlier rows reach into."""
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
        return max(1, min(int(value), _MOST_SPAN)) if value.isdecimal() and value.isascii() and len(value) < 7 else 1
