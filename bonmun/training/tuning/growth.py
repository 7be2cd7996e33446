"""Extra trees on top of a model, and how many of them help on pages that they have not seen."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Dataset, Numbers, Rows
from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.page_scores import page_score
from bonmun.training.recipe import Recipe
from bonmun.training.tuning.settings import Settings
from bonmun.training.tuning.start import StartModel, Tiers

Held = frozenset[int]
"""Groups of pages that trees are grown without."""
_PARALLEL = 20_000
"""Minimum number of rows for several threads: with fewer, they wait for each other longer than they work."""


@dataclass(frozen=True)
class Corrected:
    """Corrected pages as the starting model sees them."""

    data: Dataset
    table: NDArray[np.float32]
    tiers: Tiers
    empty: float
    weights: Numbers
    learnable: Rows
    """Whether each row is of a page to learn from: enough of its gold is on the page."""

    @classmethod
    def of(cls, data: Dataset, start: StartModel) -> "Corrected":
        """Compute the sums of the starting model for all rows."""
        table, recipe = start.table(data), Recipe()
        learnable = (data.coverage >= recipe.least_coverage)[data.page]
        return cls(data, table, start.tiers(table), start.parts.empty, data.weights(recipe), learnable)

    def f1(self, page: int, extra: Numbers) -> float:
        """Return the word F1 of a page with the sums of extra trees for its rows."""
        sums = self.tiers.plus(extra, self.data.rows(page))
        return page_score(self.data, page, 1 / (1 + np.exp(-np.clip(sums, -100, 100))), self.empty)


@dataclass(frozen=True)
class Choice:
    """The number of extra trees, and what cross-validation says of it."""

    count: int
    by_count: dict[int, float]
    """Mean F1 of held-out pages by number of trees."""
    before: Numbers
    """The F1 of each page without extra trees."""
    after: Numbers
    """The F1 of each page by trees grown, and a number chosen, without the page; as before if there are no trees."""


def grown(pages: Corrected, rows: Rows, count: int, settings: Settings) -> Any:
    """Return LightGBM's trees that correct the starting model on some rows."""
    import lightgbm

    used = rows & pages.learnable & pages.data.known
    threads = settings.jobs if used.sum() >= _PARALLEL else 1
    options = {**settings.boosting, "seed": settings.seed, "num_threads": threads}
    table = lightgbm.Dataset(
        pages.table[used],
        pages.data.labels[used],
        weight=pages.weights[used],
        init_score=pages.tiers.whole()[used],
        params=options,
    )
    return lightgbm.train(options, table, count)


def extra_trees(pages: Corrected, count: int, settings: Settings) -> Ensemble:
    """Return the trees grown on all pages."""
    if not count:
        return ensembles("num_tree_per_iteration=1")[0]
    return ensembles(grown(pages, np.ones(len(pages.table), bool), count, settings))[0]


def choose_count(pages: Corrected, settings: Settings, advance: Callable[[], None]) -> Choice:
    """Choose the number of trees by cross-validation over pages, and estimate the F1 by a nested one.

    The estimate of a page is by trees and a number of trees that were fitted without it. If it says that the pages do
    not gain, there are no extra trees.
    """
    group = np.array(grouped(len(pages.data.infos), settings))
    groups, none = range(group.max() + 1), settings.counts.index(0)
    held: dict[Held, Numbers] = {}
    for left_out in map(frozenset, (*combinations(groups, 1), *combinations(groups, 2))):
        held[left_out] = _held_out(pages, np.isin(group, list(left_out)), settings)
        advance()
    scores = np.zeros((len(group), len(settings.counts)))
    after = np.zeros(len(group))
    for own in groups:
        inside = group == own
        scores[inside] = held[frozenset((own,))][inside]
        nested = [held[frozenset((own, other))][group == other] for other in groups if other != own]
        after[inside] = scores[inside, _best(np.concatenate(nested), settings)]
    by_count = dict(zip(settings.counts, scores.mean(0).tolist(), strict=True))
    count, before = settings.counts[_best(scores, settings)], scores[:, none]
    if not count or after.mean() <= before.mean():
        return Choice(0, by_count, before, before)
    return Choice(count, by_count, before, after)


def rounds(pages: int, settings: Settings) -> int:
    """Return the number of times that `choose_count` advances."""
    groups = max(grouped(pages, settings)) + 1
    return groups + groups * (groups - 1) // 2


def grouped(pages: int, settings: Settings) -> list[int]:
    """Return the group of each page: pages are held out by groups.

    >>> grouped(4, Settings()), sorted(grouped(13, Settings(groups=4)))
    ([0, 1, 2, 3], [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    """
    if pages <= settings.single_pages:
        return list(range(pages))
    group = [page % settings.groups for page in range(pages)]
    Random(settings.seed).shuffle(group)
    return group


def _held_out(pages: Corrected, left_out: Rows, settings: Settings) -> Numbers:
    """Return the F1 of each page that was left out, by number of trees grown on the others; 0 for these."""
    rows = ~left_out[pages.data.page]
    booster = grown(pages, rows, max(settings.counts), settings) if (rows & pages.learnable).any() else None
    scores = np.zeros((len(left_out), len(settings.counts)))
    for page in map(int, np.flatnonzero(left_out)):
        table = pages.table[pages.data.rows(page)]
        extra = (_sums(booster, table, count) for count in settings.counts)
        scores[page] = [pages.f1(page, sums) for sums in extra]
    return scores


def _sums(booster: Any, table: NDArray[np.float32], count: int) -> Numbers:
    if not count or not len(table) or booster is None:
        return np.zeros(len(table))
    return np.asarray(booster.predict(table, num_iteration=count, raw_score=True), float)


def _best(scores: Numbers, settings: Settings) -> int:
    """Return the index of the best number of trees, the smallest of equals; it must beat none by `least_gain`."""
    means = np.round(scores.mean(0), 6)
    best = int(means.argmax())
    none = settings.counts.index(0)
    return best if means[best] - means[none] >= settings.least_gain else none
