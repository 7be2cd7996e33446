"""A page's truth, made ready once for all the outputs that are held against it."""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from bonmun.errors import BonmunError
from bonmun.evaluate.alignment import common, covered, encoded
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.tokens import collapsed, tokens, without_spaces
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, TEXT, UNRENDERED


class Truth:
    """What metrics ask of a page: its golds as words and characters, its text nodes and blocks, labelled."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.golds = case.golds or ("",)
        self.by_character = without_spaces(case.lang, self.golds[0])
        self._vocabulary: dict[str, str] = {}
        # One output at a time is held against the truth, by several metrics that share these two.
        self.words = lru_cache(len(self.golds) + 1)(self._words)
        self.common = lru_cache(len(self.golds))(self._common)

    def encoded(self, text: str) -> str:
        """Return the words of a text as one character each."""
        return encoded(self.words(text), self._vocabulary)

    def characters(self, text: str) -> str:
        """Return a text as characters are compared: white space collapsed."""
        return collapsed(text, self.by_character)

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The words of every text node that a reader sees, encoded."""
        page = self._page
        if page is None:
            return ()
        nodes, unseen = page.nodes, UNRENDERED | HIDDEN
        rows = (row for row in range(len(nodes)) if nodes.tag[row] == TEXT and not nodes.flags[row] & unseen)
        return self._units([nodes.text(row) for row in rows if nodes.chars[row]])

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The words of every block that a reader sees, encoded."""
        page = self._page
        if page is None:
            return ()
        shown = zip(page.blocks.text, page.blocks.flags, strict=True)
        return self._units([text for text, flags in shown if not flags & HIDDEN])

    @cached_property
    def gold_nodes(self) -> list[list[bool]]:
        """For each gold, which text nodes are in it."""
        return [covered(self.nodes, self.encoded(gold)) for gold in self.golds]

    @cached_property
    def gold_blocks(self) -> list[list[bool]]:
        """For each gold, which blocks are in it."""
        return [covered(self.blocks, self.encoded(gold)) for gold in self.golds]

    @cached_property
    def _page(self) -> Page | None:
        from bonmun.read.page import read_page

        try:
            return read_page(self.case.html)
        except BonmunError:
            return None

    def _units(self, texts: Sequence[str]) -> tuple[str, ...]:
        units = (encoded(tokens(text, self.by_character), self._vocabulary) for text in texts)
        return tuple(unit for unit in units if unit)

    def _words(self, text: str) -> list[str]:
        return tokens(text, self.by_character)

    def _common(self, gold: str, output: str) -> int:
        return common(self.characters(gold), self.characters(output))
