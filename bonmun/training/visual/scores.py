"""Scores of probabilities of rows: F1 of the rows of a page, averaged over pages, and the area under the ROC curve."""

from dataclasses import dataclass

import torch
from torch import Tensor

BINS = 200
"""Thresholds that are tried: 0, 1/200, … 199/200."""


@dataclass(frozen=True)
class Scores:
    """Scores of a set of rows."""

    auc: float
    """Area under the ROC curve of all rows."""
    page_auc: float
    """Of the rows of a page, mean over the pages with both classes."""
    half: float
    """F1 of the rows above 0.5, mean over the pages with main content."""
    best: float
    """The same at the threshold where it is highest."""
    threshold: float
    everything: float
    """The same if all rows are taken."""
    positive: float
    """The share of rows above 0.5."""


def scores(probability: Tensor, label: Tensor, page: Tensor, pages: int) -> Scores:
    """Return the scores of rows; `page` is the number of each row's page."""
    hits, taken = _histograms(probability, label, page, pages)
    curve = page_f1(hits, taken)
    best = int(curve.argmax())
    return Scores(
        auc=area(probability, label),
        page_auc=page_area(hits, taken),
        half=float(curve[BINS // 2]),
        best=float(curve[best]),
        threshold=best / BINS,
        everything=float(curve[0]),
        positive=float((probability >= 0.5).float().mean()),
    )


def _histograms(probability: Tensor, label: Tensor, page: Tensor, pages: int) -> tuple[Tensor, Tensor]:
    """Return how many rows of main content, and how many in all, each page has in each bin."""
    key = page * BINS + (probability * BINS).long().clamp(0, BINS - 1)
    size = pages * BINS
    counts = (torch.bincount(key[label > 0], minlength=size), torch.bincount(key, minlength=size))
    hits, taken = (count.view(pages, BINS).double() for count in counts)
    return hits, taken


def page_f1(hits: Tensor, taken: Tensor) -> Tensor:
    """Return the mean F1 of pages with main content at each threshold."""
    above, chosen = (counts.flip(1).cumsum(1).flip(1) for counts in (hits, taken))
    held = above[:, 0] > 0
    f1 = 2 * above / (chosen + above[:, :1]).clamp_min(1)
    return f1[held].mean(0) if bool(held.any()) else torch.zeros(BINS, dtype=torch.float64)


def page_area(hits: Tensor, taken: Tensor) -> float:
    """Return the mean area under the ROC curve of pages with both classes, from their histograms."""
    others = taken - hits
    below = others.cumsum(1) - others / 2
    pairs = hits.sum(1) * others.sum(1)
    both = pairs > 0
    return float(((hits * below).sum(1)[both] / pairs[both]).mean()) if bool(both.any()) else 0.5


def area(probability: Tensor, label: Tensor) -> float:
    """Return the area under the ROC curve; 0.5 if there is one class only.

    >>> area(torch.tensor([0.1, 0.4, 0.4, 0.8]), torch.tensor([0, 0, 1, 1]))
    0.875
    """
    _, inverse, counts = torch.unique(probability, return_inverse=True, return_counts=True)
    ends = counts.cumsum(0).double()
    rank = (ends - (counts.double() - 1) / 2)[inverse]
    positive = label > 0
    yes, no = int(positive.sum()), int((~positive).sum())
    if not yes or not no:
        return 0.5
    return float((rank[positive].sum() - yes * (yes + 1) / 2) / (yes * no))
