"""The kept blocks, a flat list, as the lists, quotes and tables that they stand in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bonmun.model.block import Kind
from bonmun.model.document import Block
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CELLS, LISTS, TAG_ID

NESTING: Final = 32
"""Groups inside groups, at most: pages nest hundreds to break their readers; what lies deeper joins the deepest."""

_NUMBER = re.compile(r"[0-9]{1,8}")  # CommonMark reads nine digits, and the list still has to count on


class Role(StrEnum):
    """What a group is."""

    LIST = "list"
    ITEM = "item"
    QUOTE = "quote"
    DEFINITIONS = "definitions"
    TERM = "term"
    DEFINITION = "definition"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"


_ROLE_OF_TAG: Final = {
    **dict.fromkeys(LISTS, Role.LIST),
    **dict.fromkeys(CELLS, Role.CELL),
    TAG_ID["li"]: Role.ITEM,
    TAG_ID["blockquote"]: Role.QUOTE,
    TAG_ID["dl"]: Role.DEFINITIONS,
    TAG_ID["dt"]: Role.TERM,
    TAG_ID["dd"]: Role.DEFINITION,
    TAG_ID["table"]: Role.TABLE,
    TAG_ID["tr"]: Role.ROW,
}
_OF_TABLES: Final = frozenset({Role.TABLE, Role.ROW, Role.CELL})
_PARENT: Final = {
    Role.ITEM: Role.LIST,
    Role.TERM: Role.DEFINITIONS,
    Role.DEFINITION: Role.DEFINITIONS,
    Role.ROW: Role.TABLE,
    Role.CELL: Role.ROW,
}
_ONLY_PARTS: Final = frozenset({Role.LIST, Role.DEFINITIONS, Role.ROW})
"""Groups that hold their own parts and nothing else."""
_HOLDERS: Final = frozenset({Role.ITEM, Role.QUOTE, Role.TERM, Role.DEFINITION, Role.CELL})
"""Groups that hold anything."""


@dataclass(slots=True)
class Leaf:
    """One block, or several with only a single line break between each and the next."""

    blocks: list[Block]

    @property
    def kind(self) -> Kind:
        """The kind of its first block."""
        return self.blocks[0].kind


@dataclass(slots=True)
class Group:
    """A list, quote, table or a part of one."""

    role: Role
    row: int
    """The row of its element; negative for a list that the page has items of, but no element for."""
    start: int | None = None
    """The first number of an ordered list."""
    children: "list[Group | Leaf]" = field(default_factory=list)

    def parts(self, role: Role) -> "list[Group]":
        """The children of that role."""
        return [child for child in self.children if isinstance(child, Group) and child.role is role]


Child = Group | Leaf
_Step = tuple[Role, int]
_Steps = tuple[_Step, ...]


def outline(blocks: Iterable[Block], nesting: int = NESTING) -> list[Child]:
    """Nest blocks by what stands around them.

    Lists hold items only, tables captions and rows, rows cells; what pages put elsewhere is set right without losing
    text: an item without a list gets one, a list right inside a list belongs to the item before, other stray content
    leaves the list.
    """
    root: list[Child] = []
    opened: list[Group] = []
    places: _Places | None = None
    latest = -2
    for block in blocks:
        steps: _Steps = ()
        if block.kind is not Kind.PARAGRAPH:  # which stands in none of these
            places = places or _Places(block.page, nesting)
            steps = places.around(block, opened)
        same = len(steps) == len(opened)
        if steps or opened:
            same = _reopen(opened, steps, root, block.page.nodes) and same
        into = opened[-1].children if opened else root
        last = into[-1] if into else None
        if same and block.continues and latest == block.index - 1 and isinstance(last, Leaf):
            last.blocks.append(block)
        else:
            into.append(Leaf([block]))
        latest = block.index
    return root


def leaves(children: Iterable[Child]) -> Iterator[Leaf]:
    """The leaves in and below, in order."""
    for child in children:
        if isinstance(child, Leaf):
            yield child
        else:
            yield from leaves(child.children)


def _reopen(opened: list[Group], steps: _Steps, root: list[Child], nodes: Nodes) -> bool:
    """Close the groups that ended and open those that start; whether none of them had to be opened."""
    shared = 0
    for group, (role, row) in zip(opened, steps, strict=False):
        if group.row != row or group.role is not role:
            break
        shared += 1
    del opened[shared:]
    for role, row in steps[shared:]:
        group = Group(role, row, _start(nodes, row) if role is Role.LIST else None)
        (opened[-1].children if opened else root).append(group)
        opened.append(group)
    return shared == len(steps)


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands around a row: the groups it may be in so far, and whether its table only lays the page out."""

    steps: _Steps
    layout: bool
    around: _Steps
    """The steps for text that stands right here."""


class _Places:
    """The groups around the rows of a page; each row's are found once, from its parent's."""

    def __init__(self, page: Page, nesting: int) -> None:
        self.nodes, self.tables, self.nesting = page.nodes, page.blocks.tables, nesting
        self.known = {-1: _Place((), True, ())}

    def around(self, block: Block, opened: Sequence[Group]) -> _Steps:
        """The groups around a block, outermost first, each inside one that may hold it."""
        row = self.nodes.parent[block.page.blocks.first[block.index]]
        climbed = []
        while row not in self.known:
            climbed.append(row)
            row = self.nodes.parent[row]
        place = self.known[row]
        for row in reversed(climbed):
            role = _ROLE_OF_TAG.get(self.nodes.tag[row])
            if role is not None:
                place = self._entered(place, role, row, opened)
            self.known[row] = place
        return place.around

    def _entered(self, place: _Place, role: Role, row: int, opened: Sequence[Group]) -> _Place:
        layout = row not in self.tables if role is Role.TABLE else place.layout
        steps = list(place.steps)
        if len(steps) <= self.nesting and not (layout and role in _OF_TABLES):
            self._step(steps, role, row, opened)
        around = steps.copy()
        if len(steps) > self.nesting:
            del around[self.nesting :]
            while around and around[-1][0] not in _HOLDERS:
                around.pop()
        _leave(around)
        return _Place(tuple(steps), layout, tuple(around))

    def _step(self, steps: list[_Step], role: Role, row: int, opened: Sequence[Group]) -> None:
        wanted, last = _PARENT.get(role), steps[-1] if steps else None
        if wanted in (Role.ROW, Role.TABLE) and (last is None or last[0] is not wanted):
            return
        if role is Role.CELL and last is not None and self.nodes.parent[row] != last[1]:
            return
        if wanted is None and last is not None and last[0] is role is Role.LIST and _has_item(opened, steps):
            steps.append((Role.ITEM, opened[len(steps)].row))
        elif wanted is None or last is None or last[0] is not wanted:
            _leave(steps)
            if wanted is not None:
                steps.append((wanted, ~self.nodes.parent[row]))
        steps.append((role, row))


def _leave(steps: list[_Step]) -> None:
    """Step out of a list or row that may not hold what comes."""
    while steps and steps[-1][0] in _ONLY_PARTS:
        steps.pop()


def _has_item(opened: Sequence[Group], steps: Sequence[_Step]) -> bool:
    """Whether the list that the steps end in is open and in one of its items."""
    at = len(steps) - 1
    return len(opened) > at + 1 and opened[at].row == steps[at][1] and opened[at + 1].role is Role.ITEM


def _start(nodes: Nodes, row: int) -> int | None:
    if row < 0 or nodes.name(row) != "ol":
        return None
    number = (nodes.attr(row, "start") or "").strip()
    return int(number) if _NUMBER.fullmatch(number) else 1
