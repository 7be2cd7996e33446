"""What the container takes: the requests and pages of one source, by way of the store's queue.

A reader thread asks the source whenever it is due and puts its requests into the queue, ahead of the container, which
takes them from there. A request leaves the queue when its page is stored or has failed, so that a process that was
killed goes on where it was, also if the source no longer lists the page.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import Empty, Full, Queue
from threading import Event, Lock
from time import monotonic

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network, Request, Source, SourceItem, SourcePage, Unfetched
from bonmun.run.logs import note
from bonmun.run.visits import Visits
from bonmun.run.waiting import Waiting

_log = logging.getLogger("bonmun.run")
_AHEAD = 1000
"""Requests that a source may be ahead of the container; the rest of a sitemap of a million waits."""
_BATCH = 100
"""Requests that go into the queue in one transaction."""
_PAGES = 8
"""Pages of a source that needs no network, which wait for the container."""
_PAUSE = 0.1
"""Seconds between two looks at an empty queue."""
_LOOKS = 5
"""Looks at a queue whose requests cannot be taken, before they are left to the next run."""


class Intake:
    """A source of the container: another source's items, with its requests kept in the queue until they are done."""

    def __init__(self, name: str, source: Source, waiting: Waiting, visits: Visits | None, stop: Event) -> None:
        """Take from a source; with `visits`, only pages that are needed."""
        self.name = name
        self._source, self._waiting, self._visits, self._stop = source, waiting, visits, stop
        self._pages: Queue[SourcePage | Unfetched] = Queue(_PAGES)
        self._batch: list[Request] = []
        self._since = monotonic()
        self._ahead = 0
        self._lock = Lock()
        self._closed = Event()

    def items(self, network: Network) -> Iterator[SourceItem]:
        """Yield requests and pages as they come, until the source is over and the queue empty."""
        looks = 0.0
        while not self._stop.is_set():
            over = self._closed.is_set()
            try:
                ready = self._ready()
                missed = over and not ready and looks < _LOOKS and self._waiting.recount()
            except BonmunError as error:  # it says nothing of what is left
                note(_log, logging.ERROR, "queue failed", source=self.name, message=str(error))
                self._stop.wait(1.0)
                continue
            yield from ready
            if over and not ready and not missed:
                return
            if missed:
                looks += 1.0 if self._waiting.is_idle else 0.01
            if not ready:
                self._stop.wait(_PAUSE * (1 + looks))

    def read(self, network: Network, count: Callable[[], object] = lambda: None) -> None:
        """Ask the source once; called from a thread of its own. Errors of the source are raised."""
        try:
            for item in self._source.items(network):
                if self._stop.is_set():
                    break
                count()
                if isinstance(item, Request):
                    self._add(item)
                elif isinstance(item, Unfetched):
                    self._put(replace(item, request=Request(item.request.url, self.name)))
                else:
                    self._put(replace(item, source=self.name))
        finally:
            self._flush()

    def close(self) -> None:
        """Note that the source will not be asked again."""
        self._closed.set()

    def interrupt(self) -> None:
        """End a source that waits for something to happen, such as a watched folder."""
        stop = getattr(self._source, "stop", None)
        if callable(stop):
            stop()

    def _ready(self) -> list[SourceItem]:
        """Return what is there now."""
        self._flush(after=_PAUSE)
        requests = self._waiting.take(self.name, _BATCH)
        self._ahead -= len(requests)
        ready: list[SourceItem] = [*requests]
        for _ in range(_PAGES):
            try:
                ready.append(self._pages.get_nowait())
            except Empty:
                break
        return ready

    def _add(self, request: Request) -> None:
        with self._lock:
            self._batch.append(Request(request.url, self.name))
            full = len(self._batch) >= _BATCH
        if full:
            self._flush()
        while self._ahead >= _AHEAD and not self._stop.wait(_PAUSE):
            pass

    def _flush(self, after: float = 0.0) -> None:
        """Put the waiting requests into the queue, unless the last time was only just."""
        with self._lock:
            if monotonic() - self._since < after:
                return
            self._since = monotonic()
            if self._batch:
                self._ahead += self._waiting.add(self._batch, self._visits)
                self._batch = []

    def _put(self, page: SourcePage | Unfetched) -> None:
        while not self._stop.is_set():
            try:
                self._pages.put(page, timeout=_PAUSE)
                return
            except Full:
                continue
