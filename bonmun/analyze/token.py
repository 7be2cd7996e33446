"""Tokens and nouns, the output of every analyser."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Pos(StrEnum):
    """Coarse parts of speech, as far as nouns and keywords need them."""

    NOUN = "noun"
    NAME = "name"
    """A proper noun."""
    LATIN = "latin"
    """A Latin-script word in a text of another script; counts as one noun."""
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    NUMBER = "number"
    COUNTER = "counter"
    """The unit after a number: days, people, won."""
    PREFIX = "prefix"
    """Joins the noun after it: the `반` of `반페미니즘`."""
    SUFFIX = "suffix"
    """Joins the noun before it: the `화` of `고령화`."""
    TOPIC = "topic"
    """A topic or subject particle: `은`, `이`, `は`, `が`."""
    OTHER = "other"
    """Particles, endings, pronouns, function words."""
    MARK = "mark"
    """Punctuation, symbols, addresses."""


_JOINING = frozenset((Pos.NOUN, Pos.NAME, Pos.LATIN, Pos.NUMBER, Pos.COUNTER, Pos.PREFIX, Pos.SUFFIX))
NOUNS: Final = frozenset((Pos.NOUN, Pos.NAME, Pos.LATIN))


@dataclass(frozen=True, slots=True)
class Token:
    """One morpheme or word of a text."""

    text: str
    lemma: str
    """The normalized form: the dictionary form of a verb, a word in lower case."""
    pos: Pos
    start: int
    stop: int
    """Offsets in the analysed text; contracted morphemes may overlap."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun or compound noun."""

    text: str
    lemma: str
    """The normalized form; occurrences are grouped by it."""
    start: int
    stop: int
    parts: int = 1
    """The number of nouns in the compound."""


def compound_nouns(tokens: Iterable[Token]) -> Iterator[Noun]:
    """Join adjacent nouns to compounds, `피해` + `지역` = `피해지역`; numbers with their counters are dropped.

    >>> parts = ("12", Pos.NUMBER, 0), ("일", Pos.COUNTER, 2), ("피해", Pos.NOUN, 4), ("지역", Pos.NOUN, 6)
    >>> tokens = [Token(text, text, pos, start, start + len(text)) for text, pos, start in parts]
    >>> [noun.text for noun in compound_nouns(tokens)]
    ['피해지역']
    """
    run: list[Token] = []
    for token in tokens:
        if run and (token.pos not in _JOINING or token.start != run[-1].stop):
            yield from _noun_of(run)
            run = []
        if token.pos in _JOINING:
            run.append(token)
    yield from _noun_of(run)


def single_nouns(tokens: Iterable[Token]) -> Iterator[Noun]:
    """Return every noun by itself, without joining."""
    return (Noun(token.text, token.lemma, token.start, token.stop) for token in tokens if token.pos in NOUNS)


def _noun_of(run: Sequence[Token]) -> Iterator[Noun]:
    """The compound noun of adjacent tokens, if any, without numbers and counters at its ends."""
    first, last = 0, len(run)
    counted = False
    while first < last and (run[first].pos in (Pos.SUFFIX, Pos.COUNTER) or _is_quantity(run, first, counted)):
        counted, first = True, first + 1
    while last > first and (run[last - 1].pos is Pos.COUNTER or _is_quantity(run, last - 1, False)):
        last -= 1
    kept = run[first:last]
    nouns = sum(token.pos in NOUNS for token in kept)
    text = "".join(token.text for token in kept)
    if not nouns or (counted and len(text) == 1):  # the `간` of `30년간` is not a noun
        return
    yield Noun(text, "".join(token.lemma for token in kept), kept[0].start, kept[-1].stop, nouns)


def _is_quantity(run: Sequence[Token], index: int, counted: bool) -> bool:
    """Whether a token is a number by itself or before its counter: `12` of `12일`, but not `4` of `4대강`."""
    if run[index].pos is not Pos.NUMBER or counted:
        return run[index].pos is Pos.NUMBER
    after = run[index + 1].pos if index + 1 < len(run) else Pos.COUNTER
    before = run[index - 1].pos if index else Pos.COUNTER
    return after in (Pos.COUNTER, Pos.NUMBER) and before not in NOUNS
