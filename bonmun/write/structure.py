"""The nodes of an outline: leaves of blocks, and the lists, quotes, callouts and tables around them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bonmun.model.block import Kind
from bonmun.model.judged_block import Block


@dataclass(slots=True)
class Leaf:
    """One block, or several separated by single line breaks."""

    blocks: list[Block]

    @property
    def kind(self) -> Kind:
        """The kind of the first block."""
        return self.blocks[0].kind


@dataclass(slots=True)
class List:
    """A list and its items; no item is empty."""

    items: "list[list[OutlineNode]]"
    start: int | None = None
    """The first number of an ordered list; `None` for an unordered one."""
    style: str | None = None
    """``a``, ``A``, ``i`` or ``I`` if the page numbers the items by letters or Roman numerals."""
    reversed: bool = False
    """Whether the page counts down."""
    numbers: tuple[int, ...] = ()
    """The items' numbers, unless they count up by one from `start`."""
    checked: tuple[bool | None, ...] = ()
    """For each item of a task list whether its box is checked, `None` for an item without; empty for other lists."""

    def marks(self) -> "Iterator[tuple[int | None, bool | None]]":
        """Yield the number of each item, and whether its box is checked."""
        for index in range(len(self.items)):
            number = self.start if self.start is None else self.numbers[index] if self.numbers else self.start + index
            yield number, self.checked[index] if self.checked else None


@dataclass(slots=True)
class Quote:
    """A block quotation."""

    children: "list[OutlineNode]"


@dataclass(slots=True)
class Callout:
    """A box with a note, a tip or a warning."""

    kind: str
    """note, tip, important, warning or caution."""
    title: "list[OutlineNode]"
    """Its label; empty if the page has none."""
    children: "list[OutlineNode]"

    @property
    def label(self) -> str:
        """The text of the title; empty if it only repeats the kind."""
        text = " ".join(block.text for leaf in leaves(self.title) for block in leaf.blocks)
        return "" if text.strip(" :!.").casefold() == self.kind else text


@dataclass(slots=True)
class Details:
    """Content that the page folds away behind a summary."""

    summary: "list[OutlineNode]"
    """Empty if the page has none."""
    children: "list[OutlineNode]"


@dataclass(slots=True)
class Rule:
    """A thematic break between two nodes."""


@dataclass(slots=True)
class Term:
    """The term of a definition list."""

    children: "list[OutlineNode]"


@dataclass(slots=True)
class Definition:
    """The definition of the terms before it."""

    children: "list[OutlineNode]"


@dataclass(slots=True)
class Definitions:
    """A definition list."""

    entries: list[Term | Definition]


@dataclass(slots=True)
class Cell:
    """A table cell, in its first row and column. It has no children if the page's cell is empty or was dropped."""

    header: bool = False
    columns: int = 1
    """The number of columns it spans."""
    rows: int = 1
    """The number of kept rows it spans."""
    children: "list[OutlineNode]" = field(default_factory=list)


Line = list[Cell | None]
"""A table row by column; `None` in the columns that a cell from the left or from above spans."""


@dataclass(slots=True)
class Table:
    """A data table: the content above its rows, the kept rows, the content below."""

    above: "list[OutlineNode]"
    lines: list[Line]
    """The kept rows. Their lengths differ if the page's rows do."""
    below: "list[OutlineNode]"

    def columns(self) -> list[int]:
        """The columns with content, in order."""
        return sorted({column for line in self.lines for column, cell in enumerate(line) if cell and cell.children})


@dataclass(slots=True)
class Note:
    """A footnote."""

    label: str
    """ASCII letters and digits, unique: the `note` of the runs that are its marks."""
    children: "list[OutlineNode]"


@dataclass(slots=True)
class Notes:
    """Footnotes, in the order of the page."""

    entries: list[Note]


OutlineNode = Leaf | List | Quote | Callout | Details | Rule | Definitions | Table | Notes


def leaves(nodes: Iterable[OutlineNode]) -> Iterator[Leaf]:
    """Yield the leaves of an outline in order."""
    for node in nodes:
        if isinstance(node, Leaf):
            yield node
        else:
            for children in _inside(node):
                yield from leaves(children)


def nodes_inside(nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    """Yield nodes and all nodes inside them."""
    for node in nodes:
        yield node
        if not isinstance(node, Leaf):
            for children in _inside(node):
                yield from nodes_inside(children)


def _inside(node: List | Quote | Callout | Details | Rule | Definitions | Table | Notes) -> Iterator[list[OutlineNode]]:
    match node:
        case List():
            yield from node.items
        case Quote():
            yield node.children
        case Callout():
            yield node.title
            yield node.children
        case Details():
            yield node.summary
            yield node.children
        case Rule():
            pass
        case Definitions() | Notes():
            yield from (entry.children for entry in node.entries)
        case Table():
            yield node.above
            yield from (cell.children for line in node.lines for cell in line if cell)
            yield node.below
