"""The blocks of a document for JSON, each with the lists, quotes, callouts and tables around it."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from json.encoder import encode_basestring
from typing import NamedTuple

from bonmun.core import core
from bonmun.deadline import check
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.figures import shown_blocks
from bonmun.write.nesting import NESTING, outline
from bonmun.write.shown_columns import entries_of, shown_columns
from bonmun.write.structure import (
    Callout,
    Cell,
    Definitions,
    Details,
    Leaf,
    List,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Table,
    Term,
)

_Facts = dict[str, str | int | bool]


class Placed(NamedTuple):
    """Blocks in the order of the output, and the fields that tell their places."""

    entries: "Sequence[int | Block]"
    """The index of a kept block, or the block."""
    continues: bytes
    """1 for each that continues the leaf of the block before it."""
    texts: bytes
    """The fields `within` and `after_rule` of all, each behind a comma."""
    stops: "memoryview[int] | array[int]"
    """Where those of each end."""

    def after(self, place: int) -> str:
        """The fields of a block."""
        return self.texts[self.stops[place - 1] if place else 0 : self.stops[place]].decode()


def placed(document: Document) -> Placed:
    """The blocks of a document that JSON shows."""
    compiled = core()
    if compiled is None or document.footnotes.labels:
        return placed_by_reference(document)
    check()
    entries = entries_of(document)
    places, continues, texts, stops = compiled.json_groups(*shown_columns(document, entries, NESTING))
    order = memoryview(places).cast("i")
    return Placed([entries[place] for place in order], continues, texts, memoryview(stops).cast("q"))


def placed_by_reference(document: Document) -> Placed:
    """The same in Python, where the compiled twin could not be built, and for documents with footnotes."""
    groups = _Groups()
    groups.add(outline(shown_blocks(document)), "")
    after = [text.encode() for text in groups.after]
    return Placed(groups.blocks, bytes(groups.continues), b"".join(after), array("q", accumulate(map(len, after))))


class _Groups:
    """The state of one pass over an outline."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.continues: list[bool] = []
        self.after: list[str] = []
        self.count = 0
        self.after_rule = False
        """Whether a rule stands before the next block."""

    def _group(self, within: str, role: str, facts: _Facts | None = None) -> str:
        """The groups of a block in the next one: those around it, and the group with its facts."""
        self.count += 1
        after = _written(facts) if facts else ""
        return f'{within}{", " if within else ""}{{"role": "{role}", "id": {self.count}{after}}}'

    def add(self, nodes: Iterable[OutlineNode], within: str) -> None:
        """Add the blocks of some nodes."""
        # One frame for each level, or two: pages nest hundreds of levels deep.
        for node in nodes:
            match node:
                case Leaf():
                    self._add_leaf(node, within)
                case List():
                    inside = self._group(within, "list", _list(node))
                    for item, (position, checked) in zip(node.items, node.marks(), strict=True):
                        facts = _item(position if node.numbers else None, checked)
                        self.add(item, self._group(inside, "item", facts))
                case Quote():
                    self.add(node.children, self._group(within, "quote"))
                case Callout():
                    inside = self._group(within, "callout", {"kind": node.kind})
                    self._add_headed("title", node.title, node.children, inside)
                case Details():
                    self._add_headed("summary", node.summary, node.children, self._group(within, "details"))
                case Rule():
                    self.after_rule = True
                case Definitions():
                    inside = self._group(within, "definitions")
                    for entry in node.entries:
                        role = "term" if isinstance(entry, Term) else "definition"
                        self.add(entry.children, self._group(inside, role))
                case Table():
                    self._add_table(node, self._group(within, "table"))
                case Notes():
                    inside = self._group(within, "notes")
                    for note in node.entries:
                        self.add(note.children, self._group(inside, "note", {"label": note.label}))

    def _add_leaf(self, leaf: Leaf, within: str) -> None:
        around = f', "within": [{within}]' if within else ""
        after = f'{around}, "after_rule": true' if self.after_rule else around
        self.after_rule = False
        for number, block in enumerate(leaf.blocks):
            check()
            self.blocks.append(block)
            self.continues.append(number > 0)
            self.after.append(around if number else after)

    def _add_headed(
        self, role: str, title: Iterable[OutlineNode], children: Iterable[OutlineNode], within: str
    ) -> None:
        """Add a title, then what is below it."""
        if title:
            self.add(title, self._group(within, role))
        self.add(children, within)

    def _add_table(self, table: Table, within: str) -> None:
        self.add(table.above, within)
        for row, line in enumerate(table.lines):
            for column, cell in enumerate(line):
                if cell and cell.children:
                    facts = {"row": row, "column": column} | _spans(cell)
                    self.add(cell.children, self._group(within, "cell", facts))
        self.add(table.below, within)


def _written(facts: _Facts) -> str:
    """The fields of a group, each behind a comma."""
    return "".join([f', "{name}": {_value(value)}' for name, value in facts.items()])


def _value(value: str | int | bool) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    return str(value) if value is not True and value is not False else "true" if value else "false"


def _list(node: List) -> _Facts:
    values = {"start": node.start, "style": node.style, "reversed": node.reversed or None}
    return {name: value for name, value in values.items() if value is not None}


def _item(number: int | None, checked: bool | None) -> _Facts:
    return {name: value for name, value in (("number", number), ("checked", checked)) if value is not None}


def _spans(cell: Cell) -> _Facts:
    values = {
        "header": cell.header,
        "rows": cell.rows if cell.rows > 1 else None,
        "columns": cell.columns if cell.columns > 1 else None,
    }
    return {name: value for name, value in values.items() if value}
