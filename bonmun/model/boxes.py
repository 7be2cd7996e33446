"""Boxes with a title: callouts, in which documentation and wikis put notes, tips and warnings, and `<details>`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, HEADINGS, TAG_ID, UNRENDERED

DETAILS: Final = "details"

_WORDS: Final = ("callout", "admonition", "alert", "information-macro", "notecard", "custom-block", "starlight-aside")
"""Parts of the classes that name a callout; `callout_kind` looks at the whole classes."""
CALLOUT_SIGNS: Final = tuple(word.encode() for word in (*_WORDS, "\u0130", "\u0131", "\u017f", "\u212a"))
"""The same, and letters that match i, s and k without regard to case. Every class that names a callout has one."""
CALLOUT_WORDS: Final = "".join(f"{word}\0" for word in _WORDS).encode()
CALLOUT_ROLES: Final = b"note\0"
"""Those of the class and the role for `box_rows` of the core."""
_NAMES: Final = frozenset(
    "admonition theme-admonition admonitionblock markdown-alert confluence-information-macro notecard custom-block"
    " starlight-aside".split()
)
"""Classes that always are a callout: Sphinx and MkDocs, Docusaurus, Asciidoctor, GitHub and GitLab, Confluence, MDN,
VitePress, Starlight."""
_BOXES: Final = frozenset(("callout", "alert", "callout-block"))
"""Classes that are a callout beside a class that names its kind. Alone they are also adverts and messages of forms."""
_KINDS: Final = {
    **dict.fromkeys(
        "note info seealso abstract summary todo question example secondary primary light dark".split(), "note"
    ),
    **dict.fromkeys("tip hint success check done".split(), "tip"),
    **dict.fromkeys(["important"], "important"),
    **dict.fromkeys("warning warn attention".split(), "warning"),
    **dict.fromkeys("caution danger error bug failure critical".split(), "caution"),
}
"""The five kinds of GitHub by the words of classes."""
_HATNOTE: Final = "hatnote"
"""MediaWiki's links to other articles; they have the role of a note, and are lines rather than boxes."""
_NAMED = re.compile("|".join(_WORDS), re.IGNORECASE)
_TITLE = re.compile("title|head|label", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s_-]+")
_ASIDE, _DETAILS, _SUMMARY = (TAG_ID[name] for name in ("aside", "details", "summary"))
_TITLE_TAGS: Final = HEADINGS | {_SUMMARY}
_NEAR: Final = 24
"""Rows from the start of a callout to its first text, at most: icons stand between. It bounds deeply nested pages."""
_LONGEST_LABEL: Final = 16
"""Characters of a label with its punctuation."""


@dataclass(frozen=True, slots=True)
class Box:
    """What an element is a box for."""

    kind: str
    """note, tip, important, warning, caution, or `DETAILS`."""
    title: int | None
    """The row of the title or summary; `None` without one."""


def boxes(nodes: Nodes) -> dict[int, Box]:
    """The callouts and details of a page by their rows."""
    found = {row: Box(DETAILS, _summary(nodes, row)) for row in nodes.rows_of("details")}
    for row in (*nodes.rows_having("class", *_WORDS), *nodes.rows_having("role", "note")):
        if kind := callout_kind(nodes, row):
            found[row] = Box(kind, _title(nodes, row))
    return found


def boxes_among(nodes: Nodes, candidates: Iterable[int]) -> dict[int, Box]:
    """The callouts and details among the rows that `box_rows` of the core finds."""
    found: dict[int, Box] = {}
    for row in candidates:
        if row >= 0 and (kind := callout_kind(nodes, row)):
            found[row] = Box(kind, _title(nodes, row))
        elif (element := row if row >= 0 else ~row) >= 0 and nodes.tag[element] == _DETAILS:
            found[element] = Box(DETAILS, _summary(nodes, element))
    return found


def callout_title(nodes: Nodes, row: int) -> int | None:
    """The row of a callout's title; `None` without one, and for an element whose class names no callout."""
    is_named = _NAMED.search(nodes.attr(row, "class") or "")  # spares nearly all elements the rest
    return _title(nodes, row) if is_named and callout_kind(nodes, row) else None


def _summary(nodes: Nodes, details: int) -> int | None:
    return next((row for row in nodes.children(details) if nodes.tag[row] == _SUMMARY), None)


def callout_kind(nodes: Nodes, row: int) -> str | None:
    """The kind of a callout: note, tip, important, warning or caution; `None` for an element that is none.

    >>> from bonmun.read.parse import parse
    >>> callout_kind(parse('<div class="alert alert-danger">Do not open it.</div>'), 3)
    'caution'
    """
    if nodes.tag[row] not in BLOCK_LEVEL:
        return None
    value = (nodes.attr(row, "class") or "").lower()
    classes, declared = value.split(), nodes.attr(row, "data-callout") or nodes.attr(row, "data-callout-type")
    words = [declared.lower()] if declared else _SEPARATORS.split(value)
    kind = next((_KINDS[word] for word in reversed(words) if word in _KINDS), None)
    if (nodes.attr(row, "role") or "").strip().lower() == "note":
        return None if _HATNOTE in classes else kind or "note"
    if not _NAMES.isdisjoint(classes) or declared is not None:
        return kind or "note"
    if _BOXES.isdisjoint(classes):
        return None
    return kind or ("note" if nodes.tag[row] == _ASIDE and "callout" in classes else None)


def _title(nodes: Nodes, callout: int) -> int | None:
    """The element of a callout's title: a heading or an element of such a class around the first text."""
    text = _first_text(nodes, callout)
    if text is None:
        return None
    row, title = nodes.parent[text], None
    for _ in range(_NEAR):
        if row <= callout:
            break
        if nodes.tag[row] in _TITLE_TAGS or _TITLE.search(nodes.attr(row, "class") or "") or _is_label(nodes, row):
            title = row
        row = nodes.parent[row]
    return title if title is not None and nodes.end[title] < nodes.end[callout] else None


def _first_text(nodes: Nodes, callout: int) -> int | None:
    for row in range(callout + 1, min(callout + _NEAR, nodes.end[callout])):
        if nodes.chars[row] and not nodes.flags[row] & UNRENDERED:
            return row
    return None


def _is_label(nodes: Nodes, row: int) -> bool:
    """Whether a block-level element has no text but the name of a kind."""
    few = nodes.end[row] - row <= _NEAR and max(nodes.chars[row : nodes.end[row]]) <= _LONGEST_LABEL
    return few and nodes.tag[row] in BLOCK_LEVEL and nodes.content(row).strip(" :!.").casefold() in _KINDS
