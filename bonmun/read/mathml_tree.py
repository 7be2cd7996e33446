"""One MathML formula as its converter sees it: arguments, single tokens, and which of them need braces."""

import re
from itertools import accumulate, islice
from typing import Final

from bonmun.model.lazy import lazy
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CODE_TAGS, TEXT
from bonmun.read.latex_symbols import CLOSING, FUNCTIONS, INVISIBLE, OPENING
from bonmun.read.mathml_tokens import TOKENS, token

Item = str | int
"""A piece of LaTeX, or the row of an element that is still to be written."""
Argument = int | None
"""The row of an argument, `None` where it is missing."""

SKIPPED: Final = frozenset("annotation annotation-xml mprescripts none maligngroup malignmark".split())
_WRAPPERS: Final = frozenset("math mrow mstyle mpadded semantics merror mtd".split())
_TALL: Final = frozenset("mfrac mtable munderover munder mover msqrt mroot".split())
_BRACES: Final = frozenset("⏞⏟︷︸")
_ONE_SYMBOL: Final = re.compile(r"[^\\{}]|\\[A-Za-z]+")
_OPERATORS: Final = ("mo", "mi")
_CLIMB: Final = 8
"""Wrappers around a token that are looked through; a token deeper than that is a group like any other."""


class MathTree:
    """The rows of one formula. Every question costs time in the children of a row, never in its depth."""

    def __init__(self, nodes: Nodes, top: int) -> None:
        self.nodes, self.top = nodes, top

    @lazy
    def _tall(self) -> list[int]:
        """The number of tall elements before each row."""
        nodes = self.nodes
        return [0, *accumulate(nodes.name(row) in _TALL for row in range(self.top, nodes.end[self.top]))]

    def name(self, row: Argument) -> str:
        """The element's name; empty for a missing argument."""
        return self.nodes.name(row) if row is not None else ""

    def is_tall(self, first: int, stop: int) -> bool:
        """Whether a fraction, a table or the like stands in these rows."""
        return self._tall[stop - self.top] > self._tall[first - self.top]

    def children(self, row: int) -> list[int]:
        """The child elements, and text that is no white space."""
        return [child for child in self.nodes.children(row) if self._counts(child)]

    def _counts(self, row: int) -> bool:
        return self.nodes.tag[row] != TEXT or self.nodes.chars[row] > 0

    def arguments(self, row: int, count: int) -> list[Argument]:
        """The first `count` children, `None` for a missing one."""
        found: list[Argument] = [*islice(filter(self._counts, self.nodes.children(row)), count)]
        return found + [None] * (count - len(found))

    def characters(self, row: int) -> str:
        """The characters of a token, white space and all."""
        nodes = self.nodes
        if nodes.end[row] == row + 2 and nodes.tag[row + 1] == TEXT and nodes.tag[row] not in CODE_TAGS:  # most
            return nodes.text(row + 1)
        texts = (inside for inside in range(row, nodes.end[row]) if nodes.tag[inside] == TEXT)
        return "".join(nodes.text(text) for text in texts if nodes.tag[nodes.parent[text]] not in CODE_TAGS)

    def unwrapped(self, row: int) -> int:
        """The only element inside an `mrow` and the like; the row itself where there are more."""
        for _ in range(_CLIMB):
            if self.nodes.name(row) not in _WRAPPERS or self.nodes.attr(row, "mathvariant"):
                break
            inside = filter(self._counts, self.nodes.children(row))
            first = [*islice((child for child in inside if self.nodes.name(child) not in SKIPPED), 2)]
            if len(first) != 1:
                break
            row = first[0]
        return row

    def core(self, row: Argument) -> tuple[str, str]:
        """The name and the characters of the one unstyled token that an element is; empty strings for any other."""
        row = self.unwrapped(row) if row is not None else None
        if row is None or self.nodes.name(row) not in TOKENS:
            return "", ""
        if self.nodes.attr(row, "mathvariant") not in (None, "italic"):
            return "", ""
        return self.nodes.name(row), " ".join(self.characters(row).split())

    def operator(self, row: Argument) -> str:
        """The characters of an element that is one operator or identifier; empty for any other."""
        if row is None:
            return ""
        row = self.unwrapped(row)
        return " ".join(self.characters(row).split()) if self.nodes.name(row) in _OPERATORS else ""

    def group(self, row: Argument) -> list[Item]:
        """An argument in braces."""
        return ["{", "}"] if row is None else ["{", row, "}"]

    def script(self, row: Argument) -> list[Item]:
        """A subscript or superscript: in braces unless it is one symbol."""
        name, text = self.core(row)
        if text and name != "mtext" and text not in FUNCTIONS:
            written = ["\\circ"] if text == "°" else ["\\prime"] if text in "'′’" else token(name, text, None)
            if len(written) == 1 and _ONE_SYMBOL.fullmatch(written[0]):
                return [*written]
        return self.group(row)

    def base(self, row: Argument) -> list[Item]:
        """The base of a script: in braces unless the script binds to all of it without."""
        if row is None:
            return ["{", "}"]
        inside = self.unwrapped(row)
        if self.name(inside) in TOKENS:
            text = self.characters(inside).strip()
            if not text.strip("".join(INVISIBLE)):
                return ["{", "}"]
            atom = self.name(inside) in ("mi", "mo") or text.isdecimal()
            return [row] if atom else self.group(row)
        return [row] if self._is_fenced(inside) or self.has_brace(inside) else self.group(row)

    def has_brace(self, row: Argument) -> bool:
        """Whether it is an under- or overbrace, whose label is a script in LaTeX."""
        row = self.unwrapped(row) if row is not None else None
        if row is None or self.name(row) not in ("munder", "mover"):
            return False
        return self.operator(self.arguments(row, 2)[1]) in _BRACES

    def _is_fenced(self, row: int) -> bool:
        """Whether an element stands in brackets of its own."""
        children = self.children(row) if self.name(row) == "mrow" else []
        if len(children) < 2:
            return self.name(row) == "mfenced"
        return self.operator(children[0]) in OPENING and self.operator(children[-1]) in CLOSING

    def is_binomial(self, row: int) -> bool:
        """Whether it is a fraction without a line."""
        thickness = (self.nodes.attr(row, "linethickness") or "").strip()
        return self.name(row) == "mfrac" and thickness.rstrip("%emptx") in ("0", "0.0")
