"""A running service: what the routes call. One for each application, closed with it."""

import asyncio
import threading
from contextlib import ExitStack
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from bonmun.serve.current_request import current_request
from bonmun.serve.fetcher import Fetcher
from bonmun.serve.given_page import GivenPage, PageCache
from bonmun.serve.jobs.jobs import Jobs
from bonmun.serve.metrics import ServeMetrics
from bonmun.serve.problems import Problem, problem_of, unavailable
from bonmun.serve.settings import ServeSettings
from bonmun.serve.work import WarmUp, Work
from bonmun.serve.workshop import Workshop
from bonmun.store import open_store

if TYPE_CHECKING:
    from bonmun.middleware.network_manager import NetworkManager
    from bonmun.store.store import Store

T = TypeVar("T")
_LARGE = 1_000_000
"""Bytes of a page that are not hashed on the event loop: it would take longer than half a millisecond."""


class Service:
    """Worker pool, network, store and cache of pages behind the routes."""

    def __init__(self, settings: ServeSettings, metrics: ServeMetrics | None = None) -> None:
        self.settings = settings
        self.metrics = metrics or ServeMetrics()
        self.pages = PageCache(settings.cached_pages)
        self.methods: bytes | None = None
        """The methods as JSON, once they have been asked for."""
        self.batches = 0
        """How many batches are running."""
        self.learning = asyncio.Semaphore(1)
        """Held while a site is learned: it may take a worker minutes, the others stay free."""
        self.closing = asyncio.Event()
        """Set when the service begins to shut down: streams that would never end have to."""
        self._closed_at = 0.0
        self._workshop = Workshop(settings, self.metrics)
        self._fetcher = Fetcher(settings, self.metrics)
        self._stack = ExitStack()
        self.jobs = Jobs(settings, lambda: self.store)
        self._store_lock = threading.Lock()
        self._warm_up: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the worker processes, in the background, and go on with jobs."""
        self.jobs.start()
        self._warm_up = asyncio.create_task(self._warmed())

    async def _warmed(self) -> None:
        await asyncio.gather(*(self._workshop.perform_in_turn(WarmUp()) for _ in range(self._workshop.jobs)))

    async def perform(self, work: Work[T]) -> T:
        """Run a unit of work in a worker process; raise its error, `QueueFull` at once if there is no room.

        A worker that was killed from outside costs nobody an answer: its work is tried once more on another. Work of a
        client that goes away is taken out of the queue.
        """
        self._refuse_if_closing()
        return await self._workshop.perform(work)

    async def perform_in_turn(self, work: Work[T]) -> T:
        """Run one of many units of work: wait for room. All such work together leaves room in the queue for others."""
        self._refuse_if_closing()
        return await self._workshop.perform_in_turn(work)

    def refusal(self, active: int) -> Problem | None:
        """Return the problem (503) of a request that would find no room, before its body is read.

        `active` requests are being read, wait or run. Slow senders are counted for half of the queue at most.
        """
        error = self._workshop.refusal(max(0, active - self._workshop.requests))
        return problem_of(error) if error is not None else None

    async def fetch(self, url: str) -> GivenPage:
        """Fetch a page; raise `FetchError`, or `QueueFull` if too many are being fetched."""
        self._refuse_if_closing()
        return await self._fetcher.fetch(url)

    async def keep(self, owner: str, page: GivenPage) -> str:
        """Keep a page for further requests of the same owner; return its id."""
        if len(page.content) > _LARGE:
            await asyncio.to_thread(lambda: page.id)
        return self.pages.add(owner, page)

    @property
    def workers(self) -> int:
        """How many worker processes there are."""
        return self._workshop.jobs

    @property
    def network(self) -> "NetworkManager":
        """The network, with its guard of addresses."""
        return self._fetcher.network

    @property
    def store(self) -> "Store":
        """The store, opened at its first use. Its calls block: use `asyncio.to_thread`."""
        with self._store_lock:
            return self._opened_store

    @cached_property
    def _opened_store(self) -> "Store":
        return self._stack.enter_context(open_store(self.settings.store))

    def check_ready(self) -> None:
        """Raise a problem (503) unless workers have started and none of them fails to start."""
        if self.closing.is_set():
            raise unavailable("shutting down", "the service is shutting down")
        if self._warm_up is None or not self._warm_up.done():
            raise unavailable("starting", "the worker processes are starting")
        if (error := self._workshop.broken or self._warm_up.exception()) is not None:
            raise unavailable("no workers", f"worker processes do not start: {error}")

    def drain(self) -> None:
        """Refuse new requests from now on, with 503; those that have begun go on. For the event loop's thread."""
        if not self.closing.is_set():
            self._closed_at = monotonic()
            self.closing.set()
            self.jobs.stop()

    async def shut_down(self) -> None:
        """Refuse new work, give the rest its time (`ServeSettings.patience`), then end workers, network and store."""
        self.drain()
        if self._warm_up is not None:
            self._warm_up.cancel()
        await self._workshop.finish(self.settings.patience)
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """End workers, network and store at once. Blocks for a moment."""
        self.jobs.close()
        self._workshop.close()
        self._fetcher.close()
        self._stack.close()

    def _refuse_if_closing(self) -> None:
        request = current_request()
        if self.closing.is_set() and (request is None or request.began > self._closed_at):
            raise unavailable("shutting down", "the service is shutting down")
