"""Feature hashing: the terms of a text and the words of element names as bucket numbers. `_core` has a twin."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

BUCKETS: Final = 1 << 15
FNV_START: Final = 0x811C9DC5
FNV_PRIME: Final = 0x01000193
MOST_TERMS: Final = 24
"""Number of terms at the start of a text that count for its score."""
HASHED_WORDS: Final = 3
"""Fewest words of a made-up name by its length."""
HASHED_LETTERS: Final = 3
"""Its words have on average fewer letters and digits than this."""
_TERM = re.compile(
    "[\u2e80-\u2fff\u3040-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff]|[0-9]+"
    "|[A-Za-z\u00c0-\u167f\u1681-\u1fff\u2c00-\u2dff\ua4d0-\ud7ff]+"
)
_NAME_RUN = re.compile(rb"[A-Za-z0-9\x80-\xff]+")
_NAME_WORD = re.compile(rb"[A-Z]+[a-z0-9\x80-\xff]*|[a-z0-9\x80-\xff]+")
_DIGITS_INSIDE = re.compile(rb"[^0-9][0-9]+[^0-9]")


def fnv(data: bytes, start: int = FNV_START) -> int:
    """The FNV-1a hash of some bytes; `start` is the hash of the bytes before them.

    >>> fnv(b"tea") == fnv(b"a", fnv(b"te"))
    True
    """
    for byte in data:
        start = (start ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return start


def terms(text: str) -> list[bytes]:
    """The words of a text in lower case (A to Z), Han and kana letters singly, numbers as ``0``.

    >>> [term.decode() for term in terms("In 2024: Tea, 本文")]
    ['in', '0', 'tea', '本', '文']
    """
    found = (term.encode().lower() for term in _TERM.findall(text))
    return [b"0" if term[:1].isdigit() else term for term in found]


def term_buckets(found: Sequence[bytes]) -> list[int]:
    """Hash buckets of the first terms of a text and of their bigrams."""
    first = [fnv(term) for term in found[:MOST_TERMS]]
    pairs = [fnv(b" " + after, before) for before, after in zip(first, found[1:MOST_TERMS], strict=False)]
    return [number % BUCKETS for number in first + pairs]


def name_words(value: bytes) -> Iterator[bytes]:
    """The words of a class, id or role: split at punctuation and camel case, without numbers and made-up names.

    >>> list(name_words(b"siteNav main-menu_2 HTMLBody"))
    [b'site', b'nav', b'main', b'menu', b'htmlbody']
    >>> list(name_words(b"sc-bdVaJa Header_title__3xK9d"))
    [b'sc', b'header', b'title']
    """
    for run in _NAME_RUN.findall(value):
        words = _NAME_WORD.findall(run)
        if not _is_made_up(run, len(words)):
            yield from (word.lower() for word in words if not word.isdigit())


def _is_made_up(run: bytes, words: int) -> bool:
    """Whether a run is a hash, as bundlers of style sheets write them: many short words, or digits between letters.

    The pieces of a hash look like short words and would have their weights.
    """
    short = words >= HASHED_WORDS and len(run) < HASHED_LETTERS * words - 1
    return short or _DIGITS_INSIDE.search(run) is not None
