"""Queries: words that all have to occur, "phrases", and -words that must not. Any text is a valid query."""

import re
from dataclasses import dataclass

from bonmun.store.tokens import composed, fold, run_tokens, runs

_PART = re.compile(r'(?:(?<=\s)|^)(-?)(?:"([^"]*)(?:"|$)|(\S+))|(-?)"([^"]*)(?:"|$)')
_LONGEST = 10_000
"""Characters of a query that count."""
_MOST_TERMS = 32
"""Words and phrases of a query that count."""
_MOST_TOKENS = 64
"""Tokens of a word or phrase that count."""


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


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    >>> query = parse('한국은행 "interest rates" -주식')
    >>> [term.tokens for term in query.wanted], [term.tokens for term in query.unwanted]
    ([('한국', '국은', '은행'), ('interest', 'rat')], [('주식',)])
    """

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...]


def parse(text: str) -> Query:
    """Return the query that a text stands for; one without a word finds nothing."""
    wanted: dict[Term, None] = {}
    unwanted: dict[Term, None] = {}
    for match in _PART.finditer(composed(text[:_LONGEST])):
        minus, phrase = match[1] or match[4], match[2] if match[2] is not None else match[5]
        term = _term(fold(phrase if phrase is not None else match[3].replace('"', " ")))
        if term.tokens:
            (unwanted if minus else wanted)[term] = None
    return Query(tuple(wanted)[:_MOST_TERMS], tuple(unwanted)[:_MOST_TERMS])


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
