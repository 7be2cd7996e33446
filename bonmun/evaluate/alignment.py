"""Longest common subsequence (LCS) of two texts: its length, and the parts of a page it covers.

rapidfuzz is bit-parallel but still quadratic, so texts beyond `_EXACT` are first anchored at passages that occur once
in each (as in patience diff). Small gaps between anchors are compared exactly, large ones piece by piece. The result is
a lower bound, less than 1 % too low even for unrelated texts.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import ceil, sqrt
from typing import Any

from bonmun.errors import MissingExtra

_EXACT = 2_500_000_000
"""Maximum product of two lengths for an exact LCS length: 50,000 × 50,000 characters take 60 ms."""
_EXACT_STEPS = 400_000_000
"""The same for the LCS itself, which takes one bit of memory per pair of characters."""
_PIECE = 100_000_000
"""Product of two lengths of a piece of a gap."""
_PASSAGE = 24
"""Characters of an anchor passage."""

Gap = tuple[int, int, int, int]
"""a[i:j] and b[k:m] as (i, j, k, m)."""


def common(a: str, b: str) -> int:
    """Return the length of the longest common subsequence of characters.

    >>> common("the cat sat", "the dog sat")
    8
    """
    similarity = _lcs().similarity
    if len(a) * len(b) <= _EXACT:
        return int(similarity(a, b))
    anchors = _anchors(a, b)
    gaps = _pieces(_gaps(anchors, len(a), len(b)))
    return len(anchors) * _PASSAGE + sum(int(similarity(a[i:j], b[k:m])) for i, j, k, m in gaps)


def matched(a: str, b: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges (start, stop) of `a` in a longest common subsequence.

    >>> list(matched("the cat sat", "the sat"))
    [(0, 4), (8, 11)]
    """
    return ((i, i + length) for i, _, length in matched_pairs(a, b))


def matched_pairs(a: str, b: str) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges of a longest common subsequence: start in `a`, start in `b`, length.

    >>> list(matched_pairs("the cat sat", "the sat"))
    [(0, 0, 4), (8, 4, 3)]
    """
    opcodes = _lcs().opcodes
    gaps: Iterable[Gap] = [(0, len(a), 0, len(b))]
    if len(a) * len(b) > _EXACT_STEPS:
        anchors = _anchors(a, b)
        yield from ((i, j, _PASSAGE) for i, j in anchors)
        gaps = _pieces(_gaps(anchors, len(a), len(b)))
    for i, j, k, m in gaps:
        for step in opcodes(a[i:j], b[k:m]):
            if step.tag == "equal":
                yield i + step.src_start, k + step.dest_start, step.src_end - step.src_start


def encoded(tokens: Iterable[str], vocabulary: dict[str, str]) -> str:
    """Encode tokens as a string of one character each, for comparison as texts.

    >>> encoded("a rose is a rose".split(), {})
    'ĀāĂĀā'
    """
    return "".join(vocabulary.setdefault(token, _symbol(len(vocabulary))) for token in tokens)


def covered(units: Sequence[str], text: str) -> list[bool]:
    """Return for each unit of a page whether a text contains more than half of its tokens, in page order.

    Units and text are `encoded`. This labels text nodes or blocks by the plain text of an extraction.

    >>> known = {}
    >>> page = [encoded(unit.split(), known) for unit in ["home news", "the tea is hot", "the end"]]
    >>> covered(page, encoded("the tea was hot".split(), known))
    [False, True, False]
    """
    ends, total = [], 0
    for unit in units:
        total += len(unit)
        ends.append(total)
    hits = [0] * len(units)
    for start, stop in matched("".join(units), text):
        number = bisect_left(ends, start + 1)
        while start < stop:
            inside = min(stop, ends[number]) - start
            hits[number] += inside
            start += inside
            number += 1
    return [2 * hit > len(unit) for hit, unit in zip(hits, units, strict=True)]


@cache
def _lcs() -> Any:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise MissingExtra("the bench's metrics", "bench") from None
    return LCSseq


def _symbol(number: int) -> str:
    """Return a character for a number, skipping surrogates."""
    code = 0x100 + number
    return chr(code if code < 0xD800 else code + 0x800)


def _anchors(a: str, b: str) -> list[tuple[int, int]]:
    """Return positions (i, j) of passages that occur once in each text, increasing and without overlap."""
    in_a: dict[str, int] = {}
    for i in range(len(a) - _PASSAGE + 1):
        passage = a[i : i + _PASSAGE]
        in_a[passage] = -1 if passage in in_a else i
    in_b: dict[str, int] = {}
    for j in range(0, len(b) - _PASSAGE + 1, _PASSAGE):
        passage = b[j : j + _PASSAGE]
        in_b[passage] = -1 if passage in in_b else j
    pairs = [(i, j) for passage, j in in_b.items() if j >= 0 and (i := in_a.get(passage, -1)) >= 0]
    anchors: list[tuple[int, int]] = []
    for i, j in _longest_increasing(pairs):
        if not anchors or i >= anchors[-1][0] + _PASSAGE:
            anchors.append((i, j))
    return anchors


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence of pairs with increasing first positions; the second ones are increasing."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (i, _) in enumerate(pairs):
        length = bisect_left(ends, i)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [i]
        last[length : length + 1] = [index]
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _gaps(anchors: Sequence[tuple[int, int]], a: int, b: int) -> Iterator[Gap]:
    """Yield the gaps between the anchors of two texts of lengths `a` and `b`."""
    i = k = 0
    for j, m in (*anchors, (a, b)):
        yield i, j, k, m
        i, k = j + _PASSAGE, m + _PASSAGE


def _pieces(gaps: Iterable[Gap]) -> Iterator[Gap]:
    """Cut large gaps into pieces at proportional positions of both texts."""
    for i, j, k, m in gaps:
        count = ceil(sqrt((j - i) * (m - k) / _PIECE))
        for piece in range(count):
            yield (
                i + (j - i) * piece // count,
                i + (j - i) * (piece + 1) // count,
                k + (m - k) * piece // count,
                k + (m - k) * (piece + 1) // count,
            )
