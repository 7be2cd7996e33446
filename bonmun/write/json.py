"""Versioned JSON, as `document.schema.json` describes it: the verdict, the metadata, the text and the kept blocks.

Blocks are a flat list in reading order, so that a user of text alone need not walk a tree; `within` names the lists,
quotes, callouts and tables around each. A method's analysis is left out: it can be larger than the page.
"""

import json
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any

from bonmun.core import core
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.valid_text import without_surrogates
from bonmun.model.verdict import Reason
from bonmun.write.bylines import iso_date
from bonmun.write.json_blocks import written_blocks
from bonmun.write.json_groups import placed
from bonmun.write.text import body

_DIGITS = 4
_encode = json.JSONEncoder(ensure_ascii=False).encode

_Object = dict[str, Any]


def write(document: Document) -> str:
    """Return the document as JSON on one line, keys always in the same order."""
    # The texts of a page have no surrogates; what a caller or a method adds may have some.
    compiled = core()
    quoted = compiled.json_string if compiled else encode_basestring
    parts = [without_surrogates(_encode(_head(document)))[:-1], ', "text": ', quoted(body(document))]
    parts += (', "blocks": [', written_blocks(document, placed(document)), "]")
    if document.output.comments:
        parts += (', "comments": ', without_surrogates(_encode([_comment(comment) for comment in document.comments])))
    return "".join([*parts, "}"])


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
