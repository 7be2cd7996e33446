"""Quotation marks around `<q>`: browsers draw them, the page's text has none."""

from collections.abc import Iterator
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import UNRENDERED
from bonmun.read.added_text import Added, with_added_text

_CURLY: Final = ("“”", "‘’")
_MARKS: Final[dict[str, tuple[str, str]]] = {
    **dict.fromkeys(("de", "cs", "sk", "bg", "lt"), ("„“", "‚‘")),
    **dict.fromkeys(("fr", "ru", "uk", "be", "es", "it", "el", "no", "nb", "nn"), ("«»", "“”")),
    **dict.fromkeys(("pl", "hu", "ro"), ("„”", "«»")),
    **dict.fromkeys(("sv", "fi"), ("””", "’’")),
    **dict.fromkeys(("ja", "zh-tw", "zh-hk", "zh-hant"), ("「」", "『』")),
}
"""Outer and inner marks by language, as browsers have them; other languages have `_CURLY`."""
_ANY_MARK: Final = frozenset("\"'“”„‟‘’‚‛«»‹›「」『』《》〈〉")
_OPENING: Final = _ANY_MARK - set("'’")  # an apostrophe, as in d'une
_NEAR: Final = 64
"""Rows between the start or end of a quotation and its text, at most."""


def with_quotation_marks(nodes: Nodes) -> Nodes:
    """The page with marks in the text of every `<q>`; the page itself if it has none.

    A quotation that has marks inside, or right before it, gets no others. Quotations in quotations get inner marks.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> segment(with_quotation_marks(parse("<p>She said <q>no</q>."))).text
    ('She said “no”.',)
    """
    added: dict[int, Added] = {}
    for first, last, (opening, closing) in _quotations(nodes):
        before, after = added.get(first, ("", ""))
        added[first] = before + opening, after
        before, after = added.get(last, ("", ""))
        added[last] = before, closing + after
    return with_added_text(nodes, added) if added else nodes


def _quotations(nodes: Nodes) -> Iterator[tuple[int, int, Added]]:
    """Yield the first and last text of each quotation without marks, and the marks it gets; outer ones first."""
    around: list[int] = []
    for row in nodes.rows_of("q"):
        while around and nodes.end[around[-1]] <= row:
            around.pop()
        around.append(row)
        first = _text(nodes, range(row + 1, min(nodes.end[row], row + _NEAR)))
        last = _text(nodes, range(nodes.end[row] - 1, max(row, nodes.end[row] - _NEAR), -1))
        if first is not None and last is not None and not _is_marked(nodes, row, first):
            marks = _MARKS.get(_language(nodes, row), _CURLY)[(len(around) - 1) % 2]
            yield first, last, (marks[0], marks[1])


def _text(nodes: Nodes, rows: range) -> int | None:
    return next((row for row in rows if nodes.chars[row] and not nodes.flags[row] & UNRENDERED), None)


def _is_marked(nodes: Nodes, row: int, first: int) -> bool:
    before = nodes.text(row - 1)[-1:]
    return nodes.text(first).lstrip()[:1] in _ANY_MARK or before in _OPENING


def _language(nodes: Nodes, row: int) -> str:
    """The language of an element, without its region unless that has marks of its own."""
    values = (nodes.attr(around, "lang") for around in (row, *nodes.ancestors(row)))
    language = next((value for value in values if value), "").strip().lower()
    return language if language in _MARKS else language.split("-")[0]
