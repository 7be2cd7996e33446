"""Elements of a page with some of their attributes, found in one pass."""

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bonmun.core import core
from bonmun.model.attributes import BYTES_OF, DECLARING
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID

Element = tuple[Any, ...]
"""The row of an element, and the value of each attribute asked for; `None` for one that it does not have."""
_MISSING = array("i", [-1]).tobytes()  # the number of an attribute that no element has
_META = TAG_ID["meta"]


def elements(nodes: Nodes, tag: str | None, names: tuple[str, ...], most: int, needed: int = 0) -> list[Element]:
    """The first `most` elements with a tag of `TAGS`, `None` for any, in order.

    `needed`: only those with one of the first attributes, so many of them.

    >>> from bonmun.read.parse import parse
    >>> elements(parse('<meta name="author" content="Ann"><meta charset="utf-8">'), "meta", ("name", "content"), 9)
    [(2, 'author', 'Ann'), (3, None, None)]
    """
    compiled = core()
    known = names in BYTES_OF
    numbers = nodes.attr_numbers(names) if known else array("i", map(nodes.attr_number, names)).tobytes()
    if needed and numbers.startswith(_MISSING * needed):
        return []
    if compiled is None:
        return elements_by_reference(nodes, tag, names, most, needed)
    number = -1 if tag is None else TAG_ID[tag]
    return compiled.elements(nodes.held, number, numbers, needed, most)


def elements_by_reference(
    nodes: Nodes, tag: str | None, names: tuple[str, ...], most: int, needed: int = 0
) -> list[Element]:
    """The same in Python, where the compiled twin could not be built."""
    return list(islice(_found(nodes, tag, names, needed), most))


def _found(nodes: Nodes, tag: str | None, names: tuple[str, ...], needed: int) -> Iterator[Element]:
    first = nodes.attr_first
    for row in range(len(nodes)) if tag is None else nodes.rows_of(tag):
        if tag is None and first[row] == first[row + 1]:
            continue
        values = [nodes.attr(row, name) for name in names]
        if not needed or any(value is not None for value in values[:needed]):
            yield row, *values


def contents_by_name(nodes: Nodes, most: int) -> dict[str, list[str]]:
    """The contents of the first `most` `meta` elements by property or name, in lower case.

    >>> from bonmun.read.parse import parse
    >>> contents_by_name(parse('<meta name=Author content="Ann"><meta name=author content="Bo">'), 9)
    {'author': ['Ann', 'Bo']}
    """
    compiled = core()
    if compiled is None:
        return contents_by_name_by_reference(nodes, most)
    if not nodes.may_have(_META):
        return {}
    return compiled.named_contents(nodes.held, _META, nodes.attr_numbers(DECLARING), most)


def contents_by_name_by_reference(nodes: Nodes, most: int) -> dict[str, list[str]]:
    """The same in Python, where the compiled twin could not be built."""
    contents: dict[str, list[str]] = {}
    for _, declared, named, equivalent, content in elements_by_reference(nodes, "meta", DECLARING, most):
        name = declared or named or equivalent
        if content and name:
            contents.setdefault(name.strip().lower(), []).append(content)
    return contents


def attribute_place(nodes: Nodes, row: int, name: str) -> int:
    """Return the index in the attribute columns of an attribute that an element has."""
    number = nodes.attr_number(name)
    return next(at for at in range(nodes.attr_first[row], nodes.attr_first[row + 1]) if nodes.attr_name[at] == number)
