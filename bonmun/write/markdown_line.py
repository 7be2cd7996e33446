"""A block as a line of Markdown: by the compiled core if it is text with marks and links, else by `inline`."""

from typing import Final

from bonmun.core import core
from bonmun.model.block import KINDS, Kind, rows_shown
from bonmun.model.judged_block import Block
from bonmun.model.links import absolute
from bonmun.model.output import DEFAULT_OUTPUT
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, UNRENDERED
from bonmun.write.markdown_inline import destination, inline

_HEADING: Final = KINDS.index(Kind.HEADING)
_NUMBER_OF_MARK: Final = {None: 0, "strong": 1, "em": 2}


def line_of(
    block: Block, extra: str | None = None, in_cell: bool = False, tildes: int = 0, dollars: bool = False
) -> str:
    """The content of a block on one line; for the parameters see `inline`.

    >>> import bonmun
    >>> line_of(bonmun.extract("<p>Tea is made of leaves, and of <b>hot</b> water.").blocks[0])
    'Tea is made of leaves, and of **hot** water.'
    """
    line = compiled_line(block, extra, tildes)
    if line is None:
        return inline(block.runs, extra, in_cell, tildes, dollars)
    return line.replace("|", "\\|") if in_cell else line


def compiled_line(block: Block, extra: str | None = None, tildes: int = 0) -> str | None:
    """The content of a block of text, emphasis, code and links; `None` for other blocks, and without the compiled core.

    A block that was kept in part needs a part in one piece.

    The core returns `None` for images, scripts that need a tag, dollar signs, addresses in the text with
    escapes, and emphasis next to rare characters.
    """
    page, index = block.page, block.index
    nodes, compiled = page.nodes, core()
    if nodes.formulas or compiled is None or type(block) is not Block or block.output is not DEFAULT_OUTPUT:
        return None
    blocks = page.blocks
    part = block.part
    if index in block.notes.blocks or block.sidenote or (part is not None and not _is_in_one_piece(block, part)):
        return None
    skipped = UNRENDERED if blocks.flags[index] & HIDDEN else UNRENDERED | HIDDEN
    heading = page.shown_blocks.kind_code[index] == _HEADING
    first, stop = (part[0], part[-1] + 1) if part else (blocks.first[index], blocks.stop[index])
    element = blocks.element[index]
    href = nodes.attr_number("href")
    line = compiled.inline_markdown(
        nodes.held, href, first, stop, element, skipped, heading, _NUMBER_OF_MARK[extra], min(tildes, 2)
    )
    return _with_addresses(line, page) if line and "\0" in line else line


def _is_in_one_piece(block: Block, part: tuple[int, ...]) -> bool:
    """Whether a part has all rows between its first and its last one that are shown."""
    nodes = block.page.nodes
    return part == tuple(rows_shown(nodes, part[0], part[-1] + 1, block.hidden, images=True)) if part else False


def _with_addresses(line: str, page: Page) -> str | None:
    """A line with the addresses of its links; `None` if one has none, or two neighbours may be one link."""
    parts, nodes, base = line.split("\0"), page.nodes, page.base_url
    latest: str | None = None
    before: str | None = None
    for place in range(1, len(parts), 2):
        target = nodes.attr(int(parts[place]), "href") or ""
        address = absolute(target, base)
        if address is None or (address == before and target != latest):
            return None
        parts[place], latest, before = destination(address), target, address
    return "".join(parts)
