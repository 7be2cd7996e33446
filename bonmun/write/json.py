"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and the kept blocks.

Blocks are a flat list in reading order, so that a user of text alone need not walk a tree; `within` names the lists,
quotes and tables around each. A method's analysis is left out: it can be larger than the page.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from bonmun.model.comment import Comment
from bonmun.model.document import Block, Document
from bonmun.model.inline import Run
from bonmun.model.metadata import Metadata
from bonmun.model.verdict import Reason
from bonmun.write.bylines import iso_date
from bonmun.write.nesting import outline
from bonmun.write.structure import Cell, Definitions, Leaf, List, OutlineNode, Quote, Table, Term
from bonmun.write.surrogates import without_surrogates
from bonmun.write.text import body

_DIGITS = 4

_Object = dict[str, Any]
_Places = tuple[_Object, ...]
"""The lists, quotes, tables and their parts around a block, outermost first."""


def write(document: Document) -> str:
    """Return the document as JSON on one line, keys always in the same order."""
    return without_surrogates(json.dumps(_document(document), ensure_ascii=False))


def _document(document: Document) -> _Object:
    written: _Object = {
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
        "blocks": list(_blocks(outline(document.blocks), (), count(1))),
    }
    if document.output.comments:
        written["comments"] = [_comment(comment) for comment in document.comments]
    return written


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


def _blocks(nodes: Iterable[OutlineNode], within: _Places, ids: Iterator[int]) -> Iterator[_Object]:
    """Yield the blocks of an outline, each with the lists, quotes and tables around it."""
    for node in nodes:
        match node:
            case Leaf():
                for number, block in enumerate(node.blocks):
                    yield _block(block, within, continues=number > 0)
            case List():
                start = {} if node.start is None else {"start": node.start}
                inside = (*within, _place("list", ids) | start)
                for item in node.items:
                    yield from _blocks(item, (*inside, _place("item", ids)), ids)
            case Quote():
                yield from _blocks(node.children, (*within, _place("quote", ids)), ids)
            case Definitions():
                inside = (*within, _place("definitions", ids))
                for entry in node.entries:
                    role = "term" if isinstance(entry, Term) else "definition"
                    yield from _blocks(entry.children, (*inside, _place(role, ids)), ids)
            case Table():
                yield from _table(node, (*within, _place("table", ids)), ids)


def _table(table: Table, within: _Places, ids: Iterator[int]) -> Iterator[_Object]:
    yield from _blocks(table.above, within, ids)
    for row, line in enumerate(table.lines):
        for column, cell in enumerate(line):
            if cell and cell.children:
                place = _place("cell", ids) | {"row": row, "column": column} | _spans(cell)
                yield from _blocks(cell.children, (*within, place), ids)
    yield from _blocks(table.below, within, ids)


def _place(role: str, ids: Iterator[int]) -> _Object:
    return {"role": role, "id": next(ids)}


def _spans(cell: Cell) -> _Object:
    values = {
        "header": cell.header,
        "rows": cell.rows if cell.rows > 1 else None,
        "columns": cell.columns if cell.columns > 1 else None,
    }
    return {name: value for name, value in values.items() if value}


def _block(block: Block, within: _Places, continues: bool) -> _Object:
    required: _Object = {
        "kind": block.kind.value,
        "level": block.level,
        "text": block.text,
        "xpath": block.xpath,
        "score": round(block.score, _DIGITS),
        "reasons": _reasons(block.reasons),
    }
    optional = {
        "continues": continues,
        "partial": block.part is not None,
        "language": block.code_language,
        "runs": [_run(run) for run in block.runs]
        if any(run.marks or run.href or run.src for run in block.runs)
        else None,
        "within": list(within),
    }
    return required | {name: value for name, value in optional.items() if value}


def _run(run: Run) -> _Object:
    optional = {"marks": list(run.marks), "href": run.href, "src": run.src}
    return {"text": run.text} | {name: value for name, value in optional.items() if value}
