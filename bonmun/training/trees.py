"""Gradient-boosted trees over blocks: a model for each fold, and the final one from all pages."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.learned.cascade import Exit
from bonmun.training.boosting import boosted
from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.ensembles import Ensemble
from bonmun.training.linear_scores import Pair, honest_scores
from bonmun.training.recipe import Recipe
from bonmun.training.teacher import labelled, lesson


@dataclass(frozen=True)
class CrossValidation:
    """The results and models of a cross-validation."""

    probabilities: Numbers
    """Out-of-fold probability of each row, with the early exit as at run time."""
    exit: Exit
    scores: Pair
    """The out-of-fold linear scores of each row."""
    ensembles: list[Ensemble]
    """The trees of each fold, then of the final model."""
    weights: list[Pair]
    """The linear weights in the same order."""

    def only(self, rows: Rows) -> "CrossValidation":
        """Return the results of some rows."""
        term, name = self.scores
        return replace(self, probabilities=self.probabilities[rows], scores=(term[rows], name[rows]))


def cross_validate(
    data: Dataset,
    recipe: Recipe,
    fold: NDArray[np.int64],
    *,
    final: bool = True,
    pages: Rows | None = None,
    columns: Callable[[str], bool] = lambda name: True,
    advance: Callable[[], None] = lambda: None,
) -> CrossValidation:
    """Train a model for each fold and, if `final`, one from all pages; `pages` and `columns` restrict the training."""
    training_pages = (data.coverage >= recipe.least_coverage) & (True if pages is None else pages)
    rows = training_pages[data.page]
    linear = honest_scores(data, recipe, fold, rows & labelled(data, recipe) & data.originals[data.page])
    advance()
    of_row, weights = fold[data.page], data.weights(recipe)
    wanted = [number for number, name in enumerate(data.columns) if columns(name)]
    first, whole = np.zeros(len(of_row)), np.zeros(len(of_row))
    trees: list[Ensemble] = []
    few = first_trees(recipe)
    for k in range(recipe.folds + final):
        table = with_scores(data, *linear.by_fold[k])
        table = table if len(wanted) == len(data.columns) else table[:, wanted]
        held_out = of_row == k
        grown = boosted(lesson(data, table, weights, rows & ~held_out, recipe), recipe.trees, recipe)
        trees.append(grown.ensemble())
        if held_out.any():
            first[held_out] = grown.sums(table[held_out], few)
            whole[held_out] = grown.sums(table[held_out])
        advance()
    exit = fit_exit(first, whole, recipe)
    return CrossValidation(settled(first, whole, exit), exit, linear.by_fold[-1], trees, linear.weights)


def first_trees(recipe: Recipe) -> int:
    """Return the number of trees in the first tier of the cascade."""
    return max(1, round(recipe.trees * recipe.first_trees))


def fit_exit(first: Numbers, whole: Numbers, recipe: Recipe) -> Exit:
    """Return the early exit: its thresholds, and the weight that extrapolates settled sums, by least squares."""
    low, high = recipe.settled
    early = (first < low) | (first > high)
    weight = float(first[early] @ whole[early] / (first[early] @ first[early])) if early.any() else 1.0
    return Exit(first_trees(recipe), low, high, round(weight, 4))


def settled(first: Numbers, whole: Numbers, exit: Exit) -> Numbers:
    """Return the probabilities of the cascade."""
    early = (first < exit.below) | (first > exit.above)
    return np.asarray(1 / (1 + np.exp(-np.where(early, exit.weight * first, whole))))
