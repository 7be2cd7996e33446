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
"""The columns of `Blocks` that `dated_blocks`, `worded_blocks` and `letters` take, in this order."""

PageFacts = tuple[bytes, bytes, bytes, bytes, int]
"""For each low byte of a tag's number 1 if the page may have the tag; the numbers of known attributes;
the rows of `formula_rows`; the rows with one of `model.nodes.ROLES`, each with its number; the steps that may change
the page."""
ReadColumns = tuple[tuple[Any, ...], bytes, bytes, bytes, PageFacts, int, int]
"""The columns of `read.compiled`, as buffers; the spill; further tag names and all attribute names, separated by
spaces; facts; the numbers of elements and attributes that were cut."""

SegmentColumns = tuple[tuple[Any, ...], bytes, bytes]
"""The columns of `BLOCK_COLUMNS`, as buffers; the texts, joined; the rows of data tables."""

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
"""What the writers get: the page of `writer_page`; the blocks shown, `~row` for a medium; for each the pictures of a
caption, and 128 if Python has to write it; the most groups around a block; rows, groups and kinds of boxes; the blocks
behind an `hr`; the bases of addresses."""


PageTexts = tuple[bytes, bytes, bytes, bytes]
"""The buffer and the spill of a page, the texts of its blocks, the numbers of the attributes `NAMING`."""
FeatureTables = tuple[bytes, bytes, "memoryview[float]", "memoryview[float]"]
"""Roles of tags, words by concept, weights of terms and of names; see `features.matrix`."""
JudgingModel = tuple[
    FeatureTables, tuple[object, object], tuple[object, ...], tuple[float, float, float, float], int, int
]
"""Tables of features; the trees before and after the early exit; those over the summary; bounds; the numbers of the
types article and forum, or -1."""
Findings = tuple[int, bytes, int, bytes]
"""The step where the rules stopped; the blocks found; 1 if one may be a title from elsewhere plus twice the bits of
those that may be closing notices; rows of elements that may not be seen as text, or the blocks of copies; at the end,
for blocks with text that is not seen, the block, the number of rows that are, these rows; the next block …"""

Answer = tuple[bytes, bytearray, bytes, bytes, int, float, float, int, bool, int, bytearray, object, Findings]
"""The verdicts on a page: see `methods.learned.judgement`."""
Judging = tuple[JudgingModel, object, "array[float]", float]
"""What a page is judged by: the model, the signs of `rule_signs`, a weight of recall for each type of page, and the
weight of recall that the caller prefers."""
OneCall = tuple[object, object, str | Answer, bytes | None]
"""The nodes as `nodes` holds them; the page of the writers; the answer of `judge`; the kept blocks, `None` if Python
has to go on with the rules, or if blocks are kept in part."""
JudgedColumns = tuple[ReadColumns, str | SegmentColumns | None, OneCall | None]


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

    def read_ordinary(
        self,
        source: bytes,
        flags_of_tag: bytes,
        roles: bytes,
        limits: tuple[int, int, int, float],
        most_blocks: int,
        is_decoded: bool,
        /,
    ) -> str | tuple[ReadColumns, str | SegmentColumns | None] | None:
        """Nodes and blocks of an ordinary page, or the name of the limit exceeded; `read.ordinary`."""

    def read_and_judge(
        self,
        reading: tuple[bytes, bytes, bytes, tuple[int, int, int, float], int, bool],
        judging: "Judging",
        seconds: float,
        notes: tuple[bytes, bytes, bytes],
        displayed: bytes,
        role_tags: bytes,
        poor: int,
        /,
    ) -> "str | JudgedColumns | None":
        """The answer of `read_ordinary` to these arguments, and the verdicts on a page that needs nothing else."""

    def look(self, data: bytes, /) -> int:
        """0: not UTF-8; 1: ASCII only; 2: UTF-8 beyond ASCII; plus 4 with forbidden characters, 8 with a CR."""

    def next_meta(self, head: bytes, position: int, /) -> tuple[dict[bytes, bytes], int] | None:
        """The attributes of the next `<meta>` that may declare an encoding; `read.encodings` has the twin."""

    def has_forbidden(self, data: bytes, /) -> bool:
        """Whether UTF-8 has a character that XML 1.0 forbids; `model.valid_text` has the twin."""

    def forbidden_ranges(self, start: memoryview, stop: memoryview, buffer: bytes, spill: bytes, /) -> bytes:
        """The indexes of the ranges with forbidden characters; `read.valid_nodes` has the twin."""

    def late_parts(self, source: bytes, /) -> tuple[bytes, bytes]:
        """Parts of a streamed page and their places; `read.streamed` has the twin."""

    def segment(
        self,
        columns: tuple[Any, ...],
        buffer: bytes,
        spill: bytes,
        roles: bytes,
        names: bytes,
        most_blocks: int,
        /,
    ) -> str | SegmentColumns:
        """The blocks of a page, or the name of the limit exceeded."""

    def formula_rows(
        self, columns: tuple[Any, ...], buffer: bytes, spill: bytes, tags: bytes, names: bytes, /
    ) -> bytes:
        """Rows that may be formulas."""

    def nodes(self, columns: tuple[Any, ...], buffer: bytes, spill: bytes, /) -> object:
        """The columns of a page, held for many calls."""

    def attribute(self, nodes: object, row: int, name: int, most: int, /) -> str | None:
        """The value of an attribute, its first bytes, -1 for all; `None` for one that the row does not have."""

    def text(self, nodes: object, row: int, /) -> str:
        """The characters of a row."""

    def content(self, nodes: object, row: int, /) -> str:
        """All text inside an element."""

    def attribute_rows(self, nodes: object, name: int, words: bytes, first: int, stop: int, /) -> bytes:
        """Rows by the value of an attribute."""

    def mark_rows(self, nodes: object, href: int, url: bytes, targets: bytes, /) -> bytes:
        """Rows of links that may be marks of footnotes."""

    def may_be_recipe(self, nodes: object, type: int, item_type: int, /) -> bool:
        """Whether JSON-LD or microdata mention a recipe."""

    def role_kinds(
        self, nodes: object, blocks: tuple[Any, ...], roles: bytes, level: int, /
    ) -> tuple[bytes, bytes] | None:
        """Kinds and levels of blocks by the ARIA roles around them; `None` if no role changes one."""

    def tag_rows(self, tag: memoryview, number: int, /) -> bytes:
        """The indexes of a number in a column: rows by their tag, blocks by their kind."""

    def elements(self, nodes: object, tag: int, names: bytes, needed: int, most: int, /) -> list[tuple[Any, ...]]:
        """Rows of elements with the values of some attributes."""

    def named_contents(self, nodes: object, tag: int, names: bytes, most: int, /) -> dict[str, list[str]]:
        """Contents of `meta` elements by name."""

    def dated_blocks(self, columns: tuple[Any, ...], text: bytes, first: int, most: int, /) -> bytes:
        """Short blocks with the first digits of a year."""

    def worded_blocks(self, columns: tuple[Any, ...], text: bytes, first: int, most: int, words: bytes, /) -> bytes:
        """Short blocks with one of some words."""

    def labelled_blocks(self, columns: tuple[Any, ...], text: bytes, first: int, stop: int, most: int, /) -> bytes:
        """Short blocks that may start with a label."""

    def marked_attributes(self, nodes: object, names: bytes, lists: bytes, first: int, stop: int, /) -> bytes:
        """Attributes with words of a list of their own."""

    def values_above(
        self, nodes: object, row: int, inside: int, levels: int, names: tuple[int, int], words: bytes, /
    ) -> list[str]:
        """Attributes of ancestors with one of some words."""

    def letters(
        self,
        columns: tuple[Any, ...],
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

    def json_string(self, text: str, /) -> str:
        """A text without surrogates as a JSON string, as `json` writes it."""

    def json_blocks(
        self,
        page: object,
        bases: AddressBases,
        paths: "tuple[memoryview, memoryview, bytes, bytes]",
        blocks: "array[int]",
        scores: "memoryview[float] | array[float]",
        fields: "tuple[bytes, bytes, memoryview[int] | array[int]]",
        reasons: tuple[str, ...] | None,
        links: "tuple[array[int], array[int], bytes]",
        /,
    ) -> bytes | list[str | int]:
        """Blocks as JSON, or the rows of links whose addresses Python has to find; see `write.json_blocks`."""

    def measure(
        self,
        nodes: tuple[Any, ...],
        blocks: tuple[Any, ...],
        texts: "PageTexts",
        tables: "FeatureTables",
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

    def contributions(self, forest: object, table: bytes, width: int, picked: "array[int]", /) -> bytes:
        """For each cell of some rows of a table its contribution to the sum of its row."""

    def fold(self, text: str, /) -> str | None:
        """An ASCII text in lower case without anything but letters and digits; `None` for other texts."""

    def plain(self, text: str, /) -> str | None:
        """A short text that has no markup, white space collapsed; `None` for other texts and an empty one."""

    def worded_rows(self, nodes: object, rows: "array[int]", name: int, words: bytes, /) -> list[int]:
        """Those of some rows whose attribute has one of some words."""

    def means(self, forest: object, table: bytes, width: int, picked: "array[int]", /) -> bytes:
        """The mean contribution of each column to the sums of some rows of a table."""

    def judge(
        self,
        nodes: tuple[Any, ...],
        blocks: tuple[Any, ...],
        texts: "PageTexts",
        model: "JudgingModel",
        signs: object,
        page: "tuple[array[float], memoryview | array[int], bool, bool, int]",
        units: "tuple[array[int] | bytes, array[int] | bytes]",
        beta: float,
        seconds: float,
        step: int,
        /,
    ) -> "str | Answer":
        """Scores, choice, summary and rules of a page, or the name of the limit exceeded; see `judgement`."""

    def rule_signs(
        self,
        titles: bytes,
        notices: bytes,
        callouts: bytes,
        captions: bytes,
        assistive: bytes,
        posts: bytes,
        post_ids: bytes,
        /,
    ) -> object:
        """Words that the rules of `overrule` look for."""

    def overrule(
        self,
        measured: object,
        keep: bytearray,
        why: bytearray,
        kinds: "memoryview | array[int]",
        scores: "array[float] | bytes",
        in_posts: "array[float] | bytes",
        tables: "array[int] | bytes",
        stops: "array[int] | bytes",
        signs: object,
        step: int,
        has_copies: bool,
        has_comments: bool,
        has_notes: bool,
        is_article: bool,
        href: int,
        /,
    ) -> "Findings":
        """Rules over a choice, up to one that Python has to look at; `methods.learned.overruling` has the steps."""

    def kept_blocks(self, keep: bytes | bytearray, /) -> bytes:
        """The indexes of the bytes that are not 0, in 32-bit integers."""

    def calibrate(self, xs: "array[float]", ys: "array[float]", raw: "array[float]", /) -> bytes:
        """Scores mapped by a piecewise linear function with these knots."""

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
        keep: bool,
        mean: "array[float]",
        columns: "array[int]",
        stops: "array[int]",
        whole: bytes,
        /,
    ) -> bytes:
        """For each row of contributions the groups of columns that speak most for its verdict."""

    def phrases(
        self,
        contributions: "memoryview[float]",
        keep: bool,
        mean: "array[float]",
        columns: "array[int]",
        stops: "array[int]",
        whole: bytes,
        features: "memoryview[float]",
        picked: "array[int]",
        decisions: "tuple[array[int] | array[float], ...]",
        /,
    ) -> bytes:
        """The numbers of the phrases of rows of contributions, whose features are the picked rows of a table."""

    def writer_page(
        self,
        nodes: tuple[Any, ...],
        blocks: tuple[Any, ...],
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
        shown: "array[int] | bytes",
        nesting: int,
        places: "array[int]",
        starts: "array[int]",
        texts: bytes,
        /,
    ) -> str:
        """Blocks as plain text; `texts` are those of the blocks at `places` among them."""

    def part_texts(
        self,
        nodes: object,
        roles: bytes,
        style: int,
        kinds: "array[int]",
        starts: "array[int]",
        rows: "array[int]",
        /,
    ) -> tuple[bytes, bytes] | None:
        """The texts of blocks that were kept in part, their ends first; `None` for rows that are not texts."""

    def write_markdown(self, *shown: *Shown) -> str | tuple[object, bytes] | None:
        """Blocks as Markdown; a plan with requests where Python writes some of them, `None` where it writes all."""

    def write_html(self, *shown: *Shown) -> str | tuple[object, bytes] | None:
        """The same as HTML, a line for each outermost part."""

    def json_groups(self, *shown: *Shown) -> tuple[bytes, bytes, bytes, bytes]:
        """The blocks in the order of JSON: places among those shown, whether they continue, fields, their ends."""

    def finish_plan(self, plan: object, places: "array[int]", starts: "array[int]", texts: bytes, /) -> str | None:
        """The text of a plan whose requests are answered."""

    def box_rows(self, page: object, shown: "array[int]", words: bytes, roles: bytes, /) -> bytes:
        """The rows around blocks that may be callouts, and `~row` of other details, in no order."""

    def shown_signs(
        self,
        page: object,
        kept: "array[int]",
        near: tuple[int, int],
        media: bytes,
        lazy: bytes,
        words: bytes,
        bases: AddressBases,
        /,
    ) -> tuple[bool, bool, bytes, bytes, bytes]:
        """What a document may show beside its kept blocks; see `write.figures`."""

    def picture_source(self, nodes: object, names: bytes, row: int, /) -> str | None:
        """The address of a picture as its attribute has it, empty for none; `None` where Python has to look."""


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
