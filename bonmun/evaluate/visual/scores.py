"""Scores of the systems on the pages of all corpora: means over pages, intervals over sites, spread over seeds."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from statistics import fmean, stdev
from typing import Final

from bonmun.evaluate.corpora import Case
from bonmun.evaluate.intervals import Comparison, Estimate, Sample, SiteBootstrap
from bonmun.evaluate.metrics import Figure, Values
from bonmun.evaluate.metrics.blocks import VISIBLE_NODES
from bonmun.evaluate.metrics.characters import COLLAPSED_LCS

METRICS_OF: Final = {"lcs": COLLAPSED_LCS, "block": VISIBLE_NODES}
"""The paper's two metrics."""
SCORES: Final = ("precision", "recall", "f1", "f05")
COMPLETE: Final = ("visual_dev", "styled_dev")
"""Corpora of pages that were saved with their style sheets."""
MUCH_CSS, SOME_CSS = 30_000, 5_000
"""Characters of inline style sheets from which on a page is taken to render with its CSS, or with some of it."""
_STYLE: Final = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)

PageScores = Mapping[str, Values]
"""The addends of a metric by the key of a page."""


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """A test page: what tables are broken down by."""

    corpus: str
    id: str
    site: str
    lang: str
    css: int
    """Characters of inline style sheets."""
    drawn: bool = True

    @property
    def key(self) -> str:
        """The page among those of all corpora."""
        return f"{self.corpus}/{self.id}"

    @property
    def rendering(self) -> str:
        """How much of its CSS the page has."""
        if self.corpus in COMPLETE or self.css > MUCH_CSS:
            return "with CSS"
        return "some CSS" if self.css > SOME_CSS else "without CSS"


@dataclass(frozen=True, slots=True)
class Line:
    """A system's scores: for each metric those of every seed, of which a system without training has one."""

    name: str
    ours: bool
    seeds: Mapping[str, Sequence[PageScores]]
    """By metric, `lcs` and `block`."""

    def pooled(self, metric: str) -> dict[str, Values]:
        """The addends of every page, averaged over the seeds that are tested on it."""
        pages: dict[str, list[Values]] = {}
        for scores in self.seeds[metric]:
            for key, values in scores.items():
                pages.setdefault(key, []).append(values)
        return {key: tuple(map(fmean, zip(*runs, strict=True))) for key, runs in pages.items()}

    @property
    def trained(self) -> bool:
        """Whether there are seeds."""
        return len(self.seeds["lcs"]) > 1


@dataclass(frozen=True)
class Part:
    """Some of the pages, with the scores of every system on them."""

    pages: Sequence[ScoredPage]
    lines: Sequence[Line]

    def where(self, keep: Callable[[ScoredPage], bool]) -> "Part":
        """Return the part of these pages."""
        return replace(self, pages=[page for page in self.pages if keep(page)])

    def by(self, name: Callable[[ScoredPage], str], order: Iterable[str] = ()) -> "dict[str, Part]":
        """Return the parts by a name of each page; those of `order` first."""
        names = dict.fromkeys([*order, *sorted({name(page) for page in self.pages})])
        parts = {one: self.where(lambda page, one=one: name(page) == one) for one in names}  # type: ignore[misc]
        return {one: part for one, part in parts.items() if part.pages}

    def line(self, name: str) -> Line | None:
        """Return the scores of a system."""
        return next((line for line in self.lines if line.name == name), None)

    def estimate(self, line: Line, metric: str, score: str) -> Estimate:
        """Return a figure with its interval over sites; of several seeds, that of their mean."""
        return self._samples[line.name, metric].estimate(figure(metric, score))

    def count(self, line: Line) -> int:
        """Return the number of pages that a system was tested on."""
        return len(line.pooled("lcs").keys() & self._keys)

    def spread(self, line: Line, metric: str, score: str) -> float:
        """Return the standard deviation of a figure over the seeds; NaN if there are fewer than two."""
        values = self.by_seed(line, metric, score)
        return stdev(values) if len(values) > 1 else nan

    def by_seed(self, line: Line, metric: str, score: str) -> list[float]:
        """Return a figure of every seed, each over its own test pages."""
        samples = (self._sites.sample(scores) for scores in line.seeds[metric])
        values = (sample.value(figure(metric, score)) for sample in samples)
        return [value for value in values if value == value]

    def difference(self, one: Line, other: Line, metric: str, score: str) -> Comparison:
        """Compare two systems page by page."""
        return self._samples[one.name, metric].compare(self._samples[other.name, metric], figure(metric, score))

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(page.key for page in self.pages)

    @cached_property
    def _samples(self) -> dict[tuple[str, str], Sample]:
        lines = [(line, metric) for line in self.lines for metric in METRICS_OF]
        return {(line.name, metric): self._sites.sample(line.pooled(metric)) for line, metric in lines}

    @cached_property
    def _sites(self) -> SiteBootstrap:
        return SiteBootstrap({page.key: page.site for page in self.pages})


def figure(metric: str, score: str) -> Figure:
    """Return P, R, F1 or F0.5 of a metric.

    >>> figure("block", "f05").label
    'node F0.5'
    """
    return next(one for one in METRICS_OF[metric].figures if one.key.endswith(f"_{score}"))


def scored_page(corpus: str, case: Case, *, drawn: bool = True) -> ScoredPage:
    """Return what the tables need to know of a page."""
    return ScoredPage(corpus, case.id, case.domain, case.lang.partition("-")[0], css_characters(case.html), drawn)


def css_characters(html: str) -> int:
    """Return the size of the style sheets inside a page.

    >>> css_characters("<style>p { color: red }</style><p style='margin: 0'>Tea<style media=print>a{}</style>")
    19
    """
    return sum(map(len, _STYLE.findall(html)))
