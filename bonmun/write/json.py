"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and the kept blocks.

Blocks are a flat list in reading order, so that a user of text alone need not walk a tree; `within` names the lists,
quotes, callouts and tables around each. A method's analysis is left out: it can be larger than the page.
"""

import json
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
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
from bonmun.write.text import body, written

_DIGITS = 4
_encode = json.JSONEncoder(ensure_ascii=False).encode
_quoted = encode_basestring  # a string as JSON

_Object = dict[str, Any]


def write(document: Document) -> str:
    """Return the document as JSON on one line, keys always in the same order."""
    blocks = shown_blocks(document)
    nodes = outline(blocks)
    parts = [_encode(_head(document) | {"text": _text(document, blocks, nodes)})[:-1], ', "blocks": [']
    parts += (", ".join(_Blocks(document).of(nodes)), "]")
    if document.output.comments:
        parts += (', "comments": ', _encode([_comment(comment) for comment in document.comments]))
    return without_surrogates("".join([*parts, "}"]))


def _head(document: Document) -> _Object:
    """The document without text, blocks and comments."""
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
    }


def _text(document: Document, blocks: Sequence[Block], nodes: Iterable[OutlineNode]) -> str:
    """The plain text, written from the outline of the blocks if that is the outline of the text too."""
    page = document.page
    other_outline = blocks is not document.blocks or page.boxes or page.nodes.rows_of("hr")
    if other_outline or all(block.kind is Kind.PARAGRAPH for block in blocks):  # paragraphs alone need no outline
        return body(document)
    return "\n\n".join([text for _, texts in written(nodes) for text in texts])


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


class _Blocks:
    """The blocks of an outline as JSON, each with the lists, quotes, callouts and tables around it."""

    def __init__(self, document: Document) -> None:
        self.reasons = document.output.reasons
        self.scores = list(document.verdicts.score)
        self.written: list[str] = []
        self.groups = 0
        self.after_rule = False
        """Whether a rule stands before the next block."""

    def of(self, nodes: Iterable[OutlineNode]) -> list[str]:
        """The blocks in order."""
        self._add(nodes, "")
        return self.written

    def _group(self, within: str, role: str, facts: _Object | None = None) -> str:
        """The groups of a block in the next one: those around it, and the group with its facts."""
        self.groups += 1
        after = ", " + _encode(facts)[1:-1] if facts else ""
        return f'{within}{", " if within else ""}{{"role": "{role}", "id": {self.groups}{after}}}'

    def _add(self, nodes: Iterable[OutlineNode], within: str) -> None:
        # One frame for each level, or two: pages nest hundreds of levels deep.
        for node in nodes:
            match node:
                case Leaf():
                    for number, block in enumerate(node.blocks):
                        self._add_block(block, within, continues=number > 0)
                case List():
                    inside = self._group(within, "list", _list(node))
                    for item, (position, checked) in zip(node.items, node.marks(), strict=True):
                        facts = _item(position if node.numbers else None, checked)
                        self._add(item, self._group(inside, "item", facts))
                case Quote():
                    self._add(node.children, self._group(within, "quote"))
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
                        self._add(entry.children, self._group(inside, role))
                case Table():
                    self._add_table(node, self._group(within, "table"))
                case Notes():
                    inside = self._group(within, "notes")
                    for note in node.entries:
                        self._add(note.children, self._group(inside, "note", {"label": note.label}))

    def _add_headed(
        self, role: str, title: Iterable[OutlineNode], children: Iterable[OutlineNode], within: str
    ) -> None:
        """Add a title, then what is below it."""
        if title:
            self._add(title, self._group(within, role))
        self._add(children, within)

    def _add_table(self, table: Table, within: str) -> None:
        self._add(table.above, within)
        for row, line in enumerate(table.lines):
            for column, cell in enumerate(line):
                if cell and cell.children:
                    facts = {"row": row, "column": column} | _spans(cell)
                    self._add(cell.children, self._group(within, "cell", facts))
        self._add(table.below, within)

    def _add_block(self, block: Block, within: str, continues: bool) -> None:
        check()
        text, further = block.plain_text, ', "continues": true' if continues else ""
        if text is None or self.reasons or not block.keep:
            fields = self._further(block, continues)
            text, further = block.text, f", {_encode(fields)[1:-1]}" if fields else ""
        around = f', "within": [{within}]' if within else ""
        rule = ', "after_rule": true' if self.after_rule else ""
        self.after_rule = False
        score = round(self.scores[block.index], _DIGITS)
        # The names in an xpath are ASCII letters and digits.
        self.written.append(
            f'{{"kind": "{block.kind}", "level": {block.level}, "text": {_quoted(text)}, "xpath": "{block.xpath}"'
            f', "score": {score}{further}{around}{rule}}}'
        )

    def _further(self, block: Block, continues: bool) -> _Object:
        """The fields that not all blocks have."""
        fields: _Object = {}
        if self.reasons:
            fields["reasons"] = _reasons(block.reasons)
        if continues:
            fields["continues"] = True
        if block.part is not None:
            fields["partial"] = True
        if not block.keep:
            fields["aside"] = True
        if block.kind is Kind.CODE and (language := block.code_language):
            fields["language"] = language
        if block.plain_text is None:
            runs = block.runs
            if any(run.marks or run.href or run.src or run.note for run in runs):
                fields["runs"] = [_run(run) for run in runs]
        return fields


def _list(node: List) -> _Object:
    values = {"start": node.start, "style": node.style, "reversed": node.reversed or None}
    return {name: value for name, value in values.items() if value is not None}


def _item(number: int | None, checked: bool | None) -> _Object:
    return {name: value for name, value in (("number", number), ("checked", checked)) if value is not None}


def _spans(cell: Cell) -> _Object:
    values = {
        "header": cell.header,
        "rows": cell.rows if cell.rows > 1 else None,
        "columns": cell.columns if cell.columns > 1 else None,
    }
    return {name: value for name, value in values.items() if value}


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
