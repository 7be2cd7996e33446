"""Two small models over a page's summary: its type, and how good its extraction will be."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.recipe import Recipe

Rows = NDArray[np.float32]
_SHARED = {
    "verbosity": -1,
    "deterministic": True,
    "force_row_wise": True,
    "use_missing": False,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "num_leaves": 8,
    "min_data_in_bin": 1,
    "feature_pre_filter": False,
}


def fit_types(rows: Rows, types: Sequence[int], count: int, recipe: Recipe) -> list[Ensemble]:
    """Return an ensemble for each type; softmax over their sums are the types' probabilities."""
    order: dict[str, Any] = {"objective": "multiclass", "num_class": count, "learning_rate": 0.08}
    order["min_data_in_leaf"] = _leaf(len(rows), 20)
    return _fitted(rows, np.asarray(types), order, recipe.type_trees, recipe)


def fit_confidence(rows: Rows, scores: NDArray[np.float64], recipe: Recipe) -> Ensemble:
    """Return trees whose sum is the F1 to be expected of a page."""
    order = {"objective": "regression", "learning_rate": 0.05, "min_data_in_leaf": _leaf(len(rows), 25)}
    return _fitted(rows, scores, order, recipe.confidence_trees, recipe)[0]


def type_probabilities(found: Sequence[Ensemble], rows: Rows) -> NDArray[np.float64]:
    """Return the probability of each type for each page."""
    sums = np.stack([ensemble.sums(rows) for ensemble in found], 1)
    powers = np.exp(sums - sums.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def _leaf(pages: int, most: int) -> int:
    """Pages that a leaf has to hold: few where there are few."""
    return max(1, min(most, pages // 40))


def _fitted(rows: Rows, target: NDArray[Any], order: dict[str, Any], trees: int, recipe: Recipe) -> list[Ensemble]:
    import lightgbm

    settings = {**_SHARED, **order, "seed": recipe.seed, "num_threads": recipe.jobs}
    return ensembles(lightgbm.train(settings, lightgbm.Dataset(rows, target, params=settings), trees))
