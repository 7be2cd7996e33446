"""Cluster pages by shape: Algorithm 1 of seed paper 004, exactly, or by MinHash in nearly linear time.

Algorithm 1 makes the first unclassified page the seed of a class and adds every similar page. The online form is
equivalent: each page joins the class of the first similar seed, or becomes a seed itself. It needs one pass and keeps
only the shapes of the seeds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bonmun.sites.shape import Shape, similarity

_BANDS, _ROWS = 32, 3
"""Two shapes with a Jaccard similarity of 0.5 share a band with a probability of 0.99; of 0.1: 0.03."""
_POPULAR = 16
"""The largest classes are always candidates: a page much smaller than its siblings rarely shares a band with them."""
_RANK_EVERY = 256
_EMPTY = 1 << 64


@dataclass(frozen=True, slots=True)
class PageClass:
    """A class of similar pages."""

    seed: int
    """The page that the others are compared with."""
    members: tuple[int, ...]
    """All pages of the class, the seed first."""


class Grouping:
    """Online clustering of pages.

    >>> pages = [frozenset({1, 2, 3, 4}), frozenset({7, 8}), frozenset({1, 2, 3, 4, 5})]
    >>> grouping = Grouping(0.82)
    >>> [grouping.place(page) for page in pages]
    [0, 1, 0]
    """

    def __init__(self, threshold: float, *, approximate: bool = False) -> None:
        self.threshold = threshold
        self.approximate = approximate
        self.shapes: list[Shape] = []
        """The shape of each class's seed."""
        self.counts: list[int] = []
        """The number of pages of each class."""
        self._bands: dict[tuple[int, ...], list[int]] = {}
        self._popular: list[int] = []
        self._placed = 0

    def place(self, shape: Shape) -> int:
        """Return the class of a page; a new one if no seed is similar."""
        bands = list(_bands_of(shape)) if self.approximate else []
        for number in self._candidates(bands):
            if similarity(self.shapes[number], shape) > self.threshold:
                self.counts[number] += 1
                break
        else:
            number = self._add_class(shape, bands)
        self._placed += 1
        if self.approximate and (self._placed % _RANK_EVERY == 0 or len(self._popular) < _POPULAR):
            ranked = sorted(range(len(self.counts)), key=lambda other: (-self.counts[other], other))
            self._popular = ranked[:_POPULAR]
        return number

    def _candidates(self, bands: Sequence[tuple[int, ...]]) -> Iterable[int]:
        """The classes to compare with, oldest first."""
        if not self.approximate:
            return range(len(self.shapes))
        candidates = set(self._popular)
        for band in bands:
            candidates.update(self._bands.get(band, ()))
        return sorted(candidates)

    def _add_class(self, shape: Shape, bands: Sequence[tuple[int, ...]]) -> int:
        number = len(self.shapes)
        self.shapes.append(shape)
        self.counts.append(1)
        for band in bands:
            self._bands.setdefault(band, []).append(number)
        return number


def cluster(
    shapes: Iterable[Shape], *, threshold: float = 0.82, more_than: int = 5, approximate: bool = False
) -> list[PageClass]:
    """Return the classes with more than `more_than` pages, in the order of their seeds."""
    grouping = Grouping(threshold, approximate=approximate)
    members: list[list[int]] = []
    for page, shape in enumerate(shapes):
        number = grouping.place(shape)
        if number == len(members):
            members.append([])
        members[number].append(page)
    return [PageClass(pages[0], tuple(pages)) for pages in members if len(pages) > more_than]


def minimums(shape: Shape, bins: int = _BANDS * _ROWS) -> list[int]:
    """Return the smallest path of each bin: one-permutation MinHash, densified with the neighbours of empty bins.

    The share of equal bins of two shapes estimates their Jaccard similarity.
    """
    least = [_EMPTY] * bins
    for path in shape:
        index = path % bins
        if path < least[index]:
            least[index] = path
    if not shape:
        return least
    borrowed = next(value for value in least if value != _EMPTY)
    for index in range(bins - 1, -1, -1):
        if least[index] == _EMPTY:
            least[index] = borrowed + 1 & _EMPTY - 1
        borrowed = least[index]
    return least


def _bands_of(shape: Shape) -> Iterator[tuple[int, ...]]:
    least = minimums(shape)
    for start in range(0, len(least), _ROWS):
        yield start, *least[start : start + _ROWS]
