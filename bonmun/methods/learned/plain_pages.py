"""Plain pages: nothing but prose, without menus, lists of links and forms. Such a page is content as it is.

The trees learned from pages with boilerplate. They take repeated or nearly alike paragraphs for it even on a page that
has none.
"""

from array import array
from collections.abc import Sequence
from typing import Final

from bonmun.model.page import Page
from bonmun.model.verdict import Reason

PLAIN: Final = Reason("plain-page", "the page is nothing but prose, without menus or lists of links")
PLAIN_CONFIDENCE: Final = 0.5
"""The highest confidence in a page that was kept against the scores."""
_MAX_LINKS = 0.02  # share of links in the text
_PARAGRAPH = 12.0  # minimum words of a paragraph
_WITHOUT_MENUS = ("noscript", "script")
_MIN_RATIO = 4.0  # of words in dropped paragraphs to words in shorter texts, which may be menus without links


def loses_prose(page: Page, keep: Sequence[int], sizes: Sequence[float]) -> bool:
    """Whether the scores drop paragraphs of a plain page, and these have many more words than all shorter texts.

    Text that was read from scripts is none: it has no menus, but notices and the texts of other pages.
    """
    if all(keep) or not is_from_markup(page) or not _is_without_links(page):
        return False
    words, dropped = (array("d", bytes(8 * len(page.nodes))) for _ in range(2))  # by the row of the element
    for element, size, kept in zip(page.blocks.element, sizes, keep, strict=True):
        words[element] += size
        dropped[element] += 0.0 if kept else size
    lost = short = 0.0
    for element in page.blocks.element:
        if words[element] >= _PARAGRAPH:
            lost += dropped[element]
        else:
            short += words[element]
        words[element] = dropped[element] = 0.0  # each element counts once
    return lost > _MIN_RATIO * short


def is_from_markup(page: Page) -> bool:
    """Whether a page's text is what it shows; else menus are missing from it."""
    return page.text_source not in _WITHOUT_MENUS


def _is_without_links(page: Page) -> bool:
    """Whether a page has neither forms, nor hidden text, nor menus, and hardly any links."""
    blocks = page.blocks
    if any(blocks.flags) or sum(blocks.link_chars) > _MAX_LINKS * sum(blocks.chars):
        return False
    return not any(2 * links > chars for links, chars in zip(blocks.link_chars, blocks.chars, strict=True))
