"""Blocks: what a reader sees as one unit — a paragraph, a heading, a list item, a cell, a code block, a caption."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from bonmun.model.gaps import parted
from bonmun.model.nodes import Column, Nodes
from bonmun.model.tags import CELLS, HEADINGS, HIDDEN, PREFORMATTED, TAG_ID, TEXT, UNRENDERED, tag_set

_BREAK, _IMAGE = TAG_ID["br"], TAG_ID["img"]


class Kind(StrEnum):
    """What a block is to its reader."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    TERM = "term"
    DEFINITION = "definition"
    CELL = "cell"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    IMAGE = "image"


KINDS: Final = tuple(Kind)
"""Kinds by number."""

KIND_OF_TAG: Final = {
    **dict.fromkeys(HEADINGS, Kind.HEADING),
    **dict.fromkeys(PREFORMATTED, Kind.CODE),
    **dict.fromkeys(CELLS, Kind.CELL),
    **dict.fromkeys(tag_set("figcaption caption"), Kind.CAPTION),
    TAG_ID["li"]: Kind.ITEM,
    TAG_ID["dt"]: Kind.TERM,
    TAG_ID["dd"]: Kind.DEFINITION,
    TAG_ID["blockquote"]: Kind.QUOTE,
}
"""The elements that give the blocks inside them their kind."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The block table of a page, in document order; made once by `read.segment`, never changed.

    A block's text nodes are those of rows `first … stop` that a reader sees (`rows`).
    """

    kind_code: Column
    """Index into `KINDS`."""
    level: Column
    """A heading's level, the nesting of a list item or quote (1 = outermost); 0 for the rest."""
    element: Column
    """The row of the block-level element that the text stands in."""
    first: Column
    stop: Column
    continues: Column
    """1 where only a single `<br>` stands between this block and the one before."""
    link_chars: Column
    """Characters inside links."""
    flags: Column
    """The flags of `Nodes` that hold for the block: `HIDDEN`, `CONTROL`."""
    chars: Column
    """Characters of its text; 0 for an image."""
    text_start: Column
    text_stop: Column
    text_buffer: bytes
    """The texts in UTF-8; block `at` has those from `text_start[at]` to `text_stop[at]`."""
    tables: frozenset[int]
    """The rows of tables that hold data; the others only lay the page out."""

    def __len__(self) -> int:
        return len(self.chars)

    def text_at(self, at: int) -> str:
        """The text of one block as a reader sees it."""
        return self.text_buffer[self.text_start[at] : self.text_stop[at]].decode()

    @cached_property
    def text(self) -> tuple[str, ...]:
        """The texts of all blocks."""
        return tuple(map(self.text_at, range(len(self))))

    @cached_property
    def kind(self) -> tuple[Kind, ...]:
        """What each block is to its reader."""
        return tuple(map(KINDS.__getitem__, self.kind_code))

    def of_row(self, nodes: Nodes) -> list[int]:
        """For every row of the page, the block that it lies in; -1 where it lies in none."""
        owner = [-1] * len(nodes)
        for index, (first, stop) in enumerate(zip(self.first, self.stop, strict=True)):
            owner[first:stop] = [index] * (stop - first)
        return owner


def rows_shown(nodes: Nodes, first: int, stop: int, hidden: bool, images: bool = False) -> Iterator[int]:
    """The rows of a block that a reader sees: text nodes, line breaks and, if asked for, images.

    What is hidden inside a block that is itself shown is left out.
    """
    skipped = UNRENDERED if hidden else UNRENDERED | HIDDEN
    wanted = (TEXT, _BREAK, _IMAGE) if images else (TEXT, _BREAK)
    for row in range(first, stop):
        if nodes.tag[row] in wanted and not nodes.flags[row] & skipped:
            yield row


def text_of(nodes: Nodes, rows: Iterable[int], preformatted: bool) -> str:
    """The text of some rows as a reader sees it: white space collapsed unless it is code."""
    pieces: list[str] = []
    before = -1
    for row in rows:
        if nodes.tag[row] == _BREAK:
            pieces.append("\n")
            before = -1
        else:
            gap = " " if before >= 0 and not preformatted and parted(nodes, before, row) else ""
            pieces += (gap, nodes.text(row))
            before = row
    joined = "".join(pieces)
    joined = joined.replace("\xad", "").replace("\ufeff", "")  # hyphenation hints and stray byte order marks
    return code_text(joined) if preformatted else " ".join(joined.split())


def code_text(text: str) -> str:
    """Code as a reader sees it: lines as they are, without empty ones at either end."""
    return text.strip("\n").expandtabs(4).rstrip()
