"""The requests that wait in the store's queue, taken from there and sorted by source."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Protocol

from bonmun.middleware.exchange import Request

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

    def fail(self, url: str, source: str, stage: str, error: Exception) -> object:
        """Record a failure."""


class Waiting:
    """Takes requests from the queue for several sources; those of unknown sources go to the first. Thread-safe.

    A request stays in the queue until its page is stored or has failed: what an earlier process left there is taken
    first.
    """

    def __init__(self, queue: RequestQueue, sources: Sequence[str]) -> None:
        self._queue, self._first = queue, sources[0]
        self._taken: defaultdict[str, deque[Request]] = defaultdict(deque, {name: deque() for name in sources})
        self._lock = Lock()
        queue.release()
        self.resumed = queue.pending()
        """Requests that an earlier process left."""
        self._free = self.resumed
        """Requests in the queue that are not taken yet: without any, the queue is not asked."""

    def add(self, requests: Sequence[Request]) -> None:
        """Put requests into the queue; those that are in it already are not added again."""
        with self._lock:
            self._free += self._queue.enqueue(requests)

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
            return [own.popleft() for _ in range(min(most, len(own)))]

    def fail(self, url: str, source: str, error: Exception) -> None:
        """Record why a source failed."""
        self._queue.fail(url, source, "source", error)
