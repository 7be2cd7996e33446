"""The one seam to the analysers of languages: text in, tokens and nouns out.

An analyser is loaded when its language is first asked for, once in a process. Where it is not installed, a splitter by
script takes its place, and says so in `warnings`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from threading import RLock
from typing import Protocol
from unicodedata import normalize

from bonmun.analyze import by_script, unicode_words
from bonmun.analyze.stopwords import stop_words
from bonmun.analyze.token import Noun, Token, compound_nouns, single_nouns
from bonmun.errors import MissingExtra
from bonmun.model.verdict import Reason

_ANALYSERS = {
    "ko": "bonmun.analyze.korean",
    "ja": "bonmun.analyze.japanese",
    "zh": "bonmun.analyze.chinese",
}
_SPACELESS = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese", "bo": "Tibetan"}
_PIECE = 2_000
"""Characters that are analysed at a time: sudachi takes 49,149 bytes at most, and time is wasted on longer ones."""
_GAP = re.compile(r".*[\s。．！？!?、，]", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^\s<>\"“”]+|www\.[^\s<>\"“”]+|[\w.+-]+@[\w-]+\.[\w.]+", re.ASCII)
_LOADING = RLock()


class Analyser(Protocol):
    """What a language's module loads. `tokens` may be called from any thread."""

    name: str
    joins: bool
    """Whether nouns without a gap between them are one compound noun."""

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a short text, in order."""


@dataclass(frozen=True, slots=True)
class Morphology:
    """The analyser of one language.

    >>> [noun.text for noun in morphology("en").nouns("The tea was made of black leaves.")]
    ['tea', 'black', 'leaves']
    """

    language: str
    analyser: str
    """What does the work, with its version."""
    split: Callable[[str], list[Token]]
    joins: bool = False
    warnings: tuple[Reason, ...] = ()
    """That the language's analyser is missing, and what mends it."""

    def tokens(self, text: str) -> list[Token]:
        """Tokens with lemma, part of speech and span."""
        text = _ADDRESS.sub(_blank, text)
        if len(text) <= _PIECE:
            return self.split(text)
        return [_moved(token, start) for start, piece in _pieces(text) for token in self.split(piece)]

    def nouns(self, text: str) -> list[Noun]:
        """Nouns and compound nouns; a Latin-script word is one noun."""
        return self.nouns_of(self.tokens(text))

    def nouns_of(self, tokens: Iterable[Token]) -> list[Noun]:
        """The same where the tokens are known already."""
        return list(compound_nouns(tokens) if self.joins else single_nouns(tokens))

    def says_little(self, noun: Noun | Token) -> bool:
        """Whether a noun tells nothing of what a text is about."""
        stop = stop_words(self.language)
        plain = normalize("NFKC", noun.text)
        return noun.lemma in stop or plain.lower() in stop or (plain.isascii() and plain in stop_words("en"))


def morphology(language: str) -> Morphology:
    """The analyser of a language, one for the whole process, safe in threads; a fallback with a warning if missing.

    Subtags do not matter: `zh-TW` is analysed as `zh`.
    """
    with _LOADING:  # `cache` alone may load a model twice
        return _loaded(language.partition("-")[0].lower())


@cache
def _loaded(language: str) -> Morphology:
    return load(language)


def load(language: str) -> Morphology:
    """Load the analyser of a language afresh."""
    if language in _ANALYSERS:
        try:
            analyser: Analyser = import_module(_ANALYSERS[language]).load()
        except MissingExtra as missing:
            warning = Reason("missing-analyser", f"{missing}; until then words are split by script")
            return Morphology(language, by_script.NAME, by_script.splitter(language), warnings=(warning,))
        return Morphology(language, analyser.name, analyser.tokens, analyser.joins)
    if language in _SPACELESS:
        warning = Reason(
            "no-analyser", f"there is no analyser for {_SPACELESS[language]}; words are character trigrams"
        )
        return Morphology(language, by_script.NAME, by_script.splitter(language), warnings=(warning,))
    return Morphology(language, unicode_words.NAME, unicode_words.splitter(language))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Parts of a long text with their places, cut where a sentence or word ends if there is such a place."""
    start = 0
    while start < len(text):
        piece = text[start : start + _PIECE]
        if start + _PIECE < len(text) and (end := _GAP.match(piece)):
            piece = end[0]
        yield start, piece
        start += len(piece)


def _moved(token: Token, by: int) -> Token:
    return Token(token.text, token.lemma, token.pos, token.start + by, token.stop + by)


def _blank(found: "re.Match[str]") -> str:
    return " " * len(found[0])
