"""Ablations: the model's F1 without some of its features or corpora."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Dataset, Rows
from bonmun.training.page_scores import choices, page_scores
from bonmun.training.recipe import Recipe
from bonmun.training.report import estimates
from bonmun.training.trees import cross_validate

_NAMED = ("named_", "style_")


def from_names(column: str) -> bool:
    """Return whether a column is computed from class and id names."""
    return column.startswith(_NAMED) or "name_score" in column


def ablations(
    data: Dataset, recipe: Recipe, fold: NDArray[np.int64], advance: Callable[[], None]
) -> dict[str, dict[str, Any]]:
    """Return the F1 by corpus of models without class and id names, and of models without each corpus."""
    scores = {
        "without class and id names": _scores(data, recipe, fold, advance, columns=lambda one: not from_names(one))
    }
    corpora = sorted({info.corpus for info in data.infos})
    for name in corpora if len(corpora) > 1 else ():
        others = np.array([info.corpus != name for info in data.infos])
        scores[f"without {name}"] = _scores(data, recipe, fold, advance, pages=others)
    return scores


def count(data: Dataset) -> int:
    """Return the number of cross-validations that `ablations` runs."""
    corpora = len({info.corpus for info in data.infos})
    return 1 + (corpora if corpora > 1 else 0)


def _scores(
    data: Dataset,
    recipe: Recipe,
    fold: NDArray[np.int64],
    advance: Callable[[], None],
    *,
    pages: Rows | None = None,
    columns: Callable[[str], bool] = lambda name: True,
) -> dict[str, Any]:
    validation = cross_validate(data, recipe, fold, final=False, pages=pages, columns=columns, advance=advance)
    scores = page_scores(data, choices(data, validation.probabilities, recipe.empty))
    return estimates(data, scores, lambda info: info.corpus)
