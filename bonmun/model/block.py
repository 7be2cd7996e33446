"""Blocks: the units a reader sees — a paragraph, a heading, a list item, a cell, a code block, a caption."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Final

from bonmun.core import BLOCK_COLUMNS, core
from bonmun.model.code import code_rows
from bonmun.model.gaps import is_gap
from bonmun.model.lazy import lazy
from bonmun.model.nodes import Column, Nodes
from bonmun.model.packing import PackedColumns, pack, unpack
from bonmun.model.scripts import script_at, script_text
from bonmun.model.tags import CELLS, HEADINGS, HIDDEN, PREFORMATTED, TAG_ID, TEXT, UNRENDERED, tag_set

_BREAK, _IMAGE = TAG_ID["br"], TAG_ID["img"]
_COLUMNS: Final = (*"kind_code level element first stop continues link_chars flags chars text_start text_stop".split(),)
_compiled_columns = attrgetter(*BLOCK_COLUMNS)


class Kind(StrEnum):
    """The kind of a block.

    >>> import bonmun
    >>> [block.kind for block in bonmun.extract("<h1>Tea</h1><p>Tea is made of leaves.").all_blocks]
    [<Kind.HEADING: 'heading'>, <Kind.PARAGRAPH: 'paragraph'>]
    """

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
    MEDIA = "media"
    """A video, a sound or an embedded player: only writers show it, as a link; it is in no table of blocks."""


KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.MEDIA)
"""Kinds of a page's blocks by number."""
_IMAGE_KIND: Final = KINDS.index(Kind.IMAGE)

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
"""Elements that determine the kind of the blocks inside them."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The block table of a page, in document order; built once by `read.segment`, read-only.

    A block's text nodes are the rendered ones of rows `first … stop` (`rows_shown`). Two tables are equal if all
    columns and texts are.
    """

    kind_code: Column
    """Index into `KINDS`."""
    level: Column
    """A heading's level, the nesting of a list item or quote (1 = outermost); 0 for the rest."""
    element: Column
    """The row of the block-level element around the text."""
    first: Column
    stop: Column
    continues: Column
    """1 if only a single `<br>` separates this block from the previous one."""
    link_chars: Column
    """Characters inside links."""
    flags: Column
    """The flags of `Nodes` that apply to the block: `HIDDEN`, `CONTROL`."""
    chars: Column
    """Characters of its text; 0 for an image."""
    text_start: Column
    text_stop: Column
    text_buffer: bytes
    """The texts in UTF-8; that of block `index` is `text_start[index] … text_stop[index]`."""
    tables: frozenset[int]
    """The rows of data tables; the others are layout tables."""

    def __len__(self) -> int:
        return len(self.chars)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Blocks):
            return NotImplemented
        names = ("text_buffer", *_COLUMNS, "tables")
        return self is other or all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash(self.text_buffer)

    def __reduce__(self) -> tuple[Callable[..., "Blocks"], tuple[object, ...]]:
        columns = [getattr(self, name) for name in _COLUMNS]
        return _unpacked, (pack(columns), self.text_buffer, self.tables)

    def with_kinds(self, kinds: bytes, levels: bytes) -> "Blocks":
        """The blocks with other kinds and levels."""
        return replace(self, kind_code=memoryview(kinds).cast("i"), level=memoryview(levels).cast("i"))

    def text_at(self, index: int) -> str:
        """The text of one block as a reader sees it."""
        return self.text_buffer[self.text_start[index] : self.text_stop[index]].decode()

    def of_kind(self, code: int) -> list[int]:
        """The indexes of all blocks of a kind, by its number."""
        compiled = core()
        if compiled:
            return memoryview(compiled.tag_rows(self.kind_code, code)).cast("i").tolist()
        return [index for index, kind in enumerate(self.kind_code) if kind == code]

    @lazy
    def columns(self) -> tuple[Any, ...]:
        """The columns for compiled code, as buffers: those of `core.BLOCK_COLUMNS`."""
        return _compiled_columns(self)

    @lazy
    def text(self) -> tuple[str, ...]:
        """The texts of all blocks."""
        return tuple(map(self.text_at, range(len(self))))

    @lazy
    def kind(self) -> tuple[Kind, ...]:
        """The kinds of all blocks."""
        return tuple(map(KINDS.__getitem__, self.kind_code))

    def of_row(self, nodes: Nodes) -> list[int]:
        """For every row of the page the block it belongs to; -1 for none."""
        owner = [-1] * len(nodes)
        for index, (first, stop) in enumerate(zip(self.first, self.stop, strict=True)):
            owner[first:stop] = [index] * (stop - first)
        return owner


def _unpacked(packed: PackedColumns, text_buffer: bytes, tables: frozenset[int]) -> Blocks:
    """The blocks that were pickled."""
    columns = dict(zip(_COLUMNS, unpack(packed), strict=True))
    return Blocks(**columns, text_buffer=text_buffer, tables=tables)


def xpath_rows(nodes: Nodes, blocks: Blocks) -> "array[int]":
    """For each block the row of its element; of its first node if the element has other blocks too, or for an image."""
    end, firsts = nodes.end, blocks.first
    rows, before = array("i"), -1
    if not len(blocks):
        return rows
    columns = zip(firsts, chain(islice(firsts, 1, None), (-1,)), blocks.element, blocks.kind_code, strict=True)
    for first, after, element, kind in columns:
        stop = end[element]
        shared = element <= before < stop or element <= after < stop
        rows.append(first if shared or kind == _IMAGE_KIND else element)
        before = first
    return rows


def xpath_row(nodes: Nodes, blocks: Blocks, index: int) -> int:
    """The same for one block."""
    element, first = blocks.element[index], blocks.first
    if blocks.kind_code[index] == _IMAGE_KIND:
        return first[index]
    stop, beside = nodes.end[element], (index - 1, index + 1)
    shared = any(0 <= other < len(first) and element <= first[other] < stop for other in beside)
    return first[index] if shared else element


def rows_shown(nodes: Nodes, first: int, stop: int, hidden: bool, images: bool = False) -> Iterator[int]:
    """The rendered rows of a block: text nodes, formulas, line breaks and, on request, images.

    Hidden rows inside a visible block are left out.
    """
    skipped = UNRENDERED if hidden else UNRENDERED | HIDDEN
    wanted = (TEXT, _BREAK, _IMAGE) if images else (TEXT, _BREAK)
    for row in range(first, stop):
        if (nodes.tag[row] in wanted or nodes.chars[row]) and not nodes.flags[row] & skipped:
            yield row


def text_of(nodes: Nodes, rows: Iterable[int], preformatted: bool, heading: bool = False) -> str:
    """The text of some rows as a reader sees it: white space collapsed and superscripts marked, except in code.

    The lines of a heading are separated by a space.
    """
    if preformatted:
        return code_rows(nodes, rows)
    rows = tuple(rows)
    pieces: list[str] = []
    tail = ""  # the last two characters
    previous, shown, index = -1, -1, 0  # rows: the text right before, the row before; the position in `rows`
    while index < len(rows):
        row = rows[index]
        script = script_at(nodes, shown, row)
        stop = bisect_left(rows, nodes.end[script], index) if script >= 0 else index + 1
        text = script_text(nodes, script, rows[index:stop], tail) if script >= 0 else None
        if text is None:
            text = _joined(nodes, rows[index:stop], previous, heading)
        pieces.append(text)
        tail = "".join(" " if char.isspace() else char for char in (tail + text[-2:])[-2:])
        shown, index = rows[stop - 1], stop
        previous = -1 if nodes.tag[shown] == _BREAK else shown
    return " ".join("".join(pieces).split())


def _joined(nodes: Nodes, rows: Iterable[int], previous: int, heading: bool) -> str:
    """The texts of rows with the gaps between them; `previous` is the row of the text right before, or -1."""
    pieces: list[str] = []
    for row in rows:
        if nodes.tag[row] == _BREAK:
            pieces.append("\n")
            previous = -1
        else:
            if previous >= 0 and is_gap(nodes, previous, row, heading):
                pieces.append(" ")
            pieces.append(nodes.text(row))
            previous = row
    return "".join(pieces).replace("\xad", "").replace("\ufeff", "")  # hyphenation hints, stray byte order marks
