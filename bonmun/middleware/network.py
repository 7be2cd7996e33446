"""Fetch one page over HTTP, safe against SSRF, endless responses and decompression bombs; no package is needed.

Each hop goes through the address guard (`guard`). Proxy settings, cookies and credentials are not used.
"""

import http.client
import io
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ada_url import URL

from bonmun.errors import BadStatus, BonmunError, FetchError, LimitExceeded, TooManyRedirects
from bonmun.middleware.decompression import CORE, coding, decompressed
from bonmun.middleware.guard import Deadline, Dial, Guard, Resolve, resolve
from bonmun.middleware.hops import (
    ACCEPT,
    REDIRECTS,
    default_user_agent,
    parsed,
    public_error,
    quoted_location,
    status_line,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# The standard header parser is quadratic: 2.5 s for one hostile header of 64 KiB, a quarter of that for 32 KiB.
_HEADER_BYTES = 32 * 1024
_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """The limits of one fetch.

    >>> FetchPolicy(seconds=5).redirects
    5
    """

    max_bytes: int = 20_000_000
    """Maximum size of the body, after decompression."""
    seconds: float = 20.0
    """Deadline of the whole fetch: name lookup, redirects and body."""
    redirects: int = 5
    """Maximum number of redirects."""
    allow_private: bool = False
    """Whether private, loopback and other non-public addresses may be fetched."""
    user_agent: str = default_user_agent()
    """The User-Agent header."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page.

    >>> Fetched("https://example.org/", b"<p>Tea", "text/html; charset=utf-8").content_type
    'text/html; charset=utf-8'
    """

    url: str
    """The final URL, after redirects."""
    content: bytes
    """The body, decompressed."""
    content_type: str | None
    """The Content-Type header as sent, `None` if there is none; pass it as `charset`."""


DEFAULT_POLICY = FetchPolicy()


def fetch(url: str, policy: FetchPolicy = DEFAULT_POLICY) -> Fetched:
    """Fetch a page over http or https.

    Redirects are followed; non-public addresses are refused unless `policy` allows them. Every failure is a
    `FetchError` or `LimitExceeded` with the URL in its message. Extract the result with its URL and declared charset::

        page = bonmun.fetch("https://example.org/news/1")
        document = bonmun.extract(page.content, url=page.url, charset=page.content_type)

    >>> fetch("http://127.0.0.1/")
    Traceback (most recent call last):
    ...
    bonmun.errors.AddressRefused: http://127.0.0.1/: 127.0.0.1 is not a public address
    """
    return _fetch(url, policy, resolve, socket.create_connection)


class _Wire(io.RawIOBase):
    """A socket, and its stream, for http.client: no read or write waits beyond the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline
        self.allow(_HEADER_BYTES, FetchError(f"response headers larger than {_HEADER_BYTES:,} bytes"))

    def allow(self, count: int, error: BonmunError) -> None:
        """Allow `count` more bytes; raise `error` after them."""
        self._room, self._error = count, error

    def sendall(self, data: bytes) -> None:
        while data:
            self._sock.settimeout(self._deadline.left())
            data = data[self._sock.send(data) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        if self._room <= 0:
            raise self._error
        self._sock.settimeout(self._deadline.left())
        count = self._sock.recv_into(buffer)
        self._room -= count
        return count

    def close(self) -> None:
        """Do nothing: http.client closes before the body is read. The socket's owner closes it."""


def _fetch(url: str, policy: FetchPolicy, resolve: Resolve, dial: Dial) -> Fetched:
    trail = [url]
    try:
        return _follow(trail, policy, Guard(policy.allow_private, resolve, dial))
    # Exception: http.client lets errors of its header parser through, such as TypeError.
    except Exception as error:
        raise public_error(error, trail, policy.seconds, "FetchPolicy") from (
            None if isinstance(error, BonmunError) else error
        )


def _follow(trail: list[str], policy: FetchPolicy, guard: Guard) -> Fetched:
    deadline = Deadline(policy.seconds)
    url = parsed(trail[0])
    for _ in range(policy.redirects + 1):
        with _connected(url, guard, deadline) as sock:
            wire = _Wire(sock, deadline)
            with _request(url, wire, policy.user_agent) as response:
                location = _location(response)
                if location is None:
                    content = _content(response, wire, policy.max_bytes)
                    return Fetched(url.href, content, response.headers["Content-Type"])
        trail.append(location)
        url = parsed(location, url.href)
        trail[-1] = url.href
    raise TooManyRedirects(f"more than {policy.redirects} redirects")


def _connected(url: URL, guard: Guard, deadline: Deadline) -> socket.socket:
    host = url.hostname.strip("[]")
    secure = url.protocol == "https:"
    sock = guard.connect(host, int(url.port or (443 if secure else 80)), deadline)
    if not secure:
        return sock
    try:
        sock.settimeout(deadline.left())
        return ssl.create_default_context().wrap_socket(sock, server_hostname=host.rstrip("."))
    except BaseException:
        sock.close()
        raise


def _request(url: URL, wire: _Wire, user_agent: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("unused.invalid")
    connection.sock = cast(socket.socket, wire)
    headers: dict[str, str | bytes] = {
        "Host": url.host,
        "User-Agent": user_agent.encode(),
        "Accept": ACCEPT,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    connection.request("GET", url.pathname + url.search, headers=headers)
    return connection.getresponse()


def _location(response: http.client.HTTPResponse) -> str | None:
    """Return a redirect's target, `None` for a page; raise `BadStatus` for any other status."""
    if 200 <= response.status < 300:
        return None
    location = response.headers["Location"]
    if response.status in REDIRECTS and location:
        return quoted_location(location)
    raise BadStatus(status_line(response.status))


def _content(response: http.client.HTTPResponse, wire: _Wire, max_bytes: int) -> bytes:
    encoding = coding(",".join(response.headers.get_all("Content-Encoding", [])), CORE)
    if response.length is not None and response.length > max_bytes:
        raise LimitExceeded("bytes", response.length, max_bytes)
    # In addition to the count in `_chunks`: http.client reads a chunk of -1 bytes to the end, in one call.
    wire.allow(2 * max_bytes + _HEADER_BYTES, LimitExceeded("bytes", 2 * max_bytes, max_bytes))
    chunks = _chunks(response, max_bytes)
    return b"".join(decompressed(chunks, encoding, max_bytes) if encoding else chunks)


def _chunks(response: http.client.HTTPResponse, max_bytes: int) -> Iterator[bytes]:
    received = 0
    while chunk := response.read(_CHUNK_BYTES):
        received += len(chunk)
        if received > max_bytes:
            raise LimitExceeded("bytes", received, max_bytes)
        yield chunk
    if response.length:
        raise FetchError("the response is truncated")
