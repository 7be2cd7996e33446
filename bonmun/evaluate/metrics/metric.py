"""Metrics: addends per page, and figures computed from their sums.

A figure of a corpus is a function of sums over its pages: a mean over pages, a ratio of pooled counts, an F1 of two
means. So the bootstrap over sites only adds up addends again; no page is measured twice.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import nan
from pathlib import Path

from bonmun.evaluate.truth import Truth

Values = tuple[float, ...]
_SHARED = ("truth.py", "tokens.py", "alignment.py", "metrics/metric.py")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a metric."""

    key: str
    label: str
    of: Callable[[Sequence[float]], float]
    """The figure as a function of the sums of the addends; NaN if no page counts."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure of an output against the gold text of its page."""

    name: str
    source: str
    """The publication it is taken from."""
    against: Callable[[Truth, int, str], Values]
    """The addends of an output against the gold of that number."""
    figures: tuple[Figure, ...]
    """The first is the main figure."""
    module: str

    def measure(self, truth: Truth, output: str) -> Values:
        """Return the addends of an output against its nearest gold."""
        against_each = [self.against(truth, number, output) for number in range(len(truth.golds))]
        return max(against_each, key=lambda values: _or_zero(self.figures[0].of(values)))

    @property
    def stamp(self) -> str:
        """A hash of the metric's code; stored scores of other code are measured again."""
        return _stamp(self.module)


def share(number: int, of: int) -> Callable[[Sequence[float]], float]:
    """Return the function that divides one sum by another.

    >>> share(0, 1)((3, 4))
    0.75
    """
    return lambda sums: sums[number] / sums[of] if sums[of] else nan


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean; a `beta` below 1 favours precision.

    >>> f_score(0.817, 0.905)
    0.8587...
    >>> f_score(1, 0.5, beta=0.5)
    0.8333...
    """
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0


def quotients(hits: float, output: float, gold: float) -> tuple[float, float]:
    """Return precision and recall; both are 1 if output and gold are empty.

    >>> quotients(2, 4, 5), quotients(0, 0, 0), quotients(0, 0, 5)
    ((0.5, 0.4), (1.0, 1.0), (0.0, 0.0))
    """
    if not output or not gold:
        both = float(not output and not gold)
        return both, both
    return hits / output, hits / gold


def page_values(precision: float, recall: float) -> Values:
    """Return the addends of a page: P, R, F1, F0.5, and 1 for the page.

    >>> page_values(1, 0.5)
    (1, 0.5, 0.666..., 0.833..., 1.0)
    """
    return precision, recall, f_score(precision, recall), f_score(precision, recall, 0.5), 1.0


def page_means(key: str, label: str) -> tuple[Figure, ...]:
    """Return the figures for `page_values`: means over pages.

    >>> [(figure.key, figure.label, figure.of((8, 5, 6, 7, 10))) for figure in page_means("lcs", "char")]
    [('lcs_f1', 'char F1', 0.6), ('lcs_precision', 'char P', 0.8), ('lcs_recall', 'char R', 0.5), ('lcs_f05', ... 0.7)]
    """
    named = (("f1", "F1", 2), ("precision", "P", 0), ("recall", "R", 1), ("f05", "F0.5", 3))
    return tuple(Figure(f"{key}_{name}", f"{label} {short}", share(number, 4)) for name, short, number in named)


def _or_zero(value: float) -> float:
    return 0.0 if value != value else value


@cache
def _stamp(module: str) -> str:
    folder = Path(__file__).parents[1]
    total = hashlib.blake2b(digest_size=6)
    for name in (*_SHARED, f"metrics/{module.rpartition('.')[2]}.py"):
        total.update((folder / name).read_bytes())
    return total.hexdigest()
