"""The analyser of a page's language, loaded before the clock of the page starts."""

from collections.abc import Iterable
from heapq import nlargest
from typing import Final

from bonmun.methods.keyword_weights import declared_language, keyword_list
from bonmun.model.page import Page

_BY_NOUNS: Final = frozenset({"logical", "logical-robust"})
_TEXTS, _CHARACTERS = 20, 100


def load_analyser(page: Page, methods: Iterable[str]) -> None:
    """Load the analyser that the methods need for a page, if they need one.

    A dictionary takes a second to load at its first use in a process, ten on a busy machine. That is no fault of the
    page, whose limit would be over, nor a figure of the method.

    >>> from bonmun.pipeline import extract
    >>> load_analyser(extract("<p>Tea is made of leaves.").page, ["logical"])
    """
    if _BY_NOUNS.isdisjoint(methods):
        return
    longest = nlargest(_TEXTS, range(len(page.blocks)), key=page.blocks.chars.__getitem__)
    keyword_list([page.blocks.text_at(index)[:_CHARACTERS] for index in longest], declared_language(page))
