"""Counts of each block and prefix sums over runs of blocks, shared by several features."""

from collections.abc import Iterable
from itertools import accumulate
from math import exp2, log2
from typing import Final

from bonmun.features.text_statistics import measure
from bonmun.model.block import KINDS, Kind
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, FLOW, HEADINGS, HIDDEN, TAG_ID, TEXT, UNRENDERED

LONG: Final = 80
"""Minimum size of a link-free block with a sentence end to count as running text."""
LINKED: Final = 0.5
"""Share of link text above which a block is not running text."""
_PARAGRAPH, _IMAGE = TAG_ID["p"], KINDS.index(Kind.IMAGE)


def log(number: float) -> float:
    """The logarithm of a size or count, since these differ by magnitudes."""
    return log2(1 + number)


def words_of_size(size: float) -> float:
    """Estimate the words of a block from the logarithm of its size: one for every six letters, plus one."""
    return (exp2(size) - 1) / 6 + 1


def share(part: float, whole: float) -> float:
    """The quotient, 0 if the whole is 0."""
    return part / whole if whole else 0.0


class Sums:
    """Prefix sums over blocks: `sums(start, stop)`."""

    def __init__(self, values: Iterable[float]) -> None:
        self._before = [0.0, *accumulate(values)]

    def __call__(self, start: int, stop: int) -> float:
        """The sum from one block up to another."""
        return self._before[stop] - self._before[start]


class MeasuredPage:
    """A page with the counts that several features share."""

    def __init__(self, page: Page) -> None:
        self.page, self.nodes, self.blocks = page, page.nodes, page.blocks
        nodes, blocks, count = self.nodes, self.blocks, len(page.blocks)
        self.count = count
        self.stats = [measure(text) for text in blocks.text]
        self.size = [stats.size for stats in self.stats]
        self.link_share = [share(link, chars) for link, chars in zip(blocks.link_chars, blocks.chars, strict=True)]
        self.tag = [nodes.tag[element] for element in blocks.element]
        is_long = [
            s.size >= LONG and s.sentences and links < LINKED
            for s, links in zip(self.stats, self.link_share, strict=True)
        ]
        self.long = [size if long else 0 for size, long in zip(self.size, is_long, strict=True)]
        seen = [not flags & (HIDDEN | CONTROL) for flags in blocks.flags]
        shown = [at for at in range(count) if seen[at]]
        self.sum_size = Sums(self.size[at] * seen[at] for at in range(count))
        self.sum_link = Sums(self.size[at] * self.link_share[at] * seen[at] for at in range(count))
        self.sum_long = Sums(self.long[at] * seen[at] for at in range(count))
        self.sum_marks = Sums(stats.commas + stats.sentences for stats in self.stats)
        self.sum_heading = Sums(tag in HEADINGS for tag in self.tag)
        self.sum_paragraph = Sums(tag == _PARAGRAPH for tag in self.tag)
        self.sum_image = Sums(kind == _IMAGE for kind in blocks.kind_code)
        self.total, self.total_long = self.sum_size(0, count), self.sum_long(0, count)
        self.shown = len(shown)
        visible = (not flags & UNRENDERED and tag != TEXT for flags, tag in zip(nodes.flags, nodes.tag, strict=True))
        self.elements_before = [0, *accumulate(visible)]
        self.region: list[int] = []
        """For each row the nearest element, itself included, that is no part of running text."""
        for row, (parent, tag) in enumerate(zip(nodes.parent, nodes.tag, strict=True)):
            self.region.append(self.region[parent] if tag in FLOW and parent >= 0 else row)

    def above(self, row: int) -> int:
        """The parent; the root is its own."""
        return max(self.nodes.parent[row], 0)
