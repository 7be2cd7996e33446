"""The columns of an answer: one schema, with a version in its metadata.

| column | type | value |
|---|---|---|
| `url` | string | the URL of the input; null if unknown |
| … | as given | the other columns of the input: all but the page, its charset and its failure |
| `status` | string | `ok`, `empty` (no main content), `abstained` (confidence below `abstain_below`) or `failed` |
| `title` | string | without the site's name |
| `authors` | list of string | |
| `date` | date32 | of publication |
| `language` | string | code of the language, such as `en` |
| `text`, `markdown`, `html` | large_string | those that `BatchSettings.texts` names, in its order |
| `blocks` | list of struct | with `BatchSettings.blocks`, the kept blocks: `kind`, `level`, `text`, `xpath`, `score` |
| `confidence` | float32 | 0 … 1 |
| `page_type` | string | such as `article`; null if the method does not classify pages |
| `warnings` | list of string | oddities of the page, such as a truncation |
| `error` | struct | of a failed page: `type`, the name of an error of `bonmun.errors`, and `message`; null otherwise |
| `timings` | struct | seconds as float32: `read`, `judge`, `write`; null without `BatchSettings.timings` |

Of a failed page all columns between `status` and `error` are null.
"""

import pyarrow as pa

from bonmun.errors import SourceError
from bonmun.scale.columns import check_column
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

SCHEMA_VERSION = 1
"""Raised when a column changes its name, type or meaning; new columns alone do not raise it."""
VERSION_KEY = b"bonmun.schema"
"""The key of the version in the schema's metadata."""
TIMINGS = pa.struct([("read", pa.float32()), ("judge", pa.float32()), ("write", pa.float32())])
BLOCK = pa.struct(
    [
        ("kind", pa.string()),
        ("level", pa.int32()),
        ("text", pa.large_string()),
        ("xpath", pa.string()),
        ("score", pa.float32()),
    ]
)
ERROR = pa.struct([("type", pa.string()), ("message", pa.string())])


def output_schema(given: pa.Schema, settings: BatchSettings = DEFAULT_BATCH) -> pa.Schema:
    """Return the schema of the answer to batches with a schema.

    The columns of the input come first, without the page, its charset, its failure, and any that has the name of one of
    ours. `url` is there even if the input has none. `SourceError` for an input without pages, and for columns of pages,
    URLs or charsets that are neither text nor bytes.

    >>> given = pa.schema([("url", pa.string()), ("html", pa.binary()), ("digest", pa.string())])
    >>> output_schema(given).names[:4]
    ['url', 'digest', 'status', 'title']
    """
    if settings.html not in given.names:
        there = ", ".join(given.names[:8]) or "none"
        raise SourceError(f"no column {settings.html!r} (columns: {there})")
    for name in (settings.html, settings.url, settings.charset):
        check_column(given, name)
    carried = [given.field(place) for place in carried_columns(given, settings)]
    fields = [pa.field("url", pa.string()), *carried, *own_fields(settings)]
    return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})


def carried_columns(given: pa.Schema, settings: BatchSettings) -> list[int]:
    """Return the indexes of the columns that are carried over to the answer; their names may occur twice."""
    ours = {field.name for field in own_fields(settings)}
    taken = ours | {"url", settings.html, settings.url, settings.charset}
    if has_failures(given, settings):
        taken.add(settings.failure)
    return [place for place, name in enumerate(given.names) if name not in taken]


def has_failures(given: pa.Schema, settings: BatchSettings) -> bool:
    """Return whether the input tells which pages were not read: one column of that name, with structs of an error."""
    places = given.get_all_field_indices(settings.failure)
    kinds = [given.field(place).type for place in places]
    return len(kinds) == 1 and pa.types.is_struct(kinds[0]) and {"type", "message"} <= set(kinds[0].names)


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
