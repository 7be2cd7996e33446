"""What the container takes: the requests and pages of one source, by way of the store's queue.

A reader thread asks the source whenever it is due, and puts its requests into the queue at once, all of them; the
container takes them from there. A request leaves the queue when its page is stored or has failed, so that a process
that was killed goes on where it was, also if the source no longer lists the page.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Empty, Full, Queue
from threading import Event, Lock
from time import monotonic
from typing import Protocol

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network, Request, Source, SourcePage
from bonmun.run.logs import note

_log = logging.getLogger("bonmun.run")
_BATCH = 200
"""Requests that go into the queue in one transaction."""
_CLAIM = 50
"""Requests that are taken from the queue at a time."""
_PAGES = 8
"""Pages of a source that needs no network, which wait for the container."""
_PAUSE = 0.2
"""Seconds between two looks at an empty queue."""


class RequestQueue(Protocol):
    """The part of a store that keeps what is still to fetch."""

    def enqueue(self, requests: Iterable[Request]) -> int:
        """Add requests that are not in the queue; return their number."""

    def claim(self, limit: int, *, source: str | None = None) -> Sequence[Request]:
        """Take requests that nobody has taken."""

    def has(self, url: str) -> bool:
        """Whether a page is stored."""


class Intake:
    """A source of the container: another source's items, with its requests kept in the queue until they are done."""

    def __init__(self, name: str, source: Source, queue: RequestQueue, *, revisit: bool, stop: Event) -> None:
        self.name = name
        self._source, self._queue, self._revisit, self._stop = source, queue, revisit, stop
        self._pages: Queue[SourcePage] = Queue(_PAGES)
        self._batch: list[Request] = []
        self._since = monotonic()
        self._lock = Lock()
        self._closed = Event()

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        """Yield requests and pages as they come, until the source is over and the queue empty."""
        while not self._stop.is_set():
            over = self._closed.is_set()
            given = 0
            for item in self._next():
                given += 1
                yield item
            if not given:
                if over:
                    return
                self._stop.wait(_PAUSE)

    def read(self, network: Network, count: Callable[[], object] = lambda: None) -> None:
        """Ask the source once; called from a thread of its own. Errors of the source are raised."""
        try:
            for item in self._source.items(network):
                if self._stop.is_set():
                    break
                count()
                if isinstance(item, Request):
                    self._add(item)
                else:
                    self._put(item)
        finally:
            self._flush()

    def close(self) -> None:
        """Note that the source will not be asked again."""
        self._closed.set()

    @property
    def waiting_pages(self) -> int:
        """Pages that wait for the container."""
        return self._pages.qsize()

    def _next(self) -> Iterator[Request | SourcePage]:
        self._flush(after=_PAUSE)
        for _ in range(_PAGES):
            try:
                yield self._pages.get_nowait()
            except Empty:
                break
        try:
            yield from self._queue.claim(_CLAIM, source=self.name)
        except BonmunError as error:
            note(_log, logging.ERROR, "queue failed", source=self.name, message=str(error))
            self._stop.wait(1.0)

    def _add(self, request: Request) -> None:
        if not self._revisit and self._queue.has(request.url):
            return
        with self._lock:
            self._batch.append(Request(request.url, self.name))
            full = len(self._batch) >= _BATCH
        if full:
            self._flush()

    def _flush(self, after: float = 0.0) -> None:
        """Put the waiting requests into the queue, unless the last time was only just."""
        with self._lock:
            if monotonic() - self._since < after:
                return
            batch, self._batch = self._batch, []
            self._since = monotonic()
            if batch:
                self._queue.enqueue(batch)

    def _put(self, page: SourcePage) -> None:
        while not self._stop.is_set():
            try:
                return self._pages.put(page, timeout=_PAUSE)
            except Full:
                continue
