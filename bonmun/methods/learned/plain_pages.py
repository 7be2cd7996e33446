"""Plain pages: nothing but prose, without menus, lists of links and forms. Such a page is content as it is.

The trees learned from pages with boilerplate. They take repeated or nearly alike paragraphs for it even on a page that
has none.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bonmun.model.page import Page
from bonmun.model.verdict import Reason

PLAIN: Final = Reason("plain-page", "the page is nothing but prose, without menus or lists of links")
PLAIN_CONFIDENCE: Final = 0.5
"""The highest confidence in a page that was kept against the scores."""
_MAX_LINKS = 0.02  # share of links in the text
_MIN_PROSE = 0.8  # share of the words in paragraphs
_PARAGRAPH = 12.0  # minimum words of a paragraph
_LOST = 0.5  # maximum share of the words that the scores keep


def loses_prose(page: Page, keep: Sequence[int], sizes: Sequence[float]) -> bool:
    """Whether the scores keep less than half of a plain page.

    A page with warnings is not plain: text that was read from scripts has no menus, but much else.
    """
    kept = sum(size for size, wanted in zip(sizes, keep, strict=True) if wanted)
    return kept < _LOST * sum(sizes) and not page.warnings and _is_plain(page, sizes)


def _is_plain(page: Page, sizes: Sequence[float]) -> bool:
    blocks = page.blocks
    if any(blocks.flags) or sum(blocks.link_chars) > _MAX_LINKS * sum(blocks.chars):
        return False
    if any(2 * links > chars for links, chars in zip(blocks.link_chars, blocks.chars, strict=True)):
        return False
    paragraphs = defaultdict[int, float](float)
    for element, size in zip(blocks.element, sizes, strict=True):
        paragraphs[element] += size
    prose = sum(size for size in paragraphs.values() if size >= _PARAGRAPH)
    return prose >= _MIN_PROSE * sum(sizes)
