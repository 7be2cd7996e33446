"""Two linear scores of a block: from its words, and from the class and id names around it."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.dataset import Dataset, Numbers, Rows
from bonmun.training.recipe import Recipe

_ROUNDS = 5
_TERMS_ALPHA, _NAMES_ALPHA = 1e-5, 2e-5
Pair = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights or scores of terms, and of names."""


@dataclass(frozen=True)
class Bags:
    """The bags of words of all rows, without buckets on too few pages."""

    terms: Any
    names: Any
    widths: tuple[int, int]
    kept: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, data: Dataset, recipe: Recipe, rows: Rows) -> "Bags":
        """Drop buckets that are rare in some rows."""
        kept = (
            _frequent(data, data.terms, rows, recipe.fewest_terms),
            _frequent(data, data.names, rows, recipe.fewest_names),
        )
        widths = (data.terms.shape[1], data.names.shape[1])
        return cls(data.terms[:, kept[0]], data.names[:, kept[1]], widths, kept)

    def fit(self, labels: Numbers, weights: Numbers, rows: Rows, seed: int) -> Pair:
        """Fit the weights of the kept buckets on some rows."""
        return (
            _fitted(self.terms[rows], labels[rows], weights[rows], _TERMS_ALPHA, seed),
            _fitted(self.names[rows], labels[rows], weights[rows], _NAMES_ALPHA, seed),
        )

    def scores(self, fitted: Pair) -> Pair:
        """Return both scores of every row."""
        return (self.terms @ fitted[0]).astype(np.float32), (self.names @ fitted[1]).astype(np.float32)

    def whole(self, fitted: Pair) -> Pair:
        """Return the weights of all buckets, 0 for rare ones."""
        weights = np.zeros(self.widths[0], np.float32), np.zeros(self.widths[1], np.float32)
        for all_of, kept, some in zip(weights, self.kept, fitted, strict=True):
            all_of[kept] = some
        return weights


@dataclass(frozen=True)
class Scores:
    """Out-of-fold linear scores, and the weights for the model files."""

    by_fold: list[Pair]
    """Scores of all rows for the model of each fold, then for the final model."""
    weights: list[Pair]
    """Weights of each of these models."""


def honest_scores(data: Dataset, recipe: Recipe, fold: NDArray[np.int64], rows: Rows) -> Scores:
    """Return scores from nested cross-validation.

    In the model of fold k, a row of fold j has a score from weights fitted without j and k, a row of fold k one from
    weights fitted without k. No score has seen the label of its row, so the trees learn how reliable scores are on new
    pages. The final model leaves out j only.
    """
    bags, of_row, every = Bags.of(data, recipe, rows), fold[data.page], range(recipe.folds)
    weights = data.weights(recipe)
    left_out = [(), *((k,) for k in every), *combinations(every, 2)]
    fitted = {out: bags.fit(data.labels, weights, rows & ~np.isin(of_row, out), recipe.seed) for out in left_out}
    scores = {out: bags.scores(pair) for out, pair in fitted.items()}
    by_fold = []
    for k in (*every, None):
        pair = np.zeros((2, len(of_row)), np.float32)
        for j in every:
            out = tuple(sorted({j} if k is None else {j, k}))
            pair[:, of_row == j] = np.stack(scores[out])[:, of_row == j]
        by_fold.append((pair[0], pair[1]))
    return Scores(by_fold, [bags.whole(fitted[out]) for out in (*((k,) for k in every), ())])


def _frequent(data: Dataset, bags: Any, rows: Rows, fewest: int) -> NDArray[np.int64]:
    """Return the buckets on at least `fewest` pages, counting some rows."""
    from scipy.sparse import csr_matrix

    counted = np.flatnonzero(rows)
    ones = np.ones(len(counted), np.float32)
    pages = csr_matrix((ones, (data.page[counted], counted)), shape=(len(data.infos), len(data.page)))
    return np.flatnonzero(np.asarray(((pages @ bags) > 0).sum(0)).ravel() >= fewest)


def _fitted(bags: Any, labels: Numbers, weights: Numbers, alpha: float, seed: int) -> NDArray[np.float32]:
    from sklearn.linear_model import SGDClassifier

    content = labels > 0.5
    if not bags.shape[1] or content.all() or not content.any():
        return np.zeros(bags.shape[1], np.float32)
    model = SGDClassifier(loss="log_loss", alpha=alpha, max_iter=_ROUNDS, tol=None, average=True, random_state=seed)
    model.fit(bags, content, sample_weight=weights)
    return np.asarray(model.coef_[0], np.float32)
