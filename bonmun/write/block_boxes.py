"""Where the blocks of a rendered page are on its screenshot, from the boxes of the elements."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bonmun.errors import RenderError
from bonmun.model.block import KINDS, Kind
from bonmun.model.layout import Layout
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID, TEXT

_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_LEAST = 3
"""Pixels of a side: smaller boxes are text for screen readers alone, clipped to a pixel."""
_ROUNDING = 20
_NEAR = 64
"""Elements around a line of text that are asked for their edge: pages can have thousands without one."""
_BREAK, _IMAGE_KIND = TAG_ID["br"], KINDS.index(Kind.IMAGE)


class BlockBox(NamedTuple):
    """A rectangle in CSS pixels from the top left of the document."""

    left: int
    top: int
    right: int
    bottom: int

    def within(self, size: tuple[int, int]) -> "BlockBox | None":
        """The part of it on a picture of that width and height; `None` if nothing is left to see.

        >>> BlockBox(-20, 90, 50, 200).within((100, 100)), BlockBox(-999, 0, -899, 20).within((100, 100))
        (BlockBox(left=0, top=90, right=50, bottom=100), None)
        """
        width, height = size
        cut = BlockBox(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))
        return cut if cut.is_seen else None

    @property
    def is_seen(self) -> bool:
        """Whether it is large enough to be seen."""
        return self.right - self.left >= _LEAST and self.bottom - self.top >= _LEAST


def screenshot_of(page: Page) -> tuple[bytes, tuple[int, int]]:
    """Return the screenshot of a page, a PNG, and its width and height; raise `RenderError` if there is none."""
    if page.layout is None or page.layout.screenshot is None:
        mend = "bonmun.render(page, settings=bonmun.RenderSettings(screenshot=True)) takes one"
        raise RenderError(f"the page has no screenshot: {mend}")
    picture = page.layout.screenshot
    if not picture.startswith(_PNG) or len(picture) < len(_PNG) + 8:
        raise RenderError("the screenshot of the page is not a PNG: render the page again")
    width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
    return picture, (width, height)


def is_cut(layout: Layout, height: int) -> bool:
    """Whether a screenshot of that height ends before the page does; both sizes are rounded differently."""
    return layout.document[1] - height > _ROUNDING


def block_boxes(page: Page, layout: Layout) -> list[BlockBox | None]:
    """Return the box of every block; `None` for a block that the browser did not draw.

    A block has the box of its element. Lines of text that share an element have parts of it: from the element or line
    break before to the one after.
    """
    boxes = _Boxes(page, layout)
    return [boxes.of_block(index) for index in range(len(page.blocks))]


class _Boxes:
    """Finds the boxes of a page's blocks."""

    def __init__(self, page: Page, layout: Layout) -> None:
        self.page, self.layout = page, layout
        self.nodes: Nodes = page.nodes

    def of_block(self, index: int) -> BlockBox | None:
        """The box of a block."""
        blocks = self.page.blocks
        if blocks.kind_code[index] == _IMAGE_KIND:
            return self.of_row(blocks.first[index])
        element, first, stop = blocks.element[index], blocks.first[index], blocks.stop[index]
        whole = self.of_row(element)
        if self.page.xpath_rows[index] == element:
            return whole or self.around(range(element + 1, self.nodes.end[element]))
        line = self._line(whole, element, first, stop) if whole else None
        if line and line.is_seen:
            return line
        return self.around(range(self._start(element, first, stop), stop)) or whole

    def of_row(self, row: int) -> BlockBox | None:
        """The box of an element that can be seen."""
        layout = self.layout
        if self.nodes.tag[row] == TEXT or not layout.visible[row]:
            return None
        box = BlockBox(layout.left[row], layout.top[row], layout.right[row], layout.bottom[row])
        return box if box.is_seen else None

    def around(self, rows: Iterable[int]) -> BlockBox | None:
        """The smallest box around those of some elements."""
        found = [box for box in map(self.of_row, rows) if box is not None]
        return _union(found) if found else None

    def _start(self, element: int, first: int, stop: int) -> int:
        """The outermost element that begins with a line of text and ends with it or before; else its first row."""
        nodes, row = self.nodes, first
        while (parent := nodes.parent[row]) > element and nodes.end[parent] <= stop:
            row = parent
        return row

    def _line(self, whole: BlockBox, element: int, first: int, stop: int) -> BlockBox:
        """The part of an element's box between what comes before some of its rows and what comes after them."""
        above = next(self._edges_above(element, first), whole.top)
        below = next(self._edges_below(element, stop), whole.bottom)
        return BlockBox(whole.left, max(whole.top, above), whole.right, min(whole.bottom, below))

    def _edges_above(self, element: int, first: int) -> Iterator[int]:
        """Yield the bottoms of the elements before a row, the nearest first."""
        nodes, row = self.nodes, first - 1
        for _ in range(_NEAR):
            if row <= element:
                return
            while (parent := nodes.parent[row]) > element and nodes.end[parent] <= first:
                row = parent
            if nodes.end[row] <= first and nodes.tag[row] != TEXT and self.layout.visible[row]:
                yield self.layout.bottom[row]
            row -= 1

    def _edges_below(self, element: int, stop: int) -> Iterator[int]:
        """Yield the tops of the elements after a row, the nearest first; of a line break, its bottom."""
        nodes, layout, row = self.nodes, self.layout, stop
        for _ in range(_NEAR):
            if row >= nodes.end[element]:
                return
            if nodes.tag[row] == TEXT:
                row += 1
                continue
            if layout.visible[row]:
                yield layout.bottom[row] if nodes.tag[row] == _BREAK else layout.top[row]
            row = nodes.end[row]


def _union(boxes: Sequence[BlockBox]) -> BlockBox:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return BlockBox(min(lefts), min(tops), max(rights), max(bottoms))
