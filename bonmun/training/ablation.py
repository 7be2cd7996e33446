"""Ablations: the model's F1 without some of its features, pages or parts of its training."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Dataset, Rows
from bonmun.training.page_scores import choices, lines_found, page_scores
from bonmun.training.recipe import Recipe
from bonmun.training.report import estimates
from bonmun.training.trees import cross_validate

EVERYTHING = "everything"
_NAMED = ("named_", "style_")
_TREES, _RATE = 80, 0.25
"""Ablations compare models with fewer, larger steps: differences are as telling, and a dozen take half an hour."""


@dataclass(frozen=True)
class Ablation:
    """A model to compare with that of everything."""

    name: str
    recipe: Recipe
    pages: Rows | None = None
    columns: Callable[[str], bool] = lambda name: True


def from_names(column: str) -> bool:
    """Return whether a column is computed from class and id names."""
    return column.startswith(_NAMED) or "name_score" in column


def ablations(
    data: Dataset, recipe: Recipe, fold: NDArray[np.int64], advance: Callable[[], None]
) -> dict[str, dict[str, Any]]:
    """Return the F1 by corpus of smaller models: of everything, and without one thing each."""
    return {one.name: _scores(data, one, fold, advance) for one in _each(data, recipe)}


def count(data: Dataset, recipe: Recipe) -> int:
    """Return the number of steps of `ablations`."""
    return sum(1 for _ in _each(data, recipe)) * (recipe.folds + 1)


def _each(data: Dataset, recipe: Recipe) -> Iterator[Ablation]:
    few = min(_TREES, recipe.trees)
    small = replace(recipe, trees=few, boosting={**recipe.boosting, "learning_rate": _RATE})
    yield Ablation(EVERYTHING, small)
    yield Ablation("without class and id names", small, columns=lambda one: not from_names(one))
    if not data.originals.all():
        yield Ablation("without variants", small, pages=data.originals)
    if not data.known[~data.lines_only[data.page]].all():
        yield Ablation("without conventions", replace(small, conventions=False))
    if data.lines_only.any():
        yield Ablation("without a teacher and its pages", replace(small, teacher=0.0))
    corpora = sorted({info.corpus for info in data.infos if not info.lines_only})
    for name in corpora if len(corpora) > 1 else ():
        yield Ablation(f"without {name}", small, pages=np.array([info.corpus != name for info in data.infos]))


def _scores(
    data: Dataset, one: Ablation, fold: NDArray[np.int64], advance: Callable[[], None]
) -> dict[str, list[float | None]]:
    recipe = one.recipe
    validation = cross_validate(data, recipe, fold, final=False, pages=one.pages, columns=one.columns, advance=advance)
    scores = _estimated(data, validation.probabilities, recipe, data.judged, "")
    renamed = ~data.originals & ~data.lines_only
    if renamed.any():
        scores |= _estimated(data, validation.probabilities, recipe, renamed, ", renamed")
    found = lines_found(data, validation.probabilities, recipe.empty)
    return scores | {f"{corpus}, lines": [share, None, None] for corpus, share in found.items()}


def _estimated(
    data: Dataset, probabilities: NDArray[np.float64], recipe: Recipe, pages: Rows, note: str
) -> dict[str, list[float | None]]:
    some, rows = data.only(pages), pages[data.page]
    scores = page_scores(some, choices(some, probabilities[rows], recipe.empty))
    return estimates(some, scores, lambda info: info.corpus + note)
