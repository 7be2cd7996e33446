"""Elements of a page with some of their attributes, found in one pass."""

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bonmun.core import core
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID

Element = tuple[Any, ...]
"""The row of an element, and the value of each attribute asked for; `None` for one that it does not have."""


def elements(nodes: Nodes, tag: str | None, names: tuple[str, ...], most: int, needed: int = 0) -> list[Element]:
    """The first `most` elements with a tag of `TAGS`, `None` for any, in order.

    `needed`: only those with one of the first attributes, so many of them.

    >>> from bonmun.read.parse import parse
    >>> elements(parse('<meta name="author" content="Ann"><meta charset="utf-8">'), "meta", ("name", "content"), 9)
    [(2, 'author', 'Ann'), (3, None, None)]
    """
    compiled, number_of = core(), nodes.attr_id
    if needed and not any(name in number_of for name in names[:needed]):
        return []
    if compiled is None:
        return elements_by_reference(nodes, tag, names, most, needed)
    numbers = array("i", [number_of.get(name, -1) for name in names])
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


def attribute_place(nodes: Nodes, row: int, name: str) -> int:
    """Return the index in the attribute columns of an attribute that an element has."""
    number = nodes.attr_id[name]
    return next(at for at in range(nodes.attr_first[row], nodes.attr_first[row + 1]) if nodes.attr_name[at] == number)
