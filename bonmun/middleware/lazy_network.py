"""The network manager of a container that was given none: built when the first source or request needs it."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, FetchError
from bonmun.middleware.exchange import Request, SourcePage

if TYPE_CHECKING:
    from bonmun.middleware.network_manager import NetworkManager


class LazyNetwork:
    """A `Network` that costs nothing until it is used.

    >>> LazyNetwork().close()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._network: NetworkManager | None = None
        self._closed = False

    def fetch(self, request: Request) -> SourcePage:
        """Fetch one page."""
        return self._manager().fetch(request)

    def stream(
        self, requests: Iterable[Request], on_start: Callable[[Request], object] | None = None
    ) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
        """Fetch many pages."""
        return self._manager().stream(requests, on_start=on_start)

    def close(self) -> None:
        """Close the manager, if there is one."""
        with self._lock:
            network, self._network, self._closed = self._network, None, True
        if network is not None:
            network.close()

    def _manager(self) -> "NetworkManager":
        with self._lock:
            if self._closed:  # A source that outlives the run must not start another one.
                raise FetchError("the network is closed: the run has ended")
            if self._network is None:
                from bonmun.middleware.network_manager import NetworkManager

                self._network = NetworkManager()
            return self._network
