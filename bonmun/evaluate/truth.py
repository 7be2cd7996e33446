"""The gold of a page, prepared once for all outputs that are compared with it."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from bonmun.errors import BonmunError
from bonmun.evaluate.alignment import common, covered, encoded
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.tokens import collapsed, tokens, without_spaces
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, UNRENDERED


class Truth:
    """The gold of a page as metrics use it: words, characters, labelled text nodes and blocks."""

    def __init__(self, case: Case, read: Callable[[], Page] | None = None) -> None:
        """`read` gives the page, with its layout if it was rendered; the default reads the case's HTML."""
        self.case = case
        self._read = read
        self.golds = case.golds or ("",)
        self.by_character = without_spaces(case.lang, self.golds[0])
        self._vocabulary: dict[str, str] = {}
        # Several metrics in a row measure the same output: caches for one output and all golds.
        self.words = lru_cache(len(self.golds) + 1)(self._words)
        self.common = lru_cache(len(self.golds))(self._common)

    def encoded(self, text: str) -> str:
        """Return a text with one character per word."""
        return encoded(self.words(text), self._vocabulary)

    def characters(self, text: str) -> str:
        """Return a text for comparison by characters: white space collapsed."""
        return collapsed(text, self.by_character)

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The encoded words of every text node that is visible: by the layout, or by its markup without one."""
        page = self._page
        if page is None:
            return ()
        nodes, layout = page.nodes, page.layout
        invisible = UNRENDERED if layout else UNRENDERED | HIDDEN
        rows = (row for row in range(len(nodes)) if nodes.chars[row] and not nodes.flags[row] & invisible)
        return self._units([nodes.text(row) for row in rows if layout is None or layout.visible[row]])

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The encoded words of every visible block."""
        page = self._page
        if page is None:
            return ()
        shown = zip(page.blocks.text, page.blocks.flags, strict=True)
        return self._units([text for text, flags in shown if not flags & HIDDEN])

    @cached_property
    def gold_nodes(self) -> list[list[bool]]:
        """For each gold and text node, whether the gold contains it."""
        return [covered(self.nodes, self.encoded(gold)) for gold in self.golds]

    @cached_property
    def gold_blocks(self) -> list[list[bool]]:
        """For each gold and block, whether the gold contains it."""
        return [covered(self.blocks, self.encoded(gold)) for gold in self.golds]

    @cached_property
    def _page(self) -> Page | None:
        from bonmun.read.page import read_page

        try:
            return self._read() if self._read else read_page(self.case.html)
        except BonmunError:
            return None

    def _units(self, texts: Sequence[str]) -> tuple[str, ...]:
        units = (encoded(tokens(text, self.by_character), self._vocabulary) for text in texts)
        return tuple(unit for unit in units if unit)

    def _words(self, text: str) -> list[str]:
        return tokens(text, self.by_character)

    def _common(self, gold: str, output: str) -> int:
        return common(self.characters(gold), self.characters(output))
