"""The columns of an answer: one schema, with a version in its metadata."""

import pyarrow as pa

from bonmun.errors import SourceError
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

SCHEMA_VERSION = 1
"""Raised when a column changes its name, type or meaning; new columns alone do not raise it."""
VERSION_KEY = b"bonmun.schema"
TIMINGS = pa.struct([("read", pa.float32()), ("judge", pa.float32()), ("write", pa.float32())])
BLOCK = pa.struct(
    [
        ("kind", pa.string()),
        ("level", pa.int32()),
        ("text", pa.string()),
        ("xpath", pa.string()),
        ("score", pa.float32()),
    ]
)
ERROR = pa.struct([("type", pa.string()), ("message", pa.string())])


def output_schema(given: pa.Schema, settings: BatchSettings = DEFAULT_BATCH) -> pa.Schema:
    """Return the schema of the answer to batches with a schema.

    The columns of the input come first, without the page, its charset, why it could not be read, and any that has the
    name of one of ours. `url` is there even if the input has none.

    >>> given = pa.schema([("url", pa.string()), ("html", pa.binary()), ("digest", pa.string())])
    >>> output_schema(given).names[:4]
    ['url', 'digest', 'status', 'title']
    """
    if settings.html not in given.names:
        there = ", ".join(given.names[:8]) or "none"
        raise SourceError(f"no column {settings.html!r} (columns: {there})")
    ours = own_fields(settings)
    taken = {"url", *(field.name for field in ours), settings.html, settings.charset, settings.url}
    if has_failures(given, settings):
        taken.add(settings.failure)
    carried = [field for field in given if field.name not in taken]
    fields = [pa.field("url", pa.string()), *carried, *ours]
    return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})


def has_failures(given: pa.Schema, settings: BatchSettings) -> bool:
    """Return whether the input tells which pages could not be read: a column of that name and of type `ERROR`."""
    return settings.failure in given.names and bool(given.field(settings.failure).type.equals(ERROR))


def own_fields(settings: BatchSettings) -> list[pa.Field]:
    """Return the columns that pages give, without `url` and what the input carries over."""
    texts = [(name, pa.large_string()) for name in settings.texts]
    blocks = [("blocks", pa.list_(BLOCK))] if settings.blocks else []
    columns = [
        ("status", pa.string()),
        ("title", pa.string()),
        ("authors", pa.list_(pa.string())),
        ("date", pa.date32()),
        ("language", pa.string()),
        *texts,
        *blocks,
        ("confidence", pa.float32()),
        ("page_type", pa.string()),
        ("warnings", pa.list_(pa.string())),
        ("error", ERROR),
        ("timings", TIMINGS),
    ]
    return [pa.field(name, kind) for name, kind in columns]
