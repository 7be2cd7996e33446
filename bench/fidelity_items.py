"""Structural items of a page or an output, and how two lists of them are matched."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from bonmun.model.links import absolute

KINDS: Final = ("heading", "code", "cell", "item", "link", "image", "quote", "formula", "footnote")
DEFINITION_KEY: Final = 30  # letters of a footnote's definition that are compared


def key(text: str) -> str:
    """Letters and digits, without regard to case and width; of a text without any, the text without white space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", "", folded) or re.sub(r"\s+", "", folded)


def code_key(text: str) -> str:
    """Code line by line with its indentation, without blank lines at either end."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def tex_key(text: str) -> str:
    text = re.sub(r"^\s*\{?\s*\\(?:displaystyle|textstyle)\b|\s|\\[,;!:]", "", text.strip().strip("$"))
    return text.replace("{", "").replace("}", "")


def address_key(href: str, base: str | None) -> str:
    return unquote(absolute(href, base) or href).rstrip("/")


@dataclass(frozen=True)
class Item:
    """One structural item; `keys` are the values that are the same item, `text` the words by which it can be found."""

    kind: str
    keys: tuple[str, ...]
    text: str
    optional: bool = False
    """In the markup, but Markdown may do without it: a heading in a table's cell, a footnote's link."""


@dataclass
class Items:
    """The items of a page or an output, with all its text as one key."""

    items: list[Item] = field(default_factory=list)
    text: str = ""

    def of(self, kind: str) -> list[Item]:
        return [item for item in self.items if item.kind == kind]

    def add(self, kind: str, *keys: str, text: str = "", optional: bool = False) -> None:
        if any(keys):
            self.items.append(Item(kind, keys, text, optional))


def matched(truth: list[Item], output: list[Item]) -> tuple[list[bool], list[bool]]:
    """Which items of either side have a partner on the other, each used once; optional items come last."""
    given = Counter(item.keys[0] for item in output)
    hits = [False] * len(truth)
    for at in sorted(range(len(truth)), key=lambda at: truth[at].optional):
        partner = next((one for one in truth[at].keys if given[one] > 0), None)
        if partner is not None:
            given[partner] -= 1
            hits[at] = True
    pairs = []
    for item in output:
        pairs.append(given[item.keys[0]] <= 0)
        given[item.keys[0]] -= given[item.keys[0]] > 0
    return hits, pairs
