"""Pages with a layout that no browser made: boxes by the ids of elements, and a blank screenshot."""

import struct
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import replace

from bonmun.model.layout import Layout
from bonmun.model.page import Page
from bonmun.model.tags import TEXT
from bonmun.read.page import read_page

Sides = tuple[int, int, int, int]
SIZE = (400, 300)


def blank_png(width: int, height: int) -> bytes:
    """A white picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\xff" * width for _ in range(height)))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def laid_out(
    html: str, boxes: Mapping[str, Sides], *, screenshot: bytes | None = None, document: tuple[int, int] = SIZE
) -> Page:
    """A page whose elements with an id have these boxes; the others are not visible."""
    page = read_page(html)
    nodes = page.nodes
    columns = [array("i", bytes(4 * len(nodes))) for _ in range(5)]
    for row in range(len(nodes)):
        owner = nodes.parent[row] if nodes.tag[row] == TEXT else row
        sides = boxes.get((owner >= 0 and nodes.attr(owner, "id")) or "")
        for column, value in zip(columns, (*sides, 1) if sides else (0,) * 5, strict=True):
            column[row] = value
    picture = blank_png(*SIZE) if screenshot is None else screenshot
    left, top, right, bottom, visible = columns
    layout = Layout(left, top, right, bottom, bytes(visible.tolist()), (400, 200), document, screenshot=picture)
    return replace(page, layout=layout)
