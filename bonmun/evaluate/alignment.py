"""The longest common subsequence of two texts: how long it is, and which parts of a page it covers.

rapidfuzz compares 64 characters at a time; that is still quadratic, so texts beyond `_EXACT` are first pinned together
at passages that occur once in each. What lies between two pins is compared exactly where it is small, and piece by
piece where it is not: a lower bound, which misses less than a hundredth even of texts that have nothing in common.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import ceil, sqrt
from typing import Any

from bonmun.errors import MissingExtra

_EXACT = 2_500_000_000
"""The product of two lengths that is compared exactly: 50,000 × 50,000 characters take 60 ms."""
_EXACT_STEPS = 400_000_000
"""The same where the steps are asked for and not only their number: that takes a bit of memory for each pair."""
_PIECE = 100_000_000
_PASSAGE = 24

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
    pins = _pins(a, b)
    gaps = _pieces(_gaps(pins, len(a), len(b)))
    return len(pins) * _PASSAGE + sum(int(similarity(a[i:j], b[k:m])) for i, j, k, m in gaps)


def matched(a: str, b: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches (start, stop) of `a` that a longest common subsequence takes from it.

    >>> list(matched("the cat sat", "the sat"))
    [(0, 4), (8, 11)]
    """
    return ((i, i + length) for i, _, length in matched_pairs(a, b))


def matched_pairs(a: str, b: str) -> Iterator[tuple[int, int, int]]:
    """Yield the stretches of a longest common subsequence: where each starts in `a`, where in `b`, and its length.

    >>> list(matched_pairs("the cat sat", "the sat"))
    [(0, 0, 4), (8, 4, 3)]
    """
    opcodes = _lcs().opcodes
    gaps: Iterable[Gap] = [(0, len(a), 0, len(b))]
    if len(a) * len(b) > _EXACT_STEPS:
        pins = _pins(a, b)
        yield from ((i, j, _PASSAGE) for i, j in pins)
        gaps = _pieces(_gaps(pins, len(a), len(b)))
    for i, j, k, m in gaps:
        for step in opcodes(a[i:j], b[k:m]):
            if step.tag == "equal":
                yield i + step.src_start, k + step.dest_start, step.src_end - step.src_start


def encoded(tokens: Iterable[str], vocabulary: dict[str, str]) -> str:
    """Return tokens as a string of one character each, so that they can be compared as texts are.

    >>> encoded("a rose is a rose".split(), {})
    'ĀāĂĀā'
    """
    return "".join(vocabulary.setdefault(token, _symbol(len(vocabulary))) for token in tokens)


def covered(units: Sequence[str], text: str) -> list[bool]:
    """Tell for each unit of a page whether a text has it: more than half of its tokens, in the order of the page.

    Units and text are `encoded`. This is how a page's text nodes or blocks are labelled when all that is known of an
    extraction is its text.

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
        at = bisect_left(ends, start + 1)
        while start < stop:
            taken = min(stop, ends[at]) - start
            hits[at] += taken
            start += taken
            at += 1
    return [2 * hit > len(unit) for hit, unit in zip(hits, units, strict=True)]


@cache
def _lcs() -> Any:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise MissingExtra("the bench's metrics", "bench") from None
    return LCSseq


def _symbol(number: int) -> str:
    """Return a character for a number, none of the surrogates."""
    code = 0x100 + number
    return chr(code if code < 0xD800 else code + 0x800)


def _pins(a: str, b: str) -> list[tuple[int, int]]:
    """Return places (i, j) of passages that occur once in each text, in rising order, none overlapping another."""
    where: dict[str, int] = {}
    for i in range(len(a) - _PASSAGE + 1):
        passage = a[i : i + _PASSAGE]
        where[passage] = -1 if passage in where else i
    starts: dict[str, int] = {}
    for j in range(0, len(b) - _PASSAGE + 1, _PASSAGE):
        passage = b[j : j + _PASSAGE]
        starts[passage] = -1 if passage in starts else j
    pairs = [(i, j) for passage, j in starts.items() if j >= 0 and (i := where.get(passage, -1)) >= 0]
    pins: list[tuple[int, int]] = []
    for i, j in _rising(pairs):
        if not pins or i >= pins[-1][0] + _PASSAGE:
            pins.append((i, j))
    return pins


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, given by rising second place, whose first place rises too."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (i, _) in enumerate(pairs):
        at = bisect_left(ends, i)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1] = [i]
        last[at : at + 1] = [index]
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _gaps(pins: Sequence[tuple[int, int]], a: int, b: int) -> Iterator[Gap]:
    """Yield what lies between the pins of two texts of such lengths."""
    i = k = 0
    for j, m in (*pins, (a, b)):
        yield i, j, k, m
        i, k = j + _PASSAGE, m + _PASSAGE


def _pieces(gaps: Iterable[Gap]) -> Iterator[Gap]:
    """Cut large gaps into pieces that lie at the same height in both texts."""
    for i, j, k, m in gaps:
        count = ceil(sqrt((j - i) * (m - k) / _PIECE))
        for piece in range(count):
            yield (
                i + (j - i) * piece // count,
                i + (j - i) * (piece + 1) // count,
                k + (m - k) * piece // count,
                k + (m - k) * (piece + 1) // count,
            )
