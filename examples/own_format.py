"""A format of your own: any function from a document to a string, here reStructuredText."""

import re
from collections.abc import Iterable
from pathlib import Path

import bonmun
from bonmun.write import (
    LINK,
    Callout,
    Definitions,
    Details,
    Leaf,
    List,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Run,
    Span,
    Table,
    outline,
    spans,
)

MARKUP = {"strong": "**{}**", "em": "*{}*", "code": "``{}``", "sub": ":sub:`{}`", "sup": ":sup:`{}`"}
SPECIAL = re.compile(r"[\\*`|_<]|:(?=:)")
STARTS_BLOCK = re.compile(r"(?=[!-/:-@\[\]-`{-~—]|(?:[0-9]+|[a-z]|[ivxlcdm]+)[.)] )", re.IGNORECASE)


def write(document: bonmun.Document) -> str:
    """Return the document as reStructuredText."""
    return write_nodes(outline(document.blocks))


def write_nodes(nodes: Iterable[OutlineNode]) -> str:
    return "\n\n".join(text for node in nodes if (text := write_node(node)))


def write_node(node: OutlineNode) -> str:
    match node:
        case Leaf():
            return write_leaf(node)
        case List(items, start):
            texts = [text for item in items if (text := write_nodes(item))]
            markers = ["- " if start is None else f"{start + number}. " for number in range(len(texts))]
            return "\n\n".join([*map(hang, markers, texts), ".."])  # the comment ends the list
        case Quote(children):
            return "..\n\n" + hang("   ", write_nodes(children))
        case Callout(kind, title, children):
            return f".. {kind}::\n\n" + hang("   ", write_nodes([*title, *children]))
        case Details(summary, children):
            return write_nodes([*summary, *children])
        case Rule():
            return "----"
        case Definitions(entries):
            return "\n\n".join(write_nodes(entry.children) for entry in entries)
        case Notes(notes):
            return "\n\n".join(hang(f".. [#n{note.label}] ", write_nodes(note.children)) for note in notes)
        case Table(above, _, below):
            return "\n\n".join(filter(None, [write_nodes(above), write_rows(node), write_nodes(below)]))


def write_leaf(leaf: Leaf) -> str:
    lines = [line for block in leaf.blocks if (line := write_line(block))]
    parts = ["\n".join(f"| {line}" for line in lines) if len(lines) > 1 else "".join(lines)]
    if leaf.kind == "code":
        parts = ["::", hang("   ", leaf.blocks[0].text)]
    elif leaf.kind == "heading" and lines:
        parts = [f".. rubric:: {lines[0]}"]
    parts += [f".. image:: {run.src}" for block in leaf.blocks for run in block.runs if run.src]
    return "\n\n".join(filter(None, parts))


def write_rows(table: Table) -> str:
    columns, rows = table.columns(), []
    for line in table.lines:
        cells = [line[column] if column < len(line) else None for column in columns]
        texts = [hang("- ", write_nodes(cell.children)) if cell else "-" for cell in cells]
        rows.append(hang("* ", "\n".join(texts)))
    return ".. list-table::\n\n" + hang("   ", "\n".join(rows)) if columns else ""


def write_line(block: bonmun.Block) -> str:
    """Return the text of a block with its links and marks."""
    text = "".join(write_inline(child) for child in spans(block.runs, frozenset(MARKUP)))
    return STARTS_BLOCK.sub(r"\\", text, count=1) if STARTS_BLOCK.match(text) else text


def write_inline(child: Span | Run) -> str:
    text = plain_text(child)
    if isinstance(child, Run) and child.note:
        return f"\\ [#n{child.note.label}]_"
    if isinstance(child, Run) or not text.strip() or (child.mark == "code" and "`" in text):
        return escape(text)
    markup = f"`{{}} <{escape(child.href or '')}>`__" if child.mark == LINK else MARKUP[child.mark]
    inner = text.strip() if child.mark == "code" else escape(text.strip())
    return text.replace(text.strip(), f"\\ {markup.replace('{}', inner)}\\ ")  # an escaped space is not shown


def plain_text(child: Span | Run) -> str:
    """Return the text of a span without the spans inside: reStructuredText cannot nest its markup."""
    if isinstance(child, Span):
        return "".join(map(plain_text, child.children))
    return child.text if child.src is None else ""


def escape(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", text)


def hang(marker: str, text: str) -> str:
    """Return a text behind a marker, its other lines indented by as much."""
    return marker + text.replace("\n", "\n" + " " * len(marker))


page = Path(__file__).parent / "pages" / "ko-harbour.html"
print(write(bonmun.extract(page.read_bytes(), url="https://hanbit.example/news/1021")))
