"""Markdown and HTML by the compiled core, with the leaves and cells that Python writes."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, Unpack

from bonmun.core import Core, Shown, core
from bonmun.deadline import check
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.shown_columns import MANY_PICTURES, PYTHONS, block_of, entries_of, shown_columns
from bonmun.write.structure import Leaf

_MARKS: Final = (None, "strong", "em")
_CELL: Final = len(_MARKS)
"""The number of a request for a cell; others are the numbers of the mark around a leaf."""

Request = tuple[Leaf, str | None, bool]
"""A leaf, the mark around it, and whether its blocks are those of a cell."""
Answers = Callable[[Iterable[Request]], Iterator[str]]
_Write = Callable[[Unpack[Shown]], str | tuple[object, bytes] | None]


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
    if document.page.nodes.formulas or not document.output.is_complete or document.footnotes.labels:
        return None
    check()
    entries = entries_of(document)
    columns = shown_columns(document, entries, nesting, document.page.address_bases)
    if MANY_PICTURES in columns[2] or MANY_PICTURES | PYTHONS in columns[2]:
        return None
    written = write(*columns)
    if written is None or isinstance(written, str):
        return written
    plan, requests = written
    places, leaves = _requests(document, entries, requests)
    texts = dict(zip(places, answers(leaves), strict=True))
    order = array("i", sorted(texts))
    given = [texts[place].encode() for place in order]
    starts = array("i", [0, *accumulate(map(len, given))])
    return compiled.finish_plan(plan, order, starts, b"".join(given))


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
        leaf = Leaf([block_of(document, entries[place]) for place in inside])
        leaves.append((leaf, None if mark == _CELL else _MARKS[mark], mark == _CELL))
        at += 2 + count
    return places, leaves
