"""The flat list of kept blocks, nested again in the lists, quotes and tables of the page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import Final

from bonmun.model.block import KINDS, Kind
from bonmun.model.document import Block
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CELLS, LISTS, TAG_ID
from bonmun.write.grid import Cells, grid
from bonmun.write.structure import Definition, Definitions, Leaf, List, OutlineNode, Quote, Table, Term

NESTING: Final = 32
"""The deepest nesting of an outline. Hostile pages nest hundreds of levels; deeper content joins the deepest node."""

_PARAGRAPH, _CODE = KINDS.index(Kind.PARAGRAPH), KINDS.index(Kind.CODE)
_NUMBER = re.compile(r"[0-9]{1,8}")  # CommonMark reads nine digits, and the list still has to count on


class _Role(IntEnum):
    LIST = auto()
    ITEM = auto()
    QUOTE = auto()
    DEFINITIONS = auto()
    TERM = auto()
    DEFINITION = auto()
    TABLE = auto()
    ROW = auto()
    CELL = auto()


_ROLE_OF_TAG: Final = {
    **dict.fromkeys(LISTS, _Role.LIST),
    **dict.fromkeys(CELLS, _Role.CELL),
    TAG_ID["li"]: _Role.ITEM,
    TAG_ID["blockquote"]: _Role.QUOTE,
    TAG_ID["dl"]: _Role.DEFINITIONS,
    TAG_ID["dt"]: _Role.TERM,
    TAG_ID["dd"]: _Role.DEFINITION,
    TAG_ID["table"]: _Role.TABLE,
    TAG_ID["tr"]: _Role.ROW,
}
_OF_TABLES: Final = frozenset({_Role.TABLE, _Role.ROW, _Role.CELL})
_PARENT: Final = {
    _Role.ITEM: _Role.LIST,
    _Role.TERM: _Role.DEFINITIONS,
    _Role.DEFINITION: _Role.DEFINITIONS,
    _Role.ROW: _Role.TABLE,
    _Role.CELL: _Role.ROW,
}
_ONLY_PARTS: Final = frozenset({_Role.LIST, _Role.DEFINITIONS, _Role.ROW})
"""Groups that hold nothing but their own parts."""
_HOLDERS: Final = frozenset({_Role.ITEM, _Role.QUOTE, _Role.TERM, _Role.DEFINITION, _Role.CELL})
"""Groups that hold anything."""


@dataclass(slots=True)
class _Group:
    """A list, quote or table under construction, or a part of one."""

    role: _Role
    row: int
    """The row of its element; negative for a list without an element, made for stray items."""
    children: "list[_Group | Leaf]" = field(default_factory=list)

    def parts(self) -> "list[_Group]":
        return [child for child in self.children if isinstance(child, _Group)]


_Child = _Group | Leaf
_Step = tuple[_Role, int]
_Steps = tuple[_Step, ...]


def outline(blocks: Sequence[Block], nesting: int = NESTING, root: int = -1) -> list[OutlineNode]:
    """Nest the blocks of one page in the lists, quotes and tables around them, at most `nesting` deep.

    Elements around the row `root` are ignored.

    Stray markup is repaired without losing text: an item without a list gets one, a list directly inside a list
    belongs to the item before, other stray content leaves the list.

    >>> import bonmun
    >>> doc = bonmun.extract("<p>Tea needs hot water:<ul><li>Green tea: 80 °C.<li>Black tea: 95 °C.</ul>")
    >>> paragraph, drinks = outline(doc.all_blocks)
    >>> [leaf.blocks[0].text for item in drinks.items for leaf in item]
    ['Green tea: 80 °C.', 'Black tea: 95 °C.']
    """
    return _finished(_grouped(blocks, nesting, root), blocks[0].page.nodes) if blocks else []


def _grouped(blocks: Sequence[Block], nesting: int, outermost: int) -> list[_Child]:
    kinds, places = blocks[0].page.blocks.kind_code, _Places(blocks[0].page, nesting, outermost)
    root: list[_Child] = []
    opened: list[_Group] = []
    latest = -2
    for block in blocks:
        index = block.index
        steps = places.around(index, opened) if kinds[index] != _PARAGRAPH else ()  # a paragraph is in no group
        same = len(steps) == len(opened)
        if steps or opened:
            same = _reopen(opened, steps, root) and same
        siblings = opened[-1].children if opened else root
        if same and index == latest + 1 and block.continues and isinstance(last := siblings[-1], Leaf):
            last.blocks.append(block)
        else:
            siblings.append(Leaf([block]))
        latest = index
    return root


def _reopen(opened: list[_Group], steps: _Steps, root: list[_Child]) -> bool:
    """Close the groups that ended and open those that start; return whether none had to be opened."""
    shared = 0
    for group, (role, row) in zip(opened, steps, strict=False):
        if group.row != row or group.role is not role:
            break
        shared += 1
    del opened[shared:]
    for role, row in steps[shared:]:
        group = _Group(role, row)
        (opened[-1].children if opened else root).append(group)
        opened.append(group)
    return shared == len(steps)


@dataclass(frozen=True, slots=True)
class _Place:
    """The groups around a row so far, and whether the nearest table is a layout table."""

    steps: _Steps
    layout: bool
    around: _Steps
    """The groups of text directly in this row."""


class _Places:
    """The groups around the rows of a page; each row's are derived once, from its parent's."""

    def __init__(self, page: Page, nesting: int, outermost: int) -> None:
        self.nodes, self.first, self.tables, self.nesting = page.nodes, page.blocks.first, page.blocks.tables, nesting
        self.kinds, self.element = page.blocks.kind_code, page.blocks.element
        self.known = dict.fromkeys((-1, outermost), _Place((), True, ()))

    def around(self, block: int, opened: Sequence[_Group]) -> _Steps:
        """The groups around a block, outermost first, each inside one that may hold it."""
        known, parent, tag = self.known, self.nodes.parent, self.nodes.tag
        # Lists and tables inside code are its lines.
        row = self.element[block] if self.kinds[block] == _CODE else parent[self.first[block]]
        climbed = []
        while row not in known:
            climbed.append(row)
            row = parent[row]
        place = known[row]
        for row in reversed(climbed):
            role = _ROLE_OF_TAG.get(tag[row])
            if role is not None:
                place = self._entered(place, role, row, opened)
            known[row] = place
        return place.around

    def _entered(self, place: _Place, role: _Role, row: int, opened: Sequence[_Group]) -> _Place:
        layout = row not in self.tables if role is _Role.TABLE else place.layout
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

    def _step(self, steps: list[_Step], role: _Role, row: int, opened: Sequence[_Group]) -> None:
        wanted, last = _PARENT.get(role), steps[-1] if steps else None
        if wanted in (_Role.ROW, _Role.TABLE) and (last is None or last[0] is not wanted):
            return
        if role is _Role.CELL and last is not None and self.nodes.parent[row] != last[1]:
            return
        if wanted is None and last is not None and last[0] is role is _Role.LIST and _has_item(opened, steps):
            steps.append((_Role.ITEM, opened[len(steps)].row))
        elif wanted is None or last is None or last[0] is not wanted:
            _leave(steps)
            if wanted is not None:
                steps.append((wanted, ~self.nodes.parent[row]))
        steps.append((role, row))


def _leave(steps: list[_Step]) -> None:
    """Step out of the groups that hold nothing but their own parts."""
    while steps and steps[-1][0] in _ONLY_PARTS:
        steps.pop()


def _has_item(opened: Sequence[_Group], steps: Sequence[_Step]) -> bool:
    """Whether the list that the steps end in is open and in one of its items."""
    depth = len(steps) - 1
    return len(opened) > depth + 1 and opened[depth].row == steps[depth][1] and opened[depth + 1].role is _Role.ITEM


def _finished(children: Iterable[_Child], nodes: Nodes) -> list[OutlineNode]:
    return [child if isinstance(child, Leaf) else _node(child, nodes) for child in children]


def _node(group: _Group, nodes: Nodes) -> OutlineNode:
    if group.role is _Role.LIST:
        return List([_finished(item.children, nodes) for item in group.parts()], _start(nodes, group.row))
    if group.role is _Role.TABLE:
        return _table(group, nodes)
    if group.role is _Role.QUOTE:
        return Quote(_finished(group.children, nodes))
    return Definitions(
        [(Term if part.role is _Role.TERM else Definition)(_finished(part.children, nodes)) for part in group.parts()]
    )


def _start(nodes: Nodes, row: int) -> int | None:
    if row < 0 or nodes.name(row) != "ol":
        return None
    number = (nodes.attr(row, "start") or "").strip()
    return int(number) if _NUMBER.fullmatch(number) else 1


def _table(table: _Group, nodes: Nodes) -> Table:
    above: list[_Child] = []
    below: list[_Child] = []
    kept: dict[int, Cells] = {}
    for child in table.children:
        if isinstance(child, _Group) and child.role is _Role.ROW:
            kept[child.row] = {cell.row: _finished(cell.children, nodes) for cell in child.parts()}
        else:
            (below if kept else above).append(child)
    return Table(_finished(above, nodes), grid(nodes, table.row, kept), _finished(below, nodes))
