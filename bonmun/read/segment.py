"""Segment nodes into blocks, in one pass.

A block ends at the start or end of a block-level element, at a `<br>`, and around form controls; inline markup never
ends one. In headings, captions and code a `<br>` is white space: their lines are one block. So are the lines of code
that highlighters put into elements of their own.
"""

from operator import attrgetter
from typing import Final

from bonmun.core import BLOCK_COLUMNS, NODE_COLUMNS, Core, core
from bonmun.errors import LimitExceeded
from bonmun.limits import DEFAULT_LIMITS
from bonmun.model.aria import TABLE_TAGS, with_roles
from bonmun.model.attributes import SEGMENTED
from bonmun.model.block import KIND_OF_TAG, KINDS, Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import BLOCK_ROLE
from bonmun.model.tags import BLOCK_LEVEL, LINES_OF_CODE, LISTS, TAGS
from bonmun.read.segment_reference import segment_by_reference
from bonmun.read.sentence_buttons import with_sentence_buttons

KIND_ROLE, LIST_ROLE, LINE_ROLE = 15, 32, 64
"""Bits of a tag's role in the compiled twin; those of `KIND_ROLE` hold its index in `KINDS` plus 1, or 0."""
_ROLES: Final = bytes(
    (KINDS.index(KIND_OF_TAG[tag]) + 1 if tag in KIND_OF_TAG else 0)
    | (BLOCK_ROLE if tag in BLOCK_LEVEL else 0)
    | (LIST_ROLE if tag in LISTS else 0)
    | (LINE_ROLE if tag in LINES_OF_CODE else 0)
    for tag in range(len(TAGS))
)
_MOST_ROWS: Final = 2**31 - 2
_node_columns = attrgetter(*NODE_COLUMNS)


def segment(nodes: Nodes, most_blocks: int = DEFAULT_LIMITS.blocks) -> Blocks:
    """Segment a page into blocks; `LimitExceeded` for a page with more than `most_blocks`.

    >>> from bonmun.read.parse import parse
    >>> segment(parse("<h1>Title</h1><div>bare <b>bold</b> text<p>One<br>two")).text
    ('Title', 'bare bold text', 'One', 'two')
    """
    nodes, compiled = with_sentence_buttons(with_roles(nodes, TABLE_TAGS)), core()
    if compiled:
        return _segment_compiled(compiled, nodes, min(most_blocks, _MOST_ROWS))
    blocks = segment_by_reference(nodes)
    if len(blocks) > most_blocks:
        raise LimitExceeded("blocks", most_blocks + 1, most_blocks)
    return blocks


def _segment_compiled(compiled: Core, nodes: Nodes, most_blocks: int) -> Blocks:
    names = nodes.attr_numbers(SEGMENTED)
    segmented = compiled.segment(_node_columns(nodes), nodes.buffer, nodes.spill, _ROLES, names, most_blocks)
    if isinstance(segmented, str):
        raise LimitExceeded(segmented, most_blocks + 1, most_blocks)
    columns, text, tables = segmented
    blocks = Blocks.__new__(Blocks)
    fields = vars(blocks)
    fields.update(zip(BLOCK_COLUMNS, columns, strict=True))
    fields.update(text_buffer=text, tables=frozenset(memoryview(tables).cast("i")))
    return blocks
