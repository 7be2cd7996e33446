"""XML, the exchange format, as `document.xsd` describes it: the content of the JSON, nested as the page was.

The body can be read on its own; `verdicts` behind it has one entry per block of the body, with its score and, on
request, its reasons.
Characters that XML 1.0 does not allow (control characters, surrogates, U+FFFE and U+FFFF) are left out. There is no
encoding declaration: XML without one is UTF-8, and parsers refuse one in a decoded string.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.metadata import Metadata
from bonmun.model.verdict import Reason
from bonmun.write.bylines import iso_date
from bonmun.write.figures import MediaBlock, shown_blocks
from bonmun.write.marks import LINK, Span, spans
from bonmun.write.nesting import outline
from bonmun.write.notes import is_number
from bonmun.write.structure import (
    Callout,
    Cell,
    Definition,
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

NAMESPACE: Final = "urn:bonmun:document:1"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile('[&<>"\t\n\r]')
_TO_CHANGE = re.compile("[^\x20!#-%'-;=?-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters of both."""
_ESCAPE = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_KEPT_IN_TEXT = '"\t\n'
_ELEMENT_OF_KIND = {
    Kind.HEADING: "heading",
    Kind.CODE: "listing",
    Kind.CAPTION: "caption",
    **dict.fromkeys((Kind.IMAGE, Kind.MEDIA), "figure"),
}

_Attributes = dict[str, str | None]


def write(document: Document) -> str:
    """Return the document as XML."""
    attributes = {
        "xmlns": NAMESPACE,
        "version": "1",
        "status": document.status.value,
        "method": document.method,
        "confidence": _share(document.confidence),
        "page-type": document.page_type,
        "url": document.url,
        "encoding": document.page.encoding,
    }
    notes = [
        *map(_reason, document.reasons),
        *(_element("warning", {}, _text(warning)) for warning in document.warnings),
    ]
    blocks, reasons = shown_blocks(document), document.output.reasons
    parts = [
        _holder("notes", {}, notes),
        _holder("metadata", {}, _metadata(document.metadata)),
        _holder("body", {}, _parts(outline(blocks))),
        _holder("verdicts", {}, [_verdict(block, reasons) for block in blocks if not is_number(block)]),
    ]
    if document.output.comments:
        parts.append(_holder("comments", {}, [_comment(comment) for comment in document.comments]))
    return f'<?xml version="1.0"?>\n{_holder("document", attributes, parts)}'


def _metadata(metadata: Metadata) -> list[str]:
    facts = {
        "title": metadata.title,
        "author": metadata.author,
        "date": metadata.date.isoformat() if metadata.date else None,
        "published": metadata.iso_published,
        "modified": metadata.iso_modified,
        "language": metadata.language,
        "site": metadata.site,
        "hostname": metadata.hostname,
        "canonical-url": metadata.canonical_url,
        "description": metadata.description,
        "image": metadata.image,
    }
    known = [_element(name, {}, _text(fact)) for name, fact in facts.items() if fact is not None]
    return [
        *known,
        *(_element("tag", {}, _text(tag)) for tag in metadata.tags),
        *(_element("author-name", {}, _text(name)) for name in metadata.authors),
    ]


def _verdict(block: Block, with_reasons: bool) -> str:
    check()
    partial = ' partial="true"' if block.part is not None else ""
    # The names in an xpath are ASCII letters and digits.
    tag = f'<verdict block="{_id(block)}" score="{_share(block.score)}" xpath="{block.xpath}"{partial}'
    reasons = [_reason(reason) for reason in block.reasons] if with_reasons else []
    return "\n".join([f"{tag}>", *reasons, "</verdict>"]) if reasons else f"{tag}/>"


def _comment(comment: Comment) -> str:
    attributes = {
        "author": comment.author,
        "date": iso_date(comment.date),
        "depth": str(comment.depth),
        "xpath": comment.xpath,
    }
    text = _element("text", {}, _text(comment.text))
    return _holder("comment", attributes, [text, *map(_comment, comment.replies)])


def _reason(reason: Reason) -> str:
    return _element("reason", {"name": reason.name}, _text(reason.detail))


def _parts(nodes: Iterable[OutlineNode]) -> list[str]:
    out: list[str] = []
    for node in nodes:
        check()
        match node:
            case Leaf():
                out += [_block(block, continues=number > 0) for number, block in enumerate(node.blocks)]
            case List():
                out.append(_list(node))
            case Quote():
                out.append(_holder("quote", {}, _parts(node.children)))
            case Callout():
                title = [_holder("title", {}, _parts(node.title))] if node.title else []
                out.append(_holder("callout", {"kind": node.kind}, [*title, *_parts(node.children)]))
            case Details():
                summary = [_holder("summary", {}, _parts(node.summary))] if node.summary else []
                out.append(_holder("details", {}, [*summary, *_parts(node.children)]))
            case Rule():
                out.append(_element("rule", {}, ""))
            case Definitions():
                out.append(_holder("definitions", {}, [_entry(entry) for entry in node.entries]))
            case Table():
                rows = [_holder("row", {}, [_cell(cell) for cell in line if cell]) for line in node.lines]
                out.append(_holder("table", {}, [*_parts(node.above), *rows, *_parts(node.below)]))
            case Notes():
                entries = [_holder("footnote", {"label": note.label}, _parts(note.children)) for note in node.entries]
                out.append(_holder("footnotes", {}, entries))
    return out


def _list(node: List) -> str:
    items = []
    for item, (number, checked) in zip(node.items, node.marks(), strict=True):
        attributes = {
            "number": str(number) if node.numbers else None,
            "checked": None if checked is None else str(checked).lower(),
        }
        items.append(_holder("item", attributes, _parts(item)))
    start = None if node.start is None else str(node.start)
    return _holder("list", {"start": start, "style": node.style, "reversed": "true" if node.reversed else None}, items)


def _entry(entry: Term | Definition) -> str:
    return _holder("term" if isinstance(entry, Term) else "definition", {}, _parts(entry.children))


def _cell(cell: Cell) -> str:
    attributes = {
        "header": "true" if cell.header else None,
        "columns": str(cell.columns) if cell.columns > 1 else None,
        "rows": str(cell.rows) if cell.rows > 1 else None,
    }
    return _holder("cell", attributes, _parts(cell.children))


def _block(block: Block, continues: bool) -> str:
    kind, text = block.kind, block.plain_text
    name = _ELEMENT_OF_KIND.get(kind, "paragraph")
    if text and kind is not Kind.HEADING and not continues:  # as most are
        return f'<{name} id="{_id(block)}">{_text(text)}</{name}>'
    attributes = {
        "id": _id(block),
        "level": str(block.level) if kind is Kind.HEADING else None,
        "language": block.code_language if kind is Kind.CODE else None,
        "continues": "true" if continues else None,
    }
    return _element(name, attributes, _inline(spans(block.runs)) if text is None else _text(text))


def _inline(children: Iterable[Span | Run]) -> str:
    out = []
    for child in children:
        if isinstance(child, Span):
            attributes = {"href": child.href} if child.mark == LINK else {}
            out.append(_element(child.mark, attributes, _inline(child.children)))
        elif child.src is not None:
            out.append(f'<image src="{_attribute(child.src)}" alt="{_attribute(child.text)}"/>')
        elif child.note is not None:
            out.append(_element("footnote-mark", {"label": child.note.label}, _text(child.text)))
        elif child.formula is not None:
            display = "true" if child.formula.display else None
            out.append(_element("formula", {"display": display}, _text(child.text)))
        else:
            out.append(_text(child.text))
    return "".join(out)


def _id(block: Block) -> str:
    if isinstance(block, MediaBlock):
        return f"m{block.medium.row}"
    return f"b{block.index}" if block.sidenote is None else f"b{block.index}n{block.sidenote.start}"


def _share(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")


def _holder(name: str, attributes: _Attributes, parts: Sequence[str]) -> str:
    """An element of elements, each on its own line."""
    return _element(name, attributes, "\n".join(["", *parts, ""]) if parts else "")


def _element(name: str, attributes: _Attributes, content: str) -> str:
    tag = f"<{name}"
    for key, value in attributes.items():
        if value is not None:
            tag += f' {key}="{_attribute(value)}"'
    return f"{tag}>{content}</{name}>" if content else f"{tag}/>"


def _attribute(value: str) -> str:
    if _TO_CHANGE.search(value) is None:
        return value
    return _SPECIAL.sub(lambda match: _ESCAPE[match[0]], _NOT_XML.sub("", value))


def _text(text: str) -> str:
    if _TO_CHANGE.search(text) is None:
        return text
    legal = _NOT_XML.sub("", text)
    return _SPECIAL.sub(lambda match: match[0] if match[0] in _KEPT_IN_TEXT else _ESCAPE[match[0]], legal)
