"""The compiled module, if it could be built. Each of its functions has an equivalent in Python."""

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from array import array

Columns = tuple[bytes, ...]

NODE_COLUMNS: Final = (*"parent tag end start stop chars flags attr_first attr_name attr_start attr_stop".split(),)
"""The columns of `Nodes` that `segment`, `formula_rows`, `nodes` and `measure` take, in this order;
`measure` takes `depth` after them."""
BLOCK_COLUMNS: Final = (
    *"kind_code level element first stop continues link_chars flags chars text_start text_stop".split(),
)
"""The columns of `Blocks` that `segment` returns and `measure` takes, in this order."""

TEXT_COLUMNS: Final = ("kind_code", "chars", "text_start", "text_stop")
"""The columns of `Blocks` that `dated_blocks` and `letters` take, in this order."""

PageFacts = tuple[bytes, bytes, bytes, bytes]
"""For each low byte of a tag's number 1 if the page may have the tag; the numbers of known attributes;
the rows of `formula_rows`; the rows whose role may be one of `model.nodes`."""
ReadColumns = tuple[tuple[memoryview, ...], bytes, bytes, bytes, PageFacts, int, int]
"""The columns of `read.compiled`; the spill; further tag names and all attribute names, separated by spaces; facts; the
numbers of elements and attributes that were cut."""

AddressBases = tuple[bytes, bytes, bytes, bytes] | None
"""Scheme, root, folder and own address of a page, all empty if its URL is invalid; `None` for a page without URL."""

Shown = tuple[
    object,
    "array[int]",
    bytes | bytearray,
    int,
    "tuple[array[int], array[int], array[int]]",
    "array[int]",
    AddressBases,
]
"""What the writers get: the page of `writer_page`; the blocks shown, `~row` for a medium; for each 0, 1 if Python has
to write it, above for a caption; the most groups around a block; rows, groups and kinds of boxes; the blocks behind an
`hr`; the bases of addresses."""


class Core(Protocol):
    """The functions of `bonmun._core`."""

    def read(
        self,
        source: bytes,
        flags_of_tag: bytes,
        most_nodes: int,
        most_depth: int,
        most_attributes: int,
        seconds: float,
        /,
    ) -> str | ReadColumns:
        """The node columns of a page."""

    def look(self, data: bytes, /) -> int:
        """0: not UTF-8; 1: ASCII only; 2: UTF-8 beyond ASCII; plus 4 for UTF-8 with forbidden characters."""

    def next_meta(self, head: bytes, position: int, /) -> tuple[dict[bytes, bytes], int] | None:
        """The attributes of the next `<meta>` that may declare an encoding; `read.encodings` has the twin."""

    def has_forbidden(self, data: bytes, /) -> bool:
        """Whether UTF-8 has a character that XML 1.0 forbids; `model.valid_text` has the twin."""

    def forbidden_ranges(self, start: memoryview, stop: memoryview, buffer: bytes, spill: bytes, /) -> bytes:
        """The indexes of the ranges with forbidden characters; `read.valid_nodes` has the twin."""

    def segment(
        self,
        columns: tuple[memoryview, ...],
        buffer: bytes,
        spill: bytes,
        roles: bytes,
        names: bytes,
        most_blocks: int,
        /,
    ) -> str | tuple[tuple[memoryview, ...], bytes, bytes]:
        """The blocks of a page, or the name of the limit exceeded."""

    def formula_rows(
        self, columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, tags: bytes, names: bytes, /
    ) -> bytes:
        """Rows that may be formulas."""

    def nodes(self, columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, /) -> object:
        """The columns of a page, held for many calls."""

    def attribute(self, nodes: object, row: int, name: int, most: int, /) -> str | None:
        """The value of an attribute, its first bytes, -1 for all; `None` for one that the row does not have."""

    def text(self, nodes: object, row: int, /) -> str:
        """The characters of a row."""

    def content(self, nodes: object, row: int, /) -> str:
        """All text inside an element."""

    def attribute_rows(self, nodes: object, name: int, words: bytes, first: int, stop: int, /) -> bytes:
        """Rows by the value of an attribute."""

    def tag_rows(self, tag: memoryview, number: int, /) -> bytes:
        """The indexes of a number in a column: rows by their tag, blocks by their kind."""

    def elements(
        self, nodes: object, tag: int, names: "array[int]", needed: int, most: int, /
    ) -> list[tuple[Any, ...]]:
        """Rows of elements with the values of some attributes."""

    def dated_blocks(self, columns: tuple[memoryview, ...], text: bytes, first: int, most: int, /) -> bytes:
        """Short blocks with the first digits of a year."""

    def letters(
        self,
        columns: tuple[memoryview, ...],
        text: bytes,
        skipped: int,
        least: int,
        most: int,
        enough: int,
        ranges: "array[int]",
        /,
    ) -> bytes:
        """The letters in a sample of texts: of ASCII, and of ranges of code points."""

    def group(
        self, parent: memoryview, tag: memoryview, chars: memoryview, flags: memoryview, /
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, int]:
        """The same-path groups of a page."""

    def inline_markdown(
        self,
        nodes: object,
        href: int,
        first: int,
        stop: int,
        element: int,
        skipped: int,
        heading: bool,
        extra: int,
        tildes: int,
        /,
    ) -> str | None:
        """The Markdown of a block, with the rows of links between NULs; `None` for one with images or scripts."""

    def json_links(
        self,
        nodes: tuple[memoryview, ...],
        blocks: tuple[memoryview, ...],
        rest: "tuple[bytes | memoryview | array[int], ...]",
        href: int,
        page: object,
        bases: AddressBases,
        /,
    ) -> tuple[bytes, list[str | None]]:
        """Rows of links around texts of some blocks; addresses as JSON, `None` where Python has to look."""

    def json_string(self, text: str, /) -> str:
        """A text without surrogates as a JSON string, as `json` writes it."""

    def json_blocks(
        self,
        nodes: tuple[memoryview, ...],
        blocks: tuple[memoryview, ...],
        rest: "tuple[bytes | memoryview | array[int] | array[float], ...]",
        href: int,
        style: int,
        page: object,
        bases: AddressBases,
        addresses: tuple[str, ...],
        kinds: tuple[str, ...],
        before: tuple[str, ...],
        after: tuple[str, ...],
        /,
    ) -> list[str | int]:
        """Blocks as JSON; `write.json_blocks` has the arguments."""

    def measure(
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
    ) -> object:
        """A page, measured for `features`."""

    def features(self, measured: object, first: int, stop: int, /) -> bytes:
        """The features of some blocks of a measured page. Not for two threads at once."""

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
        """Decision trees, validated and prepared."""

    def sums(self, forest: object, table: bytes, width: int, /) -> bytes:
        """For each row of a table the sum of its leaves."""

    def contributions(self, forest: object, table: bytes, width: int, /) -> bytes:
        """For each cell of a table its contribution to the sum of its row."""

    def judge(
        self,
        measured: object,
        table: bytes | None,
        blocks: tuple[object, object],
        about: tuple[object, ...],
        recalls: "array[float]",
        bounds: tuple[float, float, float, float],
        tables: "array[int]",
        stops: "array[int]",
        may_be_plain: bool,
        beta: float,
        seconds: float,
        /,
    ) -> str | tuple[bytes, bytearray, bytes, bytes, float, int, bool, int]:
        """Scores, choice and summary of a measured page, or the name of the limit exceeded."""

    def end_of_text(self, measured: object, scores: "array[float]", /) -> int:
        """The first block behind the element with most of the expected text."""

    def text_ends(
        self, measured: object, keep: bytearray, titles: bytes, notices: bytes, /
    ) -> tuple[bytes, bool, bool]:
        """The first and last kept texts; whether one may be a title from elsewhere, or a closing notice."""

    def gaps(self, measured: object, kinds: "memoryview | array[int]", keep: bytearray, /) -> bytes:
        """Dropped parts of a text between kept blocks of other kinds."""

    def callout_titles(self, measured: object, keep: bytearray, callouts: bytes, /) -> bytes:
        """Dropped blocks that may be titles of kept callouts."""

    def linked_headings(self, measured: object, keep: bytearray, /) -> bytes:
        """Kept headings of several rows with a link."""

    def pictures(self, measured: object, keep: bytearray, decided: "array[int]", captions: bytes, /) -> bytes:
        """Decides on pictures by the texts around them; returns those that depend on captions."""

    def calibrate(self, xs: "array[float]", ys: "array[float]", raw: "array[float]", /) -> bytes:
        """Scores mapped by a piecewise linear function with these knots."""

    def means(self, table: "memoryview[float]", width: int, /) -> bytes:
        """The mean of each column of a table."""

    def places(
        self,
        parent: memoryview,
        depth: memoryview,
        tag: memoryview,
        end: memoryview,
        kinds: bytes,
        deepest: int,
        anchor: int,
        /,
    ) -> bytes:
        """The index of each row among its siblings, as `model.xpaths` counts them."""

    def ranks(
        self,
        contributions: "memoryview[float]",
        keep: bytes,
        wanted: bytes,
        mean: "array[float]",
        columns: "array[int]",
        stops: "array[int]",
        whole: bytes,
        /,
    ) -> bytes:
        """For each wanted row of contributions the groups of columns that speak most for its verdict."""

    def writer_page(
        self,
        nodes: tuple[memoryview, ...],
        blocks: tuple[memoryview, ...],
        buffer: bytes,
        spill: bytes,
        text: bytes,
        tables: bytes,
        names: bytes,
        roles: bytes,
        /,
    ) -> object:
        """A page, prepared for the writers."""

    def write_text(
        self,
        page: object,
        shown: "array[int]",
        nesting: int,
        places: "array[int]",
        starts: "array[int]",
        texts: bytes,
        /,
    ) -> str:
        """Blocks as plain text; `texts` are those of the blocks at `places` among them."""

    def write_markdown(self, *shown: *Shown) -> str | tuple[object, bytes] | None:
        """Blocks as Markdown; a plan with requests where Python writes some of them, `None` where it writes all."""

    def write_html(self, *shown: *Shown) -> str | tuple[object, bytes] | None:
        """The same as HTML, a line for each outermost part."""

    def json_groups(self, *shown: *Shown) -> tuple[bytes, bytes, tuple[str, ...]]:
        """The blocks in the order of JSON: their places among those shown, whether they continue, fields of place."""

    def finish_plan(self, plan: object, places: "array[int]", starts: "array[int]", texts: bytes, /) -> str | None:
        """The text of a plan whose requests are answered."""

    def known_pictures(self, page: object, blocks: "array[int]", bases: AddressBases, /) -> bytes:
        """For each block 1 if the address of its picture is known; 0 where Python has to look."""


@cache
def core() -> Core | None:
    """The compiled module; `None` if it is missing or disabled by ``BONMUN_READER=reference``."""
    if os.environ.get("BONMUN_READER") == "reference":
        return None
    try:
        compiled = import_module("bonmun._core")
    except ImportError:
        return None
    # In a source tree without the built module, Python imports the folder of that name as an empty package.
    return cast("Core", compiled) if hasattr(compiled, "read") else None
