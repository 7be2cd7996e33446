"""Which features speak most for the verdict on a block. `_core` has a twin that gives the same ranks."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from operator import sub
from typing import Final, NamedTuple

from bonmun.core import core

RANKS: Final = 12
"""Groups of a block that the compiled twin gives; nearly all blocks have three reasons among the first six."""
RANKED_COLUMNS: Final = 3
"""Columns of a group that may give its phrase."""
_CELLS: Final = 1 + RANKED_COLUMNS  # of a rank: the group and its columns


class Rank(NamedTuple):
    """A group of columns that moved the score of a block."""

    group: int
    weight: float
    """How far it moved the block's sum for its verdict, further than those of the page's other blocks."""
    columns: Sequence[int]
    """Its columns, the strongest first."""


class ColumnGroups:
    """Groups of the columns of a table, which mean the same to a person.

    >>> groups = ColumnGroups([(0, 2), (1,)])
    >>> [(rank.group, rank.weight, rank.columns) for rank in groups.ranked([1.0, 3.0, 1.5], [0.5, 0.0, 0.0], keep=True)]
    [(1, 3.0, [1]), (0, 2.0, [2, 0])]
    """

    def __init__(self, groups: Iterable[Sequence[int]]) -> None:
        self._groups = tuple(groups)
        self._columns = array("i", [column for columns in self._groups for column in columns])
        self._stops = array("i", accumulate(map(len, self._groups)))
        self._starts = array("i", [0, *self._stops[:-1]])

    def of_rows(self, contributions: "memoryview[float]", mean: Sequence[float], keep: bytes) -> "Ranks":
        """The ranks of all rows of a table of contributions; `mean` has the mean of each column."""
        compiled = core()
        if compiled:
            found = compiled.ranks(contributions, keep, array("d", mean), self._columns, self._stops)
            return Ranks(self, contributions, mean, keep, *(memoryview(cells) for cells in found))
        return Ranks(self, contributions, mean, keep)

    def ranked(self, moved: Sequence[float], mean: Sequence[float], *, keep: bool) -> Iterator[Rank]:
        """Yield the ranks of one row, in Python: all groups, those with the largest weight first."""
        moves = list(map(sub, self._by_group(moved), self._by_group(mean)))
        for group in sorted(range(len(moves)), key=moves.__getitem__, reverse=keep):
            yield Rank(group, moves[group] if keep else -moves[group], self._strongest(group, moved, mean, keep))

    def _by_group(self, numbers: Sequence[float]) -> Iterator[float]:
        """The sum of each group's columns, as a difference of running totals."""
        before = [*accumulate(map(numbers.__getitem__, self._columns), initial=0.0)]
        return map(sub, map(before.__getitem__, self._stops), map(before.__getitem__, self._starts))

    def _strongest(self, group: int, moved: Sequence[float], mean: Sequence[float], keep: bool) -> list[int]:
        moves = sorted([(moved[column] - mean[column], column) for column in self._groups[group]], reverse=keep)
        return [column for _, column in moves[:RANKED_COLUMNS]]


class Ranks:
    """The ranks of the rows of a table."""

    def __init__(
        self,
        groups: ColumnGroups,
        contributions: "memoryview[float]",
        mean: Sequence[float],
        keep: bytes,
        ranks: memoryview | None = None,
        weights: memoryview | None = None,
    ) -> None:
        self._groups, self._contributions, self._mean, self._keep = groups, contributions, mean, keep
        self._ranks = None if ranks is None else ranks.cast("i")
        self._weights = None if weights is None else weights.cast("d")

    def of(self, row: int) -> Iterator[Rank]:
        """Yield the groups of a row, those with the largest weight first."""
        known = 0
        if self._ranks is not None and self._weights is not None:
            weights = self._weights[row * RANKS : (row + 1) * RANKS].tolist()
            cells = self._ranks[row * RANKS * _CELLS : (row + 1) * RANKS * _CELLS].tolist()
            for at in range(0, len(cells), _CELLS):
                if cells[at] < 0:
                    return
                columns = cells[at + 1 : at + _CELLS]
                yield Rank(cells[at], weights[known], columns if columns[-1] >= 0 else [c for c in columns if c >= 0])
                known += 1
        width = len(self._mean)
        moved = self._contributions[row * width : (row + 1) * width].tolist()
        yield from islice(self._groups.ranked(moved, self._mean, keep=bool(self._keep[row])), known, None)
