"""From probabilities of elements to a region: the few elements that cover the main content.

1. A block has the log odds of its element, relative to the page: some pages are higher than others as a whole, and
   only the differences between their blocks tell content from the rest.
2. They are blended with the means of the elements around the block, the nearest counting most: rows are judged one by
   one and know nothing of each other.
3. A set of disjoint elements is worth the sum over its characters of (probability − threshold), less a cost for each
   element. The best set is found exactly, in one pass from the leaves to the root.
4. The threshold is F/(1+β²), F the expected F-score of the set that it yields: that set has the best expected F-score
   (Dinkelbach's method). A high β lowers it, which favours recall.
"""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log
from operator import mul
from typing import Final

from bonmun.deadline import check
from bonmun.model.page import Page

_ROUNDS: Final = 8
"""Iterations of Dinkelbach's method at most; three or four are usual."""
_SURE: Final = 1e-3
"""Probabilities are at least this, and at most one minus this."""


@dataclass(frozen=True, slots=True)
class RegionSettings:
    """Parameters of the region, tuned on validation and training sites of `wcxb_dev` (docs/visual.md)."""

    relative: float = 0.6
    """Share of the page's mean that is subtracted from the log odds of its blocks."""
    contrast: float = 2.5
    """Factor of the log odds: single rows are hardly sure of anything."""
    blend: float = 0.65
    """Weight of the element around a block, and of that around each element."""
    cost: float = 0.01
    """Cost of an element, as a share of the page's characters."""


@dataclass(frozen=True, slots=True)
class Region:
    """The chosen elements."""

    chosen: tuple[int, ...]
    """Their rows, in document order; none lies in another."""
    threshold: float
    """Blocks with a higher probability are worth keeping."""
    expected: float
    """The expected F-score."""
    likely: Sequence[float]
    """The probability of each block that it is main content, relative to the page and its surroundings."""


def find_region(
    page: Page, chars: Sequence[int], probability: Sequence[float], beta: float, settings: RegionSettings
) -> Region:
    """Return the region with the best expected F-score, from the visible characters and probability of each block."""
    tree = _Tree.of(page)
    odds = [log(p / (1 - p)) for p in (min(max(p, _SURE), 1 - _SURE) for p in probability)]
    mean = sum(map(mul, odds, chars)) / max(sum(chars), 1)
    odds = [settings.contrast * (value - settings.relative * mean) for value in odds]
    odds = tree.blended(page.blocks.element, odds, chars, settings.blend)
    likely = array("d", [1 / (1 + exp(-value)) for value in odds])
    return _best(tree, chars, likely, beta, settings.cost)


def _best(tree: "_Tree", chars: Sequence[int], likely: Sequence[float], beta: float, cost: float) -> Region:
    weight = beta * beta
    hits, sizes = [0.0, *accumulate(map(mul, chars, likely))], [0, *accumulate(chars)]
    region = Region((), 0.0, 0.0, likely)  # from 0 the threshold only rises: each set has a better score than the last
    for _ in range(_ROUNDS):
        check()
        gains = [hit - region.threshold * size for hit, size in zip(hits, sizes, strict=True)]
        chosen = tree.best_elements(gains, cost * sizes[-1])
        hit = sum(hits[tree.stop[at]] - hits[tree.start[at]] for at in chosen)
        size = sum(sizes[tree.stop[at]] - sizes[tree.start[at]] for at in chosen)
        expected = (1 + weight) * hit / (size + weight * hits[-1]) if size else 0.0
        if expected <= region.expected + _SURE:  # the last set is as good
            break
        region = Region(tuple(tree.row[at] for at in chosen), expected / (1 + weight), expected, likely)
    return region


@dataclass(frozen=True, slots=True)
class _Tree:
    """The elements with blocks, as columns in document order."""

    row: Sequence[int]
    parent: Sequence[int]
    """The element around it, by its place in these columns; -1 for the root."""
    start: Sequence[int]
    """Its first block."""
    stop: Sequence[int]
    """The block after its last one."""

    @classmethod
    def of(cls, page: Page) -> "_Tree":
        parents, first, ends = page.nodes.parent, page.blocks.first, page.nodes.end
        seen = set[int]()
        for row in page.blocks.element:
            while row >= 0 and row not in seen:
                seen.add(row)
                row = parents[row]
        rows = sorted(seen)
        place = {row: at for at, row in enumerate(rows)}
        start = [bisect_left(first, row) for row in rows]
        stop = [bisect_left(first, ends[row]) for row in rows]
        return cls(rows, [place.get(parents[row], -1) for row in rows], start, stop)

    def blended(
        self, elements: Sequence[int], values: Sequence[float], weights: Sequence[int], share: float
    ) -> list[float]:
        """Blend the value of each block with the weighted means of the elements around it."""
        heavier = [weight + _SURE for weight in weights]  # an element without weight has a mean too
        sums, sizes = [0.0, *accumulate(map(mul, values, heavier))], [0.0, *accumulate(heavier)]
        around = list[float]()
        for parent, start, stop in zip(self.parent, self.start, self.stop, strict=True):
            mean = (sums[stop] - sums[start]) / (sizes[stop] - sizes[start]) if stop > start else 0.0
            around.append(mean if parent < 0 else share * around[parent] + (1 - share) * mean)
        place = {row: at for at, row in enumerate(self.row)}
        return [
            share * around[place[element]] + (1 - share) * value
            for element, value in zip(elements, values, strict=True)
        ]

    def best_elements(self, gains: Sequence[float], cost: float) -> list[int]:
        """The disjoint elements with the largest sum of gains less costs; `gains` are sums over the blocks before."""
        below, taken = [0.0] * (len(self.row) + 1), bytearray(len(self.row))
        for at in range(len(self.row) - 1, -1, -1):
            whole = gains[self.stop[at]] - gains[self.start[at]] - cost
            taken[at] = whole > below[at]  # of equals the smaller element
            below[self.parent[at]] += max(whole, below[at])
        chosen, done = list[int](), -1
        for at, start in enumerate(self.start):
            if taken[at] and start >= done:
                chosen.append(at)
                done = self.stop[at]
        return chosen
