"""Tokens and nouns: what every analyser of a language gives."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Pos(StrEnum):
    """A part of speech, as far as nouns and keywords need it."""

    NOUN = "noun"
    NAME = "name"
    """A proper noun."""
    LATIN = "latin"
    """A Latin-script word in a text of another script: counts as one noun."""
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    NUMBER = "number"
    COUNTER = "counter"
    """What stands after a number: days, people, won."""
    PREFIX = "prefix"
    """Makes a noun with the noun after it: the `반` of `반페미니즘`."""
    SUFFIX = "suffix"
    """Makes a noun with the noun before it: the `화` of `고령화`."""
    TOPIC = "topic"
    """A particle that marks the subject: `은`, `이`, `は`, `が`."""
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
    """What its forms have in common: the dictionary form of a verb, lower case where a script has it."""
    pos: Pos
    start: int
    stop: int
    """`text[start:stop]` of what was analysed; forms that melt into one another may share characters."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun or compound noun."""

    text: str
    lemma: str
    """What occurrences are counted by."""
    start: int
    stop: int
    parts: int = 1
    """Of how many nouns it is made."""


def compound_nouns(tokens: Iterable[Token]) -> Iterator[Noun]:
    """Nouns, those that nothing parts joined to one: `피해` + `지역` = `피해지역`; a number with its counter is none.

    >>> spelled = ("12", Pos.NUMBER, 0), ("일", Pos.COUNTER, 2), ("피해", Pos.NOUN, 4), ("지역", Pos.NOUN, 6)
    >>> [noun.text for noun in compound_nouns(Token(text, text, pos, at, at + len(text)) for text, pos, at in spelled)]
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
    """Each noun for itself."""
    return (Noun(token.text, token.lemma, token.start, token.stop) for token in tokens if token.pos in NOUNS)


def _noun_of(run: Sequence[Token]) -> Iterator[Noun]:
    """The noun that tokens without a gap make, if any: numbers with their counters at its ends are left off."""
    first, last = 0, len(run)
    counted = False
    while first < last and (run[first].pos in (Pos.SUFFIX, Pos.COUNTER) or _counts(run, first, counted)):
        counted, first = True, first + 1
    while last > first and (run[last - 1].pos is Pos.COUNTER or _counts(run, last - 1, False)):
        last -= 1
    kept = run[first:last]
    nouns = sum(token.pos in NOUNS for token in kept)
    text = "".join(token.text for token in kept)
    if not nouns or (counted and len(text) == 1):  # the `간` of `30년간` is no noun of its own
        return
    yield Noun(text, "".join(token.lemma for token in kept), kept[0].start, kept[-1].stop, nouns)


def _counts(run: Sequence[Token], at: int, counted: bool) -> bool:
    """Whether a number stands alone or before its counter: `12` of `12일`, but not `4` of `4대강`."""
    if run[at].pos is not Pos.NUMBER or counted:
        return run[at].pos is Pos.NUMBER
    after = run[at + 1].pos if at + 1 < len(run) else Pos.COUNTER
    before = run[at - 1].pos if at else Pos.COUNTER
    return after in (Pos.COUNTER, Pos.NUMBER) and before not in NOUNS
