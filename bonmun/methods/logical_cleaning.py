"""M3's first two steps: the elements that the paper removes from a page, and the remaining leaf blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

from bonmun.model.nodes import Nodes
from bonmun.model.tags import UNRENDERED, tag_set

HEAD = "meta style script link title"
LISTS = "ul ol li dl dt dd"
LINKS = "img a"
EMPHASIS = "h1 h2 h3 h4 h5 h6 strong em textarea font br"
OTHERS = "noscript iframe input button form fieldset object param label select option xmp address hr"
_REMOVED = tag_set(" ".join((HEAD, LISTS, LINKS, EMPHASIS, OTHERS)))
_DIV = tag_set("div p span")
"""The paper treats `p`, `span` and `div` alike."""


@dataclass(frozen=True, slots=True)
class LeafBlock:
    """A `div` none of whose child elements carries text."""

    id: int
    """Its number in document order, from 0."""
    row: int
    """Its element."""
    text_rows: tuple[int, ...]
    text: str

    @property
    def length(self) -> int:
        """Characters, white space collapsed."""
        return len(self.text)


def leaf_blocks(nodes: Nodes) -> list[LeafBlock]:
    """The leaf blocks of a page without the elements that the paper removes; blocks without text are not numbered.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div>lost <p>one <a href=#>link</a> two</p><ul><li>menu</ul></div>")
    >>> [block.text for block in leaf_blocks(page)]
    ['one two']
    """
    own: dict[int, list[int]] = {}
    above_text: set[int] = set()  # elements with a child element that carries text
    for row in _text_left(nodes):
        parent = nodes.parent[row]
        own.setdefault(parent, []).append(row)
        above = nodes.parent[parent]
        while above >= 0 and above not in above_text:
            above_text.add(above)
            above = nodes.parent[above]
    blocks: list[LeafBlock] = []
    for row in sorted(own):
        if nodes.tag[row] in _DIV and row not in above_text:
            text = " ".join(" ".join(map(nodes.text, own[row])).split())
            blocks.append(LeafBlock(len(blocks), row, tuple(own[row]), text))
    return blocks


def _text_left(nodes: Nodes) -> Iterator[int]:
    tags, ends = nodes.tag, nodes.end
    row = 0
    while row < len(nodes):
        if tags[row] in _REMOVED and not nodes.chars[row]:
            row = ends[row]
            continue
        if nodes.chars[row] and not nodes.flags[row] & UNRENDERED:
            yield row
        row += 1
