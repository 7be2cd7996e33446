"""A page as methods see it: nodes, blocks and origin."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from bonmun.core import AddressBases, core
from bonmun.model.aria import TAGS_OF_ROLES, tags_by_role, with_role_kinds
from bonmun.model.attributes import WRITTEN
from bonmun.model.block import Blocks, xpath_rows
from bonmun.model.boxes import Box, boxes
from bonmun.model.footnotes import Footnote, footnotes
from bonmun.model.inline import plain_blocks
from bonmun.model.layout import Layout
from bonmun.model.lazy import lazy
from bonmun.model.links import absolute, address_bases
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, TAGS

TextSource = Literal["markup", "noscript", "json-ld", "script", "drawings"]

BLOCK_ROLE: Final = 16
"""The bit of a tag's role for block-level elements."""
DISPLAYED: Final = bytes(BLOCK_ROLE * (tag in BLOCK_LEVEL) for tag in range(len(TAGS)))
"""The role of each tag, for the writers of the compiled core."""


@dataclass(frozen=True)
class Page:
    """A page that was read, read-only; a method's opinion of it is in `Verdicts`. Compares by content; picklable.

    >>> import bonmun
    >>> page = bonmun.read_page("<h1>Tea</h1><p>Tea is made of leaves.", url="https://example.org/tea")
    >>> page.blocks.text[1], page.nodes.xpath(page.blocks.element[1])
    ('Tea is made of leaves.', '/html/body/p[1]')
    """

    nodes: Nodes
    blocks: Blocks
    url: str | None = None
    encoding: str | None = None
    """The encoding that the bytes were decoded from; `None` for a page given as text."""
    warnings: tuple[str, ...] = ()
    """Oddities of the input: a wrong charset declaration, a truncation."""
    text_source: TextSource = "markup"
    """The place of nearly all text. Other than `markup` on pages that show next to nothing without scripts."""
    source: bytes = field(default=b"", repr=False, compare=False)
    """The markup that was parsed, in UTF-8; what a browser draws."""
    added: int = 0
    """Bytes at its end that are not the page's own: text from scripts or drawings."""
    layout: Layout | None = None
    """Where a browser drew the elements; `None` if none did."""

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without URL'} {len(self.nodes)} nodes in {len(self.blocks)} blocks>"

    def blocks_in(self, row: int) -> range:
        """The blocks inside an element."""
        first = self.blocks.first
        start = bisect_left(first, row)
        return range(start, bisect_left(first, self.nodes.end[row], start))

    def block_at(self, row: int) -> int:
        """The block that a row belongs to; -1 for none."""
        index = bisect_right(self.blocks.first, row) - 1
        return index if index >= 0 and row < self.blocks.stop[index] else -1

    @lazy
    def footnotes(self) -> tuple[Footnote, ...]:
        """The footnotes with a mark, in the order of their first marks."""
        return footnotes(self)

    @lazy
    def shown_blocks(self) -> Blocks:
        """The blocks with the kinds and levels that ARIA roles give them; methods judge `blocks`."""
        return with_role_kinds(self.nodes, self.blocks)

    @lazy
    def plain(self) -> bytes:
        """1 for each block that is known to be one text without marks and links; 0 if only its runs can tell."""
        return plain_blocks(self.nodes, self.shown_blocks)

    @lazy
    def xpath_rows(self) -> Sequence[int]:
        """The row that a block's xpath leads to: its element, or its first node if the element has other blocks too."""
        return xpath_rows(self.nodes, self.shown_blocks)

    @lazy
    def rows_named_captions(self) -> frozenset[int]:
        """The rows whose class may name a caption; `figures` looks at them closely."""
        return frozenset(self.nodes.rows_having("class", "capt", "cred", "cutl", "legende"))

    @lazy
    def boxes(self) -> dict[int, Box]:
        """The callouts and details by their rows."""
        return boxes(self.nodes)

    @lazy
    def base_url(self) -> str | None:
        """The base of relative links: `<base href>`, resolved against the page's own URL."""
        for row in self.nodes.rows_of("base"):
            href = self.nodes.attr(row, "href")
            if href is not None:
                return absolute(href, self.url) or self.url
        return self.url

    @lazy
    def address_bases(self) -> AddressBases:
        """What the compiled core appends relative addresses to."""
        return address_bases(self.base_url)

    @lazy
    def writer_page(self) -> object | None:
        """The page for the writers of the compiled core; `None` without it."""
        compiled = core()
        if compiled is None:
            return None
        nodes, blocks = self.nodes, self.shown_blocks
        tables = array("i", sorted(blocks.tables)).tobytes() if blocks.tables else b""
        columns, names = nodes.columns, nodes.attr_numbers(WRITTEN)
        if nodes.role_column:
            columns = (columns[0], tags_by_role(nodes, TAGS_OF_ROLES), *columns[2:])
        texts = nodes.buffer, nodes.spill, blocks.text_buffer
        return compiled.writer_page(columns, blocks.columns, *texts, tables, names, DISPLAYED)

    def __getstate__(self) -> dict[str, Any]:
        """The fields and what was derived from them, without the view for the compiled core."""
        return {name: value for name, value in vars(self).items() if name != "writer_page"}
