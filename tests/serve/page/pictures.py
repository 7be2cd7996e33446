"""Copy the screenshots that docs/page.md shows into docs/images, with a palette of 256 colours: a third of the size.

python -m tests.serve.page.pictures out/screenshots
"""

import re
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DOCS = Path(__file__).parents[3] / "docs"
_HEAD = b"\x89PNG\r\n\x1a\n"
_COLOURS = 256
_RGB = 2  # PNG's type of colour
_PALETTE = 3


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_HEAD)
    while at < len(content):
        size, name = struct.unpack(">I4s", content[at : at + 8])
        yield name, content[at + 8 : at + 8 + size]
        at += 12 + size


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _pixels(content: bytes) -> NDArray[np.uint8]:
    """Decode a screenshot of Chromium: 8 bits, RGB, not interlaced."""
    chunks = list(_chunks(content))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    assert (depth, colour, interlaced) == (8, _RGB, 0)
    raw = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    lines = np.frombuffer(raw, np.uint8).reshape(height, 1 + 3 * width)
    above = np.zeros((width, 3), np.uint8)
    decoded = []
    for line in lines:
        above = _line(int(line[0]), line[1:].reshape(width, 3), above)
        decoded.append(above)
    return np.stack(decoded)


def _line(kind: int, line: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Undo the filter of a line: none, left, above, average or Paeth."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line, axis=0, dtype=np.uint8)
    if kind == 2:
        return line + above
    rows = [_channel(kind, line[:, channel].tolist(), above[:, channel].tolist()) for channel in range(3)]
    return np.array(rows, np.uint8).T


def _channel(kind: int, values: list[int], above: list[int]) -> list[int]:
    left = corner = 0
    decoded = []
    for value, up in zip(values, above, strict=True):
        left = (value + ((left + up) // 2 if kind == 3 else _paeth(left, up, corner))) & 255
        corner = up
        decoded.append(left)
    return decoded


def _paeth(left: int, up: int, corner: int) -> int:
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    return left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner


def _palette(colours: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return colours, given by frequency: the first of every shade, so that no rare hue is lost, then the others."""
    _, firsts = np.unique(colours & 0xE0E0E0, return_index=True)
    order = np.concatenate([np.sort(firsts), np.setdiff1d(np.arange(len(colours)), firsts)])
    return colours[order[:_COLOURS]]


def quantised(content: bytes) -> bytes:
    """Return a screenshot with 256 frequent colours; others become the nearest of them."""
    pixels = _pixels(content).astype(np.int32)
    codes = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    colours, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    palette = _palette(colours[np.argsort(-counts)])
    parts, of_palette = (np.stack([one >> 16, one >> 8 & 255, one & 255], -1) for one in (colours, palette))
    nearest = np.array([np.argmin(((of_palette - part) ** 2).sum(-1)) for part in parts], np.uint8)
    height, width = codes.shape
    lines = np.zeros((height, 1 + width), np.uint8)
    lines[:, 1:] = nearest[inverse].reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, _PALETTE, 0, 0, 0)
    chunks = (b"IHDR", header), (b"PLTE", of_palette.astype(np.uint8).tobytes()), (b"IDAT", zlib.compress(lines, 9))
    return _HEAD + b"".join(_chunk(name, data) for name, data in (*chunks, (b"IEND", b"")))


def main(folder: Path) -> None:
    """Copy all pictures; a missing one is an error."""
    for name in sorted(set(re.findall(r"\(images/([\w-]+\.png)\)", (DOCS / "page.md").read_text("utf-8")))):
        small = quantised((folder / name).read_bytes())
        (DOCS / "images" / name).write_bytes(small)
        print(f"{name}: {len(small) // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
