"""Boosted decision trees over a table of features."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bonmun.core import core


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as flat arrays of 32-bit numbers.

    Tree `t` has the nodes from `start[t]` to `start[t + 1]`. A child below 0 is the leaf ``~child``; one from 0 on is a
    node further on in the same tree. A tree that is a single leaf has one node with that leaf on both sides.
    """

    feature: "memoryview[int]"
    """The column that a node looks at."""
    threshold: "memoryview[float]"
    """What is below goes to the left."""
    left: "memoryview[int]"
    right: "memoryview[int]"
    leaf: "memoryview[float]"
    start: "memoryview[int]"
    """Where each tree starts, and where the last one ends."""

    def sums(self, matrix: bytes, width: int) -> "memoryview[float]":
        """For each row of a table of floats the sum of the leaves that it reaches; `ValueError` for what is no tree.

        >>> first = memoryview(array("i", [0])), memoryview(array("f", [0.5]))
        >>> sides = memoryview(array("i", [~0])), memoryview(array("i", [~1]))
        >>> stump = Forest(*first, *sides, memoryview(array("f", [-1, 2])), memoryview(array("i", [0, 1])))
        >>> stump.sums(array("f", [0, 0.5, 1]).tobytes(), 1).tolist()
        [-1.0, 2.0, 2.0]
        """
        compiled = core()
        if compiled:
            return memoryview(compiled.sums(self._forest, matrix, width)).cast("f")
        return memoryview(array("f", map(self._sum, self._rows(matrix, width))))

    def contributions(self, matrix: bytes, width: int) -> "memoryview[float]":
        """For each cell of a table what its column did to the sum of its row.

        Each step down a tree moves the sum that is to be expected, which above two children is the mean of theirs.
        """
        compiled = core()
        if compiled:
            return memoryview(compiled.contributions(self._forest, matrix, width)).cast("f")
        said = (self._said(row) for row in self._rows(matrix, width))
        return memoryview(array("f", (number for row in said for number in row)))

    @cached_property
    def _forest(self) -> object:
        compiled = core()
        return compiled and compiled.forest(self.feature, self.threshold, self.left, self.right, self.leaf, self.start)

    @cached_property
    def _expected(self) -> list[float]:
        """For each node what is to be expected of the rows that come to it."""
        found = [0.0] * len(self.feature)
        for node in reversed(range(len(found))):
            sides = self.left[node], self.right[node]
            found[node] = sum(found[child] if child >= 0 else self.leaf[~child] for child in sides) / 2
        return found

    def _rows(self, matrix: bytes, width: int) -> Iterator["memoryview[float]"]:
        self._check()
        if width <= max(self.feature, default=0) or len(matrix) % (4 * width):
            raise ValueError("a table that is not as wide as said, or not wide enough")
        cells = memoryview(matrix).cast("f")
        return (cells[at : at + width] for at in range(0, len(cells), width))

    def _walks(self, row: "memoryview[float]") -> Iterator[tuple[int, int]]:
        """Each step down every tree: from a node to a child."""
        for node in self.start[:-1]:
            while node >= 0:
                goes_left = row[self.feature[node]] < self.threshold[node]
                child = self.left[node] if goes_left else self.right[node]
                yield node, child
                node = child

    def _sum(self, row: "memoryview[float]") -> float:
        return sum(self.leaf[~child] for _, child in self._walks(row) if child < 0)

    def _said(self, row: "memoryview[float]") -> list[float]:
        expected, said = self._expected, [0.0] * len(row)
        for node, child in self._walks(row):
            said[self.feature[node]] += (expected[child] if child >= 0 else self.leaf[~child]) - expected[node]
        return said

    def _check(self) -> None:
        """Make sure that every walk ends in a leaf."""
        nodes = len(self.feature)
        if not len(self.threshold) == len(self.left) == len(self.right) == nodes:
            raise ValueError("arrays of different lengths")
        if not len(self.start) or self.start[0] != 0 or self.start[-1] != nodes:
            raise ValueError("trees that do not cover all nodes")
        for first, stop in zip(self.start, self.start[1:], strict=False):
            if not first < stop <= nodes:
                raise ValueError("a tree without nodes")
            for node in range(first, stop):
                if self.feature[node] < 0:
                    raise ValueError("a feature below 0")
                if not all(self._is_child(side[node], node, stop) for side in (self.left, self.right)):
                    raise ValueError("a child that does not come after its parent in the same tree")

    def _is_child(self, child: int, node: int, stop: int) -> bool:
        return node < child < stop if child >= 0 else ~child < len(self.leaf)
