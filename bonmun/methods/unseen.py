"""Parts of kept blocks that are not read as text: permalinks of headings, labels for screen readers, names of icons.

They stay in the blocks that the method judges, and are left out of the result: the shipped model was trained on blocks
with them, and loses .0015 of word F1 on `wcxb_dev` on blocks without labels.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bonmun.model.assistive import MOST_ROWS, is_assistive, may_be_assistive
from bonmun.model.block import rows_shown
from bonmun.model.page import Page
from bonmun.model.permalinks import permalinks
from bonmun.model.tags import HIDDEN
from bonmun.model.verdict import Reason

UNSEEN: Final = Reason("unseen", "text for screen readers or the name of an icon")


def seen_parts(
    page: Page, keep: bytearray, headings: Iterable[int], elements: Iterable[int]
) -> tuple[dict[int, tuple[int, ...]], list[int]]:
    """Return the rows to keep of each kept block with text that is not seen, and the blocks without any other text.

    `headings`: the kept ones of several rows with a link; `elements`: those of `assistive_candidates`.
    """
    unseen: dict[int, set[int]] = {}
    for index, element in (*_permalinks(page, headings), *_assistive(page, keep, elements)):
        unseen.setdefault(index, set()).update(range(element, page.nodes.end[element]))
    parts = {index: _without(page, index, rows) for index, rows in unseen.items()}
    return {index: rows for index, rows in parts.items() if rows}, [index for index in parts if not parts[index]]


def _permalinks(page: Page, headings: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The permalinks of headings, as pairs of a block and an element."""
    blocks = page.blocks
    for index in headings:
        for element in permalinks(page.nodes, blocks.first[index], blocks.stop[index]):
            yield index, element


def assistive_candidates(page: Page, keep: bytearray) -> Sequence[int]:
    """The elements around kept blocks whose class may name text that is not seen."""
    first, blocks = keep.find(1), page.blocks
    if first < 0:
        return ()
    start, stop = max(blocks.first[first] - MOST_ROWS, 0), blocks.stop[keep.rfind(1)]
    return may_be_assistive(page.nodes, range(start, stop))


def _assistive(page: Page, keep: bytearray, elements: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Assistive text in kept blocks, as pairs of a block and an element."""
    nodes, done = page.nodes, 0
    for element in elements:
        if element < done:
            continue
        touched = [index for index in _blocks_of(page, element) if keep[index]]
        if touched and is_assistive(nodes, element):
            done = nodes.end[element]
            yield from ((index, element) for index in touched)


def _blocks_of(page: Page, element: int) -> range:
    """The blocks with rows of an element."""
    first, stop = page.blocks.first, page.nodes.end[element]
    start = max(bisect_right(first, element) - 1, 0)
    start += page.blocks.stop[start] <= element
    return range(start, bisect_left(first, stop, lo=start))


def _without(page: Page, index: int, unseen: set[int]) -> tuple[int, ...]:
    nodes, blocks = page.nodes, page.blocks
    hidden = bool(blocks.flags[index] & HIDDEN)
    shown = rows_shown(nodes, blocks.first[index], blocks.stop[index], hidden, images=True)
    rows = tuple(row for row in shown if row not in unseen)
    return rows if any(nodes.chars[row] for row in rows) else ()
