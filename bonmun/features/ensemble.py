"""A sum of decision trees for each block."""

from array import array
from dataclasses import dataclass

from bonmun.core import core


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Boosted trees as flat arrays of 32-bit numbers.

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
        >>> stump = Ensemble(*first, *sides, memoryview(array("f", [-1, 2])), memoryview(array("i", [0, 1])))
        >>> stump.sums(array("f", [0, 0.5, 1]).tobytes(), 1).tolist()
        [-1.0, 2.0, 2.0]
        """
        compiled = core()
        if compiled:
            arrays = self.feature, self.threshold, self.left, self.right, self.leaf, self.start
            return memoryview(compiled.trees(matrix, width, *arrays)).cast("f")
        self._check(matrix, width)
        cells = memoryview(matrix).cast("f")
        rows = (cells[at : at + width] for at in range(0, len(cells), width))
        return memoryview(array("f", map(self._sum, rows)))

    def _sum(self, row: "memoryview[float]") -> float:
        feature, threshold, left, right = self.feature, self.threshold, self.left, self.right
        total = 0.0
        for at in self.start[:-1]:
            while at >= 0:
                at = left[at] if row[feature[at]] < threshold[at] else right[at]
            total += self.leaf[~at]
        return total

    def _check(self, matrix: bytes, width: int) -> None:
        if width <= 0 or len(matrix) % (4 * width):
            raise ValueError("a table that is not as wide as said")
        if not len(self.start):
            raise ValueError("no trees")
        if len({len(self.feature), len(self.threshold), len(self.left), len(self.right)}) > 1:
            raise ValueError("arrays of different lengths")
        if self.start[0] != 0 or self.start[-1] != len(self.feature):
            raise ValueError("trees that do not cover all nodes")
        for first, stop in zip(self.start, self.start[1:], strict=False):
            if not first < stop <= len(self.feature):
                raise ValueError("a tree without nodes")
            for node in range(first, stop):
                if not 0 <= self.feature[node] < width:
                    raise ValueError("a feature that the table does not have")
                if not all(self._is_child(side[node], node, stop) for side in (self.left, self.right)):
                    raise ValueError("a child that does not come after its parent in the same tree")

    def _is_child(self, child: int, node: int, stop: int) -> bool:
        return node < child < stop if child >= 0 else ~child < len(self.leaf)
