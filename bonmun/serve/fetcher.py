"""Pages by URL: a bounded number of threads that fetch, behind the event loop.

A person's single request does not consult robots.txt, as a browser does not; jobs do, on a network of their own.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property
from threading import Lock

from bonmun.errors import FetchError, FetchTimeout, QueueFull
from bonmun.middleware.exchange import Request
from bonmun.middleware.hops import parsed
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.current_request import unless_gone
from bonmun.serve.given_page import GivenPage
from bonmun.serve.metrics import ServeMetrics
from bonmun.serve.problems import Problem
from bonmun.serve.settings import ServeSettings

_GRACE = 5.0
"""Seconds beyond the time limit of the network until a fetch is given up: looking up a name cannot be interrupted."""


class Fetcher:
    """Fetches single pages for people who wait. For one event loop."""

    def __init__(self, settings: ServeSettings, metrics: ServeMetrics) -> None:
        self._settings, self._metrics = settings, metrics
        self._executor = ThreadPoolExecutor(settings.fetches, "bonmun-fetch")
        self._pending = 0
        self._stack = ExitStack()
        self._lock = Lock()

    async def fetch(self, url: str) -> GivenPage:
        """Fetch a page; raise `FetchError`, or `QueueFull` if too many are being fetched."""
        if not self._settings.fetch:
            raise Problem(403, "fetching is off", "this service takes pages, not URLs", "urn:bonmun:problem:no-fetch")
        _check(url)
        if self._pending >= 2 * self._settings.fetches:
            raise QueueFull(f"{self._pending} pages are being fetched; try again later")
        self._pending += 1
        try:
            page = await self._fetched(url)
        except Exception:
            self._metrics.fetched(None)
            raise
        finally:
            self._pending -= 1
        self._metrics.fetched(len(page.content))
        return page

    async def _fetched(self, url: str) -> GivenPage:
        future = asyncio.get_running_loop().run_in_executor(self._executor, self._on_thread, url)
        try:
            async with asyncio.timeout(self.network.settings.seconds + _GRACE):
                return await unless_gone(future)
        except TimeoutError:
            raise FetchTimeout(f"{url}: no answer") from None

    def _on_thread(self, url: str) -> GivenPage:
        page = self.network.fetch(Request(url))
        return GivenPage(page.content, page.url, page.content_type, page.network)

    @property
    def network(self) -> NetworkManager:
        """The network manager, made at its first use."""
        with self._lock:
            return self._made_network

    @cached_property
    def _made_network(self) -> NetworkManager:
        most = self._settings.fetches  # Nobody waits for a host's turn: the wait would hold a thread.
        settings = NetworkSettings(
            delay=0.0, per_host=most, concurrency=most, retries=0, allow_private=self._settings.allow_private,
            max_bytes=self._settings.limits.bytes, honour_robots=False,
        )  # fmt: skip
        return self._stack.enter_context(NetworkManager(settings))

    def close(self) -> None:
        """Close the connections; a fetch that runs fails."""
        self._stack.close()
        self._executor.shutdown(wait=False, cancel_futures=True)


def _check(url: str) -> None:
    """Raise a problem (422) for a URL that nobody could fetch."""
    try:
        parsed(url)
    except FetchError as error:
        raise Problem(422, "invalid URL", f"{url}: {error}", "urn:bonmun:problem:invalid-url") from None
