"""Segment nodes into blocks, in one pass.

A block ends at the start or end of a block-level element, at a `<br>`, and around form controls; inline markup never
ends one. In headings, cells, captions and code a `<br>` is white space: their lines are one block.
"""

from array import array
from itertools import accumulate
from typing import Final

from bonmun.core import Core, core
from bonmun.model.block import KIND_OF_TAG, KINDS, Blocks, Kind, code_text
from bonmun.model.nodes import Column, Nodes
from bonmun.model.tags import BLOCK_LEVEL, LISTS, TAGS
from bonmun.read.segment_reference import segment_by_reference

_BLOCK, _LIST = 16, 32  # as in _core/segment.h; the low bits are the number of the kind and one
_ROLES: Final = bytes(
    (KINDS.index(KIND_OF_TAG[tag]) + 1 if tag in KIND_OF_TAG else 0)
    | (_BLOCK if tag in BLOCK_LEVEL else 0)
    | (_LIST if tag in LISTS else 0)
    for tag in range(len(TAGS))
)
_NAMES: Final = (
    *"width height role src data-src data-original data-lazy-src data-lazy data-url srcset data-srcset".split(),
)
_CODE: Final = KINDS.index(Kind.CODE)


def segment(nodes: Nodes) -> Blocks:
    """Segment a page into blocks.

    >>> from bonmun.read.parse import parse
    >>> segment(parse("<h1>Title</h1><div>bare <b>bold</b> text<p>One<br>two")).text
    ('Title', 'bare bold text', 'One', 'two')
    """
    compiled = core()
    return _segment_compiled(compiled, nodes) if compiled else segment_by_reference(nodes)


def _segment_compiled(compiled: Core, nodes: Nodes) -> Blocks:
    rows = (nodes.parent, nodes.tag, nodes.end, nodes.start, nodes.stop, nodes.chars, nodes.flags)
    attributes = (nodes.attr_first, nodes.attr_name, nodes.attr_start, nodes.attr_stop)
    names = array("i", (nodes.attr_id.get(name, -1) for name in _NAMES))
    columns, text, tables = compiled.segment(rows + attributes, nodes.buffer, nodes.spill, _ROLES, names.tobytes())
    kind, level, element, first, stop, continues, link_chars, flags, chars, starts, stops = map(_column, columns)
    if _CODE in kind:
        text, chars, starts, stops = _with_code(text, kind, starts, stops)
    return Blocks(
        kind_code=kind,
        level=level,
        element=element,
        first=first,
        stop=stop,
        continues=continues,
        link_chars=link_chars,
        flags=flags,
        chars=chars,
        text_start=starts,
        text_stop=stops,
        text_buffer=text,
        tables=frozenset(_column(tables)),
    )


def _column(data: bytes) -> Column:
    return memoryview(data).cast("i")


def _with_code(text: bytes, kind: Column, starts: Column, stops: Column) -> tuple[bytes, Column, Column, Column]:
    """Normalize the white space of code blocks, which the compiled segmentation leaves as it is."""
    pieces = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    for at, code in enumerate(kind):
        if code == _CODE:
            pieces[at] = code_text(pieces[at].decode()).encode()
    ends = array("i", accumulate(map(len, pieces)))
    begins = array("i", [0, *ends[:-1]])
    chars = array("i", [len(piece.decode()) for piece in pieces])
    return b"".join(pieces), memoryview(chars), memoryview(begins), memoryview(ends)
