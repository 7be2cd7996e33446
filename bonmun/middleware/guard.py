"""The address guard: connect to public addresses only. Both fetches open their connections here.

A host name is resolved once, all its addresses are checked, and the connection goes to one of these. The name server is
never asked twice, which rules out DNS rebinding.
"""

import queue
import socket
import threading
import time
from collections.abc import Callable

from bonmun.errors import AddressRefused, FetchError
from bonmun.middleware.addresses import is_public

Resolve = Callable[[str, float], list[str]]
Dial = Callable[[tuple[str, int], float], socket.socket]

_MAX_WAIT = 3600.0


class Deadline:
    """The deadline of a fetch."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; raise `TimeoutError` if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return min(left, _MAX_WAIT)


class Guard:
    """Resolves, checks and connects."""

    def __init__(self, allow_private: bool, resolve: Resolve, dial: Dial = socket.create_connection) -> None:
        self._allow_private, self._resolve, self._dial = allow_private, resolve, dial

    def addresses(self, host: str, deadline: Deadline) -> list[str]:
        """The addresses of a host; `AddressRefused` if any of them is not public."""
        # RFC 6761: these names mean the machine itself, whatever a name server answers.
        if not self._allow_private and f".{host}".rstrip(".").endswith(".localhost"):
            raise AddressRefused(f"{host} is not a public address")
        addresses = self._resolve(host, deadline.left())
        for address in addresses:
            if not self._allow_private and not is_public(address):
                named = host if address == host else f"{host} resolves to {address}, which"
                raise AddressRefused(f"{named} is not a public address")
        return addresses

    def connect(self, host: str, port: int, deadline: Deadline) -> socket.socket:
        """A connection to the first of the host's addresses that answers."""
        addresses = self.addresses(host, deadline)
        failure: Exception = FetchError("the host has no address")
        for tried, address in enumerate(addresses):
            # Each address gets an equal share of the time left: a dead one (often IPv6) must not use it up.
            share = deadline.left() / (len(addresses) - tried)
            try:
                return self._dial((address, port), share)
            except OSError as error:
                failure = error
        raise failure


def resolve(host: str, seconds: float) -> list[str]:
    """Look up a host's addresses, in a thread because getaddrinfo has no timeout."""
    answer: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answer.put(list(dict.fromkeys(str(entry[4][0]) for entry in entries)))
        except Exception as error:
            answer.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        addresses = answer.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(addresses, Exception):
        raise FetchError("host name lookup failed")
    return addresses
