"""The compiled parts, where they could be built. Everything they do has a twin in Python that gives the same answer."""

import os
from functools import cache
from typing import Final, Protocol

Columns = tuple[bytes, ...]

NODE_COLUMNS: Final = (*"parent tag end start stop chars flags attr_first attr_name attr_start attr_stop".split(),)
"""The columns of `Nodes` that `segment`, `formula_rows` and `features` take, in this order; `features` takes `depth` after them."""
BLOCK_COLUMNS: Final = (
    *"kind_code level element first stop continues link_chars flags chars text_start text_stop".split(),
)
"""The columns of `Blocks` that `segment` returns and `features` takes, in this order."""


class Cells(Protocol):
    """Memory of 32-bit integers that a `memoryview` can be made of."""

    def __buffer__(self, flags: int, /) -> memoryview:
        """PEP 688; there from Python 3.12 on, the buffer itself always."""


PageMemory = tuple[Cells, int, int, Cells, int, int, bytes, bytes]
"""The columns by row, how many cells they are apart, and how many rows there are (each column starts with a cell that
is no row's); the same of those by attribute, without that cell; further tag names and all attribute names, a space
between them."""


class Core(Protocol):
    """What `bonmun._core` offers; its stub file says more."""

    def read(
        self,
        source: bytes,
        flags_of_tag: bytes,
        most_nodes: int,
        most_depth: int,
        most_attributes: int,
        seconds: float,
        /,
    ) -> str | tuple[PageMemory, bytes, int, int]:
        """Columns of a page."""

    def look(self, data: bytes, /) -> int:
        """0: not UTF-8; 1: only ASCII; 2: UTF-8 beyond ASCII."""

    def segment(
        self, columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, roles: bytes, names: bytes, /
    ) -> tuple[Columns, bytes, bytes]:
        """Blocks of a page."""

    def formula_rows(
        self, columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, tags: bytes, names: bytes, /
    ) -> bytes:
        """Rows that may be formulas."""

    def group(
        self, parent: memoryview, tag: memoryview, chars: memoryview, flags: memoryview, /
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, int]:
        """Same-path groups of a page."""

    def features(
        self,
        nodes: tuple[memoryview, ...],
        blocks: tuple[memoryview, ...],
        buffer: bytes,
        spill: bytes,
        text: bytes,
        roles: bytes,
        naming: bytes,
        concepts: bytes,
        term_weights: "memoryview[float]",
        name_weights: "memoryview[float]",
        /,
    ) -> bytes:
        """The feature table of a page."""

    def forest(
        self,
        feature: "memoryview[int]",
        threshold: "memoryview[float]",
        left: "memoryview[int]",
        right: "memoryview[int]",
        leaf: "memoryview[float]",
        start: "memoryview[int]",
        /,
    ) -> object:
        """Decision trees, checked and made ready."""

    def sums(self, forest: object, table: bytes, width: int, /) -> bytes:
        """For each row of a table the sum of the leaves that it reaches."""

    def contributions(self, forest: object, table: bytes, width: int, /) -> bytes:
        """For each cell of a table what its column did to the sum of its row."""


@cache
def core() -> Core | None:
    """The compiled module; `None` where it is missing or ``BONMUN_READER=reference`` asks to do without."""
    if os.environ.get("BONMUN_READER") == "reference":
        return None
    try:
        from bonmun import _core
    except ImportError:
        return None
    # A source tree without the built module has a folder of that name, which Python imports as an empty package.
    return _core if hasattr(_core, "read") else None
