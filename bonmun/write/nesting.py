"""The flat list of kept blocks, nested again in the lists, quotes, callouts and tables of the page."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import Final

from bonmun.deadline import check
from bonmun.model.aria import TAGS_OF_ROLES, with_roles
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.boxes import DETAILS
from bonmun.model.judged_block import Block
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CELLS, LISTS, TAG_ID
from bonmun.write.figures import MediaBlock
from bonmun.write.grid import grid
from bonmun.write.notes import with_notes
from bonmun.write.numbering import Counted, checkboxes, is_reversed, start_and_numbers, style_of
from bonmun.write.structure import (
    Callout,
    Definition,
    Definitions,
    Details,
    Leaf,
    List,
    OutlineNode,
    Quote,
    Rule,
    Table,
    Term,
)

NESTING: Final = 32
"""The deepest nesting of an outline. Hostile pages nest hundreds of levels; deeper content joins the deepest node."""

_PARAGRAPH, _CODE, _HEADING = (KINDS.index(kind) for kind in (Kind.PARAGRAPH, Kind.CODE, Kind.HEADING))


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
    BOX = auto()
    TITLE = auto()


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
    _Role.TITLE: _Role.BOX,
}
_NEVER_ADDED: Final = frozenset({_Role.TABLE, _Role.ROW, _Role.BOX})
"""Groups that stray parts do not get."""
_ONLY_PARTS: Final = frozenset({_Role.LIST, _Role.DEFINITIONS, _Role.ROW})
"""Groups that hold nothing but their own parts."""
_HOLDERS: Final = frozenset(_Role) - _ONLY_PARTS - {_Role.TABLE}
"""Groups that hold anything."""


@dataclass(slots=True)
class _Group:
    """A list, quote or table under construction, or a part of one."""

    role: _Role
    row: int
    """The row of its element; negative for a list without an element, made for stray items."""
    children: "list[_Group | Leaf | Rule]" = field(default_factory=list)

    def parts(self) -> "list[_Group]":
        return [child for child in self.children if isinstance(child, _Group)]


_Child = _Group | Leaf | Rule
_Step = tuple[_Role, int]
_Steps = tuple[_Step, ...]


def outline(blocks: Sequence[Block], nesting: int = NESTING, boxes: bool = True, root: int = -1) -> list[OutlineNode]:
    """Nest the blocks of one page in the lists, quotes, callouts and tables around them, at most `nesting` deep.

    Elements around the row `root` are ignored.

    Stray markup is repaired without losing text: an item without a list gets one, a list directly inside a list
    belongs to the item before, other stray content leaves the list. Footnotes are gathered as `Notes`. Without `boxes`
    there are no callouts, details and rules, but their content: a writer that does not show them is spared the search.

    >>> import bonmun
    >>> doc = bonmun.extract("<p>Tea needs hot water:<ul><li>Green tea: 80 °C.<li>Black tea: 95 °C.</ul>")
    >>> paragraph, drinks = outline(doc.all_blocks)
    >>> [leaf.blocks[0].text for item in drinks.items for leaf in item]
    ['Green tea: 80 °C.', 'Black tea: 95 °C.']
    """
    if not blocks:
        return []
    page = blocks[0].page
    found, nodes = _boxes(blocks) if boxes else _NO_BOXES, with_roles(page.nodes, TAGS_OF_ROLES)
    finish = _Finish(nodes, found.kinds)

    def nested(part: Sequence[Block]) -> list[OutlineNode]:
        return finish.nodes(_grouped(part, nesting, nodes, found, root)) if part else []

    if blocks[0].notes.labels and blocks[0].output.references:
        return with_notes(blocks, nested)
    return nested(blocks)


@dataclass(frozen=True, slots=True)
class _Boxes:
    """The boxes and rules of a page, which most pages do not have."""

    roles: Mapping[int, _Role]
    """The rows of boxes with blocks inside, and of their titles."""
    kinds: Mapping[int, str]
    """The kinds of the boxes."""
    rules: frozenset[int] = frozenset()
    """The indexes of the blocks right behind an `hr`."""


_NO_BOXES: Final = _Boxes({}, {})


def _boxes(blocks: Sequence[Block]) -> _Boxes:
    page = blocks[0].page
    nodes, first = page.nodes, page.blocks.first
    rules = nodes.rows_of("hr")
    if not (rules or page.boxes):
        return _NO_BOXES
    starts = [first[block.index] for block in blocks]
    roles: dict[int, _Role] = {}
    kinds: dict[int, str] = {}
    for row, box in page.boxes.items():
        if bisect_left(starts, row) == bisect_left(starts, nodes.end[row]):
            continue  # no block inside
        kinds[row] = box.kind
        roles[row] = _Role.BOX
        if box.title is not None:
            roles.setdefault(box.title, _Role.TITLE)
    return _Boxes(roles, kinds, frozenset(bisect_left(first, row) for row in rules))


def _grouped(blocks: Sequence[Block], nesting: int, nodes: Nodes, boxes: _Boxes, outermost: int) -> list[_Child]:
    table = blocks[0].page.shown_blocks
    kinds, places = table.kind_code, _Places(nodes, table, nesting, boxes.roles, outermost)
    flat = -1 if boxes.roles else _PARAGRAPH  # the kind of blocks in no group
    root: list[_Child] = []
    opened: list[_Group] = []
    latest = -2
    for block in blocks:
        check()
        index = block.index
        if isinstance(block, MediaBlock):
            index, steps = -2, places.around_row(block.page.nodes.parent[block.medium.row], opened)
        else:
            steps = places.around(index, opened) if kinds[index] != flat else ()
        if index in boxes.rules and index == latest + 1:
            _add_rule(opened, steps, root)
        same = len(steps) == len(opened)
        if steps or opened:
            same = _reopen(opened, steps, root) and same
        siblings = opened[-1].children if opened else root
        follows = same and index == latest + 1 and block.continues
        if follows and isinstance(last := siblings[-1], Leaf) and _HEADING not in (kinds[latest], kinds[index]):
            last.blocks.append(block)
        else:
            siblings.append(Leaf([block]))
        latest = index
    return root


def _add_rule(opened: Sequence[_Group], steps: _Steps, root: list[_Child]) -> None:
    """Add a rule to the innermost group around the blocks on both sides, if it may hold one."""
    shared = [group for group, step in zip(opened, steps, strict=False) if (group.role, group.row) == step]
    if not shared:
        root.append(Rule())
    elif shared[-1].role in _HOLDERS:
        shared[-1].children.append(Rule())


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

    def __init__(self, nodes: Nodes, blocks: Blocks, nesting: int, boxes: Mapping[int, _Role], outermost: int) -> None:
        self.nodes, self.nesting, self.boxes = nodes, nesting, boxes
        self.first, self.tables, self.kinds, self.element = (
            blocks.first,
            blocks.tables,
            blocks.kind_code,
            blocks.element,
        )
        self.known = dict.fromkeys((-1, outermost), _Place((), True, ()))

    def around(self, block: int, opened: Sequence[_Group]) -> _Steps:
        """The groups around a block, outermost first, each inside one that may hold it."""
        # Lists and tables inside code are its lines.
        code = self.kinds[block] == _CODE
        return self.around_row(self.element[block] if code else self.nodes.parent[self.first[block]], opened)

    def around_row(self, row: int, opened: Sequence[_Group]) -> _Steps:
        """The groups around the content of an element."""
        known, parent, tag, boxes = self.known, self.nodes.parent, self.nodes.tag, self.boxes
        climbed = []
        while row not in known:
            climbed.append(row)
            row = parent[row]
        place = known[row]
        for row in reversed(climbed):
            role = _ROLE_OF_TAG.get(tag[row])
            if boxes:
                role = boxes.get(row, role)
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
        if wanted in _NEVER_ADDED and (last is None or last[0] is not wanted):
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


class _Finish:
    """Makes the nodes of an outline from groups."""

    def __init__(self, page: Nodes, kinds: Mapping[int, str]) -> None:
        self.page, self.kinds = page, kinds
        self.counted: Counted = {}

    def nodes(self, children: Iterable[_Child]) -> list[OutlineNode]:
        """The nodes of groups, leaves and rules."""
        return [self._node(child) if isinstance(child, _Group) else child for child in children]

    def _node(self, group: _Group) -> OutlineNode:
        check()
        if group.role is _Role.LIST:
            return self._list(group)
        if group.role is _Role.TABLE:
            return self._table(group)
        if group.role is _Role.QUOTE:
            return Quote(self.nodes(group.children))
        if group.role is _Role.BOX:
            kind, (title, children) = self.kinds[group.row], self._headed(group)
            return Details(title, children) if kind == DETAILS else Callout(kind, title, children)
        return Definitions(
            [(Term if part.role is _Role.TERM else Definition)(self.nodes(part.children)) for part in group.parts()]
        )

    def _list(self, group: _Group) -> List:
        page, parts, row = self.page, group.parts(), group.row
        rows = [part.row for part in parts]
        items = [self.nodes(item.children) for item in parts]
        start, numbers = start_and_numbers(page, row, rows, self.counted)
        if start is None:
            return List(items, checked=checkboxes(page, rows))
        return List(items, start, style_of(page, row), is_reversed(page, row), numbers, checkboxes(page, rows))

    def _headed(self, group: _Group) -> tuple[list[OutlineNode], list[OutlineNode]]:
        """The title of a callout or the summary of details, and the content; a title alone is the content."""
        title: list[OutlineNode] = []
        content: list[_Child] = []
        for child in group.children:
            if not isinstance(child, _Group) or child.role is not _Role.TITLE:
                content.append(child)
            elif content:
                content += child.children
            else:
                title += self.nodes(child.children)
        children = self.nodes(content)
        return (title, children) if children else ([], title)

    def _table(self, table: _Group) -> Table:
        above: list[_Child] = []
        below: list[_Child] = []
        kept: dict[int, dict[int, list[OutlineNode]]] = {}
        for child in table.children:
            if isinstance(child, _Group) and child.role is _Role.ROW:
                cells = kept.setdefault(child.row, {})  # text between two cells splits a row
                for cell in child.parts():
                    cells.setdefault(cell.row, []).extend(self.nodes(cell.children))
            else:
                (below if kept else above).append(child)
        return Table(self.nodes(above), grid(self.page, table.row, kept), self.nodes(below))
