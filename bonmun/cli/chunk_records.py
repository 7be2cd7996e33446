"""The records of a document's chunks, for ``--format chunks``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.model.document import Document


def chunk_records(document: "Document", max_tokens: int | None) -> list[dict[str, Any]]:
    """Return the chunks of a document as plain data.

    >>> import bonmun
    >>> record, = chunk_records(bonmun.extract("<title>Tea</title><p>Tea is made of leaves."), None)
    >>> record["title"], record["text"], record["start"], record["end"]
    ('Tea', 'Tea is made of leaves.', 0, 22)
    """
    return [
        {
            "url": document.url,
            "title": document.title,
            "headings": chunk.headings,
            "text": chunk.text,
            "start": chunk.start,
            "end": chunk.end,
            "span": chunk.span,
            "xpaths": chunk.xpaths,
            "tokens": chunk.tokens,
            "oversized": chunk.oversized,
        }
        for chunk in document.chunks(max_tokens)
    ]
