"""The pieces that chunks are made of: parts of a written document with their offsets, blocks and heading paths.

A piece is a node of the outline: a paragraph, a heading, a list, a table, a code block. One above the limit is divided,
unless it is a table or code: a list at its items, a quotation at its paragraphs, a paragraph at its sentences
(`chunk_cuts`).

The places of nodes inside a node are found by counting lines: writers indent lines, but neither add nor remove any.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bonmun.errors import UnknownName
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write import markdown, text
from bonmun.write.chunk_cuts import Cutter
from bonmun.write.markdown_line import compiled_line
from bonmun.write.structure import Definitions, Leaf, List, OutlineNode, Quote, Table, leaves, nodes_inside

_Writer = Callable[[Iterable[OutlineNode]], Iterator[tuple[OutlineNode, list[str]]]]
_FORMATS: Final[dict[str, tuple[Callable[[Document], list[OutlineNode]], _Writer]]] = {
    "markdown": (markdown.outline_of, markdown.written),
    "text": (text.outline_of, text.written),
}
_ONE_LINE: Final = (1,)
_GAP: Final = 2
"""Line breaks between two nodes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the written document: `start` and `end` are its offsets."""

    start: int
    end: int
    nodes: Sequence[OutlineNode] = ()
    headings: tuple[str, ...] = ()
    """The heading path; a heading's includes its own text."""
    level: int = 0
    """A heading's level; 0 for the rest."""
    line: Block | None = None
    """The block of a piece that is one line of several in a paragraph."""

    @property
    def blocks(self) -> list[Block]:
        """The blocks it was written from; for a part of a paragraph, those of the paragraph."""
        return [self.line] if self.line else [block for leaf in leaves(self.nodes) for block in leaf.blocks]


@dataclass(frozen=True)
class Pieces:
    """Finds the pieces of a document in one format."""

    document: Document
    format: str
    whole: str
    """The document as written."""
    nodes: Iterable[tuple[OutlineNode, list[str]]]
    """Its outermost nodes with their texts."""
    fits: Callable[[str], bool]

    @classmethod
    def of(cls, document: Document, format: str, fits: Callable[[str], bool]) -> "Pieces":
        """Write the document; raise `UnknownName` for another format than Markdown or text."""
        if format not in _FORMATS:
            raise UnknownName("format of chunks", format, _FORMATS)
        outline_of, writer = _FORMATS[format]
        nodes = writer(outline_of(document))
        if format == "text" or format in vars(document):  # written already
            return cls(document, format, document.text if format == "text" else document.markdown, nodes, fits)
        known = list(nodes)
        return cls(document, format, markdown.composed(document, known), known, fits)

    def fitting(self) -> list[Piece]:
        """The pieces in order; only tables, code blocks and their surroundings may exceed the limit."""
        pieces: list[Piece] = []
        above = None  # the start of the headings directly above
        for piece in self._of_outline():
            start = piece.start if above is None else above
            if self.fits(self.whole[start : piece.end]):
                pieces.append(piece)
            else:
                pieces += self._divided(piece, start)
            above = start if piece.level else None
        return pieces

    def _of_outline(self) -> Iterator[Piece]:
        """The pieces of the outermost nodes; text between them that belongs to no node is a piece without blocks."""
        path: list[tuple[int, str]] = []
        headings: tuple[str, ...] = ()
        end = 0
        for node, texts in self.nodes:
            start, stop = self._place(texts, end)
            if stop <= start:
                continue
            if end + _GAP < start:
                yield from self._unclaimed(end, start, headings)
            level = _heading_level(node)
            if level:
                while path and path[-1][0] >= level:
                    path.pop()
                path += [(level, heading)] if (heading := _heading_text(node)) else []
                headings = tuple(heading for _, heading in path)
            yield Piece(start, stop, (node,), headings, level)
            end = stop
        yield from self._unclaimed(end, len(self.whole), headings)

    def _place(self, texts: Sequence[str], after: int) -> tuple[int, int]:
        """The offsets of a node's texts behind an offset; an empty range if there are none."""
        start = end = after
        for number, part in enumerate(texts):
            gap = end + _GAP if end and self.whole.startswith("\n\n", end) else end
            while not self.whole.startswith(part, gap) and self.whole.startswith("\n", gap):
                gap += 1
            if not self.whole.startswith(part, gap):
                gap = self.whole.find(f"\n\n{part}", end) + 2  # behind text that belongs to no node
                if gap < 2:
                    break
            start, end = start if number else gap, gap + len(part)
        return start, end

    def _unclaimed(self, start: int, end: int, headings: tuple[str, ...]) -> Iterator[Piece]:
        while start < end:
            stop = self.whole.find("\n\n", start, end)
            stop = end if stop < 0 else stop
            if part := self.whole[start:stop].strip("\n"):
                place = self.whole.index(part, start)
                yield Piece(place, place + len(part), (), headings)
            start = stop + 2

    def _divided(self, piece: Piece, above: int) -> Iterator[Piece]:
        """The piece, or its parts if it exceeds the limit; with the headings above it, which begin at `above`."""
        if self.fits(self.whole[above : piece.end]):
            yield piece
        elif (groups := _groups(piece.nodes)) and (parts := self._inside(piece, groups)):
            for number, part in enumerate(parts):
                start = part.start if number else above
                if self.fits(self.whole[start : part.end]):
                    yield part
                else:
                    yield from self._divided(part, start)
        elif any(_is_atomic(node) for node in nodes_inside(piece.nodes)):
            yield piece
        else:
            yield from self._cut(piece)

    def _inside(self, piece: Piece, groups: Sequence[Sequence[OutlineNode]]) -> list[Piece]:
        """The parts of a piece that hold these groups of nodes; none if their lines do not add up to the piece's."""
        counts = [self._line_counts(group) for group in groups]
        missing = self.whole.count("\n", piece.start, piece.end) + 1 - sum(map(sum, counts))
        gaps = sum(map(len, counts)) - 1
        if missing not in (0, gaps):
            return []
        gap = 1 if missing and gaps else 0
        parts: list[Piece] = []
        offset = piece.start
        for group, sizes in zip(groups, counts, strict=True):
            if not sizes:
                continue
            end = self._end_of_lines(offset, sum(sizes) + gap * (len(sizes) - 1), piece.end)
            start = offset if _is_atomic(group[0]) else self._indented(offset, end)
            parts.append(Piece(start, end, group, piece.headings, 0, piece.line))
            offset = 1 + (self._end_of_lines(end + 1, 1, piece.end) if gap and end < piece.end else end)
        return parts

    def _line_counts(self, group: Sequence[OutlineNode]) -> Sequence[int]:
        """The number of lines of each text that some nodes are written as."""
        if len(group) == 1 and isinstance(leaf := group[0], Leaf) and len(leaf.blocks) == 1:
            block = leaf.blocks[0]
            line = block.text if self.format == "text" else compiled_line(block)
            if line is not None and leaf.kind is not Kind.CODE:
                return _ONE_LINE if line.strip() else ()
        _, writer = _FORMATS[self.format]
        return [part.count("\n") + 1 for _, texts in writer(group) for part in texts]

    def _end_of_lines(self, offset: int, count: int, stop: int) -> int:
        """Where `count` lines from an offset on end."""
        for _ in range(count):
            end = self.whole.find("\n", offset, stop)
            if end < 0:
                return stop
            offset = end + 1
        return offset - 1

    def _indented(self, offset: int, stop: int) -> int:
        """The first character behind the spaces at an offset."""
        line = self.whole[offset : self._end_of_lines(offset, 1, stop)]
        return offset + len(line) - len(line.lstrip(" "))

    def _cut(self, piece: Piece) -> Iterator[Piece]:
        """The parts of a paragraph: its lines, and the sentences of those above the limit."""
        content = self.whole[piece.start : piece.end]
        blocks = [block for block in piece.blocks if block.text]
        lines = content.split("\n")
        known = len(blocks) == len(lines) > 1
        markup = self.format == "markdown"
        cutter = Cutter(self.fits, self.document.language or "und", markup, bool(self.document.page.nodes.formulas))
        offset = piece.start
        for number, line in enumerate(lines) if known else [(0, content)]:
            for start, end in cutter.parts(line.removesuffix("\\") if markup and known else line):
                block = blocks[number] if known else None
                yield Piece(offset + start, offset + end, piece.nodes, piece.headings, 0, block)
            offset += len(line) + 1


def _groups(nodes: Sequence[OutlineNode]) -> list[Sequence[OutlineNode]]:
    """The parts of some nodes: the nodes, or the items or paragraphs of a single one. Empty for one without parts."""
    if len(nodes) != 1:
        return [[node] for node in nodes]
    match nodes[0]:
        case List() as node:
            return list(node.items)
        case Quote() as node:
            return [[child] for child in node.children]
        case Definitions() as node:
            return [entry.children for entry in node.entries]
    return []


def _is_atomic(node: OutlineNode) -> bool:
    return isinstance(node, Table) or (isinstance(node, Leaf) and node.kind is Kind.CODE)


def _heading_level(node: OutlineNode) -> int:
    return node.blocks[0].level if isinstance(node, Leaf) and node.kind is Kind.HEADING else 0


def _heading_text(node: OutlineNode) -> str:
    return node.blocks[0].text if isinstance(node, Leaf) else ""
