"""Text in a page's markup that is not seen as text: labels for screen readers, names of icons, edit links of wikis."""

import re
from collections.abc import Sequence
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import tag_set

ASSISTIVE_WORDS: Final = (
    *("sr-only", "visually-hidden", "visuallyhidden", "hiddenvisually", "screen-reader", "screenreader"),
    *("assistive-text", "element-invisible", "editsection", "material-icons", "material-symbols", "mat-icon"),
)
"""Parts of the class names below, for one search of all classes."""
LABELS: Final = (
    *("sr-only", "visually-hidden", "visuallyhidden", "u-hiddenvisually", "assistive-text", "element-invisible"),
    *(
        f"screen{reader}-{use}"
        for reader in ("-reader", "-readers", "reader", "readers")
        for use in ("text", "only", "shortcut")
    ),
    "screenreader",
)
LABEL_PREFIXES: Final = 3
_LABEL: Final = re.compile(rf"(?!not-)(?:[a-z]+[-_]+){{0,{LABEL_PREFIXES}}}(?:{'|'.join(LABELS)})(?:-focusable)?")
"""A class of text for screen readers, with a prefix such as `usa-` or `is-`; `sm:sr-only` is one for small screens."""
ICONS: Final = tuple(
    f"material-{kind}{style}"
    for kind in ("icons", "symbols")
    for style in ("", "-outlined", "-round", "-rounded", "-sharp", "-two-tone", "-extended")
)
_ICON: Final = re.compile(rf"(?:google-)?(?:{'|'.join(ICONS)})|mat-icon")
_LIGATURE: Final = re.compile(r"[a-z][a-z0-9_]*")
_EDIT: Final = frozenset(("mw-editsection", "editsection"))
_LARGE: Final = tag_set("html body main article")
MOST_ROWS, MOST_CHARACTERS = 100, 500
"""A larger element with such a class is a part of the page that a script shows."""


def may_be_assistive(nodes: Nodes, within: range | None = None) -> Sequence[int]:
    """The rows of elements whose class may be one of those names, in order; `within`: the rows to search."""
    return nodes.rows_having("class", *ASSISTIVE_WORDS, within=within)


def is_assistive(nodes: Nodes, row: int) -> bool:
    """Whether the text of an element is not seen as text.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse('<p>Tea <i class="material-icons">expand_more</i><span class="sr-only">opens a menu</span>')
    >>> [is_assistive(nodes, row) for row in may_be_assistive(nodes)]
    [True, True]
    """
    if nodes.tag[row] in _LARGE:
        return False
    classes = (nodes.attr(row, "class") or "").lower().split()
    if not _EDIT.isdisjoint(classes):
        return True
    if any(map(_ICON.fullmatch, classes)):
        return nodes.end[row] == row + 2 and _LIGATURE.fullmatch(nodes.content(row)) is not None
    if any(name.endswith(":not-sr-only") for name in classes) or not any(map(_LABEL.fullmatch, classes)):
        return False
    return _is_label(nodes, row)


def _is_label(nodes: Nodes, row: int) -> bool:
    """Whether an element is small and has words; the colon between a kicker and its headline is read."""
    stop = nodes.end[row]
    if stop - row > MOST_ROWS or sum(nodes.chars[row:stop]) > MOST_CHARACTERS:
        return False
    return any(map(str.isalnum, nodes.content(row)))
