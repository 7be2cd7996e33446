"""What a corpus says about the blocks of a page, and where it has no opinion.

Corpora disagree about captions, standfirsts and lists. The convention of the default extractor is one: what a reader
came for, with headings, lists, tables and quotations of the text, and without captions, bylines, promotion, comments
below an article, or teasers of other pages; all posts of a thread and all answers to a question are content. A block
that a corpus leaves out for a reason of its own is not taught as boilerplate: its label is unknown.

Where a corpus differs in ways that no kind of block tells (only the post of a board, no user names in a thread), the
trees see its `code` while they learn, and judge by `DEFAULT.code` ever after.
"""

from dataclasses import dataclass
from typing import Final

from bonmun.model.block import Kind


@dataclass(frozen=True)
class Convention:
    """The peculiarities of a corpus."""

    code: int = 0
    """Its value in the column of conventions."""
    open_inside: frozenset[Kind] = frozenset()
    """Kinds of blocks that the gold leaves out even inside the main text."""
    lines_only: bool = False
    """Whether `with` lists lines of the main text and the rest of the page is unknown."""


DEFAULT: Final = Convention()
CONVENTIONS: Final = {
    "news_dev": Convention(
        code=1,
        open_inside=frozenset({Kind.ITEM, Kind.CELL, Kind.QUOTE, Kind.CODE, Kind.CAPTION, Kind.TERM, Kind.DEFINITION}),
    ),
    "boards_dev": Convention(code=2),
    "forums_dev": Convention(code=3),
    "recipes_dev": Convention(code=4, lines_only=True),
}
"""Corpora with a convention other than the default."""


def convention_of(corpus: str) -> Convention:
    """Return the convention of a corpus."""
    return CONVENTIONS.get(corpus, DEFAULT)
