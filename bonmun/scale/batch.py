"""Record batch in, record batch out: the one function that every engine runs."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from bonmun.scale.rows import Row, failed_row, page_row
from bonmun.scale.schema import has_failures, output_schema, own_fields
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.workers.failure import Failure


def extract_batch(batch: pa.RecordBatch, settings: BatchSettings = DEFAULT_BATCH) -> pa.RecordBatch:
    """Return a row for every page of a batch, in order. A page that fails is a row with its error.

    The input has the columns `html` (bytes or text) and, if known, `url` and `charset`; other columns are carried over.
    A page that was not read has its error, a struct of `type` and `message`, in the column `failure`. `status` is `ok`,
    `empty`, `abstained` or `failed`. `bonmun.scale.output_schema` tells the columns beforehand.

    >>> pages = pa.array([b"<p>Tea is made of leaves, and of hot water.", b"%PDF-1.7", None])
    >>> for row in extract_batch(pa.RecordBatch.from_arrays([pages], ["html"])).to_pylist():
    ...     print(row["status"], row["text"], row["error"] and row["error"]["type"])
    ok Tea is made of leaves, and of hot water. None
    failed None NotAPage
    failed None SourceError
    """
    output_schema(batch.schema, settings)  # refuses a batch without pages
    pages, urls, charsets = (_values(batch, name) for name in (settings.html, settings.url, settings.charset))
    failures = _failures(batch, settings)
    rows = [
        page_row(html, url, charset, settings) if failure is None else failed_row(failure)
        for html, url, charset, failure in zip(pages, urls, charsets, failures, strict=True)
    ]
    return answer(batch, rows, settings)


def answer(batch: pa.RecordBatch, rows: Sequence[Row], settings: BatchSettings = DEFAULT_BATCH) -> pa.RecordBatch:
    """Return the columns that a batch carries over, and those of the rows of its pages."""
    schema = output_schema(batch.schema, settings)
    own = {field.name for field in own_fields(settings)}
    columns = []
    for field in schema:
        if field.name == "url":
            columns.append(pa.array(_values(batch, settings.url), pa.string()))
        elif field.name in own:
            columns.append(pa.array([row.get(field.name) for row in rows], field.type))
        else:
            columns.append(batch.column(field.name))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _failures(batch: pa.RecordBatch, settings: BatchSettings) -> list[Failure | None]:
    """The error of every page that could not be read, nothing for the others."""
    if not has_failures(batch.schema, settings):
        return [None] * batch.num_rows
    given = batch.column(settings.failure).to_pylist()
    return [Failure(str(one["type"]), str(one["message"])) if one else None for one in given]


def _values(batch: pa.RecordBatch, name: str) -> list[Any]:
    """The values of a column; of one that is missing, nothing for every row."""
    return batch.column(name).to_pylist() if name in batch.schema.names else [None] * batch.num_rows
