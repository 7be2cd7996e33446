"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and every kept block.

Blocks are a flat list in reading order, and `within` names the lists, quotes and tables around each: whoever wants only
text never has to walk a tree. A method's analysis is left out, since it can be larger than the page.
"""

import json
import re
from collections.abc import Iterable
from itertools import count
from typing import Any

from bonmun.model.document import Block, Document
from bonmun.model.inline import Run
from bonmun.model.metadata import Metadata
from bonmun.model.nodes import Nodes
from bonmun.model.verdict import Reason
from bonmun.write.grid import Cell, grid
from bonmun.write.outline import Child, Group, Leaf, Role, outline

_DIGITS = 4
_SURROGATE = re.compile("[\ud800-\udfff]")

_Object = dict[str, Any]


def write(document: Document) -> str:
    """The document as JSON on one line, keys always in the same order."""
    written = json.dumps(_document(document), ensure_ascii=False)
    if _SURROGATE.search(written):  # has no place in UTF-8; pages smuggle them in as escapes of their own JSON
        written = written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return written


def _document(document: Document) -> _Object:
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
        "text": document.text,
        "blocks": _Listing(document.page.nodes).of(outline(document.blocks)),
    }


def _metadata(metadata: Metadata) -> _Object:
    return {
        "title": metadata.title,
        "author": metadata.author,
        "date": metadata.date.isoformat() if metadata.date else None,
        "language": metadata.language,
        "site": metadata.site,
        "canonical_url": metadata.canonical_url,
        "description": metadata.description,
        "image": metadata.image,
        "tags": list(metadata.tags),
    }


def _reasons(reasons: Iterable[Reason]) -> list[_Object]:
    return [{"name": reason.name, "detail": reason.detail} for reason in reasons]


class _Listing:
    """The blocks of an outline in a row, each with what stands around it."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.numbers = count(1)
        self.blocks: list[_Object] = []

    def of(self, children: Iterable[Child]) -> list[_Object]:
        self._add(children, ())
        return self.blocks

    def _add(self, children: Iterable[Child], within: tuple[_Object, ...]) -> None:
        for child in children:
            if isinstance(child, Leaf):
                for number, block in enumerate(child.blocks):
                    self.blocks.append(_block(block, within, continues=number > 0))
                continue
            place: _Object = {"role": child.role.value, "id": next(self.numbers)}
            if child.start is not None:
                place["start"] = child.start
            if child.role is Role.TABLE:
                self._add_table(child, (*within, place))
            else:
                self._add(child.children, (*within, place))

    def _add_table(self, group: Group, within: tuple[_Object, ...]) -> None:
        table = grid(group, self.nodes)
        self._add(table.above, within)
        for row, line in enumerate(table.lines):
            for column, cell in enumerate(line):
                if cell and cell.children:
                    self._add(cell.children, (*within, self._cell(cell, row, column)))
        self._add(table.below, within)

    def _cell(self, cell: Cell, row: int, column: int) -> _Object:
        place: _Object = {"role": "cell", "id": next(self.numbers), "row": row, "column": column}
        more = {
            "header": cell.header,
            "rows": cell.rows - 1 and cell.rows,
            "columns": cell.columns - 1 and cell.columns,
        }
        return place | {name: value for name, value in more.items() if value}


def _block(block: Block, within: tuple[_Object, ...], continues: bool) -> _Object:
    found: _Object = {
        "kind": block.kind.value,
        "level": block.level,
        "text": block.text,
        "xpath": block.xpath,
        "score": round(block.score, _DIGITS),
        "reasons": _reasons(block.reasons),
    }
    more = {
        "continues": continues,
        "partial": block.part is not None,
        "language": block.code_language,
        "runs": [_run(run) for run in block.runs]
        if any(run.marks or run.href or run.src for run in block.runs)
        else None,
        "within": list(within),
    }
    return found | {name: value for name, value in more.items() if value}


def _run(run: Run) -> _Object:
    more = {"marks": list(run.marks), "href": run.href, "src": run.src}
    return {"text": run.text} | {name: value for name, value in more.items() if value}
