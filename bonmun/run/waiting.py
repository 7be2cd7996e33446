"""The requests that wait in the store's queue, taken from there and sorted by source."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Protocol

from bonmun.middleware.exchange import Request
from bonmun.run.visits import Visits
from bonmun.store.urls import url_key

_CLAIM = 200
"""Requests that are taken from the queue in one transaction."""
_LEASE = 7 * 86400.0
"""Seconds; only a process that was killed leaves claims behind, and the next one frees them at its start."""


class RequestQueue(Protocol):
    """The part of a store that keeps what is still to fetch."""

    def enqueue(self, requests: Iterable[Request]) -> int:
        """Add requests that are not in the queue; return their number."""

    def claim(self, most: int, lease: float) -> Sequence[Request]:
        """Take the oldest requests that nobody has taken."""

    def release(self) -> int:
        """Free all requests that were taken."""

    def pending(self) -> int:
        """Return the number of requests in the queue."""


class Waiting:
    """Takes requests from the queue for several sources; those of unknown sources go to the first. Thread-safe.

    A request stays in the queue until its page is stored or has failed: what an earlier process left there is taken
    first.
    """

    def __init__(self, queue: RequestQueue, sources: Sequence[str]) -> None:
        self._queue, self._first = queue, sources[0]
        self._taken: defaultdict[str, deque[Request]] = defaultdict(deque, {name: deque() for name in sources})
        self._open: set[str] = set()
        """The keys of requests that were taken and are not settled."""
        self._lock = Lock()
        queue.release()
        self.resumed = queue.pending()
        """Requests that an earlier process left."""
        self._free = self.resumed
        """Requests in the queue that are not taken yet: without any, the queue is not asked."""

    def add(self, requests: Sequence[Request], visits: Visits | None = None) -> int:
        """Put requests into the queue that are not on their way; with `visits`, only those that are needed.

        Return their number. A page that is stored at this moment is still on its way, so that none is asked for twice.
        """
        with self._lock:
            new = [request for request in requests if url_key(request.url) not in self._open]
            added = self._queue.enqueue(one for one in new if visits is None or visits.is_needed(one.url))
            self._free += added
            return added

    def take(self, source: str, most: int) -> list[Request]:
        """Take some requests of a source."""
        with self._lock:
            own = self._taken[source]
            while not own and self._free > 0:
                claimed = self._queue.claim(_CLAIM, _LEASE)
                self._free = self._free - len(claimed) if claimed else 0
                for request in claimed:
                    known = request.source if request.source in self._taken else self._first
                    self._taken[known].append(request)
                    self._open.add(url_key(request.url))
            return [own.popleft() for _ in range(min(most, len(own)))]

    def recount(self) -> bool:
        """Count the requests that are not taken anew, and return whether there are any.

        A process that was killed may have left a transaction behind that PostgreSQL committed after our start: added
        requests that were not counted, or claimed ones, which are freed once none of ours is on its way.
        """
        with self._lock:
            self._free = max(0, self._queue.pending() - len(self._open))
            if self._free and not self._open:
                self._queue.release()
            return self._free > 0

    @property
    def is_idle(self) -> bool:
        """Whether no request that was taken is on its way."""
        return not self._open

    def settle(self, *urls: str) -> None:
        """Note that pages are stored or have failed."""
        with self._lock:
            self._open.difference_update(map(url_key, urls))
