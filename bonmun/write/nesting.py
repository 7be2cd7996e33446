"""The flat list of kept blocks, nested again in the lists, quotes, callouts and tables of the page.

Blocks come in the order of the page, and a group is finished as soon as a block is outside it: only the open groups,
one for each level, are kept beside the nodes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bonmun.deadline import check
from bonmun.model.aria import TAGS_OF_ROLES, with_roles
from bonmun.model.block import KINDS, Kind
from bonmun.model.boxes import DETAILS
from bonmun.model.judged_block import Block
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.write.figures import MediaBlock
from bonmun.write.grid import grid
from bonmun.write.groups import (
    BOX,
    HOLDERS,
    PARTS,
    TITLE,
    BoxGroup,
    DefinitionsGroup,
    Group,
    ListGroup,
    TableGroup,
    new_group,
)
from bonmun.write.notes import with_notes
from bonmun.write.numbering import Counted, checkboxes, is_reversed, start_and_numbers, style_of
from bonmun.write.places import Places, Steps
from bonmun.write.structure import Callout, Definitions, Details, Leaf, List, OutlineNode, Quote, Rule, Table

NESTING: Final = 32
"""The deepest nesting of an outline. Hostile pages nest hundreds of levels; deeper content joins the deepest node."""

_PARAGRAPH, _HEADING = KINDS.index(Kind.PARAGRAPH), KINDS.index(Kind.HEADING)
_WINDOW: Final = 256
"""Entries of a definition list that are finished at a time, if it may be divided."""


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
    return list(_outlined(blocks, nesting, boxes, root, divided=False))


def outlined(blocks: Sequence[Block], nesting: int = NESTING, boxes: bool = True) -> Iterator[OutlineNode]:
    """Yield the outermost nodes of an outline one after the other, so that they need not be in memory at once.

    A long definition list is divided: for writers that do not show where one begins.
    """
    return _outlined(blocks, nesting, boxes, -1, divided=True)


def nested(blocks: Sequence[Block]) -> list[OutlineNode]:
    """Nest blocks for a writer without boxes; footnotes stay in their places.

    >>> nested(())
    []
    """
    return list(_nested(blocks, NESTING, _NO_BOXES, -1, {}, divided=True))


def _outlined(blocks: Sequence[Block], nesting: int, boxes: bool, root: int, *, divided: bool) -> Iterator[OutlineNode]:
    if not blocks:
        return iter(())
    found, counted = _boxes(blocks) if boxes else _NO_BOXES, Counted()
    nest = partial(_nested, nesting=nesting, found=found, root=root, counted=counted, divided=divided)
    if blocks[0].notes.labels and blocks[0].output.references:
        return iter(with_notes(blocks, lambda part: list(nest(part))))
    return nest(blocks)


def _nested(
    blocks: Sequence[Block], nesting: int, found: "_Boxes", root: int, counted: Counted, *, divided: bool
) -> Iterator[OutlineNode]:
    if not blocks:
        return iter(())
    page = blocks[0].page
    nodes = with_roles(page.nodes, TAGS_OF_ROLES)
    places = Places(nodes, page.shown_blocks, nesting, found.roles, root)
    return _Outline(page, nodes, places, found, counted, divided).nodes(blocks)


@dataclass(frozen=True, slots=True)
class _Boxes:
    """The boxes and rules of a page, which most pages do not have."""

    roles: Mapping[int, int]
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
    roles: dict[int, int] = {}
    kinds: dict[int, str] = {}
    for row, box in page.boxes.items():
        if bisect_left(starts, row) == bisect_left(starts, nodes.end[row]):
            continue  # no block inside
        kinds[row] = box.kind
        roles[row] = BOX
        if box.title is not None:
            roles.setdefault(box.title, TITLE)
    return _Boxes(roles, kinds, frozenset(bisect_left(first, row) for row in rules))


class _Outline:
    """Nests blocks: the state of one pass over them."""

    def __init__(self, page: Page, tree: Nodes, places: Places, boxes: _Boxes, counted: Counted, divided: bool) -> None:
        self._page, self._tree, self._places, self._boxes, self._counted = page, tree, places, boxes, counted
        self._divided = divided
        self._root: list[OutlineNode] = []
        self._opened: list[Group] = []

    def nodes(self, blocks: Iterable[Block]) -> Iterator[OutlineNode]:
        """Yield the outermost nodes; the latest is held back, since a line may still be added to it."""
        kinds, continues = self._page.shown_blocks.kind_code, self._page.blocks.continues
        around, opened, root, rules = self._places.around, self._opened, self._root, self._boxes.rules
        flat = -1 if self._boxes.roles else _PARAGRAPH  # the kind of blocks in no group
        latest = -2
        for block in blocks:
            check()
            index = block.index
            if isinstance(block, MediaBlock):
                index, steps = -2, self._places.around_row(self._tree.parent[block.medium.row], opened)
            else:
                steps = around(index, opened) if kinds[index] != flat else ()
            rule = index in rules and index == latest + 1
            same = True
            if opened or steps or rule:
                same = self._reopen(steps, rule)
            siblings = opened[-1].children if opened else root
            follows = same and index == latest + 1 and continues[index]
            if follows and isinstance(last := siblings[-1], Leaf) and _HEADING not in (kinds[latest], kinds[index]):
                last.blocks.append(block)
            else:
                siblings.append(Leaf([block]))
            latest = index
            while len(root) > 1:
                yield root.pop(0)
        self._close(0)
        yield from root

    def _reopen(self, steps: Steps, rule: bool) -> bool:
        """Close the groups that ended and open those that start; return whether none had to be closed or opened."""
        opened, shared = self._opened, 0
        for group, step in zip(opened, steps, strict=False):
            if group.step != step:
                break
            shared += 1
        same = shared == len(opened) == len(steps)
        if shared < len(opened):
            self._close(shared)
        if rule:
            self._add_rule()
        opened += map(new_group, steps[shared:])
        return same

    def _add_rule(self) -> None:
        """Add a rule to the innermost group around the blocks on both sides, if it may hold one."""
        if not self._opened:
            self._root.append(Rule())
        elif self._opened[-1].role in HOLDERS:
            self._opened[-1].children.append(Rule())

    def _close(self, depth: int) -> None:
        """Finish the groups below a depth."""
        opened = self._opened
        while len(opened) > depth:
            group = opened.pop()
            if group.role in PARTS:
                opened[-1].take(group)
            else:
                (opened[-1].children if opened else self._root).append(self._node(group))
        outer = opened[0] if depth == 1 and self._divided else None
        if isinstance(outer, DefinitionsGroup) and len(outer.entries) >= _WINDOW:
            self._root.append(self._node(outer))
            outer.entries = []

    def _node(self, group: Group) -> OutlineNode:
        match group:
            case ListGroup():
                return self._list(group)
            case TableGroup():
                below = group.children if group.kept else []
                return Table(group.above, grid(self._tree, group.row, group.kept), below)
            case DefinitionsGroup():
                return Definitions(group.entries)
            case BoxGroup():
                kind = self._boxes.kinds[group.row]
                # A title alone is the content.
                title, children = (group.title, group.children) if group.children else ([], group.title)
                return Details(title, children) if kind == DETAILS else Callout(kind, title, children)
        return Quote(group.children)

    def _list(self, group: ListGroup) -> List:
        tree, row, rows = self._tree, group.row, group.rows
        start, numbers = start_and_numbers(tree, row, rows, self._counted)
        if start is None:
            return List(group.items, checked=checkboxes(tree, rows))
        return List(group.items, start, style_of(tree, row), is_reversed(tree, row), numbers, checkboxes(tree, rows))
