"""Gradient-boosted trees by LightGBM, with the settings of the recipe."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Numbers
from bonmun.training.recipe import Recipe


def boosted(table: NDArray[np.float32], labels: Numbers, weights: Numbers, trees: int, recipe: Recipe) -> Any:
    """Return the LightGBM model of some rows."""
    import lightgbm

    settings = {**recipe.boosting, "seed": recipe.seed, "num_threads": recipe.jobs}
    settings["min_data_in_leaf"] = max(1, min(settings["min_data_in_leaf"], len(labels) // 200))
    rows = lightgbm.Dataset(table, labels, weight=weights, params=settings)
    return lightgbm.train(settings, rows, trees)
