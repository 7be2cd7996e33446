r"""Selectors: how a rule names elements, in a small part of CSS that a browser's inspector takes as it is.

A selector is made of steps, ``tag#id.class:nth-of-type(2)``, each part optional; ``a > b`` is a child, ``a b`` any
descendant. A name that CSS would want escaped is written ``[id="…"]`` or ``[class~="…"]``.
"""

import re
from bisect import bisect_right
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
    r"""(?P<tag>\*|[a-zA-Z][\w-]*)
    | \#(?P<id>-?[^\W\d][\w-]*) | \.(?P<class>-?[^\W\d][\w-]*)
    | \[id="(?P<odd_id>[^"\\\n]+)"\] | \[class~="(?P<odd_class>[^"\\\s]+)"\]
    | :nth-of-type\((?P<place>[1-9]\d{0,5})\)""",
    re.VERBOSE,
)
_COMBINATOR = re.compile(r"\s*(>)\s*|\s+")


class BadSelector(ValueError):
    """A selector that cannot be read; the message says where it ends to make sense."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one element has to be."""

    tag: str = "*"
    id: str | None = None
    classes: tuple[str, ...] = ()
    place: int = 0
    """Its place among siblings of its tag, from 1; 0: any."""

    def __str__(self) -> str:
        named = "" if self.id is None else f"#{self.id}" if _PLAIN.fullmatch(self.id) else f'[id="{self.id}"]'
        classes = (f".{name}" if _PLAIN.fullmatch(name) else f'[class~="{name}"]' for name in self.classes)
        place = f":nth-of-type({self.place})" if self.place else ""
        tag = "" if self.tag == "*" and (named or self.classes) else self.tag
        return f"{tag}{named}{''.join(classes)}{place}"

    def fits(self, tag: str, names: Names) -> bool:
        """Whether an element with that tag, id and classes can be meant, its place aside."""
        return (
            (self.tag == "*" or self.tag == tag)
            and (self.id is None or self.id == names[0])
            and all(name in names[1] for name in self.classes)
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """Steps from the outermost element to the one that is meant."""

    steps: tuple[Step, ...]
    children: tuple[bool, ...]
    """For every step but the first, whether it is a child of the one before, or any descendant."""

    def __str__(self) -> str:
        joined = str(self.steps[0])
        for child, step in zip(self.children, self.steps[1:], strict=True):
            joined += f"{' > ' if child else ' '}{step}"
        return joined


@lru_cache(1024)
def parse_selector(text: str) -> Selector:
    """Read a selector; `BadSelector` where it is none, or one beyond the part of CSS that is understood.

    >>> print(parse_selector("div#main>p.lead  b"))
    div#main > p.lead b
    >>> parse_selector("div:hover")
    Traceback (most recent call last):
    bonmun.sites.selectors.BadSelector: 'div:hover' is no selector from ':hover' on
    """
    at, steps, children = 0, list[Step](), list[bool]()
    stripped = text.strip()
    while True:
        step, at = _step_at(stripped, at, text)
        steps.append(step)
        if at == len(stripped):
            return Selector(tuple(steps), tuple(children))
        combinator = _COMBINATOR.match(stripped, at)
        if not combinator:
            raise BadSelector(f"{text!r} is no selector from {stripped[at:]!r} on")
        children.append(combinator[1] is not None)
        at = combinator.end()


def _step_at(text: str, at: int, whole: str) -> tuple[Step, int]:
    parts: dict[str, str] = {}
    classes: list[str] = []
    start = at
    while found := _PART.match(text, at):
        kind = found.lastgroup or ""
        if kind == "tag" and at > start:
            break
        if kind.endswith("class"):
            classes.append(found[kind])
        else:
            parts[kind.removeprefix("odd_")] = found[kind]
        at = found.end()
    if at == start:
        raise BadSelector(f"{whole!r} is no selector from {text[at:]!r} on" if whole.strip() else "a selector is empty")
    step = Step(parts.get("tag", "*").lower(), parts.get("id"), tuple(classes), int(parts.get("place", 0)))
    return step, at


def names_of(nodes: Nodes) -> dict[int, Names]:
    """The id and classes of every element that has any.

    >>> from bonmun.read.parse import parse
    >>> names_of(parse("<p id=a class='b c'>x"))[3] == ("a", {"b", "c"})
    True
    """
    ids, classes = nodes.attr_id.get("id", -1), nodes.attr_id.get("class", -1)
    wanted, first = {ids, classes}, nodes.attr_first.tolist()
    rows = (bisect_right(first, at) - 1 for at, name in enumerate(nodes.attr_name) if name in wanted)
    return names_of_rows(nodes, dict.fromkeys(rows), {})


def names_of_rows(nodes: Nodes, rows: Iterable[int], known: dict[bytes, frozenset[str]]) -> dict[int, Names]:
    """The id and classes of those of some elements that have any; class values recur, `known` keeps them."""
    ids, classes = nodes.attr_id.get("id", -1), nodes.attr_id.get("class", -1)
    source = nodes.buffer + nodes.spill if nodes.spill else nodes.buffer
    first, names, starts, stops = nodes.attr_first, nodes.attr_name, nodes.attr_start, nodes.attr_stop
    found: dict[int, Names] = {}
    for row in rows:
        for at in range(first[row], first[row + 1]):
            name = names[at]
            if name == classes:
                value = source[starts[at] : stops[at]]
                if value not in known:
                    known[value] = frozenset(value.decode("utf-8", "replace").split())
                found[row] = (found.get(row, NAMELESS)[0], known[value])
            elif name == ids:
                id = source[starts[at] : stops[at]].decode("utf-8", "replace").strip()
                found[row] = (id or None, found.get(row, NAMELESS)[1])
    return found


def find(nodes: Nodes, selectors: Sequence[Selector]) -> list[list[int]]:
    """The rows that each selector names, in document order.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div class=a><p>x<p>y</div><p>z")
    >>> [[page.xpath(row) for row in rows] for rows in find(page, [parse_selector(".a > p:nth-of-type(2)")])]
    [['/html/body/div[1]/p[2]']]
    """
    names = names_of(nodes)
    return [_found(nodes, selector, names) for selector in selectors]


def _found(nodes: Nodes, selector: Selector, names: Mapping[int, Names]) -> list[int]:
    """Follow a selector from its first step inwards."""
    rows = [row for row in _start(nodes, selector.steps[0], names) if _is(nodes, selector.steps[0], row, names)]
    for child, step in zip(selector.children, selector.steps[1:], strict=True):
        inside = (_children if child else _descendants)(nodes, rows)
        rows = [row for row in inside if _is(nodes, step, row, names)]
    return rows


def _start(nodes: Nodes, step: Step, names: Mapping[int, Names]) -> Iterable[int]:
    """The rows that a selector may start with."""
    if step.id is not None or step.classes:
        return sorted(names)
    if step.tag == "*":
        return range(len(nodes))
    return nodes.rows_of(step.tag)


def _children(nodes: Nodes, rows: Sequence[int]) -> list[int]:
    return sorted(child for row in rows for child in nodes.children(row))


def _descendants(nodes: Nodes, rows: Sequence[int]) -> Iterator[int]:
    """All rows inside some others, each once."""
    at = 0
    for row in rows:
        at = max(at, row + 1)
        yield from range(at, nodes.end[row])
        at = max(at, nodes.end[row])


def _is(nodes: Nodes, step: Step, row: int, names: Mapping[int, Names]) -> bool:
    if nodes.tag[row] == TEXT or not step.fits(nodes.name(row), names.get(row, NAMELESS)):
        return False
    return not step.place or step.place == place_of(nodes, row)


def place_of(nodes: Nodes, row: int) -> int:
    """An element's place among the siblings of its tag, from 1."""
    if nodes.parent[row] < 0:
        return 1
    tag = nodes.tag[row]
    return sum(1 for at in nodes.children(nodes.parent[row]) if at <= row and nodes.tag[at] == tag)
