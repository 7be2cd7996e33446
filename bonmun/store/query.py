"""Queries: words that all have to occur, "phrases", and -words that must not. Any text is a valid query."""

import re
from dataclasses import dataclass, replace

from bonmun.store.stem import stem
from bonmun.store.tokens import LONGEST, composed, fold, run_tokens, runs

_PART = re.compile(r'(?:(?<=\s)|^)(-?)(?:"([^"]*)(?:"|$)|(\S+))|(-?)"([^"]*)(?:"|$)')
_LONGEST = 10_000
"""Characters of a query that count."""
_MOST_TERMS = 32
"""Words and phrases of a query that count."""
_MOST_TOKENS = 64
"""Tokens of a word or phrase that count."""
_SHORTEST_PREFIX = 2
"""Letters from which on an unfinished word stands for all that begin with it: one letter begins most of the index."""
_ENDINGS = ("", "s", "es", "d", "ed", "g", "ng", "ing")
"""What an unfinished word may still get: `reporti` becomes `reporting`, which is indexed as `report`."""
_LONE_JAMO = re.compile("(?<=[\uac00-\ud7a3])[\u3131-\u318e]$")
"""The first consonant of a syllable that is being typed."""
_FIRST_SYLLABLE, _LAST_SYLLABLE, _FINALS = 0xAC00, 0xD7A3, 28


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a term as it is written, for finding it in a text again."""

    text: str
    of_bigrams: bool


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase: tokens that follow each other."""

    tokens: tuple[str, ...]
    is_prefix: bool
    """Whether the last token stands for all that begin with it."""
    pieces: tuple[Piece, ...]
    others: tuple[str, ...] = ()
    """Further tokens that the last one of an unfinished word may become."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    >>> query = parse('한국은행 "interest rates" -주식')
    >>> [term.tokens for term in query.wanted], [term.tokens for term in query.unwanted]
    ([('한국', '국은', '은행'), ('interest', 'rat')], [('주식',)])
    """

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...]


def parse(text: str, prefix: bool = False) -> Query:
    """Return the query that a text stands for; one without a word finds nothing.

    With `prefix`, the last word is unfinished if the text ends with it: it stands for all words that begin so.

    >>> term = parse("black teap", prefix=True).wanted[-1]
    >>> term.tokens, term.is_prefix
    (('teap',), True)
    """
    wanted: dict[Term, None] = {}
    unwanted: dict[Term, None] = {}
    shown = composed(text[:_LONGEST])
    for match in _PART.finditer(shown):
        minus, phrase = match[1] or match[4], match[2] if match[2] is not None else match[5]
        if prefix and match[3] and match.end() == len(shown) and not minus and '"' not in match[3]:
            term = _unfinished(fold(match[3]))
        else:
            term = _term(fold(phrase if phrase is not None else match[3].replace('"', " ")))
        if term.tokens:
            (unwanted if minus else wanted)[term] = None
    return Query(tuple(wanted)[:_MOST_TERMS], tuple(unwanted)[:_MOST_TERMS])


def _unfinished(folded: str) -> Term:
    """Return the term of a word that is being typed."""
    term = _term(_LONE_JAMO.sub("", folded))
    if not term.tokens or term.is_prefix:
        return term
    last, *_ = reversed(term.pieces)
    if last.of_bigrams:
        return replace(term, others=_with_finals(term.tokens[-1]))
    typed = last.text[:LONGEST]
    if len(typed) < _SHORTEST_PREFIX or not folded.endswith(last.text):
        return term
    stems = dict.fromkeys(stem(typed + ending) for ending in _ENDINGS)
    others = tuple(other for other in stems if not other.startswith(typed))
    return replace(term, tokens=(*term.tokens[:-1], typed), is_prefix=True, others=others)


def _with_finals(bigram: str) -> tuple[str, ...]:
    """Return what a pair of characters becomes if its last syllable gets a final consonant: 은해, 은행."""
    code = ord(bigram[-1])
    if not _FIRST_SYLLABLE <= code <= _LAST_SYLLABLE or (code - _FIRST_SYLLABLE) % _FINALS:
        return ()
    return tuple(bigram[:-1] + chr(code + final) for final in range(1, _FINALS))


def _pieces(folded: str) -> tuple[Piece, ...]:
    """Return the runs of a term, up to the first one that is too long."""
    found: list[Piece] = []
    for run, of_bigrams in runs(folded):
        found.append(Piece(run[: _MOST_TOKENS + 1], of_bigrams))
        if len(found) == _MOST_TOKENS or len(run) > _MOST_TOKENS + 1:
            break
    return tuple(found)


def _term(folded: str) -> Term:
    pieces = _pieces(folded)
    found: list[str] = []
    for piece in pieces:
        found += run_tokens(piece.text, piece.of_bigrams)
    ends_open = bool(pieces) and pieces[-1].of_bigrams
    if ends_open and len(pieces[-1].text) > 1:
        found.pop()  # the last character alone: in the text, others may follow
        ends_open = False
    if len(found) > _MOST_TOKENS:
        found, ends_open = found[:_MOST_TOKENS], False
    return Term(tuple(found), ends_open, pieces)
