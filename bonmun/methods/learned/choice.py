"""Which blocks to keep: those that together promise the best F score of the page, not those above a fixed threshold."""

from collections.abc import Sequence
from operator import mul
from typing import Final

EMPTY: Final = 15.0
"""Words that a page has to promise; below that, nothing is the better answer."""
SNIPPET: Final = 40.0
"""Words of a page that is a piece of one, to be taken as it is."""
SHORT: Final = 100.0
"""Words of a page that has to promise nothing: what little there is may be what a reader came for."""


def choose(
    probabilities: Sequence[float], sizes: Sequence[float], prefer: float = 1.0, empty: float = EMPTY
) -> tuple[bytearray, float]:
    """Return which blocks to keep, and the F1 that is to be expected of them.

    With blocks in falling order of probability, hits / (kept + gold) rises as long as the next block is likelier than
    the quotient so far, and never again: the best choice is all blocks above that quotient. `prefer` is the beta of
    the F score: above 1 it favours recall, below 1 precision. Sizes are in words. A page that is not short and promises
    fewer than `empty` words is left empty.

    Probabilities are the sigmoids of the trees' sums as they are: calibrated ones choose worse (-.0015 on `wcxb_dev`).

    >>> choose([0.9, 0.1, 0.6, 0.2], [40, 40, 20, 50])
    (bytearray(b'\\x01\\x00\\x01\\x00'), 0.786...)
    >>> choose([0.2, 0.1], [10, 100])[0]
    bytearray(b'\\x00\\x00')
    """
    expected = sum(map(mul, probabilities, sizes))
    if not expected or (expected < empty and sum(sizes) > SHORT):
        return bytearray(len(probabilities)), 1 - expected / empty if expected else 1.0
    gold = prefer * prefer * expected
    hits = kept = quotient = 0.0
    for at in sorted(range(len(probabilities)), key=probabilities.__getitem__, reverse=True):
        if probabilities[at] <= quotient:
            break
        hits += probabilities[at] * sizes[at]
        kept += sizes[at]
        quotient = hits / (kept + gold)
    return bytearray([one > quotient for one in probabilities]), 2 * hits / (kept + expected)
