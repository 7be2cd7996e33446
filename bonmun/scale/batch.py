"""Record batch in, record batch out: the one function that every engine runs."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from bonmun.errors import LimitExceeded
from bonmun.scale.columns import contents, html_of, texts
from bonmun.scale.rows import Row, failed_row, page_row
from bonmun.scale.schema import carried_columns, has_failures, output_schema, own_fields
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.workers.failure import Failure


def extract_batch(batch: pa.RecordBatch, settings: BatchSettings = DEFAULT_BATCH) -> pa.RecordBatch:
    """Return a row for every page of a batch, in order. A page that fails is a row with its error.

    The input has the columns `html` (bytes or text) and, if known, `url` and `charset`; other columns are carried over.
    A page that was not read has its error, a struct of `type` and `message`, in the column `failure`. `status` is `ok`,
    `empty`, `abstained` or `failed`. `bonmun.scale.output_schema` tells the columns beforehand, and raises
    `SourceError` for a batch without pages, as this function does.

    >>> pages = pa.array([b"<p>Tea is made of leaves, and of hot water.", b"%PDF-1.7", None])
    >>> for row in extract_batch(pa.RecordBatch.from_arrays([pages], ["html"])).to_pylist():
    ...     print(row["status"], row["text"], row["error"] and row["error"]["type"])
    ok Tea is made of leaves, and of hot water. None
    failed None NotAPage
    failed None SourceError
    """
    output_schema(batch.schema, settings)
    return answer(batch, list(page_rows(batch, settings)), settings)


def page_rows(batch: pa.RecordBatch, settings: BatchSettings) -> Iterator[Row]:
    """Yield the row of every page in order, each computed when it is asked for."""
    pages, failures = contents(batch, settings.html), _failures(batch, settings)
    urls, charsets = texts(batch, settings.url), texts(batch, settings.charset)
    for (is_text, page), url, charset, failure in zip(pages, urls, charsets, failures, strict=True):
        if failure is not None:
            yield failed_row(failure)
        elif page is not None and page.size > settings.limits.bytes:  # refused before it is copied
            yield failed_row(Failure.of(LimitExceeded("bytes", page.size, settings.limits.bytes)))
        else:
            yield page_row(None if page is None else html_of(is_text, page), url, charset, settings)


def answer(batch: pa.RecordBatch, rows: Sequence[Row], settings: BatchSettings = DEFAULT_BATCH) -> pa.RecordBatch:
    """Return the columns that a batch carries over, and those of the rows of its pages."""
    fields = own_fields(settings)
    try:
        own = _columns(rows, fields)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # some method's own types, or its surrogates
        own = _columns([_fitting(row, fields) for row in rows], fields)
    urls = pa.array(texts(batch, settings.url), pa.string(), size=batch.num_rows)
    carried = [batch.column(place) for place in carried_columns(batch.schema, settings)]
    return pa.RecordBatch.from_arrays([urls, *carried, *own], schema=output_schema(batch.schema, settings))


def _columns(rows: Sequence[Row], fields: Sequence[pa.Field]) -> list[pa.Array]:
    return [pa.array([row.get(field.name) for row in rows], field.type) for field in fields]


def _fitting(row: Row, fields: Sequence[pa.Field]) -> Row:
    """The row, or a failed one if its values do not fit their columns."""
    try:
        _columns([row], fields)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        return failed_row(Failure.of(error))
    return row


def _failures(batch: pa.RecordBatch, settings: BatchSettings) -> list[Failure | None]:
    """The error of every page that was not read, `None` for the others."""
    if not has_failures(batch.schema, settings):
        return [None] * batch.num_rows
    given = batch.column(settings.failure).to_pylist()
    return [Failure(str(one["type"]), str(one["message"])) if one else None for one in given]
