"""Plain text: an empty line between paragraphs, one line per list item and table row."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import repeat

from bonmun.deadline import check
from bonmun.model.block import KINDS, Kind, text_of
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.write.bylines import byline
from bonmun.write.compiled_text import compiled_text, text_between_notes
from bonmun.write.headline import headline
from bonmun.write.nesting import nested, outline, outlined
from bonmun.write.notes import gathered, text_of_notes
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
    leaves,
)

_INDENT = "  "
_RULE = "-----"
_PARAGRAPH = KINDS.index(Kind.PARAGRAPH)


def write(document: Document) -> str:
    """Return the document as plain text.

    Items start with ``- ``, ``- [x] `` or their number and are indented by two spaces per surrounding list; tabs
    separate cells; code keeps its white space; images and rules are left out. The marks of footnotes are ``[1]``,
    their bodies ``[1] body``. Comments are below a line of dashes, replies indented.
    """
    text = body(document)
    if document.output.title and (title := headline(document)):
        text = f"{title}\n\n{text}" if text else title
    if document.output.comments and document.comments:
        text = "\n\n".join([text, _RULE, *map(_comment, document.comments)])
    return text


def body(document: Document) -> str:
    """Return the kept blocks as plain text."""
    if (compiled := compiled_text(document)) is not None:
        return compiled
    if document.footnotes.labels and document.output.references and (written := _around_notes(document)) is not None:
        return written
    return body_by_reference(document)


def _around_notes(document: Document) -> str | None:
    """The text of a document with footnotes; `None` without the compiled core, which writes what is around them."""
    before, notes, after = gathered(document.blocks, nested)
    if (first := text_between_notes(before)) is None or (rest := text_between_notes(after)) is None:
        return None
    return "\n\n".join(filter(None, (first, *text_of_notes(notes, _texts), rest)))


def body_by_reference(document: Document) -> str:
    """The same in Python, where the compiled twin could not be built, and for documents with footnotes."""
    kinds, kept = document.page.shown_blocks.kind_code, document.kept
    if all(kinds[index] == _PARAGRAPH for index in kept) and not document.footnotes.labels:
        return _paragraphs(document, kept)
    return "\n\n".join(_texts(outlined(document.blocks, boxes=False)))


def outline_of(document: Document) -> list[OutlineNode]:
    """Return the nodes that are written."""
    return outline(document.blocks, boxes=False)


def written(nodes: Iterable[OutlineNode]) -> Iterator[tuple[OutlineNode, list[str]]]:
    """Yield each node with its texts; in a document, an empty line separates them."""
    return ((node, _texts([node])) for node in nodes)


def _paragraphs(document: Document, kept: Iterable[int]) -> str:
    """The fast path for paragraphs alone, which need no outline: most articles have little else."""
    blocks, parts, nodes = document.page.blocks, document.verdicts.parts, document.page.nodes
    pieces: list[str] = []
    for index in kept:
        check()
        if pieces:
            pieces.append("\n" if blocks.continues[index] else "\n\n")
        partial = index in parts
        pieces.append(text_of(nodes, parts[index], preformatted=False) if partial else blocks.text_at(index))
    return "".join(pieces)


def _comment(comment: Comment) -> str:
    lines = "\n".join(filter(None, (byline(comment), *_texts(outline(comment.blocks, root=comment.row)))))
    return "\n\n".join([lines, *(_indented(_comment(reply)) for reply in comment.replies)])


def _indented(text: str) -> str:
    return "\n".join(_INDENT + line if line else "" for line in text.split("\n"))


def _rest_indented(text: str) -> str:
    """Indent all lines but the first."""
    first, rest = text.split("\n", 1)
    return f"{first}\n{_indented(rest)}"


def _texts(nodes: Iterable[OutlineNode]) -> list[str]:
    """One string per leaf, list and table with any text."""
    texts: list[str] = []
    _add(nodes, texts)
    return [text for text in texts if text]


def _add(nodes: Iterable[OutlineNode], out: list[str]) -> None:
    """Append the texts of nodes, some of them empty."""
    for node in nodes:
        match node:
            case Leaf():
                out.append(_leaf(node))
            case List():
                out.append(_list(node))
            case Quote():
                _add(node.children, out)
            case Callout():
                _add(node.title, out)
                _add(node.children, out)
            case Details():
                _add(node.summary, out)
                _add(node.children, out)
            case Rule():
                pass
            case Definitions():
                for entry in node.entries:
                    _add(entry.children, out)
            case Table():
                out += _table(node)
            case Notes():
                out += text_of_notes(node, _texts)


def _leaf(leaf: Leaf) -> str:
    if len(leaf.blocks) == 1:
        return leaf.blocks[0].text
    return "\n".join(text for block in leaf.blocks if (text := block.text))


def _list(node: List) -> str:
    items: list[str] = []
    marks = node.marks() if node.numbers or node.checked else repeat((None, None))
    for item, (number, checked) in zip(node.items, marks, strict=False):
        text = "\n".join(_texts(item))
        if text:
            one_line = "\n" not in text
            marker = "-" if node.start is None else f"{number if node.numbers else node.start + len(items)}."
            marker += "" if checked is None else " [x]" if checked else " [ ]"
            items.append(f"{marker} {text if one_line else _rest_indented(text)}")
    return "\n".join(items)


def _table(table: Table) -> list[str]:
    columns = table.columns()
    rows = []
    for line in table.lines:
        cells = (line[column] for column in columns[: bisect_left(columns, len(line))])
        rows.append("\t".join(_cell(cell) if cell else "" for cell in cells).rstrip())
    return [*_texts(table.above), "\n".join(row for row in rows if row), *_texts(table.below)]


def _cell(cell: Cell) -> str:
    if len(cell.children) == 1 and isinstance(only := cell.children[0], Leaf):  # most are
        return " ".join(_leaf(only).split())
    return " ".join(" ".join(_leaf(leaf).split()) for leaf in leaves(cell.children))
