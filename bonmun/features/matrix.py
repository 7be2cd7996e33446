"""The feature table as rows of floats, by the compiled twin or, without it, the Python one."""

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from threading import Lock
from typing import Final

from bonmun.core import Core, FeatureTables, PageTexts, core
from bonmun.features.columns import COLUMNS
from bonmun.features.concepts import CONCEPTS_OF_HASH, LANDMARK_OF_TAG
from bonmun.features.table import WordWeights, features
from bonmun.features.whole import INPUTS
from bonmun.model.attributes import NAMING
from bonmun.model.lazy import lazy
from bonmun.model.page import Page
from bonmun.model.tags import FLOW, HEADINGS, TAGS

LANDMARK_ROLE, FLOW_ROLE, HEADING_ROLE, INPUT_ROLE = 15, 16, 32, 64
"""Bits of a tag's role in the compiled twin; those of `LANDMARK_ROLE` hold its index in `LANDMARKS` plus 1, or 0."""
_ROLES: Final = bytes(
    LANDMARK_OF_TAG.get(tag, -1) + 1
    | (FLOW_ROLE if tag in FLOW else 0)
    | (HEADING_ROLE if tag in HEADINGS else 0)
    | (INPUT_ROLE if tag in INPUTS else 0)
    for tag in range(len(TAGS))
)
TILE: Final = 2048
"""Blocks of a tile: two megabytes of features. Of 2,585 pages of the dev sets, ten have more."""
PART: Final = 512
"""Blocks of a tile of a page with more: half a megabyte."""
_ROW: Final = 4 * len(COLUMNS)  # bytes
_SLOTS: Final = 1024


class BlockFeatures:
    """The features of a page's blocks, `columns.COLUMNS` wide, in 32-bit floats; rows are computed when asked for.

    The table of a page with many blocks is far larger than the page, so callers go through it tile by tile. The rows of
    a page of one tile are kept. Thread-safe.
    """

    def __init__(self, page: Page, weights: WordWeights) -> None:
        self._page, self._weights = page, weights
        self._only_tile: bytes | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._page.blocks)

    def rows(self, first: int, stop: int) -> bytes:
        """The features of some blocks, row after row."""
        with self._lock:
            if len(self) > TILE:
                return self._rows(first, stop)
            if self._only_tile is None:
                self._only_tile = self._rows(0, len(self))
                self.forget()
            return self._only_tile[first * _ROW : stop * _ROW]

    def tiles(self) -> Iterator[tuple[int, bytes]]:
        """Yield the features of all blocks in tiles, each with the number of its first block."""
        size = TILE if len(self) <= TILE else PART
        for first in range(0, len(self), size):
            yield first, self.rows(first, min(first + size, len(self)))

    def forget(self) -> None:
        """Free what was measured; it is measured again if more rows are asked for."""
        vars(self).pop("_rows", None)
        vars(self).pop("_measured", None)

    @lazy
    def _rows(self) -> Callable[[int, int], bytes]:
        compiled = core()
        return partial(compiled.features, self._measured) if compiled else _reference_rows(self._page, self._weights)

    @lazy
    def _measured(self) -> object:
        compiled = core()
        return compiled and _measure(compiled, self._page, self._weights)


def _reference_rows(page: Page, weights: WordWeights) -> Callable[[int, int], bytes]:
    table = array("f", chain.from_iterable(zip(*features(page, weights).values(), strict=True))).tobytes()
    return lambda first, stop: table[first * _ROW : stop * _ROW]


def _measure(compiled: Core, page: Page, weights: WordWeights) -> object:
    return compiled.measure(page.nodes.columns, page.blocks.columns, texts_of(page), tables_of(weights))


def texts_of(page: Page) -> PageTexts:
    """The texts of a page as the compiled core measures them."""
    nodes = page.nodes
    return nodes.buffer, nodes.spill, page.blocks.text_buffer, nodes.attr_numbers(NAMING)


def tables_of(weights: WordWeights) -> FeatureTables:
    """What the compiled core measures by, whatever the page."""
    return _ROLES, _CONCEPTS, weights.terms, weights.names


def _concept_slots() -> bytes:
    """A hash table from word hashes to concept bits: open addressing; a slot without concepts is free."""
    slots = [(0, 0)] * _SLOTS
    for word, concepts in CONCEPTS_OF_HASH.items():
        slot = word % _SLOTS
        while slots[slot][1]:
            slot = (slot + 1) % _SLOTS
        slots[slot] = word, concepts
    return array("I", chain.from_iterable(slots)).tobytes()


_CONCEPTS: Final = _concept_slots()
