"""Texts as the tokens of the search index: bigrams for scripts without spaces and for Korean, stems otherwise.

Both databases index these tokens, so a query finds the same documents on both. A token has letters and digits only:
no query syntax can hide in it.

A run of n characters has n tokens: each character with its successor, and the last character alone. A word of two or
more characters is a phrase of bigrams, whatever stands around it; a single character is the prefix of a token.

A change of the tokens needs a migration that indexes all documents again: SQLite removes a document by its tokens.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate

from bonmun.store.stem import stem

MOST_TOKENS = 50_000
"""Tokens of a text that are indexed, about as many characters of Chinese; what follows is stored but not found."""
MOST_BYTES = 900_000
"""Size of all indexed tokens of a text together: a tsvector of PostgreSQL takes 1 MB."""
MOST_TITLE_TOKENS = 500
_OVERHEAD = 8
"""Bytes of a tsvector for each token, besides its text."""
LONGEST = 40
"""Characters of a word that count."""

_BIGRAM_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana, with the long vowel mark
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_RUN = re.compile(rf"([{_BIGRAM_SCRIPTS}]+)|[a-z0-9]++(?![^\W_])|(?:(?![{_BIGRAM_SCRIPTS}])[^\W_])+")
"""A run of a script that is indexed by bigrams, or a word; the second part is the third for most words, and faster."""
_FOLDED = re.compile("[\u00c0-\u024f\u1e00-\u1eff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9d]")
"""Latin letters that may have a diacritic, and letters of the other width."""


def fold(text: str) -> str:
    """Return a text in lower case without diacritics and width variants; each character stays in its place.

    The text has to be in normal form C.

    >>> fold("Café ＢＢＣ ｶﾅ İstanbul")
    'cafe bbc カナ istanbul'
    """
    return _FOLDED.sub(_plain, text).lower() if not text.isascii() else text.lower()


def _plain(match: re.Match[str]) -> str:
    char = match[0]
    base = unicodedata.normalize("NFKD", char)[0]
    return base if base.isalnum() else char


def composed(text: str) -> str:
    """Return a text in normal form C, which looks the same."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def tokens(text: str, most: int = MOST_TOKENS) -> list[str]:
    """Return the tokens of a text, up to the limits of the index.

    >>> tokens("한국은행에서 Reported")
    ['한국', '국은', '은행', '행에', '에서', '서', 'report']
    """
    found: list[str] = []
    for run, of_bigrams in runs(fold(composed(text))):
        found += run_tokens(run, of_bigrams)
        if len(found) >= most:
            del found[most:]
            break
    return found if _size(found) <= MOST_BYTES else _cut(found)


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a folded text, and whether each is indexed by bigrams."""
    for match in _RUN.finditer(text):
        yield match[0], match[1] is not None


def run_tokens(run: str, of_bigrams: bool) -> list[str]:
    """Return the tokens of a word."""
    return [run[start : start + 2] for start in range(len(run))] if of_bigrams else [stem(run[:LONGEST])]


def _size(found: Sequence[str]) -> int:
    """Return the size of a tsvector of tokens, at most."""
    return sum(map(len, found)) * 4 + len(found) * _OVERHEAD


def _cut(found: Sequence[str]) -> list[str]:
    """Return the first tokens that fit into a tsvector."""
    sizes = accumulate(_OVERHEAD + (len(token) if token.isascii() else 4 * len(token)) for token in found)
    return [token for token, size in zip(found, sizes, strict=True) if size <= MOST_BYTES]
