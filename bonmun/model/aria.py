"""ARIA roles that give an element the meaning of another: `<div role="heading" aria-level="3">` is an `<h3>`.

Tables are segmented as such, so that a method judges them whole. Headings and lists have their kinds for readers and
writers only: methods have learned from the tags of pages, and lose quality by other kinds (word F1 on `wcxb_dev` -.0001
for headings, -.0003 for lists).
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import LISTS, TAG_ID

TABLE_TAGS: Final = {
    "table": TAG_ID["table"],
    "row": TAG_ID["tr"],
    "cell": TAG_ID["td"],
    "gridcell": TAG_ID["td"],
    "columnheader": TAG_ID["th"],
    "rowheader": TAG_ID["th"],
}
TAGS_OF_ROLES: Final = {**TABLE_TAGS, "list": TAG_ID["ul"], "listitem": TAG_ID["li"]}
_PARAGRAPH, _HEADING, _ITEM = (KINDS.index(kind) for kind in (Kind.PARAGRAPH, Kind.HEADING, Kind.ITEM))
_DEFAULT_LEVEL: Final = 2
"""The level of a heading without `aria-level`, by the ARIA specification."""


def with_roles(nodes: Nodes, tags: Mapping[str, int]) -> Nodes:
    """The page with the tags of some roles; the page itself if it has no such role.

    >>> from bonmun.read.parse import parse
    >>> with_roles(parse('<div role="list">Tea</div>'), TAGS_OF_ROLES).name(3)
    'ul'
    """
    replaced = {row: tags[role] for row, role in nodes.roles.items() if role in tags}
    if not replaced:
        return nodes
    column = copied(nodes.tag)
    for row, tag in replaced.items():
        column[row] = tag
    return replace(nodes, tag=memoryview(column).toreadonly())


def with_role_kinds(nodes: Nodes, blocks: Blocks) -> Blocks:
    """The blocks with the kinds and levels of the roles around them; the blocks themselves if there are none."""
    if not any(role in ("heading", "listitem") for role in nodes.roles.values()):
        return blocks
    kinds, levels = copied(blocks.kind_code), copied(blocks.level)
    latest, kind, level = -1, _PARAGRAPH, 0
    for index, row in _innermost(nodes, blocks):
        if kinds[index] == _PARAGRAPH:
            if row != latest:
                is_heading = nodes.roles[row] == "heading"
                kind = _HEADING if is_heading else _ITEM
                latest, level = row, _level(nodes, row) if is_heading else _depth(nodes, row)
            kinds[index], levels[index] = kind, level
    return replace(blocks, kind_code=memoryview(kinds).toreadonly(), level=memoryview(levels).toreadonly())


def _innermost(nodes: Nodes, blocks: Blocks) -> Iterator[tuple[int, int]]:
    """Yield the blocks inside headings and items by role, each with the innermost of these."""
    rows = [row for row, role in nodes.roles.items() if role in ("heading", "listitem")]
    first, stop, end = blocks.first, blocks.stop, nodes.end
    opened: list[int] = []
    index = following = 0
    while opened or following < len(rows):
        if not opened:  # on to the next block inside one
            index = bisect_left(first, rows[following], index)
        if index == len(blocks):
            return
        row = first[index]
        while following < len(rows) and rows[following] <= row:
            opened.append(rows[following])
            following += 1
        while opened and end[opened[-1]] <= row:
            opened.pop()
        around = next((above for above in reversed(opened) if stop[index] <= end[above]), None)
        if around is not None:
            yield index, around
        index += 1


def _level(nodes: Nodes, row: int) -> int:
    level = (nodes.attr(row, "aria-level") or "").strip()
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else _DEFAULT_LEVEL


def _depth(nodes: Nodes, row: int) -> int:
    """The number of lists around an item."""
    roles = nodes.roles
    return max(1, sum(nodes.tag[above] in LISTS or roles.get(above) == "list" for above in nodes.ancestors(row)))
