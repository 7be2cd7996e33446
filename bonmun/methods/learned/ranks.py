"""Which features speak most for the verdict on a block. `_core` has a twin that gives the same ranks."""

from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from operator import sub
from struct import Struct
from typing import Final

from bonmun.core import core

RANKS: Final = 12
"""Groups of a block that the compiled twin gives; nearly all blocks have three reasons among the first six."""
RANKED_COLUMNS: Final = 3
"""Columns of a group that may give its phrase."""
_RANK: Final = Struct(f"d{1 + RANKED_COLUMNS}i")
_NO_COLUMNS: Final = (-1,) * RANKED_COLUMNS

Rank = tuple[float, int, int, int, int]
"""A group of columns that moved the score of a block: its weight, which is how far it moved the block's sum for its
verdict, further than those of the page's other blocks; its number; its columns, the strongest first, -1 in place of
missing ones."""


class ColumnGroups:
    """Groups of the columns of a table, which mean the same to a person.

    `whole`: the groups whose columns are not ranked, since none of them is asked for.

    >>> groups = ColumnGroups([(0, 2), (1,)])
    >>> list(groups.ranked([1.0, 3.0, 1.5], [0.5, 0.0, 0.0], keep=True))
    [(3.0, 1, 1, -1, -1), (2.0, 0, 2, 0, -1)]
    """

    def __init__(self, groups: Iterable[Sequence[int]], whole: Container[int] = ()) -> None:
        self._groups = tuple(groups)
        self._whole = bytes(group in whole for group in range(len(self._groups)))
        self.ranked_by_core = min(len(self._groups), RANKS)
        self._columns = array("i", [column for columns in self._groups for column in columns])
        self._stops = array("i", accumulate(map(len, self._groups)))
        self._starts = array("i", [0, *self._stops[:-1]])

    def of_rows(self, contributions: "memoryview[float]", mean: "array[float]", *, keep: bool) -> "Ranks":
        """The ranks of the rows of a table of contributions that have the same verdict; `mean`: of each column."""
        compiled = core()
        if compiled:
            found = compiled.ranks(contributions, keep, mean, self._columns, self._stops, self._whole)
            return Ranks(self, contributions, mean, keep, found)
        return Ranks(self, contributions, mean, keep)

    def phrases_of_rows(
        self,
        contributions: "memoryview[float]",
        mean: "array[float]",
        features: "tuple[memoryview[float], array[int]]",
        decisions: "tuple[array[int] | array[float], ...]",
        *,
        keep: bool,
    ) -> bytes:
        """The numbers of each row's phrases, by the compiled twin; empty without it.

        `features`: a table, and its rows.
        """
        compiled = core()
        if compiled is None:
            return b""
        groups = self._columns, self._stops, self._whole
        return compiled.phrases(contributions, keep, mean, *groups, *features, decisions)

    def __len__(self) -> int:
        return len(self._groups)

    def ranked(self, moved: Sequence[float], mean: Sequence[float], *, keep: bool) -> Iterator[Rank]:
        """Yield the ranks of one row, in Python: all groups, those with the largest weight first."""
        moves = list(map(sub, self._by_group(moved), self._by_group(mean)))
        for group in sorted(range(len(moves)), key=moves.__getitem__, reverse=keep):
            first, second, third = self._strongest(group, moved, mean, keep)
            yield moves[group] if keep else -moves[group], group, first, second, third

    def _by_group(self, numbers: Sequence[float]) -> Iterator[float]:
        """The sum of each group's columns, as a difference of running totals."""
        before = [*accumulate(map(numbers.__getitem__, self._columns), initial=0.0)]
        return map(sub, map(before.__getitem__, self._stops), map(before.__getitem__, self._starts))

    def _strongest(self, group: int, moved: Sequence[float], mean: Sequence[float], keep: bool) -> tuple[int, ...]:
        if self._whole[group]:
            return _NO_COLUMNS
        moves = sorted([(moved[column] - mean[column], column) for column in self._groups[group]], reverse=keep)
        return tuple([*(column for _, column in moves), *_NO_COLUMNS][:RANKED_COLUMNS])


class Ranks:
    """The ranks of the rows of a table."""

    def __init__(
        self,
        groups: ColumnGroups,
        contributions: "memoryview[float]",
        mean: "array[float]",
        keep: bool,
        ranks: bytes | None = None,
    ) -> None:
        self._groups, self._contributions, self._mean, self._keep = groups, contributions, mean, keep
        self._ranks = None if ranks is None else memoryview(ranks)

    def of(self, row: int) -> Iterator[Rank]:
        """The groups of a row, those with the largest weight first."""
        if self._ranks is None:
            return self._by_reference(row, 0)
        first, known = row * RANKS * _RANK.size, self._groups.ranked_by_core
        return chain(_RANK.iter_unpack(self._ranks[first : first + known * _RANK.size]), self._by_reference(row, known))

    def _by_reference(self, row: int, known: int) -> Iterator[Rank]:
        """Yield the ranks behind those that are known, in Python."""
        if known == len(self._groups):
            return
        width = len(self._mean)
        moved = self._contributions[row * width : (row + 1) * width].tolist()
        yield from islice(self._groups.ranked(moved, self._mean, keep=self._keep), known, None)
