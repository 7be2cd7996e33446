"""The blocks that a document shows as columns for the compiled writers."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from bonmun.core import AddressBases, Shown, core
from bonmun.model.boxes import CALLOUT_ROLES, CALLOUT_WORDS, DETAILS, Box, boxes_among
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID
from bonmun.write.figures import Caption, MediaBlock, shown_entries
from bonmun.write.groups import BOX, TITLE

BOX_KINDS: Final = (DETAILS, "note", "tip", "important", "warning", "caution")
"""Kinds of boxes by number."""
_KIND_NUMBER: Final = {kind: number for number, kind in enumerate(BOX_KINDS)}
MANY_PICTURES: Final = 127
"""What the core gets for a caption of more pictures than it counts."""
PYTHONS: Final = 128
"""The bit of a block that Python writes, whatever it holds."""
_IMAGE: Final = TAG_ID["img"]

_Boxes = tuple["array[int]", "array[int]", "array[int]"]
_NO_BOXES: Final = (array("i"), array("i"), array("i"))


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
    boxes, rules = _boxes(page, entries, shown)
    return page.writer_page, shown, special, nesting, boxes, rules, bases


def _columns(document: Document, entries: "Sequence[int | Block]") -> tuple["array[int]", bytearray]:
    """The blocks shown, `~row` for a medium; for each the pictures of a caption, `PYTHONS` where Python writes it."""
    page, parts = document.page, document.verdicts.parts
    if entries is document.kept and not parts:  # most documents
        return array("i", document.kept), bytearray(len(entries))
    shown, special = array("i"), bytearray()
    for entry in entries:
        if isinstance(entry, int):
            shown.append(entry)
            special.append(PYTHONS * (entry in parts))
        elif isinstance(entry, MediaBlock):
            shown.append(~entry.medium.row)
            special.append(PYTHONS * (page.nodes.tag[entry.medium.row] != _IMAGE))
        else:
            shown.append(entry.index)
            pictures = min(entry.pictures, MANY_PICTURES) if isinstance(entry, Caption) else 0
            special.append(
                pictures | PYTHONS * (entry.index in parts or not (entry.keep or _is_text(page, entry.index)))
            )
    return shown, special


def _is_text(page: Page, index: int) -> bool:
    """Whether a block is without pictures; a dropped caption is shown without them."""
    first, stop = page.blocks.first[index], page.blocks.stop[index]
    return stop - first == 1 or _IMAGE not in page.nodes.tag[first:stop].tolist()


def _boxes_around(page: Page, shown: "array[int]") -> dict[int, Box]:
    """The boxes that may have some of the blocks inside."""
    compiled = core()
    if compiled is None:
        return page.boxes
    candidates = compiled.box_rows(page.writer_page, shown, CALLOUT_WORDS, CALLOUT_ROLES)
    return boxes_among(page.nodes, memoryview(candidates).cast("i")) if candidates else {}


def _boxes(page: Page, entries: "Sequence[int | Block]", shown: "array[int]") -> tuple[_Boxes, "array[int]"]:
    """The rows, groups and kinds of the boxes with blocks inside, and the blocks right behind an `hr`."""
    nodes, first = page.nodes, page.blocks.first
    rules = array("i", sorted({bisect_left(first, row) for row in nodes.rows_of("hr")}))
    boxes = _boxes_around(page, shown)
    if not boxes:  # as on most pages
        return _NO_BOXES, rules
    groups: dict[int, tuple[int, int]] = {}
    starts = [first[entry if isinstance(entry, int) else entry.index] for entry in entries]
    for row, box in boxes.items():
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
