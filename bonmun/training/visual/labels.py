"""Labels of elements: an element is main content if it was marked as such or lies inside one that was.

Corpora have gold texts, not marked elements. Two ways lead from a text to elements:

| label | marked elements |
|---|---|
| `share` | the topmost elements of which at least 80 % of the characters are gold |
| `single` | the smallest element with at least 90 % of the gold, as an annotator who marks one element would choose |

A corpus with marked elements (`extra.blocks` of `visual_dev`) needs neither.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TEXT, UNRENDERED

LABELS: Final = ("share", "single")
"""The ways from a gold text to elements."""
_PURE: Final = 0.8
_NEARLY_ALL: Final = 0.9
_STEP: Final = re.compile(r"([^/\[\]]+)(?:\[(\d+)\])?\Z")

Flags = NDArray[np.bool_]
Counts = NDArray[np.float64]


def gold_characters(page: Page, shares: Sequence[float]) -> Counts:
    """Return the gold characters of each row's subtree, from the share of each block that is gold."""
    share = np.zeros(len(page.nodes))
    for first, stop, value in zip(page.blocks.first, page.blocks.stop, shares, strict=True):
        share[first:stop] = value
    return _of_subtrees(page.nodes, _shown(page.nodes) * share)


def labels_by_share(nodes: Nodes, gold: Counts) -> Flags:
    """Return which rows are in an element of which at least 80 % of the characters are gold."""
    characters = _of_subtrees(nodes, _shown(nodes))
    return inside(nodes, np.flatnonzero(_elements(nodes) & (characters > 0) & (gold >= _PURE * characters)))


def labels_by_single(nodes: Nodes, gold: Counts) -> Flags:
    """Return which rows are in the smallest element with at least 90 % of the gold; none if there is no gold."""
    if not len(nodes) or gold[0] <= 0:
        return np.zeros(len(nodes), np.bool_)
    holders = np.flatnonzero(_elements(nodes) & (gold >= _NEARLY_ALL * gold[0]))
    return inside(nodes, holders[-1:])  # two elements with 90 % each lie in each other: the last is the smallest


def inside(nodes: Nodes, rows: Iterable[int]) -> Flags:
    """Return which rows are among these or in their subtrees.

    >>> import bonmun
    >>> nodes = bonmun.read_page("<div><p>Tea<b>!</b></div><p>Milk").nodes
    >>> [nodes.name(row) for row in inside(nodes, [3]).nonzero()[0]]
    ['div', 'p', '#text', 'b', '#text']
    """
    chosen = np.fromiter(rows, np.int64)
    steps = np.zeros(len(nodes) + 1, np.int64)
    np.add.at(steps, chosen, 1)
    np.add.at(steps, np.asarray(nodes.end)[chosen], -1)
    flags: Flags = np.cumsum(steps[:-1]) > 0
    return flags


def row_at(nodes: Nodes, xpath: str) -> int:
    """Return the element that an absolute xpath of names and numbers leads to; -1 if there is none.

    A table section that only we imply is passed through: the xpath may come from a parser that implies none.

    >>> import bonmun
    >>> nodes = bonmun.read_page("<p>Tea<p>Milk</p><table><tr><td>Sugar").nodes
    >>> nodes.name(row_at(nodes, "/html/body/table/tr/td")), row_at(nodes, "/html/body/p[3]")
    ('td', -1)
    """
    row = -1
    for text in xpath.strip("/").split("/"):
        step = _STEP.match(text)
        row = -1 if step is None else _child(nodes, row, step[1].lower(), int(step[2] or 1))
        if row < 0:
            return -1
    return row


def _child(nodes: Nodes, parent: int, name: str, number: int) -> int:
    if parent < 0:
        return 0 if len(nodes) and nodes.name(0) == name and number == 1 else -1
    children = _children(nodes, parent)
    if name == "tr" and nodes.name(parent) == "table":
        sections = [child for child in children if nodes.name(child) == "tbody"]
        children = [*children, *(row for section in sections for row in _children(nodes, section))]
    named = [child for child in children if nodes.name(child) == name]
    return named[number - 1] if 1 <= number <= len(named) else -1


def _children(nodes: Nodes, parent: int) -> list[int]:
    children, row = [], parent + 1
    while row < nodes.end[parent]:
        children.append(row)
        row = nodes.end[row]
    return children


def _shown(nodes: Nodes) -> Counts:
    """The characters of each row, without those that are never rendered."""
    unrendered = np.asarray(nodes.flags) & UNRENDERED > 0
    return np.where(unrendered, 0, np.asarray(nodes.chars)).astype(np.float64)


def _of_subtrees(nodes: Nodes, counts: Counts) -> Counts:
    before = np.concatenate(([0.0], np.cumsum(counts)))
    sums: Counts = before[np.asarray(nodes.end)] - before[:-1]
    return sums


def _elements(nodes: Nodes) -> Flags:
    flags: Flags = np.asarray(nodes.tag) != TEXT
    return flags
