"""The blocks that a document shows as columns for the compiled writers."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from bonmun.core import AddressBases, Shown
from bonmun.model.boxes import DETAILS
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.page import Page
from bonmun.write.figures import Caption, MediaBlock, shown_entries
from bonmun.write.groups import BOX, TITLE

BOX_KINDS: Final = (DETAILS, "note", "tip", "important", "warning", "caution")
"""Kinds of boxes by number."""
_KIND_NUMBER: Final = {kind: number for number, kind in enumerate(BOX_KINDS)}
MANY_PICTURES: Final = 255
"""What the core gets for a caption of more pictures than it counts."""

_Boxes = tuple["array[int]", "array[int]", "array[int]"]


def entries_of(document: Document) -> "Sequence[int | Block]":
    """The blocks that structured formats show: the indexes of kept ones, and captions and media."""
    chosen = shown_entries(document)
    return document.kept if chosen is None else chosen


def block_of(document: Document, entry: "int | Block") -> Block:
    """The block of an entry."""
    return Block(document.page, document.verdicts, entry, output=document.output) if isinstance(entry, int) else entry


def shown_columns(
    document: Document, entries: "Sequence[int | Block]", nesting: int, bases: AddressBases = None
) -> Shown:
    """What the compiled writers get."""
    page = document.page
    shown, special = _columns(document, entries)
    boxes, rules = _boxes(page, entries)
    return page.writer_page, shown, special, nesting, boxes, rules, bases


def _columns(document: Document, entries: "Sequence[int | Block]") -> tuple["array[int]", bytearray]:
    """The blocks shown, `~row` for a medium; and for each 0, or 1 if Python has to write it, above for a caption."""
    parts = document.verdicts.parts
    if entries is document.kept and not parts:  # most documents
        return array("i", document.kept), bytearray(len(entries))
    shown, special = array("i"), bytearray()
    for entry in entries:
        if isinstance(entry, int):
            shown.append(entry)
            special.append(entry in parts)
        else:
            shown.append(~entry.medium.row if isinstance(entry, MediaBlock) else entry.index)
            special.append(min(1 + entry.pictures, MANY_PICTURES) if isinstance(entry, Caption) else 1)
    return shown, special


def _boxes(page: Page, entries: "Sequence[int | Block]") -> tuple[_Boxes, "array[int]"]:
    """The rows, groups and kinds of the boxes with blocks inside, and the blocks right behind an `hr`."""
    nodes, first = page.nodes, page.blocks.first
    rules = array("i", sorted({bisect_left(first, row) for row in nodes.rows_of("hr")}))
    groups: dict[int, tuple[int, int]] = {}
    if page.boxes:
        starts = [first[entry if isinstance(entry, int) else entry.index] for entry in entries]
        for row, box in page.boxes.items():
            if bisect_left(starts, row) != bisect_left(starts, nodes.end[row]):
                groups[row] = BOX, _KIND_NUMBER[box.kind]
                if box.title is not None:
                    groups.setdefault(box.title, (TITLE, 0))
    rows = sorted(groups)
    columns = (
        array("i", rows),
        array("i", [groups[row][0] for row in rows]),
        array("i", [groups[row][1] for row in rows]),
    )
    return columns, rules
