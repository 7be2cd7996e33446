"""The row of one page, as plain values: what every engine and adapter shares."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

from bonmun.deadline import check, within
from bonmun.errors import SourceError
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.registry import Method, SiteLookup
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.workers.failure import Failure

Row = dict[str, Any]
_LIGHT = "xpath"
"""A method without a model, to load readers and writers where the method is an object, which has loaded itself."""


def page_row(
    html: bytes | str | None,
    url: str | None = None,
    charset: str | None = None,
    settings: BatchSettings = DEFAULT_BATCH,
) -> Row:
    """Return the values of our columns for a page; those of a page that fails are its status and its error.

    >>> row = page_row("<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>")
    >>> row["status"], row["title"], row["error"]
    ('ok', 'Tea', None)
    >>> page_row(b"%PDF-1.7")["error"]
    {'type': 'NotAPage', 'message': 'not a web page: PDF document'}
    """
    try:
        if html is None:
            raise SourceError("no page: the value is null")
        return _row(html, url, charset, settings)
    except Exception as error:
        return failed_row(Failure.of(error))


def failed_row(failure: Failure) -> Row:
    """Return the row of a page that has no document.

    >>> failed_row(Failure("WorkerTimeout", "the page took more than 30 s"))["status"]
    'failed'
    """
    message = failure.message.encode("utf-8", "replace").decode()
    return {"status": "failed", "error": {"type": failure.kind, "message": message}}


def _row(html: bytes | str, url: str | None, charset: str | None, settings: BatchSettings) -> Row:
    limits = settings.limits
    _load(settings.method if isinstance(settings.method, str) else _LIGHT)
    start = perf_counter()
    with within(limits.seconds):
        page = read_page(html, url=url, charset=charset, limits=limits)
        read = perf_counter()
        document = extract(
            page,
            method=settings.method,
            limits=limits,
            sites=None if settings.sites is None else _Unwatched(settings.sites),
            prefer=settings.prefer,
            abstain_below=settings.abstain_below,
        ).with_output(settings.output)
    judged = perf_counter()
    row = _values(document, settings)
    times = {"read": read - start, "judge": judged - read, "write": perf_counter() - judged}
    return row | {"error": None, "timings": times if settings.timings else None}


@lru_cache(8)
def _load(method: str) -> None:
    """Load a method with its model, and readers and writers: the time of the first page in a process is its own."""
    with suppress(Exception):  # A method that fails on this page may do better on others.
        document = extract("<title>Tea</title><p>Tea is made of leaves, and of hot water.</p>", method=method)
        _ = document.title, document.text


@dataclass(frozen=True, slots=True)
class _Unwatched:
    """Sites that judge pages by their templates, and do not record how these did."""

    sites: SiteLookup

    def site(self, url: str | None, /) -> Method | None:
        from bonmun.sites.site import Site  # imported late: most batches have no sites

        found = self.sites.site(url)
        return found.unwatched() if isinstance(found, Site) else found


def _values(document: Document, settings: BatchSettings) -> Row:
    texts = {name: document.write(name) for name in settings.texts}
    blocks = {"blocks": _blocks(document)} if settings.blocks else {}
    return {
        "status": document.status.value,
        "title": document.title,
        "authors": list(document.authors),
        "date": document.date,
        "language": document.language,
        **texts,
        **blocks,
        "confidence": document.confidence,
        "page_type": document.page_type,
        "warnings": list(document.warnings),
    }


def _blocks(document: Document) -> list[Row]:
    with within(document.limits.seconds):
        return [_block(block) for block in document.blocks]


def _block(block: Block) -> Row:
    check()
    return {
        "kind": block.kind.value,
        "level": block.level,
        "text": block.text,
        "xpath": block.xpath,
        "score": block.score,
    }
