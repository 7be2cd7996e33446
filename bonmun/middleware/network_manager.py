"""Fetch many pages, politely: robots.txt, one turn at a time per host, retries, a cache, and the address guard."""

import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, FetchError, MissingExtra
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.turns import Batch, Turns

if TYPE_CHECKING:
    from bonmun.middleware.fetching import Fetch, Steps
    from bonmun.middleware.responses import Client

Result = tuple[Request, SourcePage | BonmunError]
OnStart = Callable[[Request], object]

DEFAULT_SETTINGS = NetworkSettings()
_JOIN_SECONDS = 2.0


class NetworkManager:
    """Fetches pages of many hosts at once; safe to use from several threads.

    >>> from bonmun.middleware.exchange import Request
    >>> with NetworkManager(NetworkSettings(honour_robots=False)) as network:
    ...     for request, page in network.stream([Request("http://127.0.0.1/")]):
    ...         print(page)
    http://127.0.0.1/: 127.0.0.1 is not a public address
    """

    def __init__(self, settings: NetworkSettings = DEFAULT_SETTINGS) -> None:
        self.settings = settings
        self._turns = Turns(settings.per_host, settings.delay)
        self._client, self._steps = _machinery(settings, self._turns)
        self._batches: weakref.WeakSet[Batch[Fetch, Result]] = weakref.WeakSet()
        self._closed = False

    def fetch(self, request: Request) -> SourcePage:
        """Fetch one page on this thread, when its host's turn comes; raise `FetchError` or `LimitExceeded`."""
        return self._fetch(request, robots_only=False)

    def allowed(self, url: str) -> bool:
        """Whether the host's robots.txt lets this user agent fetch a URL; false too if it cannot be read."""
        try:
            self._fetch(Request(url), robots_only=True)
        except FetchError:
            return False
        return True

    def stream(self, requests: Iterable[Request], on_start: OnStart | None = None) -> Iterator[Result]:
        """Fetch many pages; yield each request with its page or error as it completes.

        `requests` may be endless: it is read on a thread of its own, `ahead` requests ahead at most, and fetching
        pauses while the consumer is slow. `on_start` is called on a network thread when a request's fetch starts. An
        exception of either is raised here. Closing the iterator stops everything.
        """
        batch = self._batch()
        run = _Run(batch, self._steps, on_start)
        threads = [threading.Thread(target=run.feed, args=(requests,), name="bonmun-requests", daemon=True)]
        threads += [
            threading.Thread(target=run.work, name=f"bonmun-network-{number}", daemon=True)
            for number in range(self.settings.concurrency)
        ]
        try:
            for thread in threads:
                thread.start()
            while (result := batch.next_result()) is not None:
                yield result
        finally:
            batch.stop()
            _join(threads)
        if run.failure is not None:
            raise run.failure

    def close(self) -> None:
        """Stop all streams, and close the connections and the cache."""
        with self._turns.lock:
            self._closed = True
            batches = list(self._batches)
        for batch in batches:
            batch.stop()
        self._client.close()

    def __enter__(self) -> "NetworkManager":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _batch(self) -> "Batch[Fetch, Result]":
        batch: Batch[Fetch, Result] = Batch(self._turns, self.settings.ahead, self.settings.concurrency)
        with self._turns.lock:
            if self._closed:
                raise FetchError("the network manager is closed")
            self._batches.add(batch)
        return batch

    def _fetch(self, request: Request, robots_only: bool) -> SourcePage:
        from bonmun.middleware.fetching import Fetch

        batch = self._batch()
        run = _Run(batch, self._steps, None)
        fetch = Fetch(request, robots_only)
        batch.put(fetch, fetch.host)
        batch.end()
        run.work()
        result = batch.next_result()
        if run.failure is not None:
            raise run.failure
        if result is None:
            raise FetchError(f"{request.url}: the network manager was closed")
        if isinstance(result[1], BonmunError):
            raise result[1]
        return result[1]


def _machinery(settings: NetworkSettings, turns: Turns) -> "tuple[Client, Steps]":
    try:
        from bonmun.middleware.fetching import Steps
        from bonmun.middleware.responses import Client

        for name in ("brotli", "h2", "zstandard"):  # imported when a server uses them
            import_module(name)
    except ImportError:
        raise MissingExtra("the network manager's packages", "crawl") from None
    client = Client(settings)
    return client, Steps(settings, client, turns)


class _Run:
    """The threads of one stream: one reads requests, the others carry fetches on."""

    def __init__(self, batch: "Batch[Fetch, Result]", steps: "Steps", on_start: OnStart | None) -> None:
        self._batch, self._steps, self._on_start = batch, steps, on_start
        self.failure: BaseException | None = None

    def feed(self, requests: Iterable[Request]) -> None:
        """Queue the requests."""
        from bonmun.middleware.fetching import Fetch

        iterator = iter(requests)
        try:
            for request in iterator:
                fetch = Fetch(request)
                if not self._batch.put(fetch, fetch.host):
                    break
        except BaseException as error:
            self.failure = error
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                close()
            self._batch.end()

    def work(self) -> None:
        """Carry fetches on until there are none."""
        from bonmun.middleware.fetching import Later

        while (turn := self._batch.take()) is not None:
            fetch, outcome = turn.job, None
            try:
                if self._on_start is not None and not fetch.started:
                    fetch.started = True
                    self._on_start(fetch.request)
                outcome = self._steps.step(fetch, turn.lane)
            except BaseException as error:
                self.failure = error
                self._batch.stop()
            finally:
                if isinstance(outcome, Later):
                    self._batch.again(turn, outcome.host, outcome.at, fetch.used)
                else:
                    self._batch.finish(turn, None if outcome is None else (fetch.request, outcome), fetch.used)


def _join(threads: list[threading.Thread]) -> None:
    """Wait a moment for threads to end. One may still wait for a name server or an iterator; it ends by itself."""
    end = time.monotonic() + _JOIN_SECONDS
    for thread in threads:
        if thread.ident is not None:
            thread.join(max(0.0, end - time.monotonic()))
