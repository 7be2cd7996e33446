"""Word F1 of a choice of blocks, per page."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.learned.choice import choose
from bonmun.training.dataset import Dataset, Numbers
from bonmun.training.measuring import Lists

Kept = Sequence[int] | NDArray[np.bool_]
"""For each block of a page whether it is kept."""


def choices(data: Dataset, probabilities: Numbers, empty: float) -> list[bytearray]:
    """Return for each page the blocks with the best expected F1."""
    kept = []
    for page in range(len(data.infos)):
        rows = data.rows(page)
        kept.append(choose(probabilities[rows].tolist(), data.sizes[rows].tolist(), empty=empty)[0])
    return kept


def page_scores(data: Dataset, kept: Sequence[Kept]) -> Numbers:
    """Return the word F1 of each page's kept blocks against the nearest gold."""
    pairs = zip(data.words, kept, strict=True)
    return np.array([_best(words, golds, np.asarray(keep, bool)) for (words, golds), keep in pairs])


def lines_found(data: Dataset, probabilities: Numbers, empty: float) -> dict[str, float]:
    """Return for each corpus of lines the share of their words that is kept."""
    shares = {}
    for corpus in sorted({info.corpus for info in data.infos if info.lines_only}):
        pages = np.array([info.corpus == corpus and not info.variant for info in data.infos])
        some, rows = data.only(pages), pages[data.page]
        kept = np.concatenate([np.array(keep, bool) for keep in choices(some, probabilities[rows], empty)])
        words = some.sizes * some.known
        shares[corpus] = round(float(words[kept].sum() / max(words.sum(), 1.0)), 4)
    return shares


def page_score(data: Dataset, page: int, probabilities: Numbers, empty: float) -> float:
    """Return the word F1 of one page, by the probabilities of its rows."""
    sizes = data.sizes[data.rows(page)].tolist()
    return _best(*data.words[page], np.asarray(choose(probabilities.tolist(), sizes, empty=empty)[0], bool))


def oracle(data: Dataset) -> Numbers:
    """Return the F1 of choosing blocks by their labels, the upper bound of any model."""
    return page_scores(data, [data.labels[data.rows(page)] > 0.5 for page in range(len(data.infos))])


def _best(words: Lists, golds: Lists, keep: NDArray[np.bool_]) -> float:
    most = max(words.numbers.max(initial=-1), golds.numbers.max(initial=-1)) + 1
    out = np.bincount(words.numbers[np.repeat(keep, np.diff(words.start))], minlength=most)
    scores = []
    for start, stop in zip(golds.start, golds.start[1:], strict=False):
        gold = np.bincount(golds.numbers[start:stop], minlength=most)
        total = out.sum() + gold.sum()
        scores.append(2 * np.minimum(out, gold).sum() / total if total else 1.0)
    return float(max(scores))
