"""A page drawn anew from its columns: safe HTML with every block marked.

Only the tags and attributes of a short list are written, without addresses, style sheets and scripts. A pen says how a
mark looks: in the file of `explain`, or in the frame of the service's page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from types import MappingProxyType
from typing import Final, Protocol

from bonmun.deadline import check
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.pictures import is_picture
from bonmun.model.tags import BLOCK_LEVEL, HIDDEN, TAG_ID, TAGS, TEXT, UNRENDERED, tag_set

_SAME = tag_set(
    "article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search p hr pre blockquote ol ul li"
    " dl dt dd figure figcaption div em strong small s cite q dfn abbr ruby rb data time code var samp kbd sub sup i b"
    " u mark bdi bdo br wbr ins del table caption tbody thead tfoot tr td th"
)
_TAG_DRAWN = {
    **{tag: TAGS[tag] for tag in _SAME},
    **dict.fromkeys(BLOCK_LEVEL - _SAME, "div"),
    **dict.fromkeys(tag_set("menu dir"), "ul"),
    **dict.fromkeys(tag_set("listing plaintext xmp"), "pre"),
    **dict.fromkeys(tag_set("button select optgroup option"), "span"),
    **dict.fromkeys(tag_set("col colgroup source param track area input"), ""),
}
"""The element drawn for a tag: `span` for tags not listed, none for an empty string."""
_VOID = tag_set("br hr wbr")
_OUTSIDE_TABLES = BLOCK_LEVEL - tag_set("caption tbody thead tfoot tr td th")
_IMAGE, _LINK = TAG_ID["img"], TAG_ID["a"]


class Pen(Protocol):
    """How marks and links are written."""

    @property
    def attributes(self) -> Mapping[str, Callable[[str], str]]:
        """The attributes of elements that are drawn, with a function that sanitises the value; an empty one is not."""

    def mark(self, element: str, block: Block, *, first: bool, kept: bool, content: str) -> str:
        """Return text of a block in an element of ours; `first` for the block's first text."""

    def link(self, href: str) -> str:
        """Return the attributes of a link to an address as the page wrote it."""


def language_attributes(document: Document) -> str:
    """Return the attributes `lang` and `dir`, which choose the right glyphs and direction."""
    nodes = document.page.nodes
    language = (len(nodes) and nodes.attr(0, "lang")) or document.language
    direction = len(nodes) and nodes.attr(0, "dir")
    return (f' lang="{escape(language)}"' if language else "") + (f' dir="{escape(direction)}"' if direction else "")


def one_line(text: str) -> str:
    """Return a text on one line without control characters, so that a page cannot control a terminal.

    >>> one_line("two\\n lines, \\x1b[31mred")
    'two lines, [31mred'
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


class Drawing:
    """The state of drawing a page as HTML."""

    def __init__(self, document: Document, stops: Sequence[int], pen: Pen) -> None:
        self.blocks, self.page = document.all_blocks, document.page
        self.nodes = document.page.nodes
        self.pen = pen
        self.attr_names = {number: name for number, name in enumerate(self.nodes.attr_names) if name in pen.attributes}
        self.owner = self.page.blocks.of_row(self.nodes)
        self.kept_before = [0, *accumulate(map(int, map(bool, document.verdicts.keep)))]
        self.parts = {index: frozenset(rows) for index, rows in document.verdicts.parts.items()}
        self.collapsed = stops
        self.collapses = any(self.collapsed)
        self.latest = -1  # the last block with an anchor
        self.small_until = 0  # the end of the current small part

    def pieces(self) -> Iterator[str]:
        """Yield the page in document order, without recursion."""
        if not self.blocks:
            yield '<p class="bm-nothing">There is no text on this page.</p>'
        nodes, opened, row = self.nodes, list[tuple[int, str]](), 0
        tags, flags, chars, stop = nodes.tag, nodes.flags, nodes.chars, len(nodes)
        while row < stop:
            check()
            while opened and opened[-1][0] <= row:
                yield opened.pop()[1]
            tag = tags[row]
            if flags[row] & UNRENDERED:
                row = nodes.end[row]
                continue
            if tag == TEXT or chars[row]:
                yield f"<div>{self._text(row)}</div>" if tag in BLOCK_LEVEL else self._text(row)
            elif tag == _IMAGE:
                yield self._image(row)
            else:
                opening, closing = self._element(row, tag)
                yield opening
                if not closing:
                    row = nodes.end[row]
                    continue
                opened.append((nodes.end[row], closing))
            row += 1
        yield from (closing for _, closing in reversed(opened))

    def _element(self, row: int, tag: int) -> tuple[str, str]:
        """The opening and closing tags of an element; no closing tag if none of its content is drawn."""
        inside = self.page.blocks_in(row)
        if self.collapses and self._is_collapsed(inside):
            return "", ""
        name, flags, end = _TAG_DRAWN.get(tag, "span"), self.nodes.flags, self.nodes.end[row]
        if tag in _VOID or not name:
            return f"<{name}>" if name else "", ""
        hides = flags[row] & HIDDEN and not flags[self.nodes.parent[row]] & HIDDEN
        if hides and not any(self.blocks[index].hidden for index in inside):
            return "", ""
        if not inside and tag in _OUTSIDE_TABLES:
            return "<div></div>", ""  # still separates the text before from the text after
        kept = self.kept_before[inside.stop] - self.kept_before[inside.start]
        before, after, classes = "", "", ["bm-link"] if tag == _LINK else []
        if hides and tag in _OUTSIDE_TABLES:
            before = f'<details class="bm-hidden"{" open" if kept else ""}><summary>hidden on the page</summary>'
            after = "</details>"
        elif hides:
            classes.append("bm-hidden")
        if tag in BLOCK_LEVEL and not kept and self.kept_before[-1] and row >= self.small_until:
            self.small_until = end
            classes.append("bm-small")
        written = f' class="{" ".join(classes)}"' if classes else ""
        if tag == _LINK:
            written += self.pen.link(self.nodes.attr(row, "href") or "")
        return f"{before}<{name}{written}{self._attributes(row)}>", f"</{name}>{after}"

    def _is_collapsed(self, inside: range) -> bool:
        """Whether an element with these blocks is in a run of like blocks, behind the count of them."""
        stops = self.collapsed
        start = inside.start - 1  # the block before belongs to the run, too
        return 0 <= start < inside.stop <= len(stops) and bool(stops[start]) and stops[start] >= inside.stop

    def _attributes(self, row: int) -> str:
        nodes, written = self.nodes, ""
        for at in range(nodes.attr_first[row], nodes.attr_first[row + 1]):
            name = self.attr_names.get(nodes.attr_name[at])
            if name is not None:
                value = self.pen.attributes[name](nodes.attr_bytes(at).decode("utf-8", "replace"))
                written += f' {name}="{escape(value)}"' if value else ""
        return written

    def _text(self, row: int) -> str:
        index = self.owner[row]
        if index >= 0 and self.collapsed[index]:
            return self._more(index)
        text = escape(self.nodes.text(row), quote=False)
        if index < 0:
            return text
        block = self.blocks[index]
        if self.nodes.flags[row] & HIDDEN and not block.hidden:
            return ""  # hidden text inside a shown block does not belong to it
        return self._marked("bm-text", block, block.keep and (block.part is None or row in self.parts[index]), text)

    def _image(self, row: int) -> str:
        index, nodes = self.owner[row], self.nodes
        if index < 0 or nodes.flags[row] & HIDDEN or not is_picture(nodes, row):
            return ""
        if self.collapsed[index]:
            return self._more(index)
        block = self.blocks[index]
        words = one_line(nodes.attr(row, "alt") or "") or "image"
        width = number(nodes.attr(row, "width") or "")
        height = number(nodes.attr(row, "height") or "") if width else ""
        size = f" {width}×{height}" if height else ""
        return self._marked("bm-image", block, block.keep and block.part is None, escape(words) + size)

    def _more(self, index: int) -> str:
        """The number of like blocks that are left out, in place of the first of them."""
        stop = self.collapsed[index]
        if index == self.latest or (index and self.collapsed[index - 1] == stop):
            return ""
        self.latest = index
        return f'<span class="bm-nothing">… {stop - index:,} more of these</span>'

    def _marked(self, element: str, block: Block, kept: bool, content: str) -> str:
        first, self.latest = block.index != self.latest, block.index
        return self.pen.mark(element, block, first=first, kept=kept, content=content)


def number(value: str) -> str:
    """Return a short number, without `px`; an empty string for anything else.

    >>> number(" 640px"), number("1e9")
    ('640', '')
    """
    value = value.strip().removesuffix("px")
    return value if value.isascii() and value.isdigit() and len(value) < 6 else ""


def _direction(value: str) -> str:
    return value if value in ("ltr", "rtl", "auto") else ""


STRUCTURE: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {**dict.fromkeys(("colspan", "rowspan", "start", "value"), number), "dir": _direction, "lang": str}
)
"""The attributes that structure a page."""
