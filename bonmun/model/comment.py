"""Readers' comments as threads."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.model.judged_block import Block


@dataclass(frozen=True, eq=False)
class Comment:
    """A reader's comment and the replies to it.

    >>> import bonmun
    >>> reply = '<li class=comment><b class=author>Bo</b><p>So did I.</p></li>'
    >>> first = f'<li class=comment><b class=author>Ann</b><p>I was on that ferry.</p><ul>{reply}</ul></li>'
    >>> story = "<p>" + "The harbour opened again on Saturday, and most people stayed until noon. " * 6 + "</p>"
    >>> doc = bonmun.extract(f"<article>{story}</article><ol id=comments>{first}</ol>")
    >>> [(comment.depth, comment.author, comment.text) for comment in doc.comments[0].thread()]
    [(0, 'Ann', 'I was on that ferry.'), (1, 'Bo', 'So did I.')]
    """

    author: str | None
    date: datetime.datetime | None
    """As the page states it; `None` for relative dates such as "2 days ago" and dates without a year."""
    depth: int
    """0 for a comment on the text, 1 for a reply to it, and so on."""
    blocks: "tuple[Block, ...]"
    """The blocks of its text, without author, date and buttons."""
    replies: "tuple[Comment, ...]"
    row: int
    """The row of its element in `page.nodes`."""
    xpath: str
    """The xpath of its element."""

    @cached_property
    def text(self) -> str:
        """The text: one line per block, an empty line between paragraphs."""
        pieces: list[str] = []
        for block in self.blocks:
            if text := block.text:
                pieces += ["\n" if block.continues else "\n\n", text]
        return "".join(pieces[1:])

    def thread(self) -> "Iterator[Comment]":
        """Yield the comment and all replies below it, in the order of the page."""
        waiting = [self]
        while waiting:
            comment = waiting.pop()
            yield comment
            waiting += reversed(comment.replies)

    def __repr__(self) -> str:
        return f"<Comment {self.author!r} {self.date} {self.text[:60]!r} {len(self.replies)} replies>"
