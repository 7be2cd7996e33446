"""A column of pages as rows: what the accessors of pandas and Polars share."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Final

from bonmun.model.valid_text import without_surrogates
from bonmun.scale.rows import Row, page_row
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

if TYPE_CHECKING:
    import pyarrow

_LOG: Final = logging.getLogger("bonmun.adapters")
_PAGES: Final = 32
_SIZE: Final = 8_000_000
"""The most pages, and their most bytes or characters, that a worker process gets at once."""

Html = str | bytes | None


def rows_of(
    pages: Sequence[Html],
    urls: Sequence[str | None] | None = None,
    charsets: Sequence[str | None] | None = None,
    settings: BatchSettings = DEFAULT_BATCH,
    *,
    jobs: int = 1,
) -> list[Row]:
    """Return the row of every page in order; one that fails, or is null, is a row with its error.

    `jobs` is the number of worker processes, 0 for one on each core; with 1, everything runs in this process.

    >>> [row["status"] for row in rows_of(["<p>Tea is made of leaves, and of hot water.", None])]
    ['ok', 'failed']
    """
    given = zip(pages, urls or repeat(None), charsets or repeat(None), strict=False)
    if jobs == 1 or not pages:
        return [page_row(*page, settings) for page in given]
    from bonmun.scale import BatchPool

    with BatchPool(settings, jobs=jobs) as pool:
        return [row for batch in pool.map(_batches(given, settings)) for row in batch.to_pylist()]


def texts_of(
    pages: Sequence[Html],
    name: str,
    urls: Sequence[str | None] | None = None,
    settings: BatchSettings = DEFAULT_BATCH,
    *,
    jobs: int = 1,
) -> list[str | None]:
    """Return one output of every page; `None` for null and for pages that fail, which are counted in a warning.

    >>> texts_of(["<p>Tea is made of <b>leaves</b>, and of hot water.", None], "markdown")
    ['Tea is made of **leaves**, and of hot water.', None]
    """
    rows = rows_of(pages, urls, None, replace(settings, texts=(name,), blocks=False), jobs=jobs)
    errors = [row["error"] for page, row in zip(pages, rows, strict=True) if page is not None and row["error"]]
    if errors:
        first = f"{errors[0]['type']}: {errors[0]['message']}"
        _LOG.warning("%d of %d pages failed, the first by %s; extract() has all errors", len(errors), len(rows), first)
    return [row.get(name) for row in rows]


def _batches(
    given: Iterable[tuple[Html, str | None, str | None]], settings: BatchSettings
) -> "Iterator[pyarrow.RecordBatch]":
    import pyarrow

    names = (settings.html, settings.url, settings.charset)
    for part in _parts(given):
        kind = pyarrow.large_string() if any(isinstance(page, str) for page, _, _ in part) else pyarrow.large_binary()
        kinds = (kind, pyarrow.string(), pyarrow.string())
        columns = [pyarrow.array(values, kind) for values, kind in zip(zip(*part, strict=True), kinds, strict=True)]
        yield pyarrow.RecordBatch.from_arrays(columns, names)


def _parts(
    given: Iterable[tuple[Html, str | None, str | None]],
) -> Iterator[list[tuple[Html, str | None, str | None]]]:
    """Batches of limited size, each of text or of bytes alone."""
    part: list[tuple[Html, str | None, str | None]] = []
    size, kinds = 0, set[type]()
    for page, url, charset in given:
        html = without_surrogates(page) if isinstance(page, str) else page
        length, kind = len(html or ""), {type(html)} - {type(None)}
        if part and (len(part) == _PAGES or size + length > _SIZE or len(kinds | kind) > 1):
            yield part
            part, size, kinds = [], 0, set()
        part.append((html, url, charset))
        size, kinds = size + length, kinds | kind
    if part:
        yield part


def column_names(settings: BatchSettings) -> list[str]:
    """Return the names of our columns, in order.

    >>> column_names(DEFAULT_BATCH)[:3]
    ['status', 'title', 'authors']
    """
    before = ("status", "title", "authors", "date", "language")
    blocks = ("blocks",) if settings.blocks else ()
    timings = ("timings",) if settings.timings else ()
    return [*before, *settings.texts, *blocks, "confidence", "page_type", "warnings", "error", *timings]


DEFAULT_COLUMNS: Final = BatchSettings(timings=False)
"""The settings of an accessor: rows of equal pages are equal."""
