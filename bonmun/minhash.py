"""MinHash of texts, by rensa: signatures, their bands (LSH), and the Jaccard similarity that two of them estimate.

A signature has 128 minimums of 32 bits. `short` keeps the lowest byte of each: a quarter of the memory for the same
estimate (b-bit minwise hashing, Li and König 2010), corrected for bytes that are equal by chance.
"""

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b
from operator import eq
from struct import pack
from typing import Any

from bonmun.errors import MissingExtra

HASHES = 128
"""Minimums of a signature. The standard error of a similarity is at most 0.044."""
SHINGLE = 5
"""Words of a shingle: long enough that two texts on one subject share few, short enough to survive small edits."""
_SEED = 1
_RECALL = 0.99
"""Least probability that two texts at the threshold share a band."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Kana and Han
)
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SPACED_WORD = re.compile(r"\w+")
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")
"""A single character of a script that does not separate words, or a word."""


def normalised(text: str) -> str:
    """Return a text in normal form C, with single spaces for white space.

    >>> normalised("Cafe\u0301\\n\\n open ")
    'Café open'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_digest(text: str) -> bytes:
    """Return 16 bytes that are equal for equal normalised texts; none for a text without characters.

    >>> text_digest("Tea  and bread") == text_digest("Tea and\\nbread "), text_digest(" ")
    (True, b'')
    """
    plain = normalised(text)
    return blake2b(plain.encode(errors="replace"), digest_size=16).digest() if plain else b""


def words(text: str) -> list[str]:
    """Return the words of a text; single characters where a script does not separate words.

    >>> words("한국은행이 発表 Tea-time")
    ['한국은행이', '発', '表', 'tea', 'time']
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    return (_WORD if _HAS_UNSPACED.search(folded) else _SPACED_WORD).findall(folded)


def signature(tokens: Sequence[str], size: int = SHINGLE) -> bytes:
    """Return the signature of the shingles of `size` tokens, 512 bytes; none without tokens.

    >>> story = [f"word{number}" for number in range(200)]
    >>> similarity(signature(story), signature([*story, "the", "end"])) > 0.9
    True
    """
    if not tokens:
        return b""
    hashed = _engine()(num_perm=HASHES, seed=_SEED)
    shifted = (tokens[start:] for start in range(min(size, len(tokens))))
    hashed.update(list(map(" ".join, zip(*shifted, strict=False))))
    return pack(f"<{HASHES}I", *hashed.digest())


def short(signed: bytes) -> bytes:
    """Return the lowest byte of each minimum of a signature."""
    return signed[::4]


def similarity(one: bytes, other: bytes) -> float:
    """Return the estimated Jaccard similarity of the shingles of two texts; 0 if one has no signature.

    >>> tea, bread = (signature(words(text)) for text in ("Tea is made of leaves", "Bread is made of flour"))
    >>> similarity(tea, tea), similarity(short(tea), short(tea)), similarity(tea, bread) < 0.1
    (1.0, 1.0, True)
    """
    if not one or not other:
        return 0.0
    wide = len(one) > HASHES
    pairs = map(eq, memoryview(one).cast("I"), memoryview(other).cast("I")) if wide else map(eq, one, other)
    equal, by_chance = sum(pairs), 1 / (1 << 32 if wide else 1 << 8)
    return float(max(0.0, (equal / HASHES - by_chance) / (1 - by_chance)))


def bands(signed: bytes, rows: int) -> list[bytes]:
    """Return the bands of a signature: pieces of `rows` minimums each."""
    size = rows * (len(signed) // HASHES)
    return [signed[start : start + size] for start in range(0, len(signed) - size + 1, size)] if signed else []


def rows_for(threshold: float) -> int:
    """Return the most rows for a band with which 99 % of the pairs at a similarity share a band.

    >>> [rows_for(threshold) for threshold in (0.5, 0.7, 0.8, 0.9)]
    [3, 4, 6, 10]
    """
    enough = [rows for rows in range(1, HASHES + 1) if 1 - (1 - threshold**rows) ** (HASHES // rows) >= _RECALL]
    return max(enough, default=1)


def algorithm() -> int:
    """Return the version of rensa's algorithm; signatures of different versions cannot be compared."""
    return int(_engine().ALGORITHM_VERSION)


def _engine() -> Any:
    try:
        from rensa import RMinHash
    except ModuleNotFoundError:
        raise MissingExtra("near-duplicates", "scale") from None
    return RMinHash
