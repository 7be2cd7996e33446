"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and the kept blocks.

Blocks are a flat list in reading order, so that a user of text alone need not walk a tree; `within` names the lists,
quotes, callouts and tables around each. A method's analysis is left out: it can be larger than the page.
"""

import json
from collections.abc import Sequence
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

from bonmun.core import core
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.valid_text import without_surrogates
from bonmun.write.bylines import iso_date
from bonmun.write.json_blocks import written_blocks
from bonmun.write.json_groups import placed
from bonmun.write.text import body

_DIGITS = 4
_encode = json.JSONEncoder(ensure_ascii=False).encode
_quoted = encode_basestring  # a string as JSON

_Object = dict[str, Any]


def write(document: Document) -> str:
    """Return the document as JSON on one line, keys always in the same order."""
    # The texts of a page have no surrogates; what a caller or a method adds may have some.
    compiled = core()
    quoted = compiled.json_string if compiled else _quoted
    parts = [without_surrogates(_head(document)), ', "text": ', quoted(body(document))]
    parts += (', "blocks": [', written_blocks(document, placed(document)), "]")
    if document.output.comments:
        parts += (', "comments": ', without_surrogates(_encode([_comment(comment) for comment in document.comments])))
    return "".join([*parts, "}"])


def _head(document: Document) -> str:
    """The document without text, blocks and comments, and without its last brace."""
    reasons = [f'{{"name": {_value(reason.name)}, "detail": {_value(reason.detail)}}}' for reason in document.reasons]
    return (
        f'{{"format": "bonmun/document", "version": 1, "status": {_value(document.status.value)}'
        f', "reasons": [{", ".join(reasons)}], "method": {_value(document.method)}'
        f', "confidence": {_value(round(document.confidence, _DIGITS))}, "page_type": {_value(document.page_type)}'
        f', "url": {_value(document.url)}, "encoding": {_value(document.page.encoding)}'
        f', "warnings": {_list(document.warnings)}, "metadata": {_metadata(document.metadata)}'
    )


def _value(value: str | float | None) -> str:
    """A value as JSON; `json` takes far longer for one of a few characters."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    return "null" if value is None else _encode(value)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_value, texts))}]" if texts else "[]"


def _comment(comment: Comment) -> _Object:
    return {
        "author": comment.author,
        "date": iso_date(comment.date),
        "depth": comment.depth,
        "text": comment.text,
        "xpath": comment.xpath,
        "replies": [_comment(reply) for reply in comment.replies],
    }


def _metadata(metadata: Metadata) -> str:
    date = metadata.date.isoformat() if metadata.date else None
    return (
        f'{{"title": {_value(metadata.title)}, "author": {_value(metadata.author)}'
        f', "authors": {_list(metadata.authors)}, "date": {_value(date)}, "published": {_value(metadata.iso_published)}'
        f', "modified": {_value(metadata.iso_modified)}, "language": {_value(metadata.language)}'
        f', "site": {_value(metadata.site)}, "hostname": {_value(metadata.hostname)}'
        f', "canonical_url": {_value(metadata.canonical_url)}, "description": {_value(metadata.description)}'
        f', "image": {_value(metadata.image)}, "tags": {_list(metadata.tags)}}}'
    )
