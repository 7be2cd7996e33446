"""The choice of blocks with the best expected F score of the page, instead of a fixed threshold."""

from collections.abc import Sequence
from operator import mul
from types import MappingProxyType
from typing import Final

from bonmun.methods.learned.in_order import total

EMPTY: Final = 15.0
"""Minimum expected words of content on a page; below that, an empty answer is better."""
SNIPPET: Final = 40.0
"""Maximum words of a snippet, which is kept as it is."""
SHORT: Final = 100.0
"""Maximum words of a short page, for which there is no minimum."""
RECALL: Final = MappingProxyType({"article": 0.8, "collection": 1.6, "forum": 0.9, "product": 0.6})
"""Weight of recall by page type, 1 for others: out of fold +.002 on `wcxb_dev`, +.004 on `news_dev`.

Scores are too high for what surrounds an article or a product, and too low for the cards of a collection.
"""
RECIPE: Final = 1.4
"""Weight of recall on a page that declares itself a recipe: its lines are short, and all of them are wanted."""


def choose(
    probabilities: Sequence[float], sizes: Sequence[float], prefer: float = 1.0, empty: float = EMPTY
) -> tuple[bytearray, float]:
    """Return the blocks to keep and their expected F1.

    With blocks in falling order of probability, hits / (kept + gold) rises as long as the next block is likelier than
    the quotient so far, and never again: the best choice is all blocks above that quotient. `prefer` is the beta of
    the F score: above 1 it favours recall, below 1 precision. Sizes are in words. A page that is not short and has
    fewer than `empty` expected words is left empty.

    Probabilities are the sigmoids of the trees' sums as they are: calibrated ones choose worse (-.0015 on `wcxb_dev`).

    >>> choose([0.9, 0.1, 0.6, 0.2], [40, 40, 20, 50])
    (bytearray(b'\\x01\\x00\\x01\\x00'), 0.786...)
    >>> choose([0.2, 0.1], [10, 100])[0]
    bytearray(b'\\x00\\x00')
    """
    expected = total(map(mul, probabilities, sizes))
    if not expected or (expected < empty and total(sizes) > SHORT):
        return bytearray(len(probabilities)), 1 - expected / empty if expected else 1.0
    gold = prefer * prefer * expected
    hits = kept = quotient = 0.0
    for index in sorted(range(len(probabilities)), key=probabilities.__getitem__, reverse=True):
        if probabilities[index] <= quotient:
            break
        hits += probabilities[index] * sizes[index]
        kept += sizes[index]
        quotient = hits / (kept + gold)
    return bytearray([probability > quotient for probability in probabilities]), 2 * hits / (kept + expected)


def weight_of_recall(preferred: float, usual: float) -> float:
    """Return how much recall weighs on a page: as usual for its type, unless a preference goes further its way.

    >>> [weight_of_recall(0.7, usual) for usual in (0.8, 0.6, 1.6)]
    [0.7, 0.6, 0.7]
    >>> weight_of_recall(1.0, 0.8), weight_of_recall(2.0, 0.8)
    (0.8, 2.0)
    """
    goes_further = preferred < usual if preferred < 1 else preferred > max(usual, 1.0)
    return preferred if goes_further else usual
