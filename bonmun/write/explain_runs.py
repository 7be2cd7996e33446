"""Runs of like blocks in an explanation: of thousands of lines, items or cells, the first are drawn, then a count."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from bonmun.model.document import Document
from bonmun.model.tags import HIDDEN

_MOST_LIKE: Final = 2000
"""Blocks of a run that is drawn in full: browsers get slow beyond, and nobody reads the reasons of each."""
_DRAWN: Final = 200
"""The first blocks of a longer run, which are drawn."""
_PERIODS: Final = (1, 2, 3, 4)
"""Blocks after which a run repeats itself: items one by one, terms and definitions in twos."""


def collapsed(document: Document) -> Sequence[int]:
    """For each block the end of the run of like blocks in which it is left out; 0 for a block that is drawn.

    Like blocks have the same verdict, kind and tag path.
    """
    page, count = document.page, len(document.page.blocks)
    stops = array("i", bytes(4 * count))
    if count <= _MOST_LIKE:
        return stops
    blocks, path = page.blocks, page.nodes.path
    looks = [
        path[element] << 8 | kind << 2 | bool(flags & HIDDEN) << 1 | bool(keep)
        for keep, kind, element, flags in zip(
            document.verdicts.keep, page.shown_blocks.kind_code, blocks.element, blocks.flags, strict=True
        )
    ]
    for period in _PERIODS:
        for start, stop in _runs(looks, period):
            if stop - start > _MOST_LIKE and not any(stops[start:stop]):
                stops[start + _DRAWN : stop] = array("i", [stop]) * (stop - start - _DRAWN)
    return stops


def _runs(looks: Sequence[int], period: int) -> Iterator[tuple[int, int]]:
    """Yield start and stop of the stretches in which every look is that of `period` blocks before."""
    start = 0
    for index in range(period, len(looks)):
        if looks[index] != looks[index - period]:
            yield start, index
            start = index - period + 1
    yield start, len(looks)
