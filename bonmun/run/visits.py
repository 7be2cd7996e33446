"""Which pages a source need not be asked for again: stored ones, and for a while those that failed."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

_MOST = 100_000
"""URLs that are remembered of each kind."""
_FIRST_PAUSE = 600.0
"""Seconds before a page that failed is asked for again; doubled with each failure."""
_LONGEST_PAUSE = 86_400.0


class Visits:
    """Remembers what came of the URLs that were asked for; thread-safe.

    The store knows a page by the URL that it has after redirects. A feed lists the one before them, each time it is
    read, so that one is remembered here.

    >>> visits = Visits(is_stored=lambda url: url == "https://example.org/tea")
    >>> visits.is_needed("https://example.org/tea"), visits.is_needed("https://example.org/t?id=7")
    (False, True)
    >>> visits.stored("https://example.org/t?id=7")
    >>> visits.is_needed("https://example.org/t?id=7")
    False
    """

    def __init__(self, is_stored: Callable[[str], bool], clock: Callable[[], float] = monotonic) -> None:
        self._is_stored, self._clock = is_stored, clock
        self._stored: OrderedDict[str, None] = OrderedDict()
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """The number of failures, and the time before which the page is left alone."""
        self._lock = Lock()

    def is_needed(self, url: str) -> bool:
        """Whether a page is to be fetched."""
        with self._lock:
            if url in self._stored or self._clock() < self._failed.get(url, (0, 0.0))[1]:
                return False
        return not self._is_stored(url)

    def stored(self, url: str) -> None:
        """Note that the page at a URL is stored."""
        with self._lock:
            self._failed.pop(url, None)
            self._stored[url] = None
            if len(self._stored) > _MOST:
                self._stored.popitem(last=False)

    def failed(self, url: str) -> None:
        """Note that the page at a URL failed."""
        with self._lock:
            count = self._failed.pop(url, (0, 0.0))[0]
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(count, 10))
            self._failed[url] = (count + 1, self._clock() + pause)
            if len(self._failed) > _MOST:
                self._failed.popitem(last=False)
