"""Which features moved a sum of trees, and by how much: what a person is told as the reason."""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

from bonmun.features.ensemble import Ensemble


class Attribution:
    """An ensemble that can say why: each step down a tree moves the sum from one node's mean to the next one's."""

    def __init__(self, trees: Ensemble) -> None:
        self._trees = trees
        self._mean = array("d", bytes(8 * len(trees.feature)))
        for at in reversed(range(len(self._mean))):  # children come after their parent
            self._mean[at] = (self._value(trees.left[at]) + self._value(trees.right[at])) / 2

    def contributions(self, row: Sequence[float]) -> Mapping[int, float]:
        """How far each feature that was asked moved the sum of one row."""
        trees, moved = self._trees, defaultdict[int, float](float)
        for at in trees.start[:-1]:
            while at >= 0:
                feature = trees.feature[at]
                below = trees.left[at] if row[feature] < trees.threshold[at] else trees.right[at]
                moved[feature] += self._value(below) - self._mean[at]
                at = below
        return moved

    def _value(self, node: int) -> float:
        return self._mean[node] if node >= 0 else self._trees.leaf[~node]
