"""Which features speak most for the verdict on a block. `_core` has a twin that gives the same ranks."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from operator import sub
from struct import Struct
from typing import Final, NamedTuple

from bonmun.core import core

RANKS: Final = 12
"""Groups of a block that the compiled twin gives; nearly all blocks have three reasons among the first six."""
RANKED_COLUMNS: Final = 3
"""Columns of a group that may give its phrase."""
_CELLS: Final = Struct(f"{1 + RANKED_COLUMNS}i")  # of a rank: the group and its columns
_NO_COLUMNS: Final = (-1,) * RANKED_COLUMNS


class Rank(NamedTuple):
    """A group of columns that moved the score of a block."""

    weight: float
    """How far it moved the block's sum for its verdict, further than those of the page's other blocks."""
    cells: tuple[int, ...]
    """The group and its columns, the strongest first; -1 in place of missing ones."""


class ColumnGroups:
    """Groups of the columns of a table, which mean the same to a person.

    >>> groups = ColumnGroups([(0, 2), (1,)])
    >>> [tuple(rank) for rank in groups.ranked([1.0, 3.0, 1.5], [0.5, 0.0, 0.0], keep=True)]
    [(3.0, (1, 1, -1, -1)), (2.0, (0, 2, 0, -1))]
    """

    def __init__(self, groups: Iterable[Sequence[int]]) -> None:
        self._groups = tuple(groups)
        self.ranked_by_core = min(len(self._groups), RANKS)
        self._columns = array("i", [column for columns in self._groups for column in columns])
        self._stops = array("i", accumulate(map(len, self._groups)))
        self._starts = array("i", [0, *self._stops[:-1]])

    def of_rows(self, contributions: "memoryview[float]", mean: "array[float]", keep: bytes, wanted: bytes) -> "Ranks":
        """The ranks of some rows of a table of contributions; `mean` has the mean of each column.

        `keep` and `wanted` have a byte for each row: the verdict, and whether its ranks will be asked for.
        """
        compiled = core()
        if compiled:
            found = compiled.ranks(contributions, keep, wanted, mean, self._columns, self._stops)
            return Ranks(self, contributions, mean, keep, *found)
        return Ranks(self, contributions, mean, keep)

    def __len__(self) -> int:
        return len(self._groups)

    def ranked(self, moved: Sequence[float], mean: Sequence[float], *, keep: bool) -> Iterator[Rank]:
        """Yield the ranks of one row, in Python: all groups, those with the largest weight first."""
        moves = list(map(sub, self._by_group(moved), self._by_group(mean)))
        for group in sorted(range(len(moves)), key=moves.__getitem__, reverse=keep):
            columns = self._strongest(group, moved, mean, keep)
            yield Rank(moves[group] if keep else -moves[group], (group, *columns))

    def _by_group(self, numbers: Sequence[float]) -> Iterator[float]:
        """The sum of each group's columns, as a difference of running totals."""
        before = [*accumulate(map(numbers.__getitem__, self._columns), initial=0.0)]
        return map(sub, map(before.__getitem__, self._stops), map(before.__getitem__, self._starts))

    def _strongest(self, group: int, moved: Sequence[float], mean: Sequence[float], keep: bool) -> tuple[int, ...]:
        moves = sorted([(moved[column] - mean[column], column) for column in self._groups[group]], reverse=keep)
        return tuple([*(column for _, column in moves), *_NO_COLUMNS][:RANKED_COLUMNS])


class Ranks:
    """The ranks of the rows of a table."""

    def __init__(
        self,
        groups: ColumnGroups,
        contributions: "memoryview[float]",
        mean: "array[float]",
        keep: bytes,
        ranks: bytes | None = None,
        weights: bytes = b"",
    ) -> None:
        self._groups, self._contributions, self._mean, self._keep = groups, contributions, mean, keep
        self._ranks, self._weights = ranks, memoryview(weights).cast("d")

    def of(self, row: int) -> Iterator[tuple[float, tuple[int, ...]]]:
        """The groups of a wanted row as the fields of `Rank`, those with the largest weight first."""
        if self._ranks is None:
            return self._by_reference(row, 0)
        first, stop = row * RANKS, row * RANKS + self._groups.ranked_by_core
        cells = _CELLS.iter_unpack(self._ranks[first * _CELLS.size : stop * _CELLS.size])
        return chain(
            zip(self._weights[first:stop].tolist(), cells, strict=False), self._by_reference(row, stop - first)
        )

    def _by_reference(self, row: int, known: int) -> Iterator[Rank]:
        """Yield the ranks behind those that are known, in Python."""
        if known == len(self._groups):
            return
        width = len(self._mean)
        moved = self._contributions[row * width : (row + 1) * width].tolist()
        yield from islice(self._groups.ranked(moved, self._mean, keep=bool(self._keep[row])), known, None)
