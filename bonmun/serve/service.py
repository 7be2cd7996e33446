"""A running service: what the routes call. One for each application, closed with it."""

import asyncio
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from bonmun.errors import WorkerDied
from bonmun.middleware.exchange import Request
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.given_page import GivenPage, PageCache
from bonmun.serve.jobs.jobs import Jobs
from bonmun.serve.settings import ServeSettings
from bonmun.serve.work import Work, perform, seconds_of
from bonmun.store import open_store
from bonmun.workers.pool import WorkerPool

if TYPE_CHECKING:
    from bonmun.store.store import Store

T = TypeVar("T")
_NO_DELAY = 0.0
"""A person waits: requests of people to one host are not spaced; jobs have a network of their own."""

_LARGE = 200_000
"""Bytes of a page that are not hashed on the event loop: it would take longer than 100 µs."""


class Service:
    """Worker pool, network, store and cache of pages behind the routes."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.pages = PageCache(settings.cached_pages)
        self._stack = ExitStack()
        self.jobs = Jobs(settings, lambda: self.store)
        self._pool: WorkerPool[Work[Any], Any] = self._stack.enter_context(
            WorkerPool(perform, jobs=settings.workers, seconds=seconds_of, memory=settings.memory, queue=settings.queue)
        )
        self.jobs.start()

    async def perform(self, work: Work[T]) -> T:
        """Run a unit of work in a worker process; raise its error, `QueueFull` at once if there is no room.

        A worker that was killed from outside costs nobody an answer: its work is tried once more on another.
        """
        try:
            return await self._once(work)
        except WorkerDied:
            return await self._once(work)

    async def _once(self, work: Work[T]) -> T:
        result: T = await asyncio.wrap_future(self._pool.submit(work, timeout=0))
        return result

    @cached_property
    def network(self) -> NetworkManager:
        """The network, with its guard of addresses."""
        settings = NetworkSettings(
            delay=_NO_DELAY, per_host=4, retries=0, allow_private=self.settings.allow_private,
            max_bytes=self.settings.limits.bytes, honour_robots=False,
        )  # fmt: skip
        return self._stack.enter_context(NetworkManager(settings))

    async def fetch(self, url: str) -> GivenPage:
        """Fetch a page; raise `FetchError`."""
        page = await asyncio.to_thread(self.network.fetch, Request(url))
        return GivenPage(page.content, page.url, page.content_type, page.network)

    async def keep(self, owner: str, page: GivenPage) -> str:
        """Keep a page for further requests of the same owner; return its id."""
        if len(page.content) > _LARGE:
            await asyncio.to_thread(lambda: page.id)
        return self.pages.add(owner, page)

    @cached_property
    def store(self) -> "Store":
        """The store, opened at its first use. Its calls block: use `asyncio.to_thread`."""
        return self._stack.enter_context(open_store(self.settings.store))

    def close(self) -> None:
        """Wait for the work that runs, then end workers, network and store."""
        self.jobs.close()
        self._stack.close()
