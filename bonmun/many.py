"""Many pages: `extract` over an iterable, in this process or in worker processes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bonmun import registry
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.document import Document
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.model.page import Page
from bonmun.pipeline import extract
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

Source = bytes | str | tuple[str | None, bytes | str] | Page | Failure
"""A page as bytes or text, a pair of its URL and either, one that was read, or a failure to pass on."""

_GRACE_SECONDS = 10.0  # to start a process and to return its answer, beyond the seconds for reading and judging


def extract_many(
    pages: Iterable[Source],
    *,
    jobs: int = 1,
    method: str | registry.Method = "auto",
    limits: Limits = DEFAULT_LIMITS,
    sites: registry.SiteLookup | None = None,
    prefer: str = "balance",
    abstain_below: float = 0.0,
    output: Output = DEFAULT_OUTPUT,
) -> Iterator[Document | Failure]:
    """Yield the document of every page in order, and a `Failure` for a page that has none.

    A page is bytes, text, a pair `(url, html)`, or a `Page`: ``extract_many(renderer.map(pages))`` extracts pages as a
    browser draws them, and passes the failures of the `Renderer` on. Pages are taken from the iterable as documents are
    asked for, a bounded number ahead, so memory stays flat over millions. `jobs` is the number of worker processes, 0
    for one on each core; a worker that crashes or exceeds its time costs one page. With 1 job everything runs in this
    process, which is as fast for one core but cannot be interrupted. `output` names the parts that the documents show.
    The other arguments are those of `extract`.

    >>> pages = ["<p>Tea is made of leaves, and of water that has just boiled.</p>", b"\\x89PNG\\r\\n\\x1a\\n"]
    >>> for result in extract_many(pages):
    ...     print(result.text if isinstance(result, Document) else f"{result.kind}: {result.message}")
    Tea is made of leaves, and of water that has just boiled.
    NotAPage: not a web page: PNG image
    """
    options = {"method": method, "limits": limits, "sites": sites, "prefer": prefer, "abstain_below": abstain_below}
    seconds = limits.seconds + _GRACE_SECONDS
    if registry.needs_layout(method):
        seconds += registry.rendering_seconds()
    return _results(_Extraction(options, output), pages, jobs, seconds)


@dataclass(frozen=True, slots=True)
class _Extraction:
    """`extract` with its options, picklable."""

    options: dict[str, Any]
    output: Output = DEFAULT_OUTPUT

    def __call__(self, page: Source) -> Document | Failure:
        if isinstance(page, Failure):
            return page
        url, html = page if isinstance(page, tuple) else (None, page)
        document = extract(html, url=url, **self.options)
        return document if self.output == DEFAULT_OUTPUT else document.with_output(self.output)

    def in_this_process(self, page: Source) -> Document | Failure:
        """The document, or the failure that a worker would report."""
        try:
            return self(page)
        except Exception as error:
            return Failure.of(error)


def _results(task: _Extraction, pages: Iterable[Source], jobs: int, seconds: float) -> Iterator[Document | Failure]:
    if jobs == 1:
        yield from map(task.in_this_process, pages)
        return
    with WorkerPool[Source, Document | Failure](task, jobs=jobs, seconds=seconds) as pool:
        yield from pool.map(pages)
