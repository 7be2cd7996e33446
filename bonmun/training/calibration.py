"""Calibration of scores to probabilities, and its reliability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_KNOTS = 48


@dataclass(frozen=True)
class Calibration:
    """An increasing, piecewise linear function."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]

    def __call__(self, scores: Numbers) -> Numbers:
        """Return the probabilities of scores."""
        return np.interp(scores, self.x, self.y)


def calibrate(scores: Numbers, truth: Numbers, weight: Numbers) -> Calibration:
    """Fit a calibration by isotonic regression over bins of similar scores.

    >>> line = calibrate(np.linspace(0, 1, 1000), np.linspace(0, 1, 1000) ** 2, np.ones(1000))
    >>> bool(abs(line(np.array([0.5]))[0] - 0.25) < 0.01)
    True
    """
    from sklearn.isotonic import isotonic_regression

    order = np.argsort(scores, kind="stable")
    spans = np.cumsum(weight[order]) / max(weight.sum(), 1e-12)
    spans = spans[np.searchsorted(scores[order], scores[order])]  # equal scores share a bin
    bins = np.minimum((spans * _KNOTS).astype(int), _KNOTS - 1)
    # Bins of equal weight are wide where scores are rare; 16 equal steps of the score keep its two ends apart.
    bins = np.unique(bins * _KNOTS + np.minimum((scores[order] * 16).astype(int), 15), return_inverse=True)[1]
    mass = np.maximum(np.bincount(bins, weight[order]), 1e-12)
    x = np.bincount(bins, weight[order] * scores[order]) / mass
    y = np.bincount(bins, weight[order] * truth[order]) / mass
    increasing = isotonic_regression(y, sample_weight=mass, y_min=0, y_max=1)
    knots = np.concatenate([[0.0], x, [1.0]]).astype(np.float32)
    values = np.concatenate([increasing[:1], increasing, increasing[-1:]]).astype(np.float32)
    first = np.unique(knots, return_index=True)[1]
    return Calibration(knots[first], values[first])


@dataclass(frozen=True)
class Reliability:
    """A reliability diagram: predicted against observed means."""

    rows: list[tuple[float, float, float]]
    """Mean prediction, mean outcome and share of the weight, for each non-empty bin."""
    error: float
    """Expected calibration error: the mean distance of prediction and outcome."""


def reliability(predicted: Numbers, outcome: Numbers, weight: Numbers | None = None, steps: int = 10) -> Reliability:
    """Compare predictions with outcomes in bins of the prediction.

    >>> reliability(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0, 0, 1, 1])).error
    0.1
    """
    mass = np.ones(len(predicted)) if weight is None else weight
    bins = np.minimum((predicted * steps).astype(int), steps - 1)
    rows = []
    error = 0.0
    for number in range(steps):
        inside = bins == number
        share = float(mass[inside].sum() / mass.sum())
        if share:
            expected, observed = (
                float(np.average(side[inside], weights=mass[inside])) for side in (predicted, outcome)
            )
            rows.append((expected, observed, share))
            error += share * abs(expected - observed)
    return Reliability(rows, round(error, 6))
