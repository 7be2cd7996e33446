"""The container: sources in, data sets out to a wrapper, an iteration or a coroutine."""

import atexit
import threading
import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from functools import partial
from typing import TYPE_CHECKING

from bonmun.middleware.delivery import Delivery, Keeper, RunReport
from bonmun.middleware.exchange import Network, Source
from bonmun.middleware.lazy_network import LazyNetwork
from bonmun.middleware.settings import DEFAULT_SETTINGS, ContainerSettings
from bonmun.middleware.wrapper import Silent, Wrapper

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet


class Container:
    """Runs sources through network and worker processes, and gives every page to a `Wrapper`.

    Without a `network` it builds a `NetworkManager` when the first request comes. With a `store`, every page is saved
    before `analyze_news`, and every failure is recorded. One run at a time; it can be used again afterwards.

    A source is an object with a `name` and `items(network)`, or its short form, such as `"feed:https://…"`.

    >>> import bonmun
    >>> from bonmun.middleware.exchange import Pages, SourcePage
    >>> page = SourcePage("https://example.org/tea", b"<title>Tea</title><p>Tea is made of leaves and hot water.</p>")
    >>> with bonmun.Container() as container:
    ...     print([dataset.text for dataset in container.stream([Pages([page])])])
    ['Tea is made of leaves and hot water.']
    >>> container.report.taken
    1
    """

    def __init__(
        self,
        wrapper: Wrapper | None = None,
        network: Network | None = None,
        store: Keeper | None = None,
        settings: ContainerSettings = DEFAULT_SETTINGS,
    ) -> None:
        self._wrapper, self._network, self._store, self._settings = wrapper or Silent(), network, store, settings
        self._lock = threading.Lock()
        self._running = False
        self._delivery: Delivery | None = None

    def __enter__(self) -> "Container":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(now=True)

    def run(self, sources: Iterable[Source | str]) -> RunReport:
        """Deliver all pages of the sources to the wrapper, and return the count."""
        for _ in self.stream(sources):
            pass
        return self.report

    def stream(self, sources: Iterable[Source | str]) -> "Generator[NewsDataSet, None, None]":
        """Yield the data sets of all pages, after the wrapper had them.

        Nothing runs ahead of the iteration by more than the queues hold. An iteration that ends early stops the run.
        """
        given = (sources,) if isinstance(sources, str) else tuple(sources)
        own: list[weakref.ref[Generator[NewsDataSet, None, None]]] = []
        stream = self._stream(given, partial(self._close, own))
        own.append(weakref.ref(stream))
        return stream

    def _stream(
        self, given: tuple[Source | str, ...], close: Callable[[], None]
    ) -> "Generator[NewsDataSet, None, None]":
        network = LazyNetwork() if self._network is None else self._network
        with self._lock:
            if self._running:
                raise RuntimeError("the container is running; use another one")
            delivery = self._delivery = Delivery(self._wrapper, network, self._store, self._settings)
            self._running = True
        # An abandoned iteration is closed while threads still run: later, at the end of the interpreter, it would hang.
        atexit.register(close)
        try:
            yield from delivery.run(given)
        finally:
            atexit.unregister(close)
            self._running = False
            if isinstance(network, LazyNetwork):
                network.close()

    def astream(self, sources: Iterable[Source | str]) -> "AsyncGenerator[NewsDataSet, None]":
        """`stream` for coroutines: the same iteration, in a thread of its own. Cancellation stops the run."""
        from bonmun.middleware.asynchronous import aiterate

        return aiterate(self.stream(sources), lambda: self.stop(now=True))

    def _close(self, own: "list[weakref.ref[Generator[NewsDataSet, None, None]]]") -> None:
        """Close a stream that nobody closed."""
        for stream in (one() for one in own):
            if stream is None:
                continue
            try:
                stream.close()
            except ValueError:  # It is running, in another thread.
                self.stop(now=True)

    def stop(self, *, now: bool = False) -> None:
        """End the run, from any thread or signal handler.

        Nothing more is taken or fetched; pages that were fetched are delivered, for at most the settings' patience.
        `now` leaves them too. Without a run it does nothing.
        """
        if self._running and self._delivery is not None:
            self._delivery.stop(now=now)

    @property
    def report(self) -> RunReport:
        """The count of the run so far, or of the last one."""
        return self._delivery.report if self._delivery else RunReport(self._wrapper.wrapper_name)
