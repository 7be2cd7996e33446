"""How far each feature moved each block's score: the raw numbers behind reasons."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Final

from bonmun.core import core
from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import TILE, BlockFeatures
from bonmun.methods.learned.forest import Forest
from bonmun.model.page import Page

_WIDTH: Final = len(COLUMNS)
_ROW: Final = 4 * _WIDTH  # bytes
_SMALL: Final = 512
"""Blocks of a page whose contributions are computed all at once; of a larger page, as many are sampled for the mean."""
_TILE: Final = 64
"""Blocks of a larger page whose contributions are computed at once: about two milliseconds."""


def column_means(table: "memoryview[float]", width: int) -> "array[float]":
    """The mean of each column of a table; `_core` has a twin.

    >>> column_means(memoryview(array("f", [1, 2, 3, 6])), 2).tolist()
    [2.0, 4.0]
    """
    compiled = core()
    if compiled:
        return array("d", compiled.means(table, width))
    count = len(table) // width
    # Not `sum`: from Python 3.12 on it adds in another way than C.
    return array("d", [reduce(add, table[column::width].tolist(), 0.0) / count for column in range(width)])


class Contributions:
    """The contribution of each feature of a page's blocks to the sum of their trees; computed when first asked for.

    Pickled as the page alone: the feature table, larger than the page, is measured again for the shipped model.
    """

    def __init__(self, forest: Forest, features: BlockFeatures, page: Page | None = None) -> None:
        self._forest, self._features, self._page = forest, features, page
        self._latest: Tile | None = None

    @property
    def recomputable(self) -> bool:
        """Whether page and shipped model suffice to compute the same contributions in another process."""
        from bonmun.methods.learned.model import shipped  # imported late: it imports this module

        unpickled = "_forest" not in vars(self)
        return self._page is not None and (unpickled or self._forest is shipped().trees)

    def __getstate__(self) -> dict[str, object]:
        return {"_page": self._page, "_latest": None}

    @cached_property
    def _forest(self) -> Forest:
        """That of the shipped model, after unpickling."""
        from bonmun.methods.learned.model import shipped

        return shipped().trees

    @cached_property
    def _features(self) -> BlockFeatures:
        """The features of the page, after unpickling."""
        from bonmun.methods.learned.model import shipped

        assert self._page is not None
        return BlockFeatures(self._page, shipped().weights)

    def __len__(self) -> int:
        return len(self._features)

    def of_block(self, index: int) -> Sequence[float]:
        """The contributions to one block's sum, in the order of `COLUMNS`."""
        tile = self.tile(index)
        return tile.contributions[(index - tile.first) * _WIDTH : (index - tile.first + 1) * _WIDTH].tolist()

    def features(self, index: int) -> "memoryview[float]":
        """The features of one block, in the order of `COLUMNS`."""
        return self.tile(index).features_of(index)

    @cached_property
    def mean(self) -> "array[float]":
        """The mean contribution of each column over the page's blocks, or over a sample of many."""
        if len(self) <= _SMALL:
            return column_means(self.tile(0).contributions, _WIDTH)
        sample = range(0, len(self), -(-len(self) // _SMALL))
        if len(self) <= TILE:  # whose features are there
            table = self._features.rows(0, len(self))
            rows = [table[_ROW * index : _ROW * (index + 1)] for index in sample]
        else:
            rows = [self._features.rows(index, index + 1) for index in sample]
        return column_means(self._forest.contributions(b"".join(rows), _WIDTH), _WIDTH)

    def tile(self, index: int) -> "Tile":
        """The tile of a block. The latest is kept: most callers go from block to block."""
        latest, size = self._latest, _SMALL if len(self) <= _SMALL else _TILE
        if latest is None or not latest.first <= index < latest.first + size:
            first = index - index % size
            rows = self._features.rows(first, min(first + size, len(self)))
            latest = Tile(first, memoryview(rows).cast("f"), self._forest.contributions(rows, _WIDTH))
            self._latest = latest
        return latest


@dataclass(frozen=True, eq=False, slots=True)
class Tile:
    """Some blocks in a row."""

    first: int
    features: "memoryview[float]"
    contributions: "memoryview[float]"

    def __len__(self) -> int:
        return len(self.contributions) // _WIDTH

    def features_of(self, index: int) -> "memoryview[float]":
        """The features of one block."""
        at = (index - self.first) * _WIDTH
        return self.features[at : at + _WIDTH]
