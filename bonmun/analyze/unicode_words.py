"""The tokenizer for languages with spaces between words: Unicode words, with stop words tagged."""

import re
from collections.abc import Callable

from bonmun.analyze.stopwords import stop_words
from bonmun.analyze.token import Pos, Token

NAME = "unicode words"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0970-\u0df3\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d"
)
"""Vowel signs and points, which `\\w` does not match; of Indic scripts everything except their stops."""
_PART = rf"(?:[^\W_]|[{_MARKS}])+"
_WORD = re.compile(rf"{_PART}(?:['’.&-]{_PART})*(?:\+\+|\#(?!\w))?")
_LEAST = 2  # characters of a noun
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|dell|all|nell|sull|dall|un)['’](?=\w)", re.IGNORECASE)


def splitter(language: str) -> Callable[[str], list[Token]]:
    """Return the function that tokenizes a text of the language.

    >>> [(token.text, token.lemma, str(token.pos)) for token in splitter("en")("The old books of 1999")][1:]
    [('old', 'old', 'noun'), ('books', 'book', 'noun'), ('of', 'of', 'other'), ('1999', '1999', 'number')]
    """
    stop = stop_words(language)

    def split(text: str) -> list[Token]:
        return [_token(match[0], match.start(), language, stop) for match in _WORD.finditer(text)]

    return split


def _token(word: str, start: int, language: str, stop: frozenset[str]) -> Token:
    if language in ("fr", "it") and (elided := _ELIDED.match(word)):
        word, start = word[elided.end() :], start + elided.end()
    lower = word.lower().replace("’", "'")
    if not any(map(str.isalpha, word)):
        pos, lemma = Pos.NUMBER, lower
    else:
        lemma = singular(lower) if language in ("en", "und") else lower
        is_function_word = lower in stop or lemma in stop or len(word) < _LEAST
        pos = Pos.OTHER if is_function_word else Pos.NOUN
    return Token(word, lemma, pos, start, start + len(word))


def singular(word: str) -> str:
    """Strip the plural or possessive s of an English word (Harman's S stemmer).

    >>> [singular(word) for word in ("books", "stories", "classes", "glass", "dog's", "virus", "news")]
    ['book', 'story', 'class', 'glass', 'dog', 'virus', 'news']
    """
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "ews")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]
