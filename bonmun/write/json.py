"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and the kept blocks.

Blocks are a flat list in reading order, so that a user of text alone need not walk a tree; `within` names the lists,
quotes, callouts and tables around each. A method's analysis is left out: it can be larger than the page.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.metadata import Metadata
from bonmun.model.valid_text import without_surrogates
from bonmun.model.verdict import Reason
from bonmun.write.bylines import iso_date
from bonmun.write.figures import shown_blocks
from bonmun.write.nesting import outline
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
from bonmun.write.text import body

_DIGITS = 4
_BATCH = 256  # blocks that are encoded at once: all of a large page need many times its memory
_encode = json.JSONEncoder(ensure_ascii=False).encode

_Object = dict[str, Any]
_Places = tuple[_Object, ...]
"""The lists, quotes, callouts, tables and their parts around a block, outermost first."""


@dataclass(slots=True)
class _Progress:
    """How far the outline is written."""

    groups: int = 0
    after_rule: bool = False
    """Whether a rule stands before the next block."""

    def place(self, role: str) -> _Object:
        """The next group."""
        self.groups += 1
        return {"role": role, "id": self.groups}

    def block(self, block: Block, within: _Places, continues: bool) -> _Object:
        """The next block."""
        written = _block(block, within, continues)
        if self.after_rule:
            written["after_rule"], self.after_rule = True, False
        return written


def write(document: Document) -> str:
    """Return the document as JSON on one line, keys always in the same order."""
    parts = [_encode(_head(document))[:-1], ', "blocks": [']
    objects = _blocks(outline(shown_blocks(document)), (), _Progress())
    while batch := list(islice(objects, _BATCH)):
        check()
        parts += (_encode(batch)[1:-1], ", ")
    parts[-1] = "]" if parts[-1] == ", " else parts[-1] + "]"
    if document.output.comments:
        parts += (', "comments": ', _encode([_comment(comment) for comment in document.comments]))
    return without_surrogates("".join([*parts, "}"]))


def _head(document: Document) -> _Object:
    """The document without blocks and comments."""
    return {
        "format": "bonmun/document",
        "version": 1,
        "status": document.status.value,
        "reasons": _reasons(document.reasons),
        "method": document.method,
        "confidence": round(document.confidence, _DIGITS),
        "page_type": document.page_type,
        "url": document.url,
        "encoding": document.page.encoding,
        "warnings": list(document.warnings),
        "metadata": _metadata(document.metadata),
        "text": body(document),
    }


def _comment(comment: Comment) -> _Object:
    return {
        "author": comment.author,
        "date": iso_date(comment.date),
        "depth": comment.depth,
        "text": comment.text,
        "xpath": comment.xpath,
        "replies": [_comment(reply) for reply in comment.replies],
    }


def _metadata(metadata: Metadata) -> _Object:
    return {
        "title": metadata.title,
        "author": metadata.author,
        "authors": list(metadata.authors),
        "date": metadata.date.isoformat() if metadata.date else None,
        "published": metadata.iso_published,
        "modified": metadata.iso_modified,
        "language": metadata.language,
        "site": metadata.site,
        "hostname": metadata.hostname,
        "canonical_url": metadata.canonical_url,
        "description": metadata.description,
        "image": metadata.image,
        "tags": list(metadata.tags),
    }


def _reasons(reasons: Iterable[Reason]) -> list[_Object]:
    return [{"name": reason.name, "detail": reason.detail} for reason in reasons]


def _blocks(nodes: Iterable[OutlineNode], within: _Places, progress: _Progress) -> Iterator[_Object]:
    """Yield the blocks of an outline, each with the lists, quotes, callouts and tables around it."""
    for node in nodes:
        match node:
            case Leaf():
                for number, block in enumerate(node.blocks):
                    yield progress.block(block, within, continues=number > 0)
            case List():
                inside = (*within, progress.place("list") | _list(node))
                for item, (position, checked) in zip(node.items, node.marks(), strict=True):
                    place = progress.place("item") | _item(position if node.numbers else None, checked)
                    yield from _blocks(item, (*inside, place), progress)
            case Quote():
                yield from _blocks(node.children, (*within, progress.place("quote")), progress)
            case Callout():
                inside = (*within, progress.place("callout") | {"kind": node.kind})
                yield from _headed("title", node.title, node.children, inside, progress)
            case Details():
                inside = (*within, progress.place("details"))
                yield from _headed("summary", node.summary, node.children, inside, progress)
            case Rule():
                progress.after_rule = True
            case Definitions():
                inside = (*within, progress.place("definitions"))
                for entry in node.entries:
                    role = "term" if isinstance(entry, Term) else "definition"
                    yield from _blocks(entry.children, (*inside, progress.place(role)), progress)
            case Table():
                yield from _table(node, (*within, progress.place("table")), progress)
            case Notes():
                inside = (*within, progress.place("notes"))
                for note in node.entries:
                    place = progress.place("note") | {"label": note.label}
                    yield from _blocks(note.children, (*inside, place), progress)


def _list(node: List) -> _Object:
    values = {"start": node.start, "style": node.style, "reversed": node.reversed or None}
    return {name: value for name, value in values.items() if value is not None}


def _item(number: int | None, checked: bool | None) -> _Object:
    return {name: value for name, value in (("number", number), ("checked", checked)) if value is not None}


def _headed(
    role: str, title: Iterable[OutlineNode], children: Iterable[OutlineNode], within: _Places, progress: _Progress
) -> Iterator[_Object]:
    """Yield the blocks of a title, then those below it."""
    if title:
        yield from _blocks(title, (*within, progress.place(role)), progress)
    yield from _blocks(children, within, progress)


def _table(table: Table, within: _Places, progress: _Progress) -> Iterator[_Object]:
    yield from _blocks(table.above, within, progress)
    for row, line in enumerate(table.lines):
        for column, cell in enumerate(line):
            if cell and cell.children:
                place = progress.place("cell") | {"row": row, "column": column} | _spans(cell)
                yield from _blocks(cell.children, (*within, place), progress)
    yield from _blocks(table.below, within, progress)


def _spans(cell: Cell) -> _Object:
    values = {
        "header": cell.header,
        "rows": cell.rows if cell.rows > 1 else None,
        "columns": cell.columns if cell.columns > 1 else None,
    }
    return {name: value for name, value in values.items() if value}


def _block(block: Block, within: _Places, continues: bool) -> _Object:
    kind, runs = block.kind, block.runs
    written: _Object = {
        "kind": kind.value,
        "level": block.level,
        "text": block.text,
        "xpath": block.xpath,
        "score": round(block.score, _DIGITS),
        "reasons": _reasons(block.reasons),
    }
    if continues:
        written["continues"] = True
    if block.part is not None:
        written["partial"] = True
    if not block.keep:
        written["aside"] = True
    if kind is Kind.CODE and (language := block.code_language):
        written["language"] = language
    if any(run.marks or run.href or run.src or run.note for run in runs):
        written["runs"] = [_run(run) for run in runs]
    if within:
        written["within"] = within
    return written


def _run(run: Run) -> _Object:
    written: _Object = {"text": run.text}
    if run.marks:
        written["marks"] = run.marks
    if run.href:
        written["href"] = run.href
    if run.src:
        written["src"] = run.src
    if run.note:
        written["note"] = run.note.label
    if run.media:
        written["media"] = run.media
    return written
