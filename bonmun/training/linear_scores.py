"""Two linear scores: what the words of a block, and the names of the elements around it, speak for."""

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
"""Of terms and of names."""


@dataclass(frozen=True)
class Bags:
    """The words of all rows, without those that are on too few pages."""

    terms: Any
    names: Any
    widths: tuple[int, int]
    kept: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, data: Dataset, recipe: Recipe) -> "Bags":
        """Leave out the rare."""
        kept = (_often(data, data.terms, recipe.fewest_terms), _often(data, data.names, recipe.fewest_names))
        widths = (data.terms.shape[1], data.names.shape[1])
        return cls(data.terms[:, kept[0]], data.names[:, kept[1]], widths, kept)

    def fit(self, labels: Numbers, weights: Numbers, rows: Rows, seed: int) -> Pair:
        """Return the weights of the kept words, from some rows."""
        return (
            _fitted(self.terms[rows], labels[rows], weights[rows], _TERMS_ALPHA, seed),
            _fitted(self.names[rows], labels[rows], weights[rows], _NAMES_ALPHA, seed),
        )

    def scores(self, fitted: Pair) -> Pair:
        """Return both scores of every row."""
        return (self.terms @ fitted[0]).astype(np.float32), (self.names @ fitted[1]).astype(np.float32)

    def whole(self, fitted: Pair) -> Pair:
        """Return the weights of all buckets, 0 for the rare."""
        spread = np.zeros(self.widths[0], np.float32), np.zeros(self.widths[1], np.float32)
        for all_of, kept, some in zip(spread, self.kept, fitted, strict=True):
            all_of[kept] = some
        return spread


@dataclass(frozen=True)
class Scores:
    """Linear scores that have not seen what they are scores of."""

    by_fold: list[Pair]
    """For the model of each fold, scores of all rows; the last for the final model."""
    weights: list[Pair]
    """What each of these models ships."""


def honest_scores(data: Dataset, recipe: Recipe, fold: NDArray[np.int64], rows: Rows) -> Scores:
    """Fit the weights that nested folds need.

    In the model of fold k, a row of fold j has a score from weights without j and k, and a row of fold k one from
    weights without k: both have not seen its label, and the trees learn to trust the scores as far as they will be
    right. The final model is the same with k left out of it.
    """
    bags, of_row, every = Bags.of(data, recipe), fold[data.page], range(recipe.folds)
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


def _often(data: Dataset, bags: Any, fewest: int) -> NDArray[np.int64]:
    """The buckets that are on at least so many pages."""
    from scipy.sparse import csr_matrix

    rows = len(data.page)
    pages = csr_matrix((np.ones(rows, np.float32), (data.page, np.arange(rows))), shape=(len(data.infos), rows))
    return np.flatnonzero(np.asarray(((pages @ bags) > 0).sum(0)).ravel() >= fewest)


def _fitted(bags: Any, labels: Numbers, weights: Numbers, alpha: float, seed: int) -> NDArray[np.float32]:
    from sklearn.linear_model import SGDClassifier

    content = labels > 0.5
    if not bags.shape[1] or content.all() or not content.any():
        return np.zeros(bags.shape[1], np.float32)
    model = SGDClassifier(loss="log_loss", alpha=alpha, max_iter=_ROUNDS, tol=None, average=True, random_state=seed)
    model.fit(bags, content, sample_weight=weights)
    return np.asarray(model.coef_[0], np.float32)
