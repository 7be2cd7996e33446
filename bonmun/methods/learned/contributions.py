"""How far each feature moved each block's score: the raw numbers behind reasons."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import TILE, BlockFeatures
from bonmun.methods.learned.forest import Forest
from bonmun.model.page import Page

_WIDTH: Final = len(COLUMNS)
_SMALL: Final = 512
"""Blocks whose contributions give the mean; of a page with more, as many are sampled."""
_TILE: Final = 64
"""Blocks whose contributions are computed at once where they are asked for one by one."""


class Contributions:
    """The contribution of each feature of a page's blocks to the sum of their trees; computed when first asked for.

    Pickled as the page alone: the feature table, larger than the page, is measured again for the shipped model.
    """

    def __init__(self, forest: Forest, features: BlockFeatures, page: Page | None = None) -> None:
        self._forest, self._features, self._page = forest, features, page
        self._latest: Rows | None = None

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
        # The latest rows are kept: most callers go from block to block.
        latest = self._latest
        if latest is None or index not in latest.place:
            first = index - index % _TILE
            latest = self._latest = self.rows(range(first, min(first + _TILE, len(self))))
        return latest.contributions_of(index).tolist()

    @cached_property
    def mean(self) -> "array[float]":
        """The mean contribution of each column over the page's blocks, or over a sample of many."""
        sample = array("i", range(0, len(self), max(-(-len(self) // _SMALL), 1)))
        if len(self) <= TILE:  # whose features are there
            return self._forest.mean_contributions(self._features.rows(0, len(self)), _WIDTH, sample)
        rows = b"".join(self._features.rows(index, index + 1) for index in sample)
        return self._forest.mean_contributions(rows, _WIDTH, array("i", range(len(sample))))

    def rows(self, blocks: Sequence[int]) -> "Rows":
        """The features and contributions of some blocks, in order and on a large page not far from each other."""
        first, stop = (0, len(self)) if len(self) <= TILE else (blocks[0], blocks[-1] + 1)
        table, picked = self._features.rows(first, stop), array("i", blocks)
        if first:
            picked = array("i", [block - first for block in picked])
        contributions = self._forest.contributions(table, _WIDTH, picked)
        place = dict(zip(blocks, range(len(blocks)), strict=True))
        return Rows(place, picked, first, memoryview(table).cast("f"), contributions)


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """The features and contributions of some blocks."""

    place: Mapping[int, int]
    """Of each of these blocks the number of its row."""
    picked: "array[int]"
    """The rows of features that they are."""
    first: int
    """The block of the first row of features."""
    features: "memoryview[float]"
    """Those of all blocks from the first of these on up to the last."""
    contributions: "memoryview[float]"

    def features_of(self, index: int) -> "memoryview[float]":
        """The features of one block."""
        at = (index - self.first) * _WIDTH
        return self.features[at : at + _WIDTH]

    def contributions_of(self, index: int) -> "memoryview[float]":
        """The contributions to the sum of one block."""
        at = self.place[index] * _WIDTH
        return self.contributions[at : at + _WIDTH]
