"""Gradient-boosted trees by LightGBM, with the settings of the recipe.

While they grow, the trees see one more column: the convention of each row's corpus. They are asked at the default's
value only, and are kept without that column.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.conventions import DEFAULT
from bonmun.training.dataset import Numbers
from bonmun.training.ensembles import Ensemble, ensembles
from bonmun.training.recipe import Recipe


@dataclass(frozen=True)
class Lesson:
    """The rows to learn from."""

    table: NDArray[np.float32]
    convention: NDArray[np.float32]
    """The code of the convention of each row's corpus."""
    labels: Numbers
    weights: Numbers


@dataclass(frozen=True)
class Grown:
    """LightGBM's trees, asked by the default convention."""

    booster: Any
    jobs: int

    def sums(self, table: NDArray[np.float32], trees: int | None = None) -> Numbers:
        """Return the sum over the first trees, or all, for each row."""
        rows = _with_column(table, np.full(len(table), DEFAULT.code, np.float32))
        sums = self.booster.predict(rows, num_iteration=trees, raw_score=True, num_threads=self.jobs)
        return np.asarray(sums)

    def ensemble(self) -> Ensemble:
        """Return the trees as arrays."""
        return ensembles(self.booster)[0].at(self.booster.num_feature() - 1, DEFAULT.code)


def boosted(lesson: Lesson, trees: int, recipe: Recipe) -> Grown:
    """Grow trees."""
    import lightgbm

    settings = {**recipe.boosting, "seed": recipe.seed, "num_threads": recipe.jobs}
    settings["min_data_in_leaf"] = max(1, min(settings["min_data_in_leaf"], len(lesson.labels) // 200))
    table = _with_column(lesson.table, lesson.convention)
    rows = lightgbm.Dataset(table, lesson.labels, weight=lesson.weights, params=settings)
    return Grown(lightgbm.train(settings, rows, trees), recipe.jobs)


def _with_column(table: NDArray[np.float32], column: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate([table, column[:, None]], 1, dtype=np.float32)
