"""Fetch one page over HTTP, safe against SSRF, endless responses and decompression bombs.

Each hop resolves the host name once, checks all its addresses and connects to one of those. The name server is never
asked twice, which rules out DNS rebinding. Proxy settings, cookies and credentials are not used.
"""

import http.client
import io
import queue
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from ada_url import URL

from bonmun.errors import (
    AddressRefused,
    BadStatus,
    BonmunError,
    FetchError,
    FetchTimeout,
    LimitExceeded,
    TooManyRedirects,
)
from bonmun.middleware.addresses import is_public

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Resolve = Callable[[str, float], list[str]]
Dial = Callable[[tuple[str, int], float], socket.socket]

# The standard header parser is quadratic: 2.5 s for one hostile header of 64 KiB, a quarter of that for 32 KiB.
_HEADER_BYTES = 32 * 1024
_CHUNK_BYTES = 64 * 1024
_MAX_WAIT = 3600.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ASCII = "".join(map(chr, range(128)))
_USERINFO = re.compile(r"^([^/\\?#:]*:)[/\\]*[^/\\?#]*@")


def _user_agent() -> str:
    try:
        version = metadata.version("bonmun")
    except metadata.PackageNotFoundError:
        version = "0"
    return f"bonmun/{version} (main content extraction)"


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
    user_agent: str = _user_agent()
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
    return _fetch(url, policy, _resolve, socket.create_connection)


class _TooLarge(LimitExceeded):
    """`LimitExceeded` with the URL and the name of the policy's limit."""

    def __init__(self, urls: str, found: float, allowed: float) -> None:
        super().__init__("bytes", found, allowed)
        self.args = (urls, found, allowed)

    def __str__(self) -> str:
        urls, found, allowed = self.args
        return f"{urls}: response of {found:,} bytes or more; the limit is {allowed:,} (FetchPolicy.max_bytes)"


class _Deadline:
    """The deadline of a fetch."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; raise `TimeoutError` if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return min(left, _MAX_WAIT)


class _Wire(io.RawIOBase):
    """A socket, and its stream, for http.client: no read or write waits beyond the deadline."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
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
        return _follow(trail, policy, resolve, dial)
    # Exception: http.client lets errors of its header parser through, such as TypeError.
    except Exception as error:
        raise _public_error(error, trail, policy) from (None if isinstance(error, BonmunError) else error)


def _follow(trail: list[str], policy: FetchPolicy, resolve: Resolve, dial: Dial) -> Fetched:
    deadline = _Deadline(policy.seconds)
    url = _parsed(trail[0], None)
    for _ in range(policy.redirects + 1):
        with _connected(url, policy, deadline, resolve, dial) as sock:
            wire = _Wire(sock, deadline)
            with _request(url, wire, policy.user_agent) as response:
                location = _location(response)
                if location is None:
                    content = _content(response, wire, policy.max_bytes)
                    return Fetched(url.href, content, response.headers["Content-Type"])
        trail.append(location)
        url = _parsed(location, url.href)
        trail[-1] = url.href
    raise TooManyRedirects(f"more than {policy.redirects} redirects")


def _parsed(text: str, base: str | None) -> URL:
    try:
        url = URL(text, base=base)
    except ValueError:
        raise FetchError("not a valid URL") from None
    if url.protocol not in ("http:", "https:"):
        raise FetchError("unsupported scheme; only http and https can be fetched")
    if url.username or url.password:
        raise FetchError("refused: the URL has a user name or password")
    return url


def _resolve(host: str, seconds: float) -> list[str]:
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


def _checked_addresses(host: str, policy: FetchPolicy, deadline: _Deadline, resolve: Resolve) -> list[str]:
    # RFC 6761: these names mean the machine itself, whatever a name server answers.
    if not policy.allow_private and f".{host}".rstrip(".").endswith(".localhost"):
        raise AddressRefused(f"{host} is not a public address")
    addresses = resolve(host, deadline.left())
    for address in addresses:
        if not policy.allow_private and not is_public(address):
            named = host if address == host else f"{host} resolves to {address}, which"
            raise AddressRefused(f"{named} is not a public address")
    return addresses


def _connected(url: URL, policy: FetchPolicy, deadline: _Deadline, resolve: Resolve, dial: Dial) -> socket.socket:
    host = url.hostname.strip("[]")
    secure = url.protocol == "https:"
    port = int(url.port or (443 if secure else 80))
    addresses = _checked_addresses(host, policy, deadline, resolve)
    sock = _first_answering(addresses, port, deadline, dial)
    if not secure:
        return sock
    try:
        sock.settimeout(deadline.left())
        return ssl.create_default_context().wrap_socket(sock, server_hostname=host.rstrip("."))
    except BaseException:
        sock.close()
        raise


def _first_answering(addresses: list[str], port: int, deadline: _Deadline, dial: Dial) -> socket.socket:
    failure: Exception = FetchError("the host has no address")
    for tried, address in enumerate(addresses):
        # Each address gets an equal share of the time left: a dead one (often IPv6) must not use it up.
        share = deadline.left() / (len(addresses) - tried)
        try:
            return dial((address, port), share)
        except OSError as error:
            failure = error
    raise failure


def _request(url: URL, wire: _Wire, user_agent: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("unused.invalid")
    connection.sock = cast(socket.socket, wire)
    headers: dict[str, str | bytes] = {
        "Host": url.host,
        "User-Agent": user_agent.encode(),
        "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
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
    if response.status in _REDIRECTS and location:
        # Headers are decoded as latin-1; browsers send the original bytes back.
        return quote(location, safe=_ASCII, encoding="latin-1")
    phrase = http.client.responses.get(response.status, "")
    raise BadStatus(f"the server answered {response.status} {phrase}".rstrip())


def _content(response: http.client.HTTPResponse, wire: _Wire, max_bytes: int) -> bytes:
    encoding = _encoding(response.headers)
    if response.length is not None and response.length > max_bytes:
        raise LimitExceeded("bytes", response.length, max_bytes)
    # In addition to the count in `_chunks`: http.client reads a chunk of -1 bytes to the end, in one call.
    wire.allow(2 * max_bytes + _HEADER_BYTES, LimitExceeded("bytes", 2 * max_bytes, max_bytes))
    chunks = _chunks(response, max_bytes)
    return b"".join(_decompressed(chunks, encoding, max_bytes) if encoding else chunks)


def _encoding(headers: Message) -> str | None:
    named = ",".join(headers.get_all("Content-Encoding", [])).lower().split(",")
    encodings = [name for name in map(str.strip, named) if name not in ("", "identity")]
    if not encodings:
        return None
    if len(encodings) > 1 or encodings[0] not in ("gzip", "x-gzip", "deflate"):
        raise FetchError(f"unsupported content encoding {_one_line(', '.join(encodings))!r}")
    return encodings[0].removeprefix("x-")


def _chunks(response: http.client.HTTPResponse, max_bytes: int) -> Iterator[bytes]:
    received = 0
    while chunk := response.read(_CHUNK_BYTES):
        received += len(chunk)
        if received > max_bytes:
            raise LimitExceeded("bytes", received, max_bytes)
        yield chunk
    if response.length:
        raise FetchError("the response is truncated")


def _decompressed(chunks: Iterator[bytes], encoding: str, max_bytes: int) -> Iterator[bytes]:
    """Decompress chunk by chunk, up to one byte beyond the limit; trailing bytes after the end are ignored."""
    stream, members, room = None, 0, max_bytes
    for chunk in chunks:
        while chunk:
            if stream is None:
                if members and (encoding != "gzip" or chunk[0] != 0x1F):
                    return
                stream, members = zlib.decompressobj(_window(encoding, chunk)), members + 1
            plain = stream.decompress(chunk, room + 1)
            room -= len(plain)
            if room < 0:
                raise LimitExceeded("bytes", max_bytes - room, max_bytes)
            yield plain
            chunk, stream = stream.unused_data, None if stream.eof else stream
    if stream is not None:
        raise FetchError("the compressed response is truncated")


def _window(encoding: str, start: bytes) -> int:
    """The `wbits` of a stream. Some servers send "deflate" with the zlib header (RFC 1950), others without."""
    if encoding == "gzip":
        return 16 + zlib.MAX_WBITS
    has_header = start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _public_error(error: Exception, trail: list[str], policy: FetchPolicy) -> BonmunError:
    """The typed error for one raised inside, with the first and last URL in its message."""
    urls = " → ".join(_one_line(_USERINFO.sub(r"\1//", url)) for url in dict.fromkeys((trail[0], trail[-1])))
    match error:
        case LimitExceeded():
            return _TooLarge(urls, error.found, error.allowed)
        case FetchError():
            return type(error)(f"{urls}: {error}")
        case TimeoutError():
            return FetchTimeout(f"{urls}: no complete response within {policy.seconds:g} s (FetchPolicy.seconds)")
        case _:
            return FetchError(f"{urls}: {_one_line(_reason(error))}")


def _reason(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return f"certificate not trusted: {error.verify_message}"
        case ssl.SSLError():
            return f"TLS handshake failed: {error.reason}"
        case OSError():
            return error.strerror or str(error) or type(error).__name__
        case http.client.IncompleteRead():
            return "the response is truncated"
        case zlib.error():
            return "the compressed response is damaged"
        case _:
            return f"invalid HTTP response ({type(error).__name__})"


def _one_line(text: str) -> str:
    """Untrusted text, truncated and without control characters, for a terminal or a log."""
    short = text if len(text) <= 200 else f"{text[:200]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
