"""Stop words: function words and, for Korean, Chinese and Japanese, nouns without content."""

import json
from functools import cache
from pathlib import Path
from typing import Final

_FILE = Path(__file__).with_name("stopwords.json")
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru", "el", "tr", "id")
"""Languages with spaces between words that have a list of function words."""


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language, in lower case; an empty set if it has no list.

    >>> "the" in stop_words("en"), "것" in stop_words("ko"), stop_words("xx")
    (True, True, frozenset())
    """
    return _all().get(language, frozenset())


@cache
def _all() -> dict[str, frozenset[str]]:
    lists: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return {language: frozenset(words.split()) for language, words in lists.items()}
