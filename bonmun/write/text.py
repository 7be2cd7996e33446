"""Plain text: paragraphs parted by an empty line, a line for each list item and table row."""

from bisect import bisect_left
from collections.abc import Iterable

from bonmun.model.block import KINDS, Kind, text_of
from bonmun.model.document import Document
from bonmun.model.nodes import Nodes
from bonmun.write.grid import Cell, grid
from bonmun.write.outline import Child, Group, Leaf, Role, leaves, outline

_INDENT = "  "
_PARAGRAPH = KINDS.index(Kind.PARAGRAPH)


def write(document: Document) -> str:
    """The document as plain text.

    Items are marked by ``- `` or their number and indented by two spaces for each list around them; cells are parted by
    tabs; code keeps its white space; images leave nothing behind.
    """
    kinds = document.page.blocks.kind_code
    kept = [at for at, keep in enumerate(document.verdicts.keep) if keep]
    if all(kinds[at] == _PARAGRAPH for at in kept):
        return _paragraphs(document, kept)
    return "\n\n".join(_texts(outline(document.blocks), document.page.nodes))


def _paragraphs(document: Document, kept: Iterable[int]) -> str:
    """Blocks that no list, quote or table holds: nothing to nest. Most articles are little else."""
    blocks, parts, nodes = document.page.blocks, document.verdicts.parts, document.page.nodes
    pieces: list[str] = []
    for at in kept:
        if pieces:
            pieces.append("\n" if blocks.continues[at] else "\n\n")
        pieces.append(text_of(nodes, parts[at], preformatted=False) if at in parts else blocks.text_at(at))
    return "".join(pieces)


def _texts(children: Iterable[Child], nodes: Nodes) -> list[str]:
    """One string for each leaf, list and table that has any text."""
    texts: list[str] = []
    for child in children:
        if isinstance(child, Leaf):
            texts.append(_leaf(child))
        elif child.role is Role.LIST:
            texts.append(_list(child, nodes))
        elif child.role is Role.TABLE:
            texts += _table(child, nodes)
        else:
            texts += _texts(child.children, nodes)
    return [text for text in texts if text]


def _leaf(leaf: Leaf) -> str:
    if len(leaf.blocks) == 1:
        return leaf.blocks[0].text
    return "\n".join(text for block in leaf.blocks if (text := block.text))


def _list(group: Group, nodes: Nodes) -> str:
    items: list[str] = []
    for item in group.parts(Role.ITEM):
        text = "\n".join(_texts(item.children, nodes))
        if text:
            marker = "-" if group.start is None else f"{group.start + len(items)}."
            first, *rest = text.split("\n")
            items.append("\n".join([f"{marker} {first}", *(_INDENT + line if line else "" for line in rest)]))
    return "\n".join(items)


def _table(group: Group, nodes: Nodes) -> list[str]:
    table = grid(group, nodes)
    columns = table.columns()
    rows = []
    for line in table.lines:
        cells = (line[at] for at in columns[: bisect_left(columns, len(line))])
        rows.append("\t".join(_cell(cell) if cell else "" for cell in cells).rstrip())
    return [*_texts(table.above, nodes), "\n".join(row for row in rows if row), *_texts(table.below, nodes)]


def _cell(cell: Cell) -> str:
    return " ".join(" ".join(_leaf(leaf).split()) for leaf in leaves(cell.children))
