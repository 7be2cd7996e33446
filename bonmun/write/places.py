"""The groups around the rows of a page: lists, quotes, boxes and tables, each inside one that may hold it."""

from collections.abc import Mapping, Sequence
from typing import Final

from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CELLS, LISTS, TAG_ID
from bonmun.write.groups import (
    BOX,
    CELL,
    DEFINITION,
    DEFINITIONS,
    HOLDERS,
    ITEM,
    LIST,
    ONLY_PARTS,
    QUOTE,
    ROW,
    TABLE,
    TERM,
    TITLE,
    Group,
    Step,
)

_CODE: Final = KINDS.index(Kind.CODE)
_ROLE_OF_TAG: Final = {
    **dict.fromkeys(LISTS, LIST),
    **dict.fromkeys(CELLS, CELL),
    TAG_ID["li"]: ITEM,
    TAG_ID["blockquote"]: QUOTE,
    TAG_ID["dl"]: DEFINITIONS,
    TAG_ID["dt"]: TERM,
    TAG_ID["dd"]: DEFINITION,
    TAG_ID["table"]: TABLE,
    TAG_ID["tr"]: ROW,
}
_OF_TABLES: Final = frozenset({TABLE, ROW, CELL})
_PARENT: Final = {ITEM: LIST, TERM: DEFINITIONS, DEFINITION: DEFINITIONS, ROW: TABLE, CELL: ROW, TITLE: BOX}
_NEVER_ADDED: Final = frozenset({TABLE, ROW, BOX})
"""Groups that stray parts do not get."""

Steps = tuple[Step, ...]
"""Groups, outermost first."""
_Place = tuple[Steps, bool, Steps]
"""The groups around a row so far; whether the nearest table is a layout table; the groups of text in this row."""
_OUTSIDE: Final[_Place] = ((), True, ())


class Places:
    """Finds the groups around blocks, which are asked for in the order of the page.

    Only the places of a row and its ancestors are kept: the next row's are derived from those that they share.
    """

    def __init__(self, nodes: Nodes, blocks: Blocks, nesting: int, boxes: Mapping[int, int], outermost: int) -> None:
        self._nesting, self._boxes, self._outermost = nesting, boxes, outermost
        self._parent, self._tag, self._end = nodes.parent, nodes.tag, nodes.end
        self._first, self._element, self._kinds = blocks.first, blocks.element, blocks.kind_code
        self._tables = blocks.tables
        self._rows = [-1]
        """The row asked for last and its ancestors."""
        self._known = [_OUTSIDE]

    def around(self, block: int, opened: Sequence[Group]) -> Steps:
        """The groups around a block, outermost first, each inside one that may hold it."""
        # Lists and tables inside code are its lines.
        code = self._kinds[block] == _CODE
        row = self._element[block] if code else self._parent[self._first[block]]
        return self._known[-1][2] if row == self._rows[-1] else self.around_row(row, opened)

    def around_row(self, row: int, opened: Sequence[Group]) -> Steps:
        """The groups around the content of an element."""
        rows, known, parent = self._rows, self._known, self._parent
        top = self._shared(row)
        outermost, climbed = self._outermost, list[int]()
        while row != top and row != outermost:
            climbed.append(row)
            row = parent[row]
        place = known[-1] if row == top else _OUTSIDE
        tag, boxes = self._tag, self._boxes
        for row in reversed(climbed):
            role = _ROLE_OF_TAG.get(tag[row])
            if boxes:
                role = boxes.get(row, role)
            if role is not None:
                place = self._entered(place, role, row, opened)
            known.append(place)
        rows += reversed(climbed)
        return place[2]

    def _shared(self, row: int) -> int:
        """Forget the rows that are not around a row; return the innermost of the others."""
        rows, end = self._rows, self._end
        kept = len(rows) - 1
        while kept and not rows[kept] <= row < end[rows[kept]]:
            kept -= 1
        del rows[kept + 1 :], self._known[kept + 1 :]
        return rows[kept]

    def _entered(self, place: _Place, role: int, row: int, opened: Sequence[Group]) -> _Place:
        steps, layout, _ = place
        if role == TABLE:
            layout = row not in self._tables
        if len(steps) <= self._nesting and not (layout and role in _OF_TABLES):
            steps = self._stepped(steps, role, row, opened)
        if len(steps) <= self._nesting:
            return steps, layout, _left(steps)
        around = steps[: self._nesting]
        while around and around[-1][0] not in HOLDERS:
            around = around[:-1]
        return steps, layout, _left(around)

    def _stepped(self, steps: Steps, role: int, row: int, opened: Sequence[Group]) -> Steps:
        wanted, last = _PARENT.get(role), steps[-1][0] if steps else None
        if wanted is None:
            if last == role == LIST and _has_item(opened, steps):
                return (*steps, (ITEM, opened[len(steps)].row), (role, row))
            return (*_left(steps), (role, row))
        if last == wanted:
            return steps if role == CELL and self._parent[row] != steps[-1][1] else (*steps, (role, row))
        if wanted in _NEVER_ADDED:
            return steps
        return (*_left(steps), (wanted, ~self._parent[row]), (role, row))


def _left(steps: Steps) -> Steps:
    """Step out of the groups that hold nothing but their own parts."""
    while steps and steps[-1][0] in ONLY_PARTS:
        steps = steps[:-1]
    return steps


def _has_item(opened: Sequence[Group], steps: Steps) -> bool:
    """Whether the list that the steps end in is open and in one of its items."""
    depth = len(steps) - 1
    return len(opened) > depth + 1 and opened[depth].row == steps[depth][1] and opened[depth + 1].role == ITEM
