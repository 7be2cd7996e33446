"""Boosted trees over blocks: one model for each fold, and one from all pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.learned.cascade import Exit
from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.recipe import Recipe
from bonmun.training.words import Pair, honest_scores


@dataclass(frozen=True)
class Judged:
    """What a cross-validation gives."""

    probabilities: Numbers
    """Of each row, by the model that has not seen its page, as it will be at run time: with the early exit."""
    exit: Exit
    scores: Pair
    """The linear scores of each row, from weights that have not seen its page."""
    ensembles: list[Ensemble]
    """Of each fold, then of all pages."""
    weights: list[Pair]


def cross_validate(
    data: Dataset,
    recipe: Recipe,
    fold: NDArray[np.int64],
    *,
    final: bool = True,
    pages: Rows | None = None,
    columns: Callable[[str], bool] = lambda name: True,
    advance: Callable[[], None] = lambda: None,
) -> Judged:
    """Train a model for each fold, and from all pages if `final`; from `pages` and by `columns` only, where given."""
    taught = (data.found >= recipe.found) & (True if pages is None else pages)
    rows = taught[data.page]
    linear = honest_scores(data, recipe, fold, rows)
    advance()
    of_row, weights = fold[data.page], data.weights(recipe)
    wanted = [number for number, name in enumerate(data.columns) if columns(name)]
    first, whole, found = np.zeros(len(of_row)), np.zeros(len(of_row)), []
    few = first_trees(recipe)
    for k in range(recipe.folds + final):
        table = with_scores(data, *linear.by_fold[k])
        table = table if len(wanted) == len(data.columns) else table[:, wanted]
        mine = rows & (of_row != k)
        booster = _grown(table[mine], data.labels[mine], weights[mine], recipe)
        found.append(ensembles(booster)[0])
        theirs = of_row == k
        if theirs.any():
            asked = {"raw_score": True, "num_threads": recipe.jobs}
            first[theirs] = booster.predict(table[theirs], num_iteration=few, **asked)
            whole[theirs] = booster.predict(table[theirs], **asked)
        advance()
    exit = fit_exit(first, whole, recipe)
    return Judged(settled(first, whole, exit), exit, linear.by_fold[-1], found, linear.weights)


def first_trees(recipe: Recipe) -> int:
    """How many trees every block is asked by."""
    return max(1, round(recipe.trees * recipe.first_trees))


def fit_exit(first: Numbers, whole: Numbers, recipe: Recipe) -> Exit:
    """Return who is settled by the first trees, and how their sums go on: by least squares, out of fold."""
    low, high = recipe.settled
    out = first[(first < low) | (first > high)]
    weight = float(out @ whole[(first < low) | (first > high)] / (out @ out)) if len(out) else 1.0
    return Exit(first_trees(recipe), low, high, round(weight, 4))


def settled(first: Numbers, whole: Numbers, exit: Exit) -> Numbers:
    """Return the probabilities that a cascade gives."""
    early = (first < exit.below) | (first > exit.above)
    return np.asarray(1 / (1 + np.exp(-np.where(early, exit.weight * first, whole))))


def _grown(table: NDArray[np.float32], labels: Numbers, weights: Numbers, recipe: Recipe) -> Any:
    import lightgbm

    settings = {**recipe.boosting, "seed": recipe.seed, "num_threads": recipe.jobs}
    settings["min_data_in_leaf"] = max(1, min(settings["min_data_in_leaf"], len(labels) // 200))
    rows = lightgbm.Dataset(table, labels, weight=weights, params=settings)
    return lightgbm.train(settings, rows, recipe.trees)
