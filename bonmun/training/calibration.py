"""From scores to probabilities that mean what they say, and how far they are from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_KNOTS = 48


@dataclass(frozen=True)
class Calibration:
    """Straight lines between knots, rising."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]

    def __call__(self, scores: Numbers) -> Numbers:
        """Return the probabilities of scores."""
        return np.interp(scores, self.x, self.y)


def calibrate(scores: Numbers, truth: Numbers, weight: Numbers) -> Calibration:
    """Fit a rising line through scores and what came of them: isotonic regression over runs of like scores.

    >>> line = calibrate(np.linspace(0, 1, 1000), np.linspace(0, 1, 1000) ** 2, np.ones(1000))
    >>> bool(abs(line(np.array([0.5]))[0] - 0.25) < 0.01)
    True
    """
    from sklearn.isotonic import isotonic_regression

    order = np.argsort(scores, kind="stable")
    spans = np.cumsum(weight[order]) / max(weight.sum(), 1e-12)
    spans = spans[np.searchsorted(scores[order], scores[order])]  # equal scores stay together
    run = np.minimum((spans * _KNOTS).astype(int), _KNOTS - 1)
    # Runs of equal weight are wide where scores are rare; equal steps of the score keep its two ends apart.
    run = np.unique(run * _KNOTS + np.minimum((scores[order] * 16).astype(int), 15), return_inverse=True)[1]
    mass = np.maximum(np.bincount(run, weight[order]), 1e-12)
    x = np.bincount(run, weight[order] * scores[order]) / mass
    y = np.bincount(run, weight[order] * truth[order]) / mass
    rising = isotonic_regression(y, sample_weight=mass, y_min=0, y_max=1)
    knots = np.concatenate([[0.0], x, [1.0]]).astype(np.float32)
    values = np.concatenate([rising[:1], rising, rising[-1:]]).astype(np.float32)
    first = np.unique(knots, return_index=True)[1]
    return Calibration(knots[first], values[first])


@dataclass(frozen=True)
class Reliability:
    """How often what was promised came true, by what was promised."""

    rows: list[tuple[float, float, float]]
    """Mean promise, mean outcome and share of the weight, for each tenth that has any."""
    error: float
    """Expected calibration error: the mean distance of promise and outcome."""


def reliability(promised: Numbers, came: Numbers, weight: Numbers | None = None, steps: int = 10) -> Reliability:
    """Hold promises against outcomes.

    >>> reliability(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0, 0, 1, 1])).error
    0.1
    """
    mass = np.ones(len(promised)) if weight is None else weight
    bins = np.minimum((promised * steps).astype(int), steps - 1)
    rows = []
    error = 0.0
    for number in range(steps):
        inside = bins == number
        share = float(mass[inside].sum() / mass.sum())
        if share:
            mean, outcome = (float(np.average(side[inside], weights=mass[inside])) for side in (promised, came))
            rows.append((mean, outcome, share))
            error += share * abs(mean - outcome)
    return Reliability(rows, round(error, 6))
