"""A block as a line of Markdown: by the compiled core if it has nothing but text and emphasis, else by `inline`."""

from typing import Final

from bonmun.core import core
from bonmun.model.block import KINDS, Kind
from bonmun.model.judged_block import Block
from bonmun.model.output import DEFAULT_OUTPUT
from bonmun.model.tags import HIDDEN, UNRENDERED
from bonmun.write.markdown_inline import inline

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
    """The content of a block of text and emphasis; `None` for other blocks, and without the compiled core.

    The core returns `None` for links, images, code, scripts, dollar signs, addresses with escapes, and emphasis next to
    rare characters.
    """
    page, index = block.page, block.index
    prepared, compiled = page.nodes.inline_page, core()
    if prepared is None or compiled is None or type(block) is not Block or block.output is not DEFAULT_OUTPUT:
        return None
    blocks = page.blocks
    if blocks.link_chars[index] or index in block.verdicts.parts or index in block.notes.blocks or block.sidenote:
        return None
    skipped = UNRENDERED if blocks.flags[index] & HIDDEN else UNRENDERED | HIDDEN
    heading = page.shown_blocks.kind_code[index] == _HEADING
    first, stop, element = blocks.first[index], blocks.stop[index], blocks.element[index]
    return compiled.inline_markdown(
        prepared, first, stop, element, skipped, heading, _NUMBER_OF_MARK[extra], min(tildes, 2)
    )
