"""The fields of compact records, for ``--fields``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bonmun.errors import UnknownName

if TYPE_CHECKING:
    from bonmun.model.document import Document

CHUNKS = "chunks"
RECORD_FORMATS = ("jsonl", "csv", "parquet", CHUNKS)
"""Formats of one output with a record for each document; of chunks, one for each of them."""
TABLE_FIELDS = ("status", "url", "title", "author", "date", "language", "text", "error")
"""The default columns of CSV and Parquet, after the source."""
_FORMATS = ("text", "markdown", "html")
_OF_DOCUMENT = ("url", "method", "confidence", "page_type", "warnings")
_ALWAYS = ("source", "status", "error")
"""The source comes first in every record; an error is known only where a document failed."""


def checked_fields(fields: str | None, format: str) -> tuple[str, ...]:
    """Return the names of --fields; the default ones for a table. Raise `click.UsageError` for an unknown one."""
    import click  # Imported here: worker processes import this module, and need no click.

    if fields is None:
        return TABLE_FIELDS if format in ("csv", "parquet") else ()
    if format == CHUNKS or format not in ("json", *RECORD_FORMATS):
        raise click.UsageError(f"--fields needs --format json, jsonl, csv or parquet, not {format}")
    names = tuple(dict.fromkeys(name.strip() for name in fields.split(",") if name.strip()))
    known = (*_ALWAYS, *_FORMATS, *_OF_DOCUMENT, *_metadata_names())
    unknown = next((name for name in names if name not in known), None)
    if unknown or not names:
        raise click.UsageError(str(UnknownName("field", unknown or "", known)))
    return tuple(name for name in names if name != "source")


def record_of(document: "Document", names: Sequence[str]) -> dict[str, Any]:
    """Return the named fields of a document as plain data.

    >>> import bonmun
    >>> record_of(bonmun.extract("<title>Tea</title><p>Tea is made of leaves."), ("title", "date", "text"))
    {'title': 'Tea', 'date': None, 'text': 'Tea is made of leaves.'}
    """
    return {name: _plain(_value(document, name)) for name in names}


def _value(document: "Document", name: str) -> Any:
    if name == "error":
        return None
    return getattr(document, name) if name in (*_ALWAYS, *_FORMATS, *_OF_DOCUMENT) else getattr(document.metadata, name)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _metadata_names() -> tuple[str, ...]:
    from dataclasses import fields

    from bonmun.model.metadata import Metadata

    return tuple(field.name for field in fields(Metadata))
