r"""Selectors of rules: a subset of CSS.

A selector consists of steps, ``tag#id.class:nth-of-type(2)``, each part optional; ``a > b`` is a child, ``a b`` any
descendant. A name that CSS would escape is written ``[id="…"]`` or ``[class~="…"]``. A backslash escapes quotation
marks and backslashes in it, and odd characters of a tag.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT

Names = tuple[str | None, frozenset[str]]
"""An element's id and classes."""
NAMELESS: Names = (None, frozenset())

_PLAIN = re.compile(r"-?[^\W\d][\w-]*")
_PART = re.compile(
    r"""(?P<tag>\*|[a-zA-Z](?:[\w-]|\\[^\w])*)
    | \#(?P<id>-?[^\W\d][\w-]*) | \.(?P<class>-?[^\W\d][\w-]*)
    | \[id="(?P<odd_id>(?:[^"\\]|\\["\\])+)"\] | \[class~="(?P<odd_class>(?:[^"\\\s]|\\["\\])+)"\]
    | :nth-of-type\((?P<place>[1-9]\d{0,5})\)""",
    re.VERBOSE,
)
_ODD = re.compile(r"[^\w-]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SPACE = " \t\n\f\r"
_COMBINATOR = re.compile(r"\s*(>)\s*|\s+")


class BadSelector(ValueError):
    """A selector with a syntax error, or outside the supported subset of CSS."""


@dataclass(frozen=True, slots=True)
class Step:
    """The conditions on one element."""

    tag: str = "*"
    id: str | None = None
    classes: tuple[str, ...] = ()
    place: int = 0
    """Its position among siblings of its tag, from 1 (`:nth-of-type`); 0: any."""

    def __str__(self) -> str:
        named = "" if self.id is None else f"#{self.id}" if _PLAIN.fullmatch(self.id) else f'[id="{_quoted(self.id)}"]'
        classes = (f".{name}" if _PLAIN.fullmatch(name) else f'[class~="{_quoted(name)}"]' for name in self.classes)
        place = f":nth-of-type({self.place})" if self.place else ""
        tag = "" if self.tag == "*" and (named or self.classes) else _escaped(self.tag)
        return f"{tag}{named}{''.join(classes)}{place}"

    def fits(self, tag: str, names: Names) -> bool:
        """Whether an element with this tag, id and classes matches, regardless of its position."""
        return (
            (self.tag == "*" or self.tag == tag)
            and (self.id is None or self.id == names[0])
            and all(name in names[1] for name in self.classes)
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """Steps from the outermost element to the selected one."""

    steps: tuple[Step, ...]
    children: tuple[bool, ...]
    """For every step but the first, whether it is a child of the previous one, not any descendant."""

    def __str__(self) -> str:
        joined = str(self.steps[0])
        for child, step in zip(self.children, self.steps[1:], strict=True):
            joined += f"{' > ' if child else ' '}{step}"
        return joined


@lru_cache(1024)
def parse_selector(text: str) -> Selector:
    """Parse a selector; raise `BadSelector` if it is invalid or unsupported.

    >>> print(parse_selector("div#main>p.lead  b"))
    div#main > p.lead b
    >>> parse_selector("div:hover")
    Traceback (most recent call last):
    bonmun.sites.selectors.BadSelector: invalid selector 'div:hover': unexpected ':hover'
    """
    position, steps, children = 0, list[Step](), list[bool]()
    stripped = text.strip(_SPACE)
    while True:
        step, position = _step_at(stripped, position)
        steps.append(step)
        if position == len(stripped):
            return Selector(tuple(steps), tuple(children))
        combinator = _COMBINATOR.match(stripped, position)
        if not combinator:
            raise _unexpected(stripped, position)
        children.append(combinator[1] is not None)
        position = combinator.end()


def _step_at(text: str, start: int) -> tuple[Step, int]:
    parts: dict[str, str] = {}
    classes: list[str] = []
    position = start
    while part := _PART.match(text, position):
        kind = part.lastgroup or ""
        if kind == "tag" and position > start:
            break
        if kind.endswith("class"):
            classes.append(_ESCAPE.sub(r"\1", part[kind]))
        else:
            parts[kind.removeprefix("odd_")] = _ESCAPE.sub(r"\1", part[kind])
        position = part.end()
    if position == start:
        raise _unexpected(text, position)
    step = Step(parts.get("tag", "*").lower(), parts.get("id"), tuple(classes), int(parts.get("place", 0)))
    return step, position


def _escaped(tag: str) -> str:
    return tag if tag == "*" else _ODD.sub(r"\\\g<0>", tag)


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _unexpected(text: str, position: int) -> BadSelector:
    rest = text[position:]
    return BadSelector(f"invalid selector {text!r}: unexpected {repr(rest) if rest else 'end'}")


def names_of(nodes: Nodes) -> dict[int, Names]:
    """Return the id and classes of every element that has any.

    >>> from bonmun.read.parse import parse
    >>> names_of(parse("<p id=a class='b c'>x"))[3] == ("a", {"b", "c"})
    True
    """
    ids, classes = nodes.attr_id.get("id", -1), nodes.attr_id.get("class", -1)
    wanted, first = {ids, classes}, nodes.attr_first.tolist()
    rows = (bisect_right(first, index) - 1 for index, name in enumerate(nodes.attr_name) if name in wanted)
    return names_of_rows(nodes, dict.fromkeys(rows), {})


def names_of_rows(nodes: Nodes, rows: Iterable[int], known: dict[bytes, frozenset[str]]) -> dict[int, Names]:
    """Return the id and classes of the given elements that have any; `known` caches parsed class values."""
    ids, classes = nodes.attr_id.get("id", -1), nodes.attr_id.get("class", -1)
    source = nodes.buffer + nodes.spill if nodes.spill else nodes.buffer
    first, names, starts, stops = nodes.attr_first, nodes.attr_name, nodes.attr_start, nodes.attr_stop
    named: dict[int, Names] = {}
    for row in rows:
        for index in range(first[row], first[row + 1]):
            name = names[index]
            if name == classes:
                value = source[starts[index] : stops[index]]
                if value not in known:
                    known[value] = frozenset(value.decode("utf-8", "replace").split())
                named[row] = (named.get(row, NAMELESS)[0], known[value])
            elif name == ids:
                id = source[starts[index] : stops[index]].decode("utf-8", "replace").strip()
                named[row] = (id or None, named.get(row, NAMELESS)[1])
    return named


def find(nodes: Nodes, selectors: Sequence[Selector]) -> list[list[int]]:
    """Return the rows that each selector matches, in document order.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div class=a><p>x<p>y</div><p>z")
    >>> [[page.xpath(row) for row in rows] for rows in find(page, [parse_selector(".a > p:nth-of-type(2)")])]
    [['/html/body/div[1]/p[2]']]
    """
    search = _Search(nodes)
    return [search.matches(selector) for selector in selectors]


class _Search:
    """The elements of a page with their names and positions, for several selectors."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.names = names_of(nodes)
        self.places: dict[int, int] = {}

    def matches(self, selector: Selector) -> list[int]:
        """Match a selector step by step, from the outermost."""
        first = selector.steps[0]
        rows = [row for row in _start(self.nodes, first, self.names) if self._is(first, row)]
        for child, step in zip(selector.children, selector.steps[1:], strict=True):
            inside = (_children if child else _descendants)(self.nodes, rows)
            rows = [row for row in inside if self._is(step, row)]
        return rows

    def _is(self, step: Step, row: int) -> bool:
        nodes = self.nodes
        if nodes.tag[row] == TEXT or not step.fits(nodes.name(row), self.names.get(row, NAMELESS)):
            return False
        return not step.place or step.place == self._place(row)

    def _place(self, row: int) -> int:
        """An element's position among the siblings of its tag, from 1; those of all siblings are counted at once."""
        if row not in self.places:
            nodes, seen = self.nodes, Counter[int]()
            for sibling in nodes.children(nodes.parent[row]) if nodes.parent[row] >= 0 else (row,):
                seen[nodes.tag[sibling]] += 1
                self.places[sibling] = seen[nodes.tag[sibling]]
        return self.places[row]


def _start(nodes: Nodes, step: Step, names: Mapping[int, Names]) -> Iterable[int]:
    """Return the candidate rows of a selector's first step."""
    if step.id is not None or step.classes:
        return sorted(names)
    if step.tag == "*":
        return range(len(nodes))
    return nodes.rows_of(step.tag)


def _children(nodes: Nodes, rows: Sequence[int]) -> list[int]:
    return sorted(child for row in rows for child in nodes.children(row))


def _descendants(nodes: Nodes, rows: Sequence[int]) -> Iterator[int]:
    """Yield all rows inside some others, each once."""
    position = 0
    for row in rows:
        position = max(position, row + 1)
        yield from range(position, nodes.end[row])
        position = max(position, nodes.end[row])
