"""A page's shape: the set of its block nodes' indexed paths (seed paper 004, definitions 1–5).

A path is a 64-bit rolling hash, so that sets of paths are small and fast to compare. `methods.density.indexed_path`
gives a path in readable form.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from zlib import crc32

from bonmun.methods.density import BLOCK_NODES
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAGS

Shape = frozenset[int]

_FACTOR, _MASK = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
_MIX = 0xFF51AFD7ED558CCD
_SAMPLE = 128


def shape_of(nodes: Nodes) -> Shape:
    """Return the set of paths of a page's block nodes.

    >>> from bonmun.read.parse import parse
    >>> one, two = parse("<div><div></div></div>"), parse("<div><div></div><div></div></div><p>")
    >>> len(shape_of(one)), len(shape_of(two)), similarity(shape_of(one), shape_of(two))
    (2, 3, 1.0)
    """
    return frozenset(paths_of(nodes))


def paths_of(nodes: Nodes) -> list[int]:
    """Return the path of every block node, in document order."""
    parents = nodes.parent
    paths: dict[int, int] = {-1: 0}
    places: dict[int, int] = {}
    places_of: dict[int, int] = {}
    block_paths = []
    for row, tag in enumerate(nodes.tag.tolist()):
        if tag in BLOCK_NODES:
            parent = parents[row]
            if parent not in paths:
                _add_path(nodes, parent, paths, places_of)
            key = parent << 8 | tag
            place = places[key] = places.get(key, 0) + 1  # siblings of the same tag are block nodes too
            path = (paths[parent] ^ tag << 20 ^ place) * _FACTOR & _MASK
            paths[row] = path = path ^ path >> 29
            block_paths.append(path * _MIX >> 3 & _MASK)
    return block_paths


def _add_path(nodes: Nodes, row: int, paths: dict[int, int], places: dict[int, int]) -> None:
    """Add the path of an ancestor of block nodes, and of its own ancestors; `places` are those known by row."""
    missing = [row]
    while (above := nodes.parent[missing[-1]]) not in paths:
        missing.append(above)
    for row in reversed(missing):
        parent, tag = nodes.parent[row], nodes.tag[row]
        if row not in places:  # all siblings at once: an element with many is not counted again for each of them
            _count_places(nodes, nodes.children(parent) if parent >= 0 else (row,), places)
        place = places[row]
        if tag >= len(TAGS):  # ids beyond the table differ from page to page
            tag = crc32(nodes.tag_names[tag].encode()) | 1 << 32
        path = (paths[parent] ^ tag << 20 ^ place) * _FACTOR & _MASK
        paths[row] = path ^ path >> 29


def _count_places(nodes: Nodes, siblings: Iterable[int], places: dict[int, int]) -> None:
    """Add the position of each of some siblings among those of its tag, from 1."""
    seen = Counter[int]()
    for sibling in siblings:
        seen[nodes.tag[sibling]] += 1
        places[sibling] = seen[nodes.tag[sibling]]


def similarity(one: Shape, other: Shape) -> float:
    """Return the overlap coefficient: shared paths as a share of the smaller shape; 0 if one is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


@dataclass(frozen=True, slots=True)
class Sketch:
    """A shape reduced for a file: its size and its smallest paths, truncated to 32 bits (bottom-k sketch).

    Paths are hashes, so the smallest ones are a random sample.

    >>> shape = frozenset(range(0, 2**64, 2**54))
    >>> sketch = Sketch.of(shape)
    >>> sketch.size, len(sketch.sample), sketch.similarity(shape)
    (1024, 128, 1.0)
    """

    size: int
    sample: frozenset[int]

    @classmethod
    def of(cls, shape: Shape) -> "Sketch":
        """The sketch of a shape."""
        return cls(len(shape), frozenset(nsmallest(_SAMPLE, _short(shape))))

    def similarity(self, shape: Shape) -> float:
        """Return a page's similarity to the sketched shape: exact for small shapes, an estimate for others."""
        smaller = min(self.size, len(shape))
        if not smaller:
            return float(self.size == len(shape))
        shared = self.size * len(self.sample & _short(shape)) / len(self.sample)
        return min(1.0, shared / smaller)


def _short(shape: Shape) -> frozenset[int]:
    return frozenset(path >> 32 for path in shape)
