"""Labels of blocks: the share of each block that is in the page's gold text.

The gold is aligned with the page's words by longest common subsequence. Only runs of words count: a menu that shares
"the" with the article stays a menu. Text that the gold has in another order is found by aligning the rest again.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from bonmun.evaluate.alignment import encoded, matched_pairs
from bonmun.evaluate.tokens import tokens

_RUN = 4  # minimum words of a matching run
_LONG = 12  # minimum words of a long block, unlike a heading
_ROUNDS = 3
_PAGE_MATCHED = "\x00"  # sentinel for matched tokens of the page
_GOLD_MATCHED = "\x01"  # sentinel for matched tokens of the gold; the two never match each other


def shares(texts: Sequence[str], gold: str, by_character: bool) -> list[float]:
    """Return the share of each block's words that is in the gold; 0 for a block without words.

    >>> shares(["home the news", "the tea is hot and sweet", "the end"], "The tea is hot, and sweet!", False)
    [0.0, 1.0, 0.0]
    >>> text = "The tea that they had that day was hot and sweet and strong."
    >>> shares([text, "Home", text], text, False)
    [1.0, 0.0, 0.0]
    """
    vocabulary: dict[str, str] = {}
    units = [encoded(tokens(text, by_character), vocabulary) for text in texts]
    ends = list(accumulate(map(len, units)))
    starts = [0, *ends]
    page, wanted = "".join(units), encoded(tokens(gold, by_character), vocabulary)
    hits = [0] * len(units)
    for _ in range(_ROUNDS):
        runs = list(_runs(page, wanted, starts))
        if not runs:
            break
        for i, j, length in runs:
            page = page[:i] + _PAGE_MATCHED * length + page[i + length :]
            wanted = wanted[:j] + _GOLD_MATCHED * length + wanted[j + length :]
            for block, count in _spread(starts, i, length):
                hits[block] += count
    return _first_copies(units, [hit / len(unit) if unit else 0.0 for hit, unit in zip(hits, units, strict=True)])


def _first_copies(units: Sequence[str], labels: Sequence[float]) -> list[float]:
    """Return the labels with those of repeated long blocks moved to the first copies.

    Short blocks keep their labels: the first copy of a heading is often in the table of contents.
    """
    copies: dict[str, list[int]] = {}
    for block, unit in enumerate(units):
        if len(unit) >= _LONG:
            copies.setdefault(unit, []).append(block)
    moved = list(labels)
    for blocks in copies.values():
        for block, label in zip(blocks, sorted((labels[block] for block in blocks), reverse=True), strict=True):
            moved[block] = label
    return moved


def _runs(page: str, wanted: str, starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield matching runs (start in the page, start in the gold, length) that are long or whole blocks."""
    edges = set(starts)
    matches = sorted(
        (i, j, length)
        for i, j, length in matched_pairs(page, wanted)
        if length >= _RUN or (i in edges and i + length in edges)
    )
    page_from = gold_from = 0
    for number, (i, j, length) in enumerate(matches):
        page_to, gold_to, _ = matches[number + 1] if number + 1 < len(matches) else (len(page), len(wanted), 0)
        # Extend the run: a word that the alignment matched in a menu further up may also precede the run.
        while i > page_from and j > gold_from and page[i - 1] == wanted[j - 1]:
            i, j, length = i - 1, j - 1, length + 1
        while i + length < page_to and j + length < gold_to and page[i + length] == wanted[j + length]:
            length += 1
        page_from, gold_from = i + length, j + length
        yield i, j, length


def _spread(starts: Sequence[int], i: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks that a run overlaps, each with the number of its words in the run."""
    block = bisect_right(starts, i) - 1
    stop = i + length
    while i < stop:
        count = min(stop, starts[block + 1]) - i
        if count:
            yield block, count
        i += count
        block += 1
