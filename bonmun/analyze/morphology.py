"""The common interface to the analysers of languages: text in, tokens and nouns out.

An analyser is loaded on first use of its language, once per process. If it is not installed, the fallback splits by
script, with a warning.
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
_CHUNK = 2_000
"""Characters per call of an analyser: sudachi accepts at most 49,149 bytes, and longer texts are slower."""
_LAST_BREAK = re.compile(r".*[\s。．！？!?、，]", re.DOTALL)
_ADDRESS = re.compile(
    r"https?://[^\s<>\"“”]+|www\.[^\s<>\"“”]+|(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.]+",  # linear: no run is tried twice
    re.ASCII,
)
_BUDGETS = {"ko": 16_000, "ja": 24_000, "zh": 40_000}
_BUDGET = 60_000
"""Characters that an analyser takes about a quarter of a second for, by language."""
_LOADING = RLock()


class Analyser(Protocol):
    """The analyser that a language's module loads. `tokens` is thread-safe."""

    name: str
    """Package and version."""
    joins: bool
    """Whether adjacent nouns form a compound noun."""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a short text, in order."""


@dataclass(frozen=True, slots=True)
class Morphology:
    """Tokens and nouns of one language.

    >>> [noun.text for noun in morphology("en").nouns("The tea was made of black leaves.")]
    ['tea', 'black', 'leaves']
    """

    language: str
    analyser: str
    """Name and version of the analyser."""
    split: Callable[[str], list[Token]]
    joins: bool = False
    """Whether adjacent nouns form a compound noun."""
    warnings: tuple[Reason, ...] = ()
    """A missing analyser, with the `pip install` that adds it."""

    @property
    def budget(self) -> int:
        """The most characters to analyse of one text; of longer texts a sample."""
        return _BUDGETS.get(self.language, _BUDGET)

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens, with lemma, part of speech and offsets."""
        text = _ADDRESS.sub(_blank, text)
        if len(text) <= _CHUNK:
            return self.split(text)
        return [_shifted(token, start) for start, chunk in _chunks(text) for token in self.split(chunk)]

    def nouns(self, text: str) -> list[Noun]:
        """Return nouns and compound nouns; a Latin-script word is one noun."""
        return self.nouns_of(self.tokens(text))

    def nouns_of(self, tokens: Iterable[Token]) -> list[Noun]:
        """Return the nouns and compound nouns of a tokenized text."""
        return list(compound_nouns(tokens) if self.joins else single_nouns(tokens))

    def is_stop_word(self, noun: Noun | Token) -> bool:
        """Whether a noun is a stop word of the language, or of English."""
        stop = stop_words(self.language)
        plain = normalize("NFKC", noun.text)
        return noun.lemma in stop or plain.lower() in stop or (plain.isascii() and plain in stop_words("en"))


def morphology(language: str) -> Morphology:
    """Return the process-wide, thread-safe morphology of a language; if its analyser is missing, a fallback.

    Subtags are ignored: `zh-TW` is analysed as `zh`.
    """
    with _LOADING:  # without the lock, `cache` may load a model twice
        return _loaded(language.partition("-")[0].lower())


@cache
def _loaded(language: str) -> Morphology:
    return load(language)


def load(language: str) -> Morphology:
    """Load the morphology of a language, bypassing the cache."""
    if language in _ANALYSERS:
        try:
            analyser: Analyser = import_module(_ANALYSERS[language]).load()
        except MissingExtra as missing:
            warning = Reason("missing-analyser", f"{missing}; words are split by script instead")
            return Morphology(language, by_script.NAME, by_script.splitter(language), warnings=(warning,))
        return Morphology(language, analyser.name, analyser.tokens, analyser.joins)
    if language in _SPACELESS:
        warning = Reason("no-analyser", f"no analyser supports {_SPACELESS[language]}; words are character trigrams")
        return Morphology(language, by_script.NAME, by_script.splitter(language), warnings=(warning,))
    return Morphology(language, unicode_words.NAME, unicode_words.splitter(language))


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Chunks of a long text with their offsets, cut at the last break between words or sentences if there is one."""
    start = 0
    while start < len(text):
        chunk = text[start : start + _CHUNK]
        if start + _CHUNK < len(text) and (to_break := _LAST_BREAK.match(chunk)):
            chunk = to_break[0]
        yield start, chunk
        start += len(chunk)


def _shifted(token: Token, by: int) -> Token:
    return Token(token.text, token.lemma, token.pos, token.start + by, token.stop + by)


def _blank(match: "re.Match[str]") -> str:
    return " " * len(match[0])
