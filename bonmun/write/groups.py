"""Lists, quotes, boxes and tables of an outline under construction, and their parts.

A role is an integer: an enumeration's members are hashed and compared by Python code, for every block of a page.
"""

from typing import Final

from bonmun.write.structure import Definition, OutlineNode, Term

NAMES: Final = (*"list item quote definitions term definition table row cell box title".split(),)
LIST, ITEM, QUOTE, DEFINITIONS, TERM, DEFINITION, TABLE, ROW, CELL, BOX, TITLE = range(len(NAMES))

PARTS: Final = frozenset({ITEM, TERM, DEFINITION, ROW, CELL, TITLE})
"""Parts of another group; the other groups become nodes."""
ONLY_PARTS: Final = frozenset({LIST, DEFINITIONS, ROW})
"""Groups that hold nothing but their own parts."""
HOLDERS: Final = frozenset(range(len(NAMES))) - ONLY_PARTS - {TABLE}
"""Groups that hold anything."""


Step = tuple[int, int]
"""The role of a group, and the row of its element; negative for a list without an element, made for stray items."""


class Group:
    """A group under construction, or a part of one."""

    __slots__ = ("children", "role", "row", "step")

    def __init__(self, step: Step) -> None:
        self.step = step
        self.role, self.row = step
        self.children: list[OutlineNode] = []

    def take(self, part: "Group") -> None:
        """Add a finished part."""
        self.children += part.children


class ListGroup(Group):
    """A list."""

    __slots__ = ("items", "rows")

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.items: list[list[OutlineNode]] = []
        self.rows: list[int] = []

    def take(self, part: Group) -> None:
        """Add an item."""
        self.items.append(part.children)
        self.rows.append(part.row)


class DefinitionsGroup(Group):
    """A definition list."""

    __slots__ = ("entries",)

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.entries: list[Term | Definition] = []

    def take(self, part: Group) -> None:
        """Add a term or a definition."""
        self.entries.append(Term(part.children) if part.role == TERM else Definition(part.children))


class RowGroup(Group):
    """A row of a table."""

    __slots__ = ("cells",)

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.cells: dict[int, list[OutlineNode]] = {}

    def take(self, part: Group) -> None:
        """Add a cell."""
        self.cells.setdefault(part.row, []).extend(part.children)


class TableGroup(Group):
    """A table; its children are the content above the first row, then that below."""

    __slots__ = ("above", "kept")

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.above = self.children
        self.kept: dict[int, dict[int, list[OutlineNode]]] = {}

    def take(self, part: Group) -> None:
        """Add a row."""
        if isinstance(part, RowGroup):
            if not self.kept:
                self.children = []
            cells = self.kept.setdefault(part.row, {})  # text between two cells splits a row
            for row, nodes in part.cells.items():
                cells.setdefault(row, []).extend(nodes)


class BoxGroup(Group):
    """A callout or details."""

    __slots__ = ("title",)

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.title: list[OutlineNode] = []

    def take(self, part: Group) -> None:
        """Add a title; below other content it is content too."""
        if self.children:
            self.children += part.children
        else:
            self.title += part.children


_CLASS_OF_ROLE: Final[tuple[type[Group], ...]] = (
    ListGroup,
    Group,
    Group,
    DefinitionsGroup,
    Group,
    Group,
    TableGroup,
    RowGroup,
    Group,
    BoxGroup,
    Group,
)


def new_group(step: Step) -> Group:
    """An empty group."""
    return _CLASS_OF_ROLE[step[0]](step)
