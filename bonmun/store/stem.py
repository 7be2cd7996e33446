"""A light stemmer for words in Latin letters: the inflections of English, as in the first step of Porter (1980)."""

import re
from functools import lru_cache

from bonmun.analyze.unicode_words import singular

_VOWEL = re.compile("[aeiouy]")
_SHORTEST = 4
"""Shorter words have no ending to lose: `ring`, `bed`, `are`."""
_KEPT_DOUBLES = ("ll", "ss", "zz")
"""`calling`, `passed` and `buzzing` end in them without the suffix too."""


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a lower-case word. It need not be a word: it is the same for all inflections of one.

    >>> sorted({stem(word) for word in ("report", "reports", "reported", "reporting")})
    ['report']
    >>> [stem(word) for word in ("making", "makes", "policies", "policy", "stopped", "ring", "news", "1960s")]
    ['mak', 'mak', 'polici', 'polici', 'stop', 'ring', 'news', '1960s']
    """
    if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    root = _without_suffix(singular(word))
    if root.endswith("e") and len(root) >= _SHORTEST:
        root = root[:-1]
    if root.endswith("y") and _VOWEL.search(root[:-1]) and root[-2] not in "aeiou":
        root = root[:-1] + "i"
    return root


def _without_suffix(word: str) -> str:
    if word.endswith("eed"):  # agreed, guaranteed; not speed, exceed
        return word[:-1] if len(word) > 5 and word[-4] in "rt" else word
    for suffix in ("ing", "ed"):
        root = word.removesuffix(suffix)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            doubled = root[-1] == root[-2] and root[-1] not in "aeiou" and not root.endswith(_KEPT_DOUBLES)
            return root[:-1] if doubled else root
    return word
