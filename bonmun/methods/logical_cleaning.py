"""M3's first two steps: the elements that the paper removes from a page, and the remaining leaf blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from bonmun.deadline import check
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
    parents, texts = nodes.parent, list(_text_left(nodes))
    above_text = bytearray(len(nodes))  # 1 for elements with a child element that carries text
    for row in texts:
        above = parents[parents[row]]
        while above >= 0 and not above_text[above]:
            above_text[above] = 1
            above = parents[above]
    blocks: list[LeafBlock] = []
    texts.sort(key=parents.__getitem__)
    for row, rows in groupby(texts, parents.__getitem__):
        if nodes.tag[row] in _DIV and not above_text[row]:
            check()
            own = tuple(rows)
            blocks.append(LeafBlock(len(blocks), row, own, " ".join(" ".join(map(nodes.text, own)).split())))
    return blocks


def _text_left(nodes: Nodes) -> Iterator[int]:
    tags, ends, sizes, flags = nodes.tag, nodes.end, nodes.chars, nodes.flags
    row, stop = 0, len(nodes)
    while row < stop:
        if sizes[row]:
            if not flags[row] & UNRENDERED:
                yield row
        elif tags[row] in _REMOVED:
            row = ends[row]
            continue
        row += 1
