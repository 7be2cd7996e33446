"""Filters on documents: language, length, exact and near duplicates. The first of several duplicates is kept."""

import hashlib
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from bonmun.model.document import Document

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\w+")
"""A word, or a single character of Chinese or Japanese, which do not separate words."""
_SHINGLE = 5
"""Words of a shingle: long enough that two texts on one subject share few, short enough to survive small edits."""
_MIX, _MASK = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
_BANDS, _ROWS = 32, 4
"""Two texts with a Jaccard similarity of 0.8 share a band with a probability of 0.9999; of 0.5: 0.87; of 0.2: 0.05."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents to keep."""

    languages: tuple[str, ...] = ()
    min_chars: int | None = None
    max_chars: int | None = None
    unique: bool = False
    near_duplicates: float | None = None
    """The Jaccard similarity of shingles from which on two texts are duplicates."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What filters look at; computed in the worker process."""

    language: str | None = None
    chars: int = 0
    digest: bytes = b""
    minimums: bytes = b""
    """The MinHash of the text, 32 bits for each of its 128 bins; empty for a text without words."""

    @classmethod
    def of(cls, document: "Document", filters: Filters) -> "Traits":
        """The traits of a document that these filters need."""
        text = document.text
        return cls(
            document.language if filters.languages else None,
            len(text),
            hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest() if filters.unique and text else b"",
            minimums_of(text) if filters.near_duplicates is not None else b"",
        )


class Sieve:
    """Decides on documents in their order, and remembers those that were kept.

    >>> sieve = Sieve(Filters(languages=("ko",), min_chars=10))
    >>> sieve.reason("a", Traits("ko-KR", 12)), sieve.reason("b", Traits("ko", 3)), sieve.reason("c", Traits("en", 12))
    (None, 'too short: 3 characters', 'language: en')
    """

    def __init__(self, filters: Filters) -> None:
        self._filters = filters
        self._digests: dict[bytes, str] = {}
        self._bands: dict[bytes, list[int]] = {}
        self._kept: list[tuple[str, bytes]] = []

    def reason(self, source: str, traits: Traits) -> str | None:
        """Return why a document is dropped; None for one to keep. The words before the colon name the filter."""
        filters = self._filters
        if filters.languages and not _speaks(traits.language, filters.languages):
            return f"language: {traits.language or 'unknown'}"
        if filters.min_chars is not None and traits.chars < filters.min_chars:
            return f"too short: {traits.chars:,} characters"
        if filters.max_chars is not None and traits.chars > filters.max_chars:
            return f"too long: {traits.chars:,} characters"
        if traits.digest and (first := self._digests.setdefault(traits.digest, source)) is not source:
            return f"duplicate: of {first}"
        return self._near(source, traits.minimums) if traits.minimums else None

    def _near(self, source: str, minimums: bytes) -> str | None:
        bands = list(_bands(minimums))
        candidates = {index for band in bands for index in self._bands.get(band, ())}
        for index in sorted(candidates):
            name, other = self._kept[index]
            if similarity(minimums, other) >= (self._filters.near_duplicates or 0):
                return f"near duplicate: of {name}"
        for band in bands:
            self._bands.setdefault(band, []).append(len(self._kept))
        self._kept.append((source, minimums))
        return None


def minimums_of(text: str) -> bytes:
    """Return the MinHash of a text: the smallest shingle hash of each bin (one permutation, densified).

    >>> one, two = "the sea was calm that morning and nobody spoke", "nobody drinks tea before noon in this house"
    >>> similarity(minimums_of(one), minimums_of(one)), similarity(minimums_of(one), minimums_of(two)) < 0.2
    (1.0, True)
    """
    words = _WORD.findall(text.casefold())
    hashes = {crc32(" ".join(words[at : at + _SHINGLE]).encode(errors="replace")) for at in _starts(len(words))}
    bins = _BANDS * _ROWS
    least: list[int | None] = [None] * bins
    for value in hashes:
        value = value * _MIX & _MASK
        index, value = value >> 57, value >> 16 & 0xFFFFFFFF
        if (smallest := least[index]) is None or value < smallest:
            least[index] = value
    return array("I", _filled(least)).tobytes() if hashes else b""


def similarity(one: bytes, other: bytes) -> float:
    """Return the share of equal bins, an estimate of the Jaccard similarity of the shingles."""
    pairs = zip(array("I", one), array("I", other), strict=True)
    return sum(a == b for a, b in pairs) / (_BANDS * _ROWS)


def _starts(words: int) -> range:
    return range(max(1, words - _SHINGLE + 1)) if words else range(0)


def _filled(least: list[int | None]) -> list[int]:
    """Fill empty bins with the value of the next one, as `bonmun.sites.clustering.minimums` does."""
    borrowed = next(value for value in least if value is not None)
    filled = []
    for value in reversed(least):
        borrowed = borrowed * 0x9E3779B1 + 1 & 0xFFFFFFFF if value is None else value
        filled.append(borrowed)
    return filled[::-1]


def _bands(minimums: bytes) -> Iterator[bytes]:
    size = _ROWS * 4
    for start in range(0, len(minimums), size):
        yield bytes([start // size]) + minimums[start : start + size]


def _speaks(language: str | None, wanted: tuple[str, ...]) -> bool:
    code = (language or "").lower()
    return any(code == one or code.startswith(f"{one}-") for one in wanted)
