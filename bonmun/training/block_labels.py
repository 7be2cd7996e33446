"""Which blocks of a page are content, by the gold text that somebody wrote down for it.

The gold is laid over the page's words in order, longest common subsequence first, and only runs of words count: a menu
that has "the" in common with the article stays a menu. What the gold tells in another order than the page is looked for
again among what is left.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from bonmun.evaluate.alignment import encoded, matched_pairs
from bonmun.evaluate.tokens import tokens

_RUN = 4  # words in a row that are no accident
_LONG = 12  # words of a block that is no heading
_ROUNDS = 3
_GONE = "\x00"  # a token of the page that is matched already
_TOLD = "\x01"  # a token of the gold that is; unlike the other, so that the two never match


def shares(texts: Sequence[str], gold: str, by_character: bool) -> list[float]:
    """Return for each block the share of its words that the gold has, 0 for a block without words.

    >>> shares(["home the news", "the tea is hot and sweet", "the end"], "The tea is hot, and sweet!", False)
    [0.0, 1.0, 0.0]
    >>> told = "The tea that they had that day was hot and sweet and strong."
    >>> shares([told, "Home", told], told, False)
    [1.0, 0.0, 0.0]
    """
    vocabulary: dict[str, str] = {}
    units = [encoded(tokens(text, by_character), vocabulary) for text in texts]
    ends = list(accumulate(map(len, units)))
    starts = [0, *ends]
    page, wanted = "".join(units), encoded(tokens(gold, by_character), vocabulary)
    hits = [0] * len(units)
    for _ in range(_ROUNDS):
        found = list(_runs(page, wanted, starts))
        if not found:
            break
        for i, j, length in found:
            page = page[:i] + _GONE * length + page[i + length :]
            wanted = wanted[:j] + _TOLD * length + wanted[j + length :]
            for at, taken in _spread(starts, i, length):
                hits[at] += taken
    return _first_copies(units, [hit / len(unit) if unit else 0.0 for hit, unit in zip(hits, units, strict=True)])


def _first_copies(units: Sequence[str], found: Sequence[float]) -> list[float]:
    """The same, but where a gold has fewer copies of a long block than the page, it has the first ones.

    Short ones are left where the gold's order has them: a heading stands in the table of contents first.
    """
    copies: dict[str, list[int]] = {}
    for at, unit in enumerate(units):
        if len(unit) >= _LONG:
            copies.setdefault(unit, []).append(at)
    moved = list(found)
    for places in copies.values():
        for at, value in zip(places, sorted((found[at] for at in places), reverse=True), strict=True):
            moved[at] = value
    return moved


def _runs(page: str, wanted: str, starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield stretches (place in the page, place in the gold, length) that are long, or whole blocks."""
    edges = set(starts)
    found = sorted(
        (i, j, length)
        for i, j, length in matched_pairs(page, wanted)
        if length >= _RUN or (i in edges and i + length in edges)
    )
    page_from = gold_from = 0
    for at, (i, j, length) in enumerate(found):
        page_to, gold_to, _ = found[at + 1] if at + 1 < len(found) else (len(page), len(wanted), 0)
        # A word that the alignment took from a menu further up may stand right before the run as well.
        while i > page_from and j > gold_from and page[i - 1] == wanted[j - 1]:
            i, j, length = i - 1, j - 1, length + 1
        while i + length < page_to and j + length < gold_to and page[i + length] == wanted[j + length]:
            length += 1
        page_from, gold_from = i + length, j + length
        yield i, j, length


def _spread(starts: Sequence[int], i: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks that a stretch of the page lies in, and how much of it lies there."""
    at = bisect_right(starts, i) - 1
    stop = i + length
    while i < stop:
        taken = min(stop, starts[at + 1]) - i
        if taken:
            yield at, taken
        i += taken
        at += 1
