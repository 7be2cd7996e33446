"""Pages with a layout made by hand: boxes in the attribute `data-box`, or the parent's box."""

from dataclasses import replace

import bonmun
from bonmun.model.layout import Layout
from bonmun.model.page import Page

VIEWPORT = (1000, 800)


def drawn(html: str, document: tuple[int, int] = (1000, 2000)) -> Page:
    """Return a page whose elements have the box `data-box="left top right bottom"`, or their parent's.

    `data-box=""` hides an element and what is in it.
    """
    page = bonmun.read_page(html)
    nodes, boxes = page.nodes, list[tuple[int, ...]]()
    for row in range(len(nodes)):
        given, parent = nodes.attr(row, "data-box"), nodes.parent[row]
        around = boxes[parent] if parent >= 0 else (0, 0, *document)
        boxes.append(tuple(map(int, given.split())) if given is not None and around else around)
    sides = [[box[side] if box else 0 for box in boxes] for side in range(4)]
    left, top, right, bottom = sides
    return replace(page, layout=Layout(left, top, right, bottom, bytes(map(bool, boxes)), VIEWPORT, document))
