"""The parsed page as columns: one row per element and text node, in document order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from bonmun.core import core
from bonmun.model.tags import TAG_ID, TEXT

_FOREIGN = frozenset({TAG_ID["svg"], TAG_ID["math"]})

Column = memoryview
"""A flat, read-only run of 32-bit integers. `numpy.frombuffer(column, "i4")` sees it without a copy."""


class Formula(NamedTuple):
    """A formula of a page: an element whose text is its LaTeX."""

    display: bool
    """Whether it stands on a line of its own."""
    mathml: int
    """The row of its `math` element; -1 where the page has none."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The node table that a reader fills; everything above it reads these columns and never a parser's object.

    Rows are elements and text nodes (white space too, so that `text()[2]` can be counted); comments have no row.
    Text and attribute values are byte ranges of `buffer` followed by `spill`, both UTF-8.
    """

    parent: Column
    """The parent's row; -1 for the root."""
    tag: Column
    """Index into `tag_names`; 0 (`tags.TEXT`) for a text node."""
    depth: Column
    """0 for the root."""
    end: Column
    """The row after the last descendant: `range(row + 1, end[row])` is the subtree."""
    start: Column
    """Where a text node's characters start."""
    stop: Column
    """Where they stop."""
    chars: Column
    """Characters of a text node after collapsing white space; 0 for elements, blank text, scripts and styles."""
    flags: Column
    """`tags.UNRENDERED`, `HIDDEN`, `LINK`, `CONTROL`, each inherited from the ancestors."""
    attr_first: Column
    """Attributes of `row` are `attr_first[row] … attr_first[row + 1]` of the attribute columns."""
    attr_name: Column
    """Index into `attr_names`."""
    attr_start: Column
    attr_stop: Column
    buffer: bytes
    """The characters that the reader points to: the page itself, or what it collected from it."""
    tag_names: tuple[str, ...]
    attr_names: tuple[str, ...]
    source_start: Column | None
    """Where a start tag or text stands in the page's UTF-8, -1 for what is implied; `None`: the reader cannot say."""
    source_stop: Column | None
    spill: bytes = b""
    """What the page does not spell out, such as text with references resolved; offsets go on where `buffer` ends."""
    warnings: tuple[str, ...] = ()
    """What the reader had to cut."""
    formulas: Mapping[int, Formula] = field(default_factory=dict)
    """The elements that stand for formulas, by row; each has a text, its LaTeX, and `chars`."""

    def __len__(self) -> int:
        return len(self.parent)

    def name(self, row: int) -> str:
        """The tag name, ``#text`` for a text node."""
        return self.tag_names[self.tag[row]]

    def text(self, row: int) -> str:
        """A text node's characters as they stand in the page, white space and all; empty for an element."""
        return self._string(self.start[row], self.stop[row])

    def attr(self, row: int, name: str) -> str | None:
        """An attribute's value, empty where it has none, `None` where the element does not have the attribute."""
        names, wanted = self.attr_name, self.attr_id.get(name)
        if wanted is None:
            return None
        for at in range(self.attr_first[row], self.attr_first[row + 1]):
            if names[at] == wanted:
                return self._string(self.attr_start[at], self.attr_stop[at])
        return None

    def attrs(self, row: int) -> dict[str, str]:
        """All attributes of an element."""
        return {
            self.attr_names[self.attr_name[at]]: self._string(self.attr_start[at], self.attr_stop[at])
            for at in range(self.attr_first[row], self.attr_first[row + 1])
        }

    def tokens(self, row: int) -> frozenset[str]:
        """The words of an element's class, id and role, lower-cased and split at hyphens, underscores and camel humps.

        >>> from bonmun.read.parse import parse
        >>> sorted(parse('<div id="siteNav" class="main-menu">').tokens(3))
        ['main', 'menu', 'nav', 'site']
        """
        values = (self.attr(row, "class"), self.attr(row, "id"), self.attr(row, "role"))
        return frozenset(word.lower() for value in values if value for word in _words(value))

    def children(self, row: int) -> Iterator[int]:
        """The rows of the child nodes, in order."""
        child, stop = row + 1, self.end[row]
        while child < stop:
            yield child
            child = self.end[child]

    def ancestors(self, row: int) -> Iterator[int]:
        """The parent's row, its parent's, and so on up to the root."""
        row = self.parent[row]
        while row >= 0:
            yield row
            row = self.parent[row]

    def rows_of(self, *tags: str) -> list[int]:
        """The rows of all elements with one of these tag names, in order."""
        wanted = {number for number, name in enumerate(self.tag_names) if name in tags}
        return [row for row, tag in enumerate(self.tag) if tag in wanted]

    def content(self, row: int) -> str:
        """All text inside an element with white space collapsed, rendered or not."""
        parts = [self.text(at) for at in range(row, self.end[row]) if self.tag[at] == TEXT]
        return " ".join("".join(parts).split())

    def xpath(self, row: int) -> str:
        """An indexed path that `document.evaluate` resolves to this very node.

        >>> from bonmun.read.parse import parse
        >>> nodes = parse("<p>one<p>two<br>three")
        >>> nodes.xpath(len(nodes) - 1)
        '/html/body/p[2]/text()[2]'
        """
        steps = []
        while row >= 0:
            steps.append(self._step(row))
            row = self.parent[row]
        return "/" + "/".join(reversed(steps))

    def tag_path(self, row: int) -> str:
        """The tag names from the root, without indexes; a text node's path is its parent's (M1's ID).

        >>> from bonmun.read.parse import parse
        >>> nodes = parse("<p>one<p>two")
        >>> nodes.tag_path(len(nodes) - 1)
        'html/body/p'
        """
        if self.tag[row] == TEXT:
            row = self.parent[row]
        return "/".join([self.name(row), *map(self.name, self.ancestors(row))][::-1])

    def attr_bytes(self, at: int) -> bytes:
        """The value of an attribute, by its place in the attribute columns, in UTF-8."""
        return self._bytes(self.attr_start[at], self.attr_stop[at])

    def _string(self, start: int, stop: int) -> str:
        return self._bytes(start, stop).decode("utf-8", "replace")

    def _bytes(self, start: int, stop: int) -> bytes:
        end = len(self.buffer)
        return self.buffer[start:stop] if start < end else self.spill[start - end : stop - end]

    def _step(self, row: int) -> str:
        tag, place = self.tag[row], self._place[row]
        if tag == TEXT:
            return f"text()[{place}]"
        name = self.tag_names[tag]
        if place < 0:  # a name test would miss foreign elements, and odd names are no name tests at all
            return f"*[{-place}]"
        return name if name in ("html", "head", "body") else f"{name}[{place}]"

    @cached_property
    def path(self) -> Sequence[int]:
        """A number for each row's tag path: equal numbers, equal paths. A text node has its parent's."""
        compiled = core()
        if compiled:
            return memoryview(compiled.group(self.parent, self.tag, self.chars, self.flags)[0]).cast("i")
        known: dict[tuple[int, int], int] = {}
        numbers: list[int] = []
        for parent, tag in zip(self.parent, self.tag, strict=True):
            above = numbers[parent] if parent >= 0 else -1
            numbers.append(above if tag == TEXT else known.setdefault((above, tag), len(known)))
        return numbers

    @cached_property
    def attr_id(self) -> dict[str, int]:
        """The number of an attribute's name."""
        return {name: number for number, name in enumerate(self.attr_names)}

    @cached_property
    def _place(self) -> list[int]:
        """Place among siblings of the same tag, from 1; minus that among all elements where only `*` names it."""
        places, same, elements, foreign = [], dict[tuple[int, int], int](), dict[int, int](), set[int]()
        plain = [name.isalnum() and name.isascii() for name in self.tag_names]
        for row, (parent, tag) in enumerate(zip(self.parent, self.tag, strict=True)):
            count = same[parent, tag] = same.get((parent, tag), 0) + 1
            if tag != TEXT:
                elements[parent] = elements.get(parent, 0) + 1
                if tag in _FOREIGN or parent in foreign:
                    foreign.add(row)
                if row in foreign or not plain[tag]:
                    count = -elements[parent]
            places.append(count)
        return places


def _words(value: str) -> Iterator[str]:
    start = 0
    for at, char in enumerate(value):
        if not char.isalnum():
            if at > start:
                yield value[start:at]
            start = at + 1
        elif char.isupper() and at > start and not value[at - 1].isupper():
            yield value[start:at]
            start = at
    if len(value) > start:
        yield value[start:]
