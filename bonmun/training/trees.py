"""Boosted trees over blocks: one model for each fold, and one from all pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.recipe import Recipe
from bonmun.training.words import Pair, honest_scores


@dataclass(frozen=True)
class Judged:
    """What a cross-validation gives."""

    probabilities: Numbers
    """Of each row, by the model that has not seen its page."""
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
    probabilities, found = np.zeros(len(of_row)), []
    for k in range(recipe.folds + final):
        table = with_scores(data, *linear.by_fold[k])
        table = table if len(wanted) == len(data.columns) else table[:, wanted]
        mine = rows & (of_row != k)
        booster = _grown(table[mine], data.labels[mine], weights[mine], recipe)
        found.append(ensembles(booster)[0])
        if k < recipe.folds and (of_row == k).any():
            probabilities[of_row == k] = booster.predict(table[of_row == k], num_threads=recipe.jobs)
        advance()
    return Judged(probabilities, linear.by_fold[-1], found, linear.weights)


def _grown(table: NDArray[np.float32], labels: Numbers, weights: Numbers, recipe: Recipe) -> Any:
    import lightgbm

    settings = {**recipe.boosting, "seed": recipe.seed, "num_threads": recipe.jobs}
    settings["min_data_in_leaf"] = max(1, min(settings["min_data_in_leaf"], len(labels) // 200))
    rows = lightgbm.Dataset(table, labels, weight=weights, params=settings)
    return lightgbm.train(settings, rows, recipe.trees)
