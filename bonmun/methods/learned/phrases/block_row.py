"""One row of the feature table, by column name, with the page it was measured on."""

from collections.abc import Sequence
from math import exp2
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.concepts import WORDS
from bonmun.features.element_names import FAR
from bonmun.features.hashing import name_words
from bonmun.model.attributes import NAMING
from bonmun.model.page import Page
from bonmun.model.tags import tag_set

_COLUMN: Final = {name: number for number, name in enumerate(COLUMNS)}
_NUMBERS: Final = map(_COLUMN.__getitem__, "size heading_level since_heading page_long_size".split())
_SIZE, _HEADING_LEVEL, _SINCE_HEADING, _LONG_SIZE = _NUMBERS  # of columns, looked up once, not for each block
_WORDS_OF: Final = {concept: frozenset(words.encode().split()) for concept, words in WORDS.items()}
_WHOLE_PAGE: Final = tag_set("html body")
_LONGEST_QUOTE: Final = 40  # characters of a heading or a class name in a phrase


class BlockRow:
    """The features of one block."""

    __slots__ = ("_index", "_page", "cells")

    def __init__(self, features: Sequence[float], page: Page, index: int) -> None:
        self.cells, self._page, self._index = features, page, index

    def __getitem__(self, column: str) -> float:
        return self.cells[_COLUMN[column]]

    def count(self, column: int) -> int:
        """The number behind a column that holds its logarithm."""
        return round(exp2(min(self.cells[column], 60)) - 1)

    @property
    def has_text(self) -> bool:
        """Whether the block has any text; pictures have none."""
        return self.cells[_SIZE] > 0

    @property
    def is_heading(self) -> bool:
        """Whether the block is a heading, and so heads its own section."""
        return self.cells[_HEADING_LEVEL] > 0 and self.cells[_SINCE_HEADING] == 0

    @property
    def has_running_text(self) -> bool:
        """Whether the page has any running text to be near to or far from."""
        return self.cells[_LONG_SIZE] > 0

    def near(self, column: str) -> bool:
        """Whether an element with that name or tag is around the block; for columns that hold a distance."""
        return self.cells[_COLUMN[column]] < FAR

    def heading(self) -> str:
        """The text of the heading above the block, shortened."""
        heading = self._index - int(self["since_heading"])
        return _shortened(self._page.blocks.text_at(heading))

    def name(self, concept: str) -> tuple[str, str]:
        """The name for a concept of the nearest element around the block that has one, and the word in it that matches.

        Both are empty for names of the whole page.
        """
        nodes = self._page.nodes
        row = nodes.parent[self._page.blocks.first[self._index]]
        for _ in range(int(self[f"named_{concept}"])):
            row = nodes.parent[row]
        if nodes.tag[row] in _WHOLE_PAGE:
            return "", ""
        for attribute in NAMING:
            for name in (nodes.attr(row, attribute) or "").split():
                for word in name_words(name.encode()):
                    if word in _WORDS_OF[concept]:
                        return _shortened(name), word.decode()
        return "", ""


def number_of(column: str) -> int:
    """The number of a column."""
    return _COLUMN[column]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1].rstrip()}…"
