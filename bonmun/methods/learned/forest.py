"""Boosted decision trees over a table of features. `_core` has a twin that gives the same sums."""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from bonmun.core import core
from bonmun.methods.learned.in_order import total


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as flat arrays of 32-bit numbers.

    Tree `t` has the nodes from `start[t]` up to `start[t + 1]`. A child below 0 is the leaf ``~child``; any other is a
    later node of the same tree. A tree that is a single leaf has one node with that leaf on both sides.
    """

    feature: "memoryview[int]"
    """The column that a node tests."""
    threshold: "memoryview[float]"
    """Values below it go to the left."""
    left: "memoryview[int]"
    right: "memoryview[int]"
    leaf: "memoryview[float]"
    start: "memoryview[int]"
    """The first node of each tree, and the number of nodes."""

    def sums(self, matrix: bytes, width: int) -> "memoryview[float]":
        """The sum of the leaves that each row of a table of floats reaches; `ValueError` for malformed trees.

        >>> first = memoryview(array("i", [0])), memoryview(array("f", [0.5]))
        >>> sides = memoryview(array("i", [~0])), memoryview(array("i", [~1]))
        >>> stump = Forest(*first, *sides, memoryview(array("f", [-1, 2])), memoryview(array("i", [0, 1])))
        >>> stump.sums(array("f", [0, 0.5, 1]).tobytes(), 1).tolist()
        [-1.0, 2.0, 2.0]
        """
        compiled = core()
        if compiled:
            return memoryview(compiled.sums(self.compiled, matrix, width)).cast("f")
        return memoryview(array("f", map(self._sum, self._rows(matrix, width))))

    def contributions(self, matrix: bytes, width: int, picked: "array[int]") -> "memoryview[float]":
        """The contribution of each cell of some rows of a table to the sum of its row.

        Each step down a tree changes the expected sum, which of a node is the mean of its two children's: the change
        is the contribution of the node's column.
        """
        compiled = core()
        if compiled:
            return memoryview(compiled.contributions(self.compiled, matrix, width, picked)).cast("f")
        contributions = map(self._contributions, self._picked(matrix, width, picked))
        return memoryview(array("f", chain.from_iterable(contributions)))

    def mean_contributions(self, matrix: bytes, width: int, picked: "array[int]") -> "array[float]":
        """The mean contribution of each column of a table to the sums of some rows, at least one.

        Each step down is added as often as rows take it, node by node.
        """
        compiled = core()
        if compiled:
            return array("d", compiled.means(self.compiled, matrix, width, picked))
        taken = Counter(step for row in self._picked(matrix, width, picked) for step in self._walks(row))
        sums = [0.0] * width
        for node, sides in enumerate(zip(self.left, self.right, strict=True)):
            for child in sides:
                sums[self.feature[node]] += taken[node, child] * self._change(node, child)
        return array("d", [total / len(picked) for total in sums])

    @cached_property
    def compiled(self) -> object:
        """The trees as the compiled core takes them; `None` without it."""
        compiled = core()
        return compiled and compiled.forest(self.feature, self.threshold, self.left, self.right, self.leaf, self.start)

    @cached_property
    def _expected(self) -> list[float]:
        """The expected sum at each node."""
        expected = [0.0] * len(self.feature)
        for node in reversed(range(len(expected))):
            sides = self.left[node], self.right[node]
            expected[node] = sum(expected[child] if child >= 0 else self.leaf[~child] for child in sides) / 2
        return expected

    def _rows(self, matrix: bytes, width: int) -> Iterator["memoryview[float]"]:
        self._check()
        if width <= max(self.feature, default=0) or len(matrix) % (4 * width):
            raise ValueError("the table does not have the given width, or is too narrow for these trees")
        cells = memoryview(matrix).cast("f")
        return (cells[start : start + width] for start in range(0, len(cells), width))

    def _picked(self, matrix: bytes, width: int, picked: "array[int]") -> Iterator["memoryview[float]"]:
        rows = list(self._rows(matrix, width))
        return map(rows.__getitem__, picked)

    def _walks(self, row: "memoryview[float]") -> Iterator[tuple[int, int]]:
        """The steps down every tree, from a node to a child."""
        for node in self.start[:-1]:
            while node >= 0:
                goes_left = row[self.feature[node]] < self.threshold[node]
                child = self.left[node] if goes_left else self.right[node]
                yield node, child
                node = child

    def _sum(self, row: "memoryview[float]") -> float:
        return total(self.leaf[~child] for _, child in self._walks(row) if child < 0)

    def _contributions(self, row: "memoryview[float]") -> list[float]:
        contributions = [0.0] * len(row)
        for node, child in self._walks(row):
            contributions[self.feature[node]] += self._change(node, child)
        return contributions

    def _change(self, node: int, child: int) -> float:
        """How much a step from a node to a child changes the expected sum."""
        return (self._expected[child] if child >= 0 else self.leaf[~child]) - self._expected[node]

    def _check(self) -> None:
        """Check that every walk ends in a leaf."""
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
