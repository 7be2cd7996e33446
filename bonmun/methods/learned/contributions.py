"""How far each feature moved each block's score: the raw numbers behind reasons."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.forest import Forest

_WIDTH: Final = len(COLUMNS)


class Contributions:
    """The contribution of each feature of a page's blocks to the sum of their trees; computed when first asked for."""

    def __init__(self, forest: Forest, matrix: bytes) -> None:
        self._forest, self._matrix = forest, matrix

    def __len__(self) -> int:
        return len(self._matrix) // (4 * _WIDTH)

    def of_block(self, index: int) -> Sequence[float]:
        """The contributions to one block's sum, in the order of `COLUMNS`."""
        return self._cells[index * _WIDTH : (index + 1) * _WIDTH].tolist()

    def features(self, index: int) -> "memoryview[float]":
        """The features of one block, in the order of `COLUMNS`."""
        return memoryview(self._matrix).cast("f")[index * _WIDTH : (index + 1) * _WIDTH]

    @cached_property
    def mean(self) -> list[float]:
        """The mean contribution of each column over the page's blocks."""
        return [sum(self._cells[column::_WIDTH].tolist()) / len(self) for column in range(_WIDTH)]

    @cached_property
    def _cells(self) -> "memoryview[float]":
        return self._forest.contributions(self._matrix, _WIDTH)
