"""The reference reader: HTML to `Nodes` through lexbor, in Python.

The fallback when the compiled reader is not built, and the oracle in its tests. The only module that uses selectolax.
"""

import re
from array import array
from time import monotonic

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.nodes import Column, Nodes
from bonmun.model.tags import CODE_TAGS, FLAGS_OF_TAG, HIDDEN, LINK, TAG_ID, TAGS, TEXT, UNRENDERED
from bonmun.read.prescan import prescan

_TEMPLATE, _DIALOG, _LINK_TAG = TAG_ID["template"], TAG_ID["dialog"], TAG_ID["a"]
_NEVER_HIDDEN = frozenset({TAG_ID["html"], TAG_ID["body"]})  # some pages hide themselves until a script runs
_SHOWN_SHADOW = frozenset({"open", "closed"})
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_CLOCK_EVERY = 4096  # rows between two checks of the deadline


def read_by_reference(html: bytes, limits: Limits) -> Nodes:
    """Read UTF-8 HTML into columns; raise `LimitExceeded` for pages on which lexbor takes quadratic time."""
    prescan(html.decode(), limits)
    deadline = monotonic() + limits.seconds
    tree = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS)
    columns = _Columns(limits.nodes)
    opened: list[tuple[LexborNode, int]] = []
    node, parent = tree.root, -1
    while node is not None:
        row = columns.append(node, parent)
        if row % _CLOCK_EVERY == 0 and monotonic() > deadline:
            raise LimitExceeded("seconds", round(monotonic() - deadline + limits.seconds, 1), limits.seconds)
        child = _first_child(node)
        if child is not None:
            opened.append((node, row))
            node, parent = child, row
            continue
        node = node.next
        while node is None and opened:
            left, row = opened.pop()
            columns.end[row] = len(columns.end)
            node, parent = left.next, columns.parent[row]
    return columns.finish()


def _first_child(node: LexborNode) -> LexborNode | None:
    if node.tag == "template":
        if node.attributes.get("shadowrootmode") not in _SHOWN_SHADOW:
            return None
        return next((fragment.child for fragment in node.template_fragments()), None)
    return node.child


class _Columns:
    """The columns under construction."""

    def __init__(self, max_rows: int) -> None:
        self.max_rows = max_rows
        self.parent, self.tag, self.depth, self.end = array("i"), array("i"), array("i"), array("i")
        self.start, self.stop, self.chars, self.flags = array("i"), array("i"), array("i"), array("i")
        self.attr_first, self.attr_name = array("i"), array("i")
        self.attr_start, self.attr_stop = array("i"), array("i")
        self.tag_id, self.attr_id = dict(TAG_ID), dict[str, int]()
        self.pieces: list[bytes] = []
        self.size = 0

    def append(self, node: LexborNode, parent: int) -> int:
        """Append a node and return its row; for a comment, append nothing and return the next row."""
        row = len(self.parent)
        if node.is_element_node:
            attributes = node.attributes
            tag = self.tag_id.setdefault(_lower(node.tag or ""), len(self.tag_id))
            self._row(parent, tag, _own_flags(tag, attributes))
            for name, value in attributes.items():
                self.attr_name.append(self.attr_id.setdefault(_lower(name), len(self.attr_id)))
                self.attr_start.append(self.size)
                self._store(value or "")
                self.attr_stop.append(self.size)
            self._text("")
        elif node.is_text_node:
            self._row(parent, TEXT, 0)
            self._text(node.text_content or "", counts=self.tag[parent] not in CODE_TAGS)
        return row

    def finish(self) -> Nodes:
        self.attr_first.append(len(self.attr_name))
        extra = tuple(self.tag_id)[len(TAGS) :]
        return Nodes(
            parent=_frozen(self.parent),
            tag=_frozen(self.tag),
            depth=_frozen(self.depth),
            end=_frozen(self.end),
            start=_frozen(self.start),
            stop=_frozen(self.stop),
            chars=_frozen(self.chars),
            flags=_frozen(self.flags),
            attr_first=_frozen(self.attr_first),
            attr_name=_frozen(self.attr_name),
            attr_start=_frozen(self.attr_start),
            attr_stop=_frozen(self.attr_stop),
            buffer=b"".join(self.pieces),
            tag_names=TAGS + extra,
            attr_names=tuple(self.attr_id),
            source_start=None,
            source_stop=None,
        )

    def _row(self, parent: int, tag: int, flags: int) -> None:
        row = len(self.parent)
        if row >= self.max_rows:
            raise LimitExceeded("nodes", row + 1, self.max_rows)
        self.parent.append(parent)
        self.tag.append(tag)
        self.depth.append(self.depth[parent] + 1 if parent >= 0 else 0)
        self.flags.append(flags | self.flags[parent] if parent >= 0 else flags)
        self.end.append(row + 1)
        self.attr_first.append(len(self.attr_name))

    def _text(self, text: str, counts: bool = False) -> None:
        self.start.append(self.size)
        self._store(text)
        self.stop.append(self.size)
        words = text.split() if counts else ()
        self.chars.append(sum(map(len, words)) + len(words) - 1 if words else 0)

    def _store(self, text: str) -> None:
        if text:
            piece = text.encode("utf-8", "replace")
            self.pieces.append(piece)
            self.size += len(piece)


def _own_flags(tag: int, attributes: dict[str, str | None]) -> int:
    flags = FLAGS_OF_TAG.get(tag, 0)
    if tag == _DIALOG and "open" not in attributes:
        flags |= HIDDEN
    if not attributes:
        return flags
    if tag == _LINK_TAG and "href" in attributes:
        flags |= LINK
    if tag == _TEMPLATE and attributes.get("shadowrootmode") in _SHOWN_SHADOW:
        flags &= ~UNRENDERED
    hides = "hidden" in attributes and attributes["hidden"] != "until-found"
    if (hides or _HIDING_STYLE.search(attributes.get("style") or "")) and tag not in _NEVER_HIDDEN:
        flags |= HIDDEN
    return flags


def _frozen(column: "array[int]") -> Column:
    return memoryview(column).toreadonly()


def _lower(name: str) -> str:
    """Lower-case a name: lexbor keeps the camel case of svg names. HTML folds ASCII letters only."""
    return name.lower() if name.isascii() else name
