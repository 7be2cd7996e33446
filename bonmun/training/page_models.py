"""Two small models over a page's summary: page type, and confidence of the extraction."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.recipe import Recipe

Summaries = NDArray[np.float32]
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


def fit_types(rows: Summaries, types: Sequence[int], count: int, recipe: Recipe) -> list[Ensemble]:
    """Return an ensemble per type; the softmax of their sums is the probability of each type."""
    settings: dict[str, Any] = {"objective": "multiclass", "num_class": count, "learning_rate": 0.08}
    settings["min_data_in_leaf"] = _leaf(len(rows), 20)
    return _fitted(rows, np.asarray(types), settings, recipe.type_trees, recipe)


def fit_confidence(rows: Summaries, scores: NDArray[np.float64], recipe: Recipe) -> Ensemble:
    """Return the regression trees whose sum is the expected F1 of a page."""
    settings = {"objective": "regression", "learning_rate": 0.05, "min_data_in_leaf": _leaf(len(rows), 25)}
    return _fitted(rows, scores, settings, recipe.confidence_trees, recipe)[0]


def type_probabilities(trees: Sequence[Ensemble], rows: Summaries) -> NDArray[np.float64]:
    """Return the probability of each type for each page."""
    sums = np.stack([ensemble.sums(rows) for ensemble in trees], 1)
    powers = np.exp(sums - sums.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def _leaf(pages: int, most: int) -> int:
    """Return the minimum number of pages of a leaf: lower for few pages."""
    return max(1, min(most, pages // 40))


def _fitted(
    rows: Summaries, target: NDArray[Any], settings: dict[str, Any], trees: int, recipe: Recipe
) -> list[Ensemble]:
    import lightgbm

    parameters = {**_SHARED, **settings, "seed": recipe.seed, "num_threads": recipe.jobs}
    return ensembles(lightgbm.train(parameters, lightgbm.Dataset(rows, target, params=parameters), trees))
