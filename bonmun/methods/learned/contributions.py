"""How far each feature moved each block's score: the raw numbers behind reasons."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import feature_matrix
from bonmun.methods.learned.forest import Forest
from bonmun.model.page import Page

_WIDTH: Final = len(COLUMNS)


class Contributions:
    """The contribution of each feature of a page's blocks to the sum of their trees; computed when first asked for.

    Pickled as the page alone: the feature table, larger than the page, is measured again for the shipped model.
    """

    def __init__(self, forest: Forest, matrix: bytes, page: Page | None = None) -> None:
        self._forest, self._matrix, self._page = forest, matrix, page

    @property
    def recomputable(self) -> bool:
        """Whether page and shipped model suffice to compute the same contributions in another process."""
        from bonmun.methods.learned.model import shipped  # imported late: it imports this module

        unpickled = "_forest" not in vars(self)
        return self._page is not None and (unpickled or self._forest is shipped().trees)

    def __getstate__(self) -> dict[str, object]:
        return {"_page": self._page}

    @cached_property
    def _forest(self) -> Forest:
        """That of the shipped model, after unpickling."""
        from bonmun.methods.learned.model import shipped

        return shipped().trees

    @cached_property
    def _matrix(self) -> bytes:
        """The features of the page, after unpickling."""
        from bonmun.methods.learned.model import shipped

        assert self._page is not None
        return feature_matrix(self._page, shipped().weights)

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
