"""The Host header: a service on the loopback interface is only called by names of the loopback interface.

Against DNS rebinding: a page of evil.example, whose name resolves to 127.0.0.1 on the second look, reaches the service;
for the browser it is of the same origin and may read every answer. Its requests still carry `Host: evil.example`.
"""

import ipaddress
import re
from typing import Final

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.problems import Problem

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")
_LOCAL: Final = "localhost"


class KnownHost:
    """The layer that refuses requests with a foreign Host header."""

    def __init__(self, app: ASGIApp, settings: AccessSettings) -> None:
        self._app = app
        self._allowed = frozenset(host.lower().rstrip(".") for host in settings.allow_hosts)
        self._tokens = settings.token_file is not None

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a request."""
        host = host_of(connection)
        if not self._is_known(host, (connection.get("server") or ("", None))[0]):
            raise Problem(
                421, "unknown host", f"this service is not called {host}; start it with --allow-host {host} if it is",
                "urn:bonmun:problem:unknown-host",
            )  # fmt: skip
        await self._app(connection, receive, send)

    def _is_known(self, host: str, server: str) -> bool:
        """The address that a connection arrived at decides, and not the one that the service was started with.

        A name that leads there without DNS cannot be rebound: an address, or the very name of an in-process server.
        """
        if host in self._allowed or host == server:
            return True
        address = _address(server)
        if address is None or address.is_loopback:
            return is_loopback(host)
        if self._tokens and not self._allowed:  # a page that was rebound has neither the token nor the cookie
            return True
        return is_loopback(host) or _address(host) is not None


def host_of(connection: Connection) -> str:
    """Return the host that a request names, without its port; raise a problem (400) unless it names one.

    >>> host_of({"headers": [(b"host", b"LocalHost:8117")]}), host_of({"headers": [(b"host", b"[::1]:8117")]})
    ('localhost', '::1')
    """
    hosts = [value.decode("latin-1") for name, value in connection["headers"] if name == b"host"]
    match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if match is None:
        raise Problem(400, "bad host", "the request needs one Host header", "urn:bonmun:problem:bad-host")
    return match[1].strip("[]").lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Whether a name or address is one of the loopback interface.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "127.1", "localhost.example")]
    [True, True, True, False, False]
    """
    address = _address(host)
    return host == _LOCAL or (address is not None and address.is_loopback)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
