"""The store as the container uses it."""

import logging
from collections.abc import Callable, Mapping
from threading import Event
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from bonmun.errors import StoreFull, StoreLocked, StoreUnreachable
from bonmun.middleware.exchange import NetworkFacts
from bonmun.model.document import Document
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.run.logs import note
from bonmun.run.visits import Visits

if TYPE_CHECKING:
    from bonmun.store.results import Saved
    from bonmun.store.store import Store

T = TypeVar("T")
_log = logging.getLogger("bonmun.run")
_NO_TIMINGS: Mapping[str, float] = MappingProxyType({})
_PASSING = (StoreUnreachable, StoreFull, StoreLocked)
"""Errors that end on their own, or when somebody makes room."""
_LONGEST_WAIT = 60.0


class Keeper:
    """Keeps documents with the parts that the configuration wants, and waits for a store that is out of reach.

    The container calls it between two pages: while it waits, nothing more is delivered, parsed or fetched.
    """

    def __init__(
        self,
        store: "Store",
        visits: Visits,
        stop: Event,
        *,
        output: Output = DEFAULT_OUTPUT,
        settle: Callable[..., object] = lambda *urls: None,
        first_wait: float = 1.0,
    ) -> None:
        """Keep pages in a store; `settle` hears which URLs are stored or have failed."""
        self._store, self._output, self._visits, self._stop = store, output, visits, stop
        self._settle, self._first_wait = settle, first_wait

    def has(self, url: str) -> bool:
        """Whether a page is kept."""
        return self._store.has(url)

    def save(
        self,
        document: Document,
        *,
        url: str,
        source: str = "",
        html_size: int = 0,
        timings: Mapping[str, float] = _NO_TIMINGS,
        network: NetworkFacts | None = None,
    ) -> "Saved":
        """Keep a document."""
        shown = document.with_output(self._output) if self._output != document.output else document
        saved = self._lasting(
            lambda: self._store.save(
                shown, url=url, source=source, html_size=html_size, timings=timings, network=network
            )
        )
        requested = network.requested_url if network is not None else url
        if requested != url:
            self._visits.stored(requested)
        self._settle(url, requested)
        return saved

    def fail(self, url: str, source: str, stage: str, error: Exception) -> None:
        """Record why a page has no document."""
        self._lasting(lambda: self._store.fail(url, source, stage, error))
        self._visits.failed(url)
        self._settle(url)

    def drop(self, url: str) -> None:
        """Take a request off the queue: its page is recorded under the URL that it was redirected to."""
        self._lasting(lambda: self._store.done(url))
        self._visits.failed(url)
        self._settle(url)

    def _lasting(self, call: Callable[[], T]) -> T:
        return lasting(call, self._stop, self._first_wait)


def lasting(call: Callable[[], T], stop: Event, first_wait: float = 1.0) -> T:
    """Call the store again and again until it answers; a run that is stopped gives up."""
    wait = first_wait
    while True:
        try:
            return call()
        except _PASSING as error:
            note(_log, logging.ERROR, "store failed", error=type(error).__name__, message=str(error), again_in=wait)
            if stop.wait(wait):
                raise
            wait = min(_LONGEST_WAIT, 2 * wait)
