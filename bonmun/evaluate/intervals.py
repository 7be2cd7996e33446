"""Confidence intervals: bootstrap over sites, for pages of one site are not independent.

Efron's percentile interval. All systems are resampled with the same draws, so that comparisons are paired by site: a
hard site is hard for both systems.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from operator import itemgetter
from random import Random

from bonmun.evaluate.metrics import Figure, Values

_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; the bounds are NaN if there is only one site."""

    value: float
    low: float = nan
    high: float = nan

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of two systems: their difference, and the probability that the first is better."""

    difference: Estimate
    probability: float


class SiteBootstrap:
    """Bootstrap draws over the sites of a corpus, shared by all figures.

    >>> sites = SiteBootstrap({"1": "a.org", "2": "a.org", "3": "b.org"})
    >>> mean = Figure("f", "F", lambda sums: sums[0] / sums[1])
    >>> print(sites.sample({"1": (0.5, 1), "2": (0.7, 1), "3": (0.9, 1)}).estimate(mean))
    0.700 [0.600, 0.900]
    """

    def __init__(self, site_of: Mapping[str, str], rounds: int = 2000) -> None:
        self.site_of = site_of
        self._rounds = rounds
        self._index = {name: number for number, name in enumerate(dict.fromkeys(site_of.values()))}

    def __len__(self) -> int:
        return len(self._index)

    def sample(self, values: Mapping[str, Values]) -> "Sample":
        """Return the sample of one system from its addends by page."""
        return Sample(self, {page: values[page] for page in self.site_of if page in values})

    def drawn(self, values: Mapping[str, Values]) -> Iterator[list[float]]:
        """Yield the sums of the addends for each draw of sites; nothing if there is only one site."""
        if len(self) < 2 or not values:
            return
        columns = [[0.0] * len(self) for _ in next(iter(values.values()))]
        for page, addends in values.items():
            site = self._index[self.site_of[page]]
            for column, value in zip(columns, addends, strict=True):
                column[site] += value
        for draw in self._draws:
            yield [sum(draw(column)) for column in columns]

    @cached_property
    def _draws(self) -> Sequence[Callable[[Sequence[float]], Iterable[float]]]:
        random = Random(0)
        every = range(len(self))
        return [itemgetter(*random.choices(every, k=len(self))) for _ in range(self._rounds)]


class Sample:
    """One system's addends on some pages; the resampled sums are computed once for all figures."""

    def __init__(self, sites: SiteBootstrap, values: Mapping[str, Values]) -> None:
        self._sites = sites
        self._values = values

    def value(self, figure: Figure) -> float:
        """Return a figure over all pages; NaN if there are none."""
        return figure.of([sum(column) for column in zip(*self._values.values(), strict=True)]) if self._values else nan

    def estimate(self, figure: Figure) -> Estimate:
        """Return a figure with its interval."""
        return _estimate(self.value(figure), [figure.of(sums) for sums in self._draws])

    def compare(self, other: "Sample", figure: Figure) -> Comparison:
        """Compare two systems on the pages that both have."""
        if self._values.keys() != other._values.keys():
            both = self._values.keys() & other._values.keys()
            return self._within(both).compare(other._within(both), figure)
        pairs = zip(self._draws, other._draws, strict=True)
        differences = sorted(gap for one, two in pairs if (gap := figure.of(one) - figure.of(two)) == gap)
        value = self.value(figure) - other.value(figure)
        if not differences:
            return Comparison(Estimate(value), nan)
        worse, not_better = bisect_left(differences, 0.0), bisect_right(differences, 0.0)
        probability = (len(differences) - not_better + (not_better - worse) / 2) / len(differences)
        return Comparison(_estimate(value, differences), probability)

    def _within(self, pages: Collection[str]) -> "Sample":
        return Sample(self._sites, {page: addends for page, addends in self._values.items() if page in pages})

    @cached_property
    def _draws(self) -> list[list[float]]:
        return list(self._sites.drawn(self._values))


def _estimate(value: float, replicates: Sequence[float]) -> Estimate:
    known = sorted(number for number in replicates if number == number)
    if not known:
        return Estimate(value)
    rank = round(_TAIL * len(known))
    return Estimate(value, known[rank], known[len(known) - 1 - rank])
