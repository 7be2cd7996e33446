"""Author, date and text of one comment, from its labelled texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import LINK, TAG_ID
from bonmun.read.comment_labels import Order, clean_name, date_in, is_label, name_before_date, with_year_first
from bonmun.read.comment_names import Role, names_author
from bonmun.read.dates import parse_moment

_PARAGRAPH: Final = TAG_ID["p"]
_MAX_BYLINE: Final = 120
_MAX_AROUND: Final = 60
"""Characters beside the date in a byline: a name, a place, "posted by"."""
_MAX_TIME: Final = 16
_MAX_SHORT: Final = 40
_SENTENCE_ENDS: Final = tuple(".!?。！？…")
_DATE_ATTRIBUTES: Final = "datetime content data-time data-timestamp data-date data-datetime data-utime title".split()


@dataclass(frozen=True, slots=True)
class Piece:
    """A text node, picture or line break inside a comment."""

    block: int
    row: int
    role: Role
    group: int
    """The element that gave the role."""
    text: str
    """Empty for pictures and line breaks."""


@dataclass(slots=True)
class Fields:
    """The parts of a comment."""

    author: str | None = None
    dates: list[str] = field(default_factory=list)
    """Texts with the date, the most exact one first."""
    body: list[Piece] = field(default_factory=list)
    stated: bool = False
    """Whether an author or a date is named or written as such, rather than guessed."""

    def date(self, order: Order) -> datetime | None:
        """The date, read in the page's order of day, month and year."""
        texts = (with_year_first(text, order) for text in self.dates)
        moments = (parse_moment(text, day_first=order is Order.DAY) for text in texts)
        return next((moment for moment in moments if moment), None)


def read_fields(nodes: Nodes, pieces: Sequence[Piece], date_elements: Iterable[int]) -> Fields:
    """Tell the parts of a comment apart, by names first, then by their form."""
    fields = Fields()
    fields.dates = [text for row in date_elements for text in _stated_dates(nodes, row)]
    fields.dates += [piece.text for piece in pieces if piece.role is Role.DATE and piece.text]
    fields.author = _named_author(nodes, pieces) or next(filter(None, map(name_before_date, fields.dates)), None)
    fields.stated = bool(fields.author or fields.dates)
    body = [piece for piece in pieces if piece.role in (Role.BODY, Role.PROSE)]
    has_body = any(piece.text for piece in body)
    rest = [piece for piece in pieces if piece.role in (Role.NONE, Role.META)]
    rest = _without_bylines(rest, fields, has_body)
    if fields.author is None:
        rest = _without_author(nodes, rest, fields, has_body)
    if not has_body:
        body = [piece for piece in rest if piece.role is Role.NONE and not is_label(piece.text)]
        body = body if any(piece.text for piece in body) else []
    fields.body = [
        piece for piece in body if not (nodes.flags[piece.row] & LINK and piece.text and is_label(piece.text))
    ]
    return fields


def _stated_dates(nodes: Nodes, row: int) -> Iterable[str]:
    values = (nodes.attr(row, name) for name in _DATE_ATTRIBUTES)
    return [value.strip() for value in values if value and any(map(str.isdigit, value))]


def _named_author(nodes: Nodes, pieces: Iterable[Piece]) -> str | None:
    """The author by the element's name; a name proper before a box with the author in it."""
    texts: dict[int, list[str]] = {}
    for piece in pieces:
        if piece.role is Role.AUTHOR:
            texts.setdefault(piece.group, [""]).append(piece.text)
    names = [(group, name) for group, parts in texts.items() if (name := _without_date(" ".join(parts)))]
    proper = (name for group, name in names if names_author(nodes, group))
    return next(proper, None) or next((name for _, name in names), None)


def _without_date(text: str) -> str | None:
    match = date_in(text)
    return clean_name(text[: match.start()] if match and match.start() > 1 else text)


def _without_bylines(pieces: list[Piece], fields: Fields, has_body: bool) -> list[Piece]:
    """Take out the first short block with a date, unless a date is known, and the author if a name is left in it.

    Of the only block, take the date alone.
    """
    parts: dict[int, list[str]] = {}
    for piece in pieces:
        parts.setdefault(piece.block, []).append(piece.text)
    texts = {block: " ".join(filter(None, inside)) for block, inside in parts.items()}
    others = has_body or sum(not is_label(text) for text in texts.values()) > 1
    taken: set[int] = set()
    for block, text in texts.items():
        match = date_in(text) if len(text) <= _MAX_BYLINE else None
        if match is None or len(text) - len(match[0]) > _MAX_AROUND or fields.dates:
            continue
        fields.stated = True
        fields.dates.append(text)
        if others:
            taken.add(block)
            fields.author = fields.author or (clean_name(text[: match.start()]) if match.start() > 1 else None)
    short = {block for block, text in texts.items() if not others or len(text) <= _MAX_BYLINE}
    dates = {piece.row for piece in pieces if piece.block in short and _is_date(piece.text)}
    return [piece for piece in pieces if piece.block not in taken and piece.row not in dates]


def _is_date(text: str) -> bool:
    match = date_in(text)
    return match is not None and len(text) - len(match[0]) <= _MAX_TIME


def _without_author(nodes: Nodes, pieces: list[Piece], fields: Fields, has_body: bool) -> list[Piece]:
    """Take the first text for the author if it is short, no sentence, and other text follows."""
    spoken = [piece for piece in pieces if piece.text and not is_label(piece.text)]
    first = spoken[0] if spoken else None
    if first is None or len(first.text) > _MAX_SHORT or first.text.endswith(_SENTENCE_ENDS):
        return pieces
    if not has_body and (len(spoken) < 2 or nodes.tag[nodes.parent[first.row]] == _PARAGRAPH):
        return pieces
    fields.author = clean_name(first.text)
    return [piece for piece in pieces if piece is not first]
