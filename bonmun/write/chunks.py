"""Chunks for retrieval: a document cut into parts of limited size, each with its heading path and its places.

By heading: a section (a heading, its text and its subsections) that fits is one chunk, and neighbouring sections under
the same parent are merged while they fit together. A section that does not fit is divided into its own text and its
subsections, which follow the same rules; text that does not fit is packed block by block. By size: the whole document
is packed block by block.

Packing is greedy, and a heading stays with the block after it. Tables and code are never cut: one above the limit is a
chunk of its own, with the headings directly above it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Final

from bonmun.errors import UnknownName
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.chunk_packing import Packing
from bonmun.write.chunk_pieces import Piece, Pieces

_WAYS: Final = ("heading", "size")


@dataclass(frozen=True)
class Chunk:
    """A part of a document for retrieval; ``doc.markdown[chunk.start:chunk.end] == chunk.text``.

    >>> import bonmun
    >>> doc = bonmun.extract("<h1>Tea</h1><p>Tea is made of leaves, and of water that has just boiled.</p>")
    >>> chunk, = doc.chunks(max_tokens=100)
    >>> chunk.headings, chunk.tokens, doc.markdown[chunk.start : chunk.end] == chunk.text
    (('Tea',), 16, True)
    """

    text: str
    """The chunk as Markdown or, if asked for, plain text."""
    start: int
    """Where it begins in `Document.markdown` or `Document.text`."""
    end: int
    headings: tuple[str, ...]
    """The heading path, outermost first: the headings that hold for the whole chunk."""
    blocks: tuple[Block, ...]
    """The blocks it was written from; one that was cut is in several chunks."""
    tokens: int
    """Its number of tokens, by the given function or by `estimated_tokens`."""
    oversized: bool = False
    """Whether it exceeds the limit: a table or code, which is never cut."""

    @property
    def chars(self) -> int:
        """Its number of characters."""
        return len(self.text)

    @cached_property
    def xpaths(self) -> tuple[str, ...]:
        """The xpaths of its blocks."""
        return tuple(dict.fromkeys(block.xpath for block in self.blocks))

    @property
    def span(self) -> tuple[int, int] | None:
        """Start and end of its blocks in the page's UTF-8 bytes; `None` if the reader records no offsets."""
        spans = [block.span for block in self.blocks]
        known = [span for span in spans if span is not None]
        return (min(start for start, _ in known), max(end for _, end in known)) if known else None


def estimated_tokens(text: str) -> int:
    """Estimate the number of tokens: four ASCII characters, two of two bytes in UTF-8 or one of more bytes are a token.

    English has about four characters to a token, Greek and Russian two, Chinese, Japanese and Korean one.

    >>> estimated_tokens("tea and water"), estimated_tokens("вода"), estimated_tokens("물과 차"), estimated_tokens("茶")
    (4, 2, 4, 1)
    """
    chars, ascii_chars, size = len(text), len(text.encode("ascii", "ignore")), len(text.encode("utf-8", "replace"))
    long = size + ascii_chars - 2 * chars  # one for each of three bytes, two for each of four
    return -(-(ascii_chars + 2 * (chars - ascii_chars - long) + 4 * long) // 4)


def chunks(
    document: Document,
    max_tokens: int | None = None,
    *,
    max_chars: int | None = None,
    by: str = "heading",
    format: str = "markdown",
    tokens: Callable[[str], int] | None = None,
) -> tuple[Chunk, ...]:
    """Cut a document into chunks; see `Document.chunks`."""
    if by not in _WAYS:
        raise UnknownName("way to cut chunks", by, _WAYS)
    if max_tokens is not None and max_chars is not None:
        raise ValueError("max_tokens and max_chars are both given: a chunk has one limit")
    limit = max_chars if max_tokens is None else max_tokens
    if limit is not None and limit < 1:
        raise ValueError(f"the limit of a chunk must be at least 1, not {limit}")
    count = tokens or estimated_tokens
    size = len if max_tokens is None else count
    written = Pieces.of(document, format, lambda text: limit is None or size(text) <= limit)
    pieces = written.fitting()
    packing = Packing(written.whole, pieces, limit, size)
    ranges = packing.by_heading() if by == "heading" else packing.by_size()
    return tuple(
        _chunk(written.whole, pieces[start:stop], count, oversized=packing.exceeds(start, stop))
        for start, stop in ranges
    )


def _chunk(whole: str, pieces: Sequence[Piece], count: Callable[[str], int], *, oversized: bool) -> Chunk:
    start, end = pieces[0].start, pieces[-1].end
    text = whole[start:end]
    paths = [piece.headings for piece in pieces if not piece.level] or [piece.headings for piece in pieces]
    return Chunk(text, start, end, _shared(paths), _blocks(pieces), count(text), oversized)


def _blocks(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """The blocks of some pieces, each once."""
    blocks: dict[int, Block] = {}
    nodes: object = (
        None  # those that were cut into several pieces are looked at once: they may have thousands of blocks
    )
    for piece in pieces:
        if piece.line is None and piece.nodes is nodes:
            continue
        nodes = piece.nodes if piece.line is None else None
        blocks |= {block.index: block for block in piece.blocks}
    return tuple(blocks.values())


def _shared(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that all paths begin with."""
    levels = zip(*paths, strict=False)
    return tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))
