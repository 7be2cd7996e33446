"""ARIA roles that give an element the meaning of another: `<div role="heading" aria-level="3">` is an `<h3>`.

Tables are segmented as such, so that a method judges them whole. Headings and lists have their kinds for readers and
writers only: methods have learned from the tags of pages, and lose quality by other kinds (word F1 on `wcxb_dev` -.0001
for headings, -.0003 for lists).
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

from bonmun.core import core
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.nodes import ROLES, Column, Nodes, copied
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
COMPILED_ROLE_TAGS: Final = array("i", [TAGS_OF_ROLES.get(role, -1) for role in ROLES]).tobytes()
"""The tag of each role for the compiled core, -1 for one without."""
_PARAGRAPH, _HEADING, _ITEM = (KINDS.index(kind) for kind in (Kind.PARAGRAPH, Kind.HEADING, Kind.ITEM))
DEFAULT_LEVEL: Final = 2
"""The level of a heading without `aria-level`, by the ARIA specification."""


def tags_by_role(nodes: Nodes, tags: Mapping[str, int]) -> Column:
    """The column of tags with those of some roles; the page's own if it has no such role."""
    replaced = {row: tags[role] for row, role in nodes.roles.items() if role in tags} if nodes.role_column else None
    if not replaced:
        return nodes.tag
    column = copied(nodes.tag)
    for row, tag in replaced.items():
        column[row] = tag
    return memoryview(column).toreadonly()


def with_roles(nodes: Nodes, tags: Mapping[str, int]) -> Nodes:
    """The page with the tags of some roles; the page itself if it has no such role.

    >>> from bonmun.read.parse import parse
    >>> with_roles(parse('<div role="list">Tea</div>'), TAGS_OF_ROLES).name(3)
    'ul'
    """
    column = tags_by_role(nodes, tags)
    return nodes if column is nodes.tag else nodes.replaced(tag=column)


def with_role_kinds(nodes: Nodes, blocks: Blocks) -> Blocks:
    """The blocks with the kinds and levels of the roles around them; the blocks themselves if there are none."""
    if not nodes.role_column:  # most pages
        return blocks
    compiled = core()
    if compiled is None:
        return with_role_kinds_by_reference(nodes, blocks)
    level = nodes.attr_number("aria-level")
    columns = compiled.role_kinds(nodes.held, blocks.columns, nodes.role_column, level)
    return blocks if columns is None else blocks.with_kinds(*columns)


def with_role_kinds_by_reference(nodes: Nodes, blocks: Blocks) -> Blocks:
    """The same where the compiled twin could not be built."""
    if not nodes.roles or not any(role in ("heading", "listitem") for role in nodes.roles.values()):
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
    return blocks.with_kinds(kinds.tobytes(), levels.tobytes())


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
        if opened and stop[index] <= end[opened[-1]]:  # nearly always
            yield index, opened[-1]
        elif around := [above for above in opened if stop[index] <= end[above]]:
            yield index, around[-1]
        index += 1


def _level(nodes: Nodes, row: int) -> int:
    level = (nodes.attr(row, "aria-level") or "").strip()
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else DEFAULT_LEVEL


def _depth(nodes: Nodes, row: int) -> int:
    """The number of lists around an item."""
    roles = nodes.roles
    return max(1, sum(nodes.tag[above] in LISTS or roles.get(above) == "list" for above in nodes.ancestors(row)))
