"""Sums from left to right. Python's own `sum` compensates for rounding from 3.12 on, and the compiled twin does not."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def total(numbers: Iterable[float]) -> float:
    """The sum of numbers, each added to the sum so far.

    >>> total([1e16, 1.0, -1e16])
    0.0
    """
    return reduce(add, numbers, 0.0)
