"""Markdown and HTML by the compiled core, with the leaves and cells that Python writes."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from bonmun.core import AddressBases, Core, core
from bonmun.deadline import check
from bonmun.model.boxes import DETAILS
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.page import Page
from bonmun.write.figures import Caption, MediaBlock, shown_entries
from bonmun.write.groups import BOX, TITLE
from bonmun.write.structure import Leaf

BOX_KINDS: Final = (DETAILS, "note", "tip", "important", "warning", "caution")
"""Kinds of boxes by number."""
_KIND_NUMBER: Final = {kind: number for number, kind in enumerate(BOX_KINDS)}
_MARKS: Final = (None, "strong", "em")
_CELL: Final = len(_MARKS)
"""The number of a request for a cell; others are the numbers of the mark around a leaf."""

Columns = tuple["array[int]", "array[int]", "array[int]"]
Request = tuple[Leaf, str | None, bool]
"""A leaf, the mark around it, and whether its blocks are those of a cell."""
Answers = Callable[[Iterable[Request]], Iterator[str]]
_Write = Callable[
    [object, "array[int]", bytes | bytearray, int, Columns, "array[int]", AddressBases],
    str | tuple[object, bytes] | None,
]
_MOST_PICTURES: Final = 254
"""Pictures of a caption that the core counts."""


def compiled_markdown(document: Document, nesting: int, answers: Answers) -> str | None:
    """The blocks shown as Markdown; `None` where Python has to write all of it.

    That is without the compiled core, for documents with formulas or footnotes, without some of the output, and for
    tables that only HTML can express.
    """
    compiled = core()
    return _written(compiled, compiled.write_markdown, document, nesting, answers) if compiled else None


def compiled_html(document: Document, nesting: int, answers: Answers) -> str | None:
    """The same as HTML, a line for each outermost part."""
    compiled = core()
    return _written(compiled, compiled.write_html, document, nesting, answers) if compiled else None


def _written(compiled: Core, write: _Write, document: Document, nesting: int, answers: Answers) -> str | None:
    page = document.page
    if page.nodes.formulas or not document.output.is_complete or document.footnotes.labels:
        return None
    check()
    chosen = shown_entries(document)
    if chosen and any(isinstance(entry, Caption) and entry.pictures > _MOST_PICTURES for entry in chosen):
        return None
    entries: Sequence[int | Block] = document.kept if chosen is None else chosen
    shown, special = _columns(document, entries)
    boxes, rules = _boxes(page, entries)
    written = write(page.writer_page, shown, special, nesting, boxes, rules, page.address_bases)
    if written is None or isinstance(written, str):
        return written
    plan, requests = written
    places, leaves = _requests(document, entries, requests)
    texts = dict(zip(places, answers(leaves), strict=True))
    order = array("i", sorted(texts))
    given = [texts[place].encode() for place in order]
    starts = array("i", [0, *accumulate(map(len, given))])
    return compiled.finish_plan(plan, order, starts, b"".join(given))


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
            special.append(1 + entry.pictures if isinstance(entry, Caption) else 1)
    return shown, special


def _boxes(page: Page, entries: "Sequence[int | Block]") -> tuple[Columns, "array[int]"]:
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


def _requests(document: Document, entries: "Sequence[int | Block]", requests: bytes) -> tuple[list[int], list[Request]]:
    """The places of the first blocks of leaves and cells to write, and these."""
    numbers = memoryview(requests).cast("i")
    places: list[int] = []
    leaves: list[Request] = []
    at = 0
    while at < len(numbers):
        mark, count = numbers[at], numbers[at + 1]
        inside = numbers[at + 2 : at + 2 + count]
        places.append(inside[0])
        leaf = Leaf([_block(document, entries[place]) for place in inside])
        leaves.append((leaf, None if mark == _CELL else _MARKS[mark], mark == _CELL))
        at += 2 + count
    return places, leaves


def _block(document: Document, entry: "int | Block") -> Block:
    if isinstance(entry, int):
        return Block(document.page, document.verdicts, entry, output=document.output)
    return entry
