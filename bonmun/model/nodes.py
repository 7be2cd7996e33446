"""The parsed page as columns: one row per element and text node, in document order."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any, Final, NamedTuple

from bonmun.core import NODE_COLUMNS, core
from bonmun.model.lazy import lazy
from bonmun.model.packing import PackedColumns, pack, unpack
from bonmun.model.tags import TAG_ID, TAGS, TEXT, tag_set
from bonmun.model.xpaths import XPaths

ROLES: Final = (*"heading list listitem table row cell gridcell columnheader rowheader".split(),)
"""The ARIA roles of headings, lists and tables, by number."""
ROLE_PARTS: Final = ("heading", "list", "table", "row", "cell", "header")
"""Parts of these roles: each has one."""
NEUTRAL: Final = tag_set("div span p section article header hgroup address center")
"""Elements whose meaning a role replaces; others have one of their own."""
_COLUMNS: Final = (
    *"parent tag depth end start stop chars flags attr_first attr_name attr_start attr_stop".split(),
    *("source_start", "source_stop"),
)

_ASCII_WORD: Final = re.compile("[A-Z]+[a-z0-9]*|[a-z0-9]+")
COMPILED_COLUMNS: Final = (*NODE_COLUMNS, "depth")
"""The columns that compiled code takes, in this order; most of it the first ones only."""
_compiled_columns = attrgetter(*COMPILED_COLUMNS)

Column = memoryview
"""A flat, read-only run of 32-bit integers. `numpy.frombuffer(column, "i4")` sees it without a copy."""


def copied(column: Column) -> "array[int]":
    """A copy that can be changed."""
    copy = array("i")
    copy.frombytes(column.tobytes())  # far faster than item by item
    return copy


class Formula(NamedTuple):
    """A formula of a page: an element that has a text, its LaTeX."""

    row: int
    display: bool
    """Whether it stands on a line of its own."""
    mathml: int
    """The row of its `math` element; -1 where the page has none."""


InlineContext = tuple[tuple[tuple[int, str], ...], int]
"""The marks around a text, outermost first, each with the row of its innermost element; the row of the link or -1."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The node table that a reader fills; everything above it reads these columns and never a parser's object.

    Rows are elements and text nodes (white space too, so that `text()[2]` can be counted); comments have no row.
    Text and attribute values are byte ranges of `buffer` followed by `spill`, both UTF-8. Two tables are equal if all
    columns and buffers are.
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
    """Where the characters of a text node or a formula start."""
    stop: Column
    """Where they stop."""
    chars: Column
    """Characters of a text node after collapsing white space, or of a formula's LaTeX; 0 for other elements, blank
    text, scripts and styles. A row with characters is shown as text."""
    flags: Column
    """`tags.UNRENDERED`, `HIDDEN`, `LINK`, `CONTROL`, each inherited from the ancestors."""
    attr_first: Column
    """Attributes of `row` are `attr_first[row] … attr_first[row + 1]` of the attribute columns."""
    attr_name: Column
    """Index into `attr_names`."""
    attr_start: Column
    attr_stop: Column
    buffer: bytes
    """The characters that the reader points to: the page itself, or text collected from it."""
    tag_names: tuple[str, ...]
    attr_names: tuple[str, ...]
    source_start: Column | None
    """Offset of a start tag or text in the page's UTF-8, -1 for implied elements; `None`: unknown to this reader."""
    source_stop: Column | None
    spill: bytes = b""
    """Text that differs from its source, such as resolved references; its offsets continue after `buffer`."""
    warnings: tuple[str, ...] = ()
    """What the reader truncated."""
    formulas: tuple[Formula, ...] = ()
    """The formulas of the page, in order; `read.formulas` finds them."""

    def __len__(self) -> int:
        return len(self.parent)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        names = ("buffer", "spill", *_COLUMNS, "tag_names", "attr_names", "warnings", "formulas")
        return self is other or all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash(self.buffer)

    def __reduce__(self) -> tuple[Callable[..., "Nodes"], tuple[object, ...]]:
        columns = [column for name in _COLUMNS if (column := getattr(self, name)) is not None]
        further_tags = self.tag_names[len(TAGS) :]
        names = (further_tags, self.attr_names)
        return _unpacked, (pack(columns), self.buffer, self.spill, *names, self.warnings, self.formulas)

    def replaced(self, **changes: Any) -> "Nodes":
        """The page with other columns or texts; nothing that was found out about this one is taken over."""
        return replace(self, **changes)

    def name(self, row: int) -> str:
        """The tag name, ``#text`` for a text node."""
        return self.tag_names[self.tag[row]]

    def text(self, row: int) -> str:
        """A text node's characters, white space included; a formula's LaTeX; empty for other elements."""
        compiled = core()
        return compiled.text(self.held, row) if compiled else self.text_by_reference(row)

    def text_by_reference(self, row: int) -> str:
        """The same, where the compiled twin could not be built."""
        return self._string(self.start[row], self.stop[row])

    def attr(self, row: int, name: str, most: int | None = None) -> str | None:
        """An attribute's value; empty for one without value, `None` for one that the element does not have.

        `most`: the bytes to read, for callers that ask for the same element again and again.
        """
        wanted = self.attr_number(name)
        if wanted < 0:
            return None
        if compiled := core():
            return compiled.attribute(self.held, row, wanted, -1 if most is None else most)
        return self.attr_by_reference(row, wanted, most)

    def attr_by_reference(self, row: int, wanted: int, most: int | None) -> str | None:
        """The same by the number of the name, where the compiled twin could not be built."""
        names = self.attr_name
        for index in range(self.attr_first[row], self.attr_first[row + 1]):
            if names[index] == wanted:
                start, stop = self.attr_start[index], self.attr_stop[index]
                return self._string(start, stop if most is None else min(stop, start + most))
        return None

    def attrs(self, row: int) -> dict[str, str]:
        """All attributes of an element."""
        return {
            self.attr_names[self.attr_name[index]]: self._string(self.attr_start[index], self.attr_stop[index])
            for index in range(self.attr_first[row], self.attr_first[row + 1])
        }

    def tokens(self, row: int, most: int | None = None) -> frozenset[str]:
        """The words of an element's class, id and role, lower-cased and split at hyphens, underscores and camel humps.

        `most`: the bytes of each to read.

        >>> from bonmun.read.parse import parse
        >>> sorted(parse('<div id="siteNav" class="main-menu">').tokens(3))
        ['main', 'menu', 'nav', 'site']
        """
        values = (self.attr(row, "class", most), self.attr(row, "id", most), self.attr(row, "role", most))
        return frozenset([word.lower() for value in values if value for word in words_of_name(value)])

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

    def has_tag(self, tag: str) -> bool:
        """Whether the page has an element with this tag."""
        return bool(self.rows_of(tag))

    def rows_of(self, *tags: str) -> list[int]:
        """The rows of all elements with one of these tag names, in order."""
        rows: list[int] = []
        for name in tags:
            number = TAG_ID.get(name, -1)
            if number < 0:
                number = self.tag_names.index(name) if name in self.tag_names else -1
            if number >= 0 and self.may_have(number):
                rows += self._rows_with(number)
        return sorted(rows) if len(tags) > 1 else rows

    def may_have(self, number: int) -> bool:
        """Whether a row may have the tag of this number, as far as the reader has told."""
        return True

    def _rows_with(self, number: int) -> list[int]:
        compiled = core()
        if compiled:
            return memoryview(compiled.tag_rows(self.tag, number)).cast("i").tolist()
        return self.rows_with_by_reference(number)

    def rows_with_by_reference(self, number: int) -> list[int]:
        """The rows with a tag, where the compiled twin could not be built."""
        return [row for row, tag in enumerate(self.tag) if tag == number]

    def rows_having(self, attribute: str, *words: str, within: range | None = None) -> Sequence[int]:
        """The rows of all elements whose attribute contains one of these words, without regard to case, in order.

        A word is any part of the value, in lower case. `within`: the rows to search; all if `None`.

        >>> from bonmun.read.parse import parse
        >>> list(parse('<p class="Footnotes">1<p class="text">2').rows_having("class", "footnote", "endnote"))
        [3]
        """
        name, compiled, rows = self.attr_number(attribute), core(), range(len(self)) if within is None else within
        if name < 0:
            return ()
        if compiled:
            joined = ("\0".join(words) + "\0").encode()
            return memoryview(compiled.attribute_rows(self.held, name, joined, rows.start, rows.stop)).cast("i")
        return [row for row in self.rows_having_by_reference(attribute, *words) if row in rows]

    def rows_having_by_reference(self, attribute: str, *words: str) -> list[int]:
        """The same in Python, where the compiled twin could not be built."""
        name, wanted = self.attr_id.get(attribute), [word.encode() for word in words]
        row, rows = 0, []
        for index, number in enumerate(self.attr_name):
            if number == name and any(word in self.attr_bytes(index).lower() for word in wanted):
                row = bisect_right(self.attr_first, index, lo=row) - 1  # empty elements before it start at it too
                rows.append(row)
        return rows

    def content(self, row: int) -> str:
        """All text inside an element with white space collapsed, rendered or not."""
        compiled = core()
        return compiled.content(self.held, row) if compiled else self.content_by_reference(row)

    def content_by_reference(self, row: int) -> str:
        """The same, where the compiled twin could not be built."""
        texts: list[str] = []
        done = row
        for inside in range(row, self.end[row]):
            is_text = self.tag[inside] == TEXT
            if inside >= done and (is_text or self.chars[inside]):
                texts.append(self.text_by_reference(inside))
                done = done if is_text else self.end[inside]
        return " ".join("".join(texts).split())

    def xpath(self, row: int) -> str:
        """An indexed path that `document.evaluate` resolves to this node.

        Below 96 elements, the path has the first 32 of them and the index among all descendants:
        ``/html/body/…/descendant::p[7]``.

        >>> from bonmun.read.parse import parse
        >>> nodes = parse("<p>one<p>two<br>three")
        >>> nodes.xpath(len(nodes) - 1)
        '/html/body/p[2]/text()[2]'
        """
        return self.xpaths.of(row)

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

    def attr_number(self, name: str) -> int:
        """The number of an attribute's name on this page; -1 if no element has it."""
        return self.attr_id.get(name, -1)

    def attr_numbers(self, names: tuple[str, ...]) -> bytes:
        """Those of a list of `model.attributes`, in 32-bit integers."""
        return array("i", [self.attr_id.get(name, -1) for name in names]).tobytes()

    def attr_bytes(self, index: int) -> bytes:
        """The value of an attribute in UTF-8, by its index in the attribute columns."""
        return self._bytes(self.attr_start[index], self.attr_stop[index])

    def _string(self, start: int, stop: int) -> str:
        return self._bytes(start, stop).decode("utf-8", "replace")

    def _bytes(self, start: int, stop: int) -> bytes:
        end = len(self.buffer)
        return self.buffer[start:stop] if start < end else self.spill[start - end : stop - end]

    @lazy
    def path(self) -> Sequence[int]:
        """A number for each row's tag path: rows of the same path have the same. A text node has its parent's."""
        compiled = core()
        if compiled:
            return memoryview(compiled.group(self.parent, self.tag, self.chars, self.flags)[0]).cast("i")
        known: dict[tuple[int, int], int] = {}
        numbers: list[int] = []
        for parent, tag in zip(self.parent, self.tag, strict=True):
            above = numbers[parent] if parent >= 0 else -1
            numbers.append(above if tag == TEXT else known.setdefault((above, tag), len(known)))
        return numbers

    @lazy
    def roles(self) -> dict[int, str]:
        """The ARIA roles that make headings, lists and tables of elements without a meaning of their own."""
        return self.roles_by_reference()

    def roles_by_reference(self) -> dict[int, str]:
        """The same where no reader has told them."""
        tag = self.tag
        rows = (row for row in self.rows_having("role", *ROLE_PARTS) if tag[row] in NEUTRAL)
        return {row: role for row in rows if (role := (self.attr(row, "role") or "").strip().lower()) in ROLES}

    @lazy
    def role_column(self) -> bytes:
        """The rows of `roles` with the numbers of their roles, as compiled code takes them."""
        return array("i", chain.from_iterable((row, ROLES.index(role)) for row, role in self.roles.items())).tobytes()

    @lazy
    def formula_at(self) -> dict[int, Formula]:
        """The formulas by their rows."""
        return {formula.row: formula for formula in self.formulas}

    @lazy
    def attr_id(self) -> dict[str, int]:
        """The number of an attribute's name."""
        return dict(zip(self.attr_names, range(len(self.attr_names)), strict=True))

    @lazy
    def xpaths(self) -> XPaths:
        """The paths of the rows."""
        return XPaths(self)

    @lazy
    def columns(self) -> tuple[Any, ...]:
        """The columns for compiled code, as buffers: those of `COMPILED_COLUMNS`."""
        return _compiled_columns(self)

    @lazy
    def held(self) -> object:
        """The columns as the compiled core holds them; `None` without it."""
        compiled = core()
        return compiled and compiled.nodes(self.columns, self.buffer, self.spill)

    @lazy
    def inline_contexts(self) -> dict[int, InlineContext]:
        """A cache of `model.inline`, which bounds it: the marks and the link around an element, by its row."""
        return {}


def _unpacked(
    packed: PackedColumns,
    buffer: bytes,
    spill: bytes,
    further_tags: tuple[str, ...],
    attr_names: tuple[str, ...],
    warnings: tuple[str, ...],
    formulas: tuple[Formula, ...],
) -> Nodes:
    """The nodes that were pickled; without source offsets if the reader recorded none."""
    columns: dict[str, Column | None] = dict.fromkeys(_COLUMNS)
    columns.update(zip(_COLUMNS, unpack(packed), strict=False))
    return Nodes(
        **columns,  # type: ignore[arg-type]  # only the source offsets may be None
        buffer=buffer,
        spill=spill,
        tag_names=TAGS + further_tags,
        attr_names=attr_names,
        warnings=warnings,
        formulas=formulas,
    )


def words_of_name(value: str) -> Iterable[str]:
    """The words of a name, split at what is no letter or digit and at camel humps.

    >>> list(words_of_name("siteNav2_XMLMain")), list(words_of_name("naïveÉtude"))
    (['site', 'Nav2', 'XMLMain'], ['naïve', 'Étude'])
    """
    return _ASCII_WORD.findall(value) if value.isascii() else _words(value)


def _words(value: str) -> Iterator[str]:
    start = 0
    for index, char in enumerate(value):
        if not char.isalnum():
            if index > start:
                yield value[start:index]
            start = index + 1
        elif char.isupper() and index > start and not value[index - 1].isupper():
            yield value[start:index]
            start = index
    if len(value) > start:
        yield value[start:]
