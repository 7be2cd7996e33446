"""The title above a text that does not begin with it."""

from collections.abc import Iterable
from itertools import islice
from typing import Final
from unicodedata import normalize

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.judged_block import Block

_MAX_PREAMBLE: Final = 60
"""Characters in a line that may precede the headline: a section's name, a date, a byline."""


def headline(document: Document) -> str:
    """Return the title if the output has one and the text does not begin with it, else an empty string."""
    title = " ".join((document.title or "").split()) if document.output.title else ""
    return title if title and not _begins_with(title, document.blocks) else ""


def _begins_with(title: str, blocks: Iterable[Block]) -> bool:
    """Whether the title is the first block, or a heading after no more than two short lines."""
    wanted = _comparable(title)
    for block in islice((block for block in blocks if block.text), 3):
        text = _comparable(block.text)
        if text == wanted or (block.kind is Kind.HEADING and text.startswith(wanted)):
            return True
        if len(block.text) > _MAX_PREAMBLE:
            return False
    return False


def _comparable(text: str) -> str:
    """Letters and digits without regard to case, width, punctuation and white space."""
    folded = normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum()) or folded
