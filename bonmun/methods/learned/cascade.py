"""A forest with an early exit: the first trees settle most rows, and only the others go through the rest."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from bonmun.methods.learned.forest import Forest


@dataclass(frozen=True)
class Exit:
    """The early exit: rows with a sum below `below` or above `above` after the first trees, which is then scaled."""

    trees: int
    below: float
    above: float
    weight: float
    """Factor of a settled sum: the skipped trees would have added more of the same sign."""


@dataclass(frozen=True, eq=False)
class Cascade:
    """A forest cut in two."""

    first: Forest
    rest: Forest
    exit: Exit

    @classmethod
    def of(cls, forest: Forest, exit: Exit) -> Self:
        """Cut a forest after the trees of an early exit."""
        return cls(_part(forest, 0, exit.trees), _part(forest, exit.trees, len(forest.start) - 1), exit)

    @cached_property
    def compiled(self) -> tuple[object, object]:
        """Both parts as the compiled core takes them."""
        return self.first.compiled, self.rest.compiled

    def sums(self, matrix: bytes, width: int) -> Sequence[float]:
        """The sum of each row of a table; only over the first trees if they settle it."""
        exit, size = self.exit, 4 * width
        sums = self.first.sums(matrix, width).tolist()
        unsettled = [row for row, total in enumerate(sums) if exit.below <= total <= exit.above]
        more = self.rest.sums(b"".join([matrix[row * size : row * size + size] for row in unsettled]), width)
        scaled = [total * exit.weight for total in sums]
        for row, further in zip(unsettled, more, strict=True):
            scaled[row] = sums[row] + further
        return scaled


def _part(forest: Forest, first: int, stop: int) -> Forest:
    """The trees from one number up to another."""
    start, end = forest.start[first], forest.start[stop]

    def moved(children: memoryview) -> memoryview:
        return memoryview(array("i", [child - start if child >= 0 else child for child in children[start:end]]))

    return Forest(
        forest.feature[start:end],
        forest.threshold[start:end],
        moved(forest.left),
        moved(forest.right),
        forest.leaf,
        memoryview(array("i", [node - start for node in forest.start[first : stop + 1]])),
    )
