"""The browser's elements and ours: both trees are built by the same rules, so nearly all tie in pre-order."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from bonmun.model.layout import Layout
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT

_LARGEST_DIFFERENCE = 4000
"""Elements between the common start and end of both trees that are aligned; larger differences stay untied."""


@dataclass(frozen=True, slots=True)
class DrawnElements:
    """The elements of a document in the browser, in pre-order."""

    names: Sequence[str]
    boxes: Sequence[int]
    """Left, top, right, bottom and visibility of each, one after the other."""
    viewport: tuple[int, int]
    document: tuple[int, int]


def tied(nodes: Nodes, drawn: DrawnElements) -> Layout:
    """Return the boxes by our rows."""
    rows = [row for row, tag in enumerate(nodes.tag) if tag != TEXT]
    ours = [nodes.name(row) for row in rows]
    theirs = [name.lower() for name in drawn.names]
    columns = [array("i", bytes(4 * len(nodes))) for _ in range(5)]
    found = 0
    for first, second, size in _matches(ours, theirs):
        found += size
        for row, number in zip(rows[first : first + size], range(second, second + size), strict=True):
            for column, value in zip(columns, drawn.boxes[5 * number : 5 * number + 5], strict=True):
                column[row] = value
    _fill_texts(nodes, columns)
    left, top, right, bottom, visible = columns
    return Layout(left, top, right, bottom, bytes(visible.tolist()), drawn.viewport, drawn.document, len(ours) - found)


def _fill_texts(nodes: Nodes, columns: Sequence["array[int]"]) -> None:
    """Give text nodes the box of their element."""
    for row, tag in enumerate(nodes.tag):
        if tag == TEXT and (parent := nodes.parent[row]) >= 0:
            for column in columns:
                column[row] = column[parent]


def _matches(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of elements that are the same in both: start in ours, start in theirs, length."""
    least = min(len(ours), len(theirs))
    start = next((at for at in range(least) if ours[at] != theirs[at]), least)
    end = next((at for at in range(least - start) if ours[-1 - at] != theirs[-1 - at]), least - start)
    yield 0, 0, start
    middle, other = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
    if middle and other and max(len(middle), len(other)) <= _LARGEST_DIFFERENCE:
        for block in SequenceMatcher(None, middle, other, autojunk=False).get_matching_blocks():
            yield start + block.a, start + block.b, block.size
    yield len(ours) - end, len(theirs) - end, end
