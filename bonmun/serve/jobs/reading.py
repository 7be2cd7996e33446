"""The sources of a crawl, read into its pages."""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network, Request, SourceItem, Unfetched
from bonmun.middleware.sources import Crawl
from bonmun.run.keeper import lasting
from bonmun.run.logs import note
from bonmun.serve.jobs.progress import Progress
from bonmun.serve.jobs.recorded import RecordedNetwork
from bonmun.serve.jobs.spec import MOST_SOURCES, network_source
from bonmun.store.job_pages import JobPage
from bonmun.store.jobs import JobRecord
from bonmun.store.urls import normalized, url_key

if TYPE_CHECKING:
    from bonmun.store.store import Store

T = TypeVar("T")
_log = logging.getLogger("bonmun.serve")
_THREADS = 8
"""Sources that are read at once."""
_BATCH = 100
_PAUSE = 0.5
"""Seconds that found pages may wait to be written together."""
_JOIN_SECONDS = 2.0
"""How long to wait for a thread inside a fetch, which ends by itself."""


class SourceReading:
    """Reads every source of a job once, in threads of its own; a source that is not read to the end stays pending."""

    def __init__(self, job: JobRecord, store: "Store", network: Network, progress: Progress, stop: Event) -> None:
        self._job, self._store, self._network, self._progress, self._stop = job, store, network, progress, stop
        self._pages = store.jobs.pages(job.id)
        self._max_pages, self._revisit = int(job.spec["max_pages"]), bool(job.spec["revisit"])
        self._lock = Lock()
        self._full = Event()
        self._waiting: deque[JobPage] = deque()
        self._open = 0
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Start to read."""
        self._waiting.extend(self._pages.take(MOST_SOURCES, "source"))
        self._open = len(self._waiting)
        for _ in range(min(_THREADS, self._open)):
            thread = Thread(target=self._read_sources, name="bonmun-source", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """Wait a moment for the threads; a source ends when it is stopped, or its network is closed."""
        end = monotonic() + _JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))

    @property
    def is_over(self) -> bool:
        """Whether all sources are read."""
        return not self._open

    def _read_sources(self) -> None:
        while not self._stop.is_set():
            try:
                row = self._waiting.popleft()
            except IndexError:
                return
            self._read(row)

    def _read(self, row: JobPage) -> None:
        try:
            self._read_all(row)
            if not self._stop.is_set():
                with self._progress.ending("sources_read") as settled:
                    self._lasting(lambda: self._pages.done(row.id, settled))
        except Exception as error:  # whatever it is, it costs this source only
            if not self._stop.is_set():
                self._failed(row, error)
        finally:
            with self._lock:
                self._open -= 1

    def _read_all(self, row: JobPage) -> None:
        if self._full.is_set():
            return
        source = network_source(row.url, self._max_pages)
        is_site = isinstance(source, Crawl)
        network = RecordedNetwork(self._network, self._pages, row.id) if is_site else self._network
        found: list[str] = []
        since = monotonic()
        try:
            for item in source.items(network):
                if self._stop.is_set() or self._full.is_set():
                    break
                if isinstance(item, Request):
                    found.append(item.url)
                else:
                    self._take(item, row)
                if len(found) >= _BATCH or (found and monotonic() - since > _PAUSE):
                    self._add(found)
                    found, since = [], monotonic()
        finally:
            self._add(found)

    def _take(self, item: SourceItem, row: JobPage) -> None:
        """Take a page that a site's crawl has fetched, or could not fetch."""
        if isinstance(item, Unfetched):
            self._unfetched(item, row)
        elif not isinstance(item, Request):
            key = url_key(item.network.requested_url if item.network else item.url)
            self._with_room(lambda room: int(self._pages.want(key)))

    def _add(self, urls: list[str]) -> None:
        """Add pages to fetch; those that the store has are only noted."""
        rows = [JobPage(url_key(url), normalized(url)) for url in urls]
        if not self._revisit:
            stored = {row.key for row in rows if self._is_stored(row.url)}
            skipped = [replace(row, state="skipped") for row in rows if row.key in stored]
            self._progress.count("skipped", self._lasting(lambda: self._pages.add(skipped)))
            rows = [row for row in rows if row.key not in stored]
        while rows and not self._full.is_set():
            self._with_room(partial(self._add_some, rows))

    def _add_some(self, rows: list[JobPage], room: int) -> int:
        """Take as many rows as there is room for off the list, and add them."""
        some = rows[:room]
        added = self._lasting(lambda: self._pages.add(some))
        del rows[:room]
        return added

    def _is_stored(self, url: str) -> bool:
        return self._lasting(lambda: self._store.has(url))

    def _with_room(self, add: Callable[[int], int]) -> None:
        """Add pages, at most as many as the crawl may still take, and count them."""
        with self._lock:
            room = self._max_pages - self._progress.counts()["taken"]
            if room <= 0:
                self._full.set()
            else:
                self._progress.count("taken", add(room))

    def _unfetched(self, item: Unfetched, source: JobPage) -> None:
        url, error = item.request.url, item.error
        kind, message = type(error).__name__, reason(error, url)
        row = JobPage(
            url_key(url), url, source_id=source.id, state="failed", stage="fetch", error=kind, message=message
        )
        with self._progress.ending() as settled:
            added = self._lasting(lambda: self._pages.add([replace(row, settled=settled)]))
            self._progress.count("taken", added)
            self._progress.count("failed", added)
        if added:
            self._lasting(lambda: self._store.fail(url, self._job.source, "fetch", error))

    def _failed(self, row: JobPage, error: Exception) -> None:
        note(_log, logging.WARNING, "source failed", job=self._job.id, source=row.url, message=str(error))
        with suppress(BonmunError):  # it stays pending, then
            kind, message = type(error).__name__, reason(error, row.url)
            with self._progress.ending("sources_failed") as settled:
                self._lasting(lambda: self._pages.fail(row.id, settled, "source", kind, message))
            self._lasting(lambda: self._store.fail(row.url, self._job.source, "source", error))

    def _lasting(self, call: Callable[[], T]) -> T:
        return lasting(call, self._stop)


def reason(error: Exception, url: str) -> str:
    """Return the message of an error without its URL, so that pages that failed for the same reason have the same.

    >>> reason(ValueError("https://example.org/tea: 404 Not Found"), "https://example.org/tea")
    '404 Not Found'
    """
    return str(error).replace(url, "").strip(" :") or type(error).__name__
