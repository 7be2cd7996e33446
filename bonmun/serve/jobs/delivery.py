"""The pages of a crawl on their way through the container into the store."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from threading import Event
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network, NetworkFacts, Request, SourcePage
from bonmun.middleware.wrapper import Wrapper
from bonmun.model.document import Document
from bonmun.run.keeper import lasting
from bonmun.run.logs import note
from bonmun.serve.jobs.progress import Progress
from bonmun.serve.jobs.reading import SourceReading, reason
from bonmun.serve.jobs.recorded import source_page
from bonmun.store.job_pages import JobPage, JobPages
from bonmun.store.jobs import JobRecord
from bonmun.store.urls import host_of
from bonmun.workers.failure import Failure

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet
    from bonmun.sites.site import Site
    from bonmun.store.results import Saved
    from bonmun.store.store import Store

T = TypeVar("T")
_log = logging.getLogger("bonmun.serve")
_BATCH = 20
"""Pages that are taken in one transaction."""
_PAUSE = 0.1
"""Seconds between two looks for pages while sources are read."""
_NO_TIMINGS: Mapping[str, float] = MappingProxyType({})


class PendingPages:
    """The source of the container: the pages of a job that are not done, until its sources are read too.

    The `source` of each is the number of its row: so it is known what came of which.
    """

    def __init__(self, name: str, pages: JobPages, reading: SourceReading, stop: Event) -> None:
        self.name = name
        self._pages, self._reading, self._stop = pages, reading, stop

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        """Yield what to fetch, and what a site's crawl has fetched."""
        while not self._stop.is_set():
            over = self._reading.is_over
            rows = lasting(lambda: self._pages.take(_BATCH), self._stop)
            for row in rows:
                if self._stop.is_set():
                    return
                yield _item(row)
            if not rows:
                if over:
                    return
                self._stop.wait(_PAUSE)


def _item(row: JobPage) -> Request | SourcePage:
    return Request(row.url, str(row.id)) if row.content is None else source_page(row, str(row.id))


class StoredSites:
    """The sites whose rules the store has, each read once in a run; a `SiteLookup`."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._sites: dict[str, Site | None] = {}

    def site(self, url: str | None, /) -> "Site | None":
        """Return the site of a URL; `None` for an unknown one."""
        host = host_of(url or "")
        if host not in self._sites:
            self._sites[host] = self._store.site_of(url or "") if host else None
        return self._sites[host]


class CrawlKeeper:
    """The store as the container of a crawl uses it: what is stored or fails is noted in the job."""

    def __init__(self, job: JobRecord, store: "Store", progress: Progress, stop: Event) -> None:
        self._job, self._store, self._progress, self._stop = job, store, progress, stop
        self._pages = store.jobs.pages(job.id)
        self._noted = ""
        """The row that failed last."""
        self.error: Exception | None = None
        """Why the pages of the job cannot be read; the job fails."""

    def has(self, url: str) -> bool:
        """Whether a page is kept."""
        return self._store.has(url)

    def save(
        self,
        document: Document,
        *,
        url: str,
        source: str = "",
        html_size: int = 0,
        timings: Mapping[str, float] = _NO_TIMINGS,
        network: NetworkFacts | None = None,
    ) -> "Saved":
        """Keep a document. Killed between the two steps, the job saves the page again, unchanged."""
        facts = {"html_size": html_size, "timings": timings, "network": network}
        saved = self._lasting(lambda: self._store.save(document, url=url, source=self._job.source, **facts))  # type: ignore[arg-type]
        with self._progress.ending("stored") as settled:
            self._lasting(lambda: self._pages.done(int(source), settled, keep_content=True))
        return saved

    def fail(self, url: str, source: str, stage: str, error: Exception) -> None:
        """Record why a page has no document."""
        if stage == "source":
            self.error = error
            return
        self.note_failure(url, source, stage, error)
        self._lasting(lambda: self._store.fail(url, self._job.source, stage, error))

    def note_failure(self, url: str, source: str, stage: str, error: Exception) -> None:
        """Note that a page failed, unless it is noted already."""
        if self._noted != source:
            self._noted = source
            kind, message = Failure.of(error).kind, reason(error, url)
            with self._progress.ending("failed") as settled:
                self._lasting(lambda: self._pages.fail(int(source), settled, stage, kind, message))

    def _lasting(self, call: Callable[[], T]) -> T:
        return lasting(call, self._stop)


class CrawlMonitor(Wrapper):
    """Counts pages by stage, and notes those that the store refused."""

    def __init__(self, keeper: CrawlKeeper, progress: Progress, stop: Event) -> None:
        self._keeper, self._progress, self._stop = keeper, progress, stop

    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Do nothing: the page is stored already."""

    def on_fetch_finished(self, page: SourcePage) -> None:
        """Count a page from the network."""
        self._progress.count("fetched")

    def on_parsing_finished(self, dataset: "NewsDataSet") -> None:
        """Count an extracted page."""
        self._progress.count("extracted")

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        """Note a page that could not be stored; one that a stopped job gave up stays pending."""
        if not (self._stop.is_set() and isinstance(error, BonmunError)):
            with suppress(BonmunError):  # it stays pending, then
                self._keeper.note_failure(page.url, page.source, "store", error)

    def on_error(self, error: Exception, where: str) -> None:
        """Log an error outside a page."""
        note(_log, logging.WARNING, f"{where} failed", error=type(error).__name__, message=str(error))
