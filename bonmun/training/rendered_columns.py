"""Features of a block's place in a rendered page: its box, its column, and its neighbours in pixels."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from bonmun.errors import InputError
from bonmun.features.measured_page import LONG, log, share
from bonmun.model.layout import Layout
from bonmun.model.page import Page

_WIDER: Final = 1.1
"""Factor by which a container is wider than what it holds to be more than its column."""
_SNAP: Final = 4
"""Pixels by which edges of the same column may differ."""
_TINY: Final = 4
"""Maximum width or height of a box that holds text for screen readers only."""


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a block, in CSS pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels."""
        return self.bottom - self.top

    @property
    def column(self) -> tuple[int, int]:
        """Left edge and width, equal for blocks of the same column."""
        return self.left // _SNAP, self.width // _SNAP

    def beside(self, other: "Box") -> float:
        """The share of this box's width that is above or below the other box."""
        return share(max(0, min(self.right, other.right) - max(self.left, other.left)), self.width)


class RenderedPage:
    """The boxes of a page's blocks, with the counts that several features share."""

    def __init__(self, page: Page, layout: Layout) -> None:
        self.nodes, self.blocks, self.layout = page.nodes, page.blocks, layout
        blocks = page.blocks
        self.rows = list(blocks.element)
        self.boxes = [self.box(row) for row in self.rows]
        self.seen = [bool(layout.visible[row]) for row in self.rows]
        self.chars = [chars * seen for chars, seen in zip(blocks.chars, self.seen, strict=True)]
        prose = [
            chars if chars >= LONG and 2 * links < chars else 0
            for chars, links in zip(self.chars, blocks.link_chars, strict=True)
        ]
        self.sums = {"chars": _before(self.chars), "prose": _before(prose)}
        self.sums["links"] = _before([n * seen for n, seen in zip(blocks.link_chars, self.seen, strict=True)])
        self.total = max(1, sum(self.chars))
        self.columns = Counter[tuple[int, int]]()
        self.blocks_of_column = Counter[tuple[int, int]]()
        self.lefts = Counter[int]()
        weights = Counter[tuple[int, int]]()
        for box, chars, long in zip(self.boxes, self.chars, prose, strict=True):
            self.columns[box.column] += chars
            self.blocks_of_column[box.column] += 1
            self.lefts[box.left // _SNAP] += chars
            weights[box.column] += chars + 4 * long
        best = max(weights, key=weights.__getitem__) if weights else (0, 0)
        inside = [box for box, chars in zip(self.boxes, self.chars, strict=True) if box.column == best and chars]
        self.main = _around(inside)

    def box(self, row: int) -> Box:
        """The box of a row."""
        layout = self.layout
        return Box(layout.left[row], layout.top[row], layout.right[row], layout.bottom[row])

    def column_of(self, row: int) -> int:
        """The largest ancestor, itself included, that is hardly wider: the column that the page's layout shows."""
        widest = _WIDER * max(1, self.layout.width(row))
        while (above := self.nodes.parent[row]) >= 0 and self.layout.width(above) <= widest:
            row = above
        return row

    def sum_inside(self, name: str, row: int) -> int:
        """The sum of a count over the blocks inside an element."""
        first = bisect_left(self.blocks.first, row)
        stop = bisect_left(self.blocks.first, self.nodes.end[row])
        return self.sums[name][stop] - self.sums[name][first]


def rendered_columns(page: Page) -> dict[str, list[float]]:
    """Measure each block of a rendered page; raises `InputError` for a page without layout."""
    if page.layout is None:
        raise InputError("rendered columns need a page with a layout; `bonmun.render` makes one")
    drawn = RenderedPage(page, page.layout)
    return {**_boxes(drawn), **_text(drawn), **_main_column(drawn), **_containers(drawn), **_neighbours(drawn)}


def _boxes(drawn: RenderedPage) -> dict[str, list[float]]:
    """Boxes in pixels, and as shares of viewport and document."""
    (wide, high), (width, height) = drawn.layout.viewport, drawn.layout.document
    boxes, middle = drawn.boxes, min(wide, width) / 2
    centres = [((box.left + box.right) / 2, (box.top + box.bottom) / 2) for box in boxes]
    return {
        "drawn_visible": [float(seen) for seen in drawn.seen],
        "drawn_tiny": [float(box.width <= _TINY or box.height <= _TINY) for box in boxes],
        "drawn_outside": [float(box.right <= 0 or box.bottom <= 0 or box.left >= wide) for box in boxes],
        "drawn_left": [float(box.left) for box in boxes],
        "drawn_top": [float(box.top) for box in boxes],
        "drawn_width": [float(box.width) for box in boxes],
        "drawn_height": [float(box.height) for box in boxes],
        "drawn_right_share": [share(box.right, width) for box in boxes],
        "drawn_width_share": [share(box.width, width) for box in boxes],
        "drawn_top_share": [share(box.top, height) for box in boxes],
        "drawn_from_bottom": [float(height - box.bottom) for box in boxes],
        "drawn_area": [log(max(0, box.width * box.height)) for box in boxes],
        "drawn_area_share": [share(box.width * box.height, width * height) for box in boxes],
        "drawn_first_screen": [share(max(0, min(high, b.bottom) - max(0, b.top)), max(1, b.height)) for b in boxes],
        "drawn_off_centre": [abs(x - middle) for x, _ in centres],
        "drawn_d0": [hypot(x - wide / 2, y - high / 2) for x, y in centres],
        "drawn_d1": [hypot(x - middle, y - height / 2) for x, y in centres],
        "drawn_document_width": [float(width)] * len(boxes),
        "drawn_document_height": [float(height)] * len(boxes),
        "drawn_shown_share": [share(drawn.total, sum(drawn.blocks.chars))] * len(boxes),
    }


def _text(drawn: RenderedPage) -> dict[str, list[float]]:
    """The size of the type: pixels of a character, and of the box of the inner element (a line, if it is inline)."""
    inner = [drawn.box(max(0, drawn.nodes.parent[first])) for first in drawn.blocks.first]
    chars = [max(1, count) for count in drawn.blocks.chars]
    return {
        "drawn_per_character": [
            min(1e4, box.width * box.height / n) for box, n in zip(drawn.boxes, chars, strict=True)
        ],
        "drawn_inner_per_character": [
            min(1e4, box.width * box.height / n) for box, n in zip(inner, chars, strict=True)
        ],
        "drawn_inner_height": [float(box.height) for box in inner],
        "drawn_inner_width": [float(box.width) for box in inner],
        "drawn_inner_left": [float(box.left) for box in inner],
    }


def _main_column(drawn: RenderedPage) -> dict[str, list[float]]:
    """Blocks beside the column with the most text, and those that share a column."""
    main, boxes = drawn.main, drawn.boxes
    return {
        "drawn_to_main_left": [float(box.left - main.left) for box in boxes],
        "drawn_to_main_right": [float(box.right - main.right) for box in boxes],
        "drawn_of_main_width": [share(box.width, main.width) for box in boxes],
        "drawn_over_main": [box.beside(main) for box in boxes],
        "drawn_above_main": [float(main.top - box.top) for box in boxes],
        "drawn_below_main": [float(box.bottom - main.bottom) for box in boxes],
        "drawn_main_width": [float(main.width)] * len(boxes),
        "drawn_main_share": [share(drawn.columns[main.column], drawn.total)] * len(boxes),
        "drawn_column_share": [share(drawn.columns[box.column], drawn.total) for box in boxes],
        "drawn_column_blocks": [log(drawn.blocks_of_column[box.column]) for box in boxes],
        "drawn_left_share": [share(drawn.lefts[box.left // _SNAP], drawn.total) for box in boxes],
    }


def _containers(drawn: RenderedPage) -> dict[str, list[float]]:
    """The column around each block as the tree has it, up to where the width jumps, and the element above it."""
    layout, nodes = drawn.layout, drawn.nodes
    columns = [drawn.column_of(row) for row in drawn.rows]
    above = [max(0, nodes.parent[row]) for row in columns]
    outer = [drawn.column_of(row) for row in above]
    own = [(drawn.sum_inside("chars", row), drawn.sum_inside("links", row)) for row in columns]
    return {
        "drawn_in_width": [float(layout.width(row)) for row in columns],
        "drawn_in_height": [float(layout.height(row)) for row in columns],
        "drawn_in_top": [float(layout.top[row]) for row in columns],
        "drawn_in_share": [share(chars, drawn.total) for chars, _ in own],
        "drawn_in_links": [share(links, chars) for chars, links in own],
        "drawn_in_prose": [
            share(drawn.sum_inside("prose", row), chars) for row, (chars, _) in zip(columns, own, strict=True)
        ],
        "drawn_jump": [
            share(layout.width(row), max(1, layout.width(up))) for row, up in zip(columns, above, strict=True)
        ],
        "drawn_out_width": [float(layout.width(row)) for row in outer],
        "drawn_out_share": [share(drawn.sum_inside("chars", row), drawn.total) for row in outer],
        "drawn_out_prose": [
            share(drawn.sum_inside("prose", row), max(1, drawn.sum_inside("chars", row))) for row in outer
        ],
    }


def _neighbours(drawn: RenderedPage) -> dict[str, list[float]]:
    """Gaps to the blocks before and after, in pixels, and whether they stand side by side."""
    boxes = drawn.boxes
    before = [boxes[max(0, at - 1)] for at in range(len(boxes))]
    after = [boxes[min(len(boxes) - 1, at + 1)] for at in range(len(boxes))]
    return {
        "drawn_gap_before": [float(box.top - one.bottom) for box, one in zip(boxes, before, strict=True)],
        "drawn_gap_after": [float(one.top - box.bottom) for box, one in zip(boxes, after, strict=True)],
        "drawn_step_before": [float(box.left - one.left) for box, one in zip(boxes, before, strict=True)],
        "drawn_step_after": [float(one.left - box.left) for box, one in zip(boxes, after, strict=True)],
        "drawn_width_before": [share(box.width, max(1, one.width)) for box, one in zip(boxes, before, strict=True)],
        "drawn_width_after": [share(box.width, max(1, one.width)) for box, one in zip(boxes, after, strict=True)],
    }


def _before(counts: Sequence[int]) -> list[int]:
    """Prefix sums."""
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + count)
    return sums


def _around(boxes: Sequence[Box]) -> Box:
    """The smallest box around all; empty for none."""
    if not boxes:
        return Box(0, 0, 0, 0)
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
