"""Boosted trees in two tiers: most blocks are settled by the first few trees, and only the others are asked on."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from bonmun.methods.learned.forest import Forest


@dataclass(frozen=True)
class Exit:
    """Who is settled after the first trees: a sum below `below` or above `above`, which then counts `weight` times."""

    trees: int
    below: float
    above: float
    weight: float
    """The trees that are saved would have said the same: a sum that goes on grows."""


@dataclass(frozen=True, eq=False)
class Cascade:
    """The same trees, cut in two."""

    first: Forest
    rest: Forest
    exit: Exit

    @classmethod
    def of(cls, trees: Forest, exit: Exit) -> Self:
        """Cut an ensemble in two."""
        return cls(_part(trees, 0, exit.trees), _part(trees, exit.trees, len(trees.start) - 1), exit)

    def sums(self, matrix: bytes, width: int) -> Sequence[float]:
        """The sum of each row, of the first trees alone where they settle it."""
        exit, row = self.exit, 4 * width
        sums = self.first.sums(matrix, width).tolist()
        unsettled = [at for at, total in enumerate(sums) if exit.below <= total <= exit.above]
        more = self.rest.sums(b"".join([matrix[at * row : at * row + row] for at in unsettled]), width)
        found = [total * exit.weight for total in sums]
        for at, further in zip(unsettled, more, strict=True):
            found[at] = sums[at] + further
        return found


def _part(trees: Forest, first: int, stop: int) -> Forest:
    start, end = trees.start[first], trees.start[stop]

    def moved(children: memoryview) -> memoryview:
        return memoryview(array("i", [child - start if child >= 0 else child for child in children[start:end]]))

    return Forest(
        trees.feature[start:end],
        trees.threshold[start:end],
        moved(trees.left),
        moved(trees.right),
        trees.leaf,
        memoryview(array("i", [at - start for at in trees.start[first : stop + 1]])),
    )
