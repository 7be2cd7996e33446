"""Segment nodes into blocks, in one pass.

A block ends at the start or end of a block-level element, at a `<br>`, and around form controls; inline markup never
ends one. In headings, captions and code a `<br>` is white space: their lines are one block. So are the lines of code
that highlighters put into elements of their own.
"""

from collections.abc import Callable
from typing import Final

from bonmun.core import BLOCK_COLUMNS, Core, SegmentColumns, core
from bonmun.errors import LimitExceeded
from bonmun.limits import DEFAULT_LIMITS
from bonmun.model.aria import TABLE_TAGS, with_roles
from bonmun.model.attributes import SEGMENTED
from bonmun.model.block import KIND_OF_TAG, KINDS, Blocks
from bonmun.model.lazy import lazy
from bonmun.model.nodes import Column, Nodes
from bonmun.model.page import BLOCK_ROLE
from bonmun.model.tags import BLOCK_LEVEL, LINES_OF_CODE, LISTS, TAGS
from bonmun.read.compiled import STEPS, may_change
from bonmun.read.segment_reference import segment_by_reference
from bonmun.read.sentence_buttons import with_sentence_buttons

KIND_ROLE, LIST_ROLE, LINE_ROLE = 15, 32, 64
"""Bits of a tag's role in the compiled twin; those of `KIND_ROLE` hold its index in `KINDS` plus 1, or 0."""
ROLES: Final = bytes(
    (KINDS.index(KIND_OF_TAG[tag]) + 1 if tag in KIND_OF_TAG else 0)
    | (BLOCK_ROLE if tag in BLOCK_LEVEL else 0)
    | (LIST_ROLE if tag in LISTS else 0)
    | (LINE_ROLE if tag in LINES_OF_CODE else 0)
    for tag in range(len(TAGS))
)
"""The role of each tag, for the compiled twin."""
MOST_ROWS: Final = 2**31 - 2
"""The highest limit that the compiled twin takes."""
_NO_TABLES: Final = frozenset[int]()


def segment(nodes: Nodes, most_blocks: int = DEFAULT_LIMITS.blocks) -> Blocks:
    """Segment a page into blocks; `LimitExceeded` for a page with more than `most_blocks`.

    >>> from bonmun.read.parse import parse
    >>> segment(parse("<h1>Title</h1><div>bare <b>bold</b> text<p>One<br>two")).text
    ('Title', 'bare bold text', 'One', 'two')
    """
    if may_change(nodes, STEPS["ROLES"] | STEPS["BUTTONS"]):
        nodes = with_sentence_buttons(with_roles(nodes, TABLE_TAGS))
    compiled = core()
    if compiled:
        return _segment_compiled(compiled, nodes, min(most_blocks, MOST_ROWS))
    blocks = segment_by_reference(nodes)
    if len(blocks) > most_blocks:
        raise LimitExceeded("blocks", most_blocks + 1, most_blocks)
    return blocks


def _segment_compiled(compiled: Core, nodes: Nodes, most_blocks: int) -> Blocks:
    names = nodes.attr_numbers(SEGMENTED)
    segmented = compiled.segment(nodes.columns, nodes.buffer, nodes.spill, ROLES, names, most_blocks)
    return blocks_of(segmented, most_blocks)


def blocks_of(segmented: str | SegmentColumns, most_blocks: int) -> Blocks:
    """The answer of the core as blocks; `LimitExceeded` if it is the name of a limit."""
    if isinstance(segmented, str):
        raise LimitExceeded(segmented, most_blocks + 1, most_blocks)
    columns, text, tables = segmented
    blocks = SegmentedBlocks.__new__(SegmentedBlocks)
    rows = frozenset(memoryview(tables).cast("i")) if tables else _NO_TABLES
    vars(blocks).update(columns=columns, text_buffer=text, tables=rows)
    return blocks


class SegmentedBlocks(Blocks):
    """Blocks of the compiled segmentation, whose columns become views on first access."""

    def __len__(self) -> int:
        return len(self.columns[-1])

    def with_kinds(self, kinds: bytes, levels: bytes) -> Blocks:
        """The blocks with other kinds and levels."""
        other = SegmentedBlocks.__new__(SegmentedBlocks)
        columns = (kinds, levels, *self.columns[2:])  # the first of `BLOCK_COLUMNS`
        vars(other).update(columns=columns, text_buffer=self.text_buffer, tables=self.tables)
        return other


def _view(place: int) -> Callable[[SegmentedBlocks], Column]:
    def view(blocks: SegmentedBlocks) -> Column:
        column = memoryview(blocks.columns[place])
        return column if column.format == "i" else column.cast("i")

    return view


for _place, _name in enumerate(BLOCK_COLUMNS):
    lazy.add(SegmentedBlocks, _name, _view(_place))
