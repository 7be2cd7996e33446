"""Pages grouped by shape: seed paper 004's Algorithm 1, exactly, or by MinHash so that the time grows with the pages.

Algorithm 1 takes the first page that is in no class as the seed of one and pulls in every page like it. That is the
same as to ask of each page in turn which earlier seed it is like, and to make it a seed where there is none: so pages
can come one by one, and only the seeds' shapes have to be kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bonmun.sites.shape import Shape, similarity

_BANDS, _ROWS = 32, 3
"""Two shapes with half of all their paths in common meet in one of the bands 99 times of 100; a tenth: 3 times."""
_POPULAR = 16
"""The largest classes are always compared: a page far smaller than its siblings rarely meets them in a band."""
_RANK_EVERY = 256
_EMPTY = 1 << 64


@dataclass(frozen=True, slots=True)
class PageClass:
    """Pages of one shape."""

    seed: int
    """The page that the others were compared with."""
    members: tuple[int, ...]
    """All pages of the class, the seed first."""


class Grouping:
    """Classes of pages that come one by one.

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
        """How many pages each class has."""
        self._bands: dict[tuple[int, ...], list[int]] = {}
        self._popular: list[int] = []
        self._placed = 0

    def place(self, shape: Shape) -> int:
        """The number of the class that a page belongs to; a new one where it is like no earlier seed."""
        bands = list(_bands_of(shape)) if self.approximate else []
        for number in self._candidates(bands):
            if similarity(self.shapes[number], shape) > self.threshold:
                self.counts[number] += 1
                break
        else:
            number = self._found(shape, bands)
        self._placed += 1
        if self.approximate and (self._placed % _RANK_EVERY == 0 or len(self._popular) < _POPULAR):
            ranked = sorted(range(len(self.counts)), key=lambda at: (-self.counts[at], at))
            self._popular = ranked[:_POPULAR]
        return number

    def _candidates(self, bands: Sequence[tuple[int, ...]]) -> Iterable[int]:
        """The classes to compare with, the oldest first."""
        if not self.approximate:
            return range(len(self.shapes))
        met = set(self._popular)
        for band in bands:
            met.update(self._bands.get(band, ()))
        return sorted(met)

    def _found(self, shape: Shape, bands: Sequence[tuple[int, ...]]) -> int:
        number = len(self.shapes)
        self.shapes.append(shape)
        self.counts.append(1)
        for band in bands:
            self._bands.setdefault(band, []).append(number)
        return number


def cluster(
    shapes: Iterable[Shape], *, threshold: float = 0.82, more_than: int = 5, approximate: bool = False
) -> list[PageClass]:
    """The classes with more than that many pages, in the order of their seeds."""
    grouping = Grouping(threshold, approximate=approximate)
    members: list[list[int]] = []
    for page, shape in enumerate(shapes):
        number = grouping.place(shape)
        if number == len(members):
            members.append([])
        members[number].append(page)
    return [PageClass(pages[0], tuple(pages)) for pages in members if len(pages) > more_than]


def minimums(shape: Shape, bins: int = _BANDS * _ROWS) -> list[int]:
    """The smallest path of each bin, an empty bin borrowing its neighbour's (one-permutation MinHash, densified).

    The share of bins in which two shapes agree estimates how many of all their paths they share.
    """
    least = [_EMPTY] * bins
    for path in shape:
        at = path % bins
        if path < least[at]:
            least[at] = path
    if not shape:
        return least
    borrowed = next(value for value in least if value != _EMPTY)
    for at in range(bins - 1, -1, -1):
        if least[at] == _EMPTY:
            least[at] = borrowed + 1 & _EMPTY - 1
        borrowed = least[at]
    return least


def _bands_of(shape: Shape) -> Iterator[tuple[int, ...]]:
    least = minimums(shape)
    for at in range(0, len(least), _ROWS):
        yield at, *least[at : at + _ROWS]
