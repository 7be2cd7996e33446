"""One page over HTTP, safely: no private address, no endless answer, no bomb.

At every hop the host name is resolved once, every address it has is checked, and the connection goes to one of these
addresses: the name server is never asked twice, so that a second, different answer (DNS rebinding) changes nothing.
Proxy settings, cookies and credentials are not used.
"""

import http.client
import io
import ipaddress
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

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Resolve = Callable[[str, float], list[str]]
Dial = Callable[[tuple[str, int], float], socket.socket]

# The standard header parser takes 2.5 s for one hostile header of 64 KiB, a quarter of that for half of it.
_HEADER_BYTES = 32 * 1024
_PIECE_BYTES = 64 * 1024
_LONGEST_WAIT = 3600.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ASCII = "".join(map(chr, range(128)))
_USERINFO = re.compile(r"^([^/\\?#:]*:)[/\\]*[^/\\?#]*@")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Not public, though `is_global` says so on some Python versions; the last is where Azure's machines find their host.
_SPECIAL = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/3", "168.63.129.16/32")))


def _user_agent() -> str:
    try:
        version = metadata.version("bonmun")
    except metadata.PackageNotFoundError:
        version = "0"
    return f"bonmun/{version} (main content extraction)"


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What one fetch may cost and where it may go.

    `max_bytes` counts after decompression; `seconds` covers the whole fetch: name server, redirects and body.

    >>> FetchPolicy(seconds=5).redirects
    5
    """

    max_bytes: int = 20_000_000
    seconds: float = 20.0
    redirects: int = 5
    allow_private: bool = False
    user_agent: str = _user_agent()


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: where it came from in the end, its bytes, and its Content-Type header as sent."""

    url: str
    content: bytes
    content_type: str | None


DEFAULT_POLICY = FetchPolicy()


def fetch(url: str, policy: FetchPolicy = DEFAULT_POLICY) -> Fetched:
    """Get what is at an http or https URL; every failure is a `FetchError` or `LimitExceeded` that names the URL.

    >>> fetch("http://127.0.0.1/")
    Traceback (most recent call last):
    ...
    bonmun.errors.AddressRefused: http://127.0.0.1/: 127.0.0.1 is not a public address
    """
    return _fetch(url, policy, _resolve, socket.create_connection)


def is_public(address: str) -> bool:
    """Whether an IP address, and any IPv4 address wrapped in it, belongs to the public internet.

    >>> is_public("1.1.1.1"), is_public("169.254.169.254"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not any(ip in network for network in _SPECIAL)
    if ip.ipv4_mapped or ip in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    # 6to4 is gone from the internet (RFC 7526), and Python versions disagree about it.
    return ip.is_global and not ip.sixtofour and ip in _GLOBAL_UNICAST


class _TooLarge(LimitExceeded):
    """`LimitExceeded` with the URL and the policy's own name for the limit."""

    def __init__(self, where: str, found: float, allowed: float) -> None:
        super().__init__("bytes", found, allowed)
        self.args = (where, found, allowed)

    def __str__(self) -> str:
        where, found, allowed = self.args
        return f"{where}: {found:,} bytes or more; the limit is {allowed:,} (FetchPolicy.max_bytes)"


class _Deadline:
    """The moment a fetch has to be over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left; `TimeoutError` when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return min(left, _LONGEST_WAIT)


class _Wire(io.RawIOBase):
    """What http.client takes for a socket and for its stream: nothing waits beyond the deadline."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._deadline = sock, deadline
        self.allow(_HEADER_BYTES, FetchError(f"its headers are larger than {_HEADER_BYTES:,} bytes"))

    def allow(self, count: int, otherwise: BonmunError) -> None:
        """Let so many more bytes come in, then raise."""
        self._room, self._otherwise = count, otherwise

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
            raise self._otherwise
        self._sock.settimeout(self._deadline.left())
        count = self._sock.recv_into(buffer)
        self._room -= count
        return count

    def close(self) -> None:
        """Do nothing: http.client closes before the body is read; the socket's owner closes it."""


def _fetch(url: str, policy: FetchPolicy, resolve: Resolve, dial: Dial) -> Fetched:
    trail = [url]
    try:
        return _follow(trail, policy, resolve, dial)
    # Exception, since http.client hands on whatever its header parser raises, TypeError for one.
    except Exception as error:
        raise _told(error, trail, policy) from (None if isinstance(error, BonmunError) else error)


def _follow(trail: list[str], policy: FetchPolicy, resolve: Resolve, dial: Dial) -> Fetched:
    deadline = _Deadline(policy.seconds)
    url = _parsed(trail[0], None)
    for _ in range(policy.redirects + 1):
        with _connected(url, policy, deadline, resolve, dial) as sock:
            wire = _Wire(sock, deadline)
            with _asked(url, wire, policy.user_agent) as response:
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
        raise FetchError("only http and https are fetched")
    if url.username or url.password:
        raise FetchError("a URL with a user name or password is refused")
    return url


def _resolve(host: str, seconds: float) -> list[str]:
    """Ask the system for a host's addresses, in a thread because getaddrinfo knows no timeout."""
    answer: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answer.put(list(dict.fromkeys(str(entry[4][0]) for entry in found)))
        except Exception as error:
            answer.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        addresses = answer.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(addresses, Exception):
        raise FetchError("its host name cannot be looked up")
    return addresses


def _checked_addresses(host: str, policy: FetchPolicy, deadline: _Deadline, resolve: Resolve) -> list[str]:
    # RFC 6761: such names are the machine itself, whatever a name server says.
    if not policy.allow_private and f".{host}".rstrip(".").endswith(".localhost"):
        raise AddressRefused(f"{host} is not a public address")
    addresses = resolve(host, deadline.left())
    for address in addresses:
        if not policy.allow_private and not is_public(address):
            named = host if address == host else f"{host} leads to {address}, which"
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
    failure: Exception = FetchError("its host has no address")
    for tried, address in enumerate(addresses):
        # A fair share of the time each, so that one dead address (often IPv6) does not spend it all.
        share = deadline.left() / (len(addresses) - tried)
        try:
            return dial((address, port), share)
        except OSError as error:
            failure = error
    raise failure


def _asked(url: URL, wire: _Wire, user_agent: str) -> http.client.HTTPResponse:
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
    """Where a redirect leads, None for a page; `BadStatus` for anything else."""
    if 200 <= response.status < 300:
        return None
    location = response.headers["Location"]
    if response.status in _REDIRECTS and location:
        # Headers come decoded as latin-1; browsers send the bytes back as they were.
        return quote(location, safe=_ASCII, encoding="latin-1")
    name = http.client.responses.get(response.status, "")
    raise BadStatus(f"the server answered {response.status} {name}".rstrip())


def _content(response: http.client.HTTPResponse, wire: _Wire, most: int) -> bytes:
    encoding = _encoding(response.headers)
    if response.length is not None and response.length > most:
        raise LimitExceeded("bytes", response.length, most)
    # Beyond the count in `_pieces`: http.client takes a chunk of -1 bytes as "read all there is", in one go.
    wire.allow(2 * most + _HEADER_BYTES, LimitExceeded("bytes", 2 * most, most))
    pieces = _pieces(response, most)
    return b"".join(_inflated(pieces, encoding, most) if encoding else pieces)


def _encoding(headers: Message) -> str | None:
    named = ",".join(headers.get_all("Content-Encoding", [])).lower().split(",")
    encodings = [name for name in map(str.strip, named) if name not in ("", "identity")]
    if not encodings:
        return None
    if len(encodings) > 1 or encodings[0] not in ("gzip", "x-gzip", "deflate"):
        raise FetchError(f"its content encoding {_one_line(', '.join(encodings))!r} was not asked for")
    return encodings[0].removeprefix("x-")


def _pieces(response: http.client.HTTPResponse, most: int) -> Iterator[bytes]:
    received = 0
    while piece := response.read(_PIECE_BYTES):
        received += len(piece)
        if received > most:
            raise LimitExceeded("bytes", received, most)
        yield piece
    if response.length:
        raise FetchError("the answer was cut short")


def _inflated(pieces: Iterator[bytes], encoding: str, most: int) -> Iterator[bytes]:
    """Decompress as the pieces come, at most one byte beyond the limit; stray bytes after the end are ignored."""
    stream, members, room = None, 0, most
    for piece in pieces:
        while piece:
            if stream is None:
                if members and (encoding != "gzip" or piece[0] != 0x1F):
                    return
                stream, members = zlib.decompressobj(_window(encoding, piece)), members + 1
            plain = stream.decompress(piece, room + 1)
            room -= len(plain)
            if room < 0:
                raise LimitExceeded("bytes", most - room, most)
            yield plain
            piece, stream = stream.unused_data, None if stream.eof else stream
    if stream is not None:
        raise FetchError("the compressed answer was cut short")


def _window(encoding: str, start: bytes) -> int:
    """The `wbits` of a stream; "deflate" is sent with the zlib header (RFC 1950) by some servers, without by others."""
    if encoding == "gzip":
        return 16 + zlib.MAX_WBITS
    has_header = start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _told(error: Exception, trail: list[str], policy: FetchPolicy) -> BonmunError:
    """The error a caller sees for one that happened on the way, with the URL in it."""
    where = " → ".join(_one_line(_USERINFO.sub(r"\1//", url)) for url in dict.fromkeys((trail[0], trail[-1])))
    match error:
        case LimitExceeded():
            return _TooLarge(where, error.found, error.allowed)
        case FetchError():
            return type(error)(f"{where}: {error}")
        case TimeoutError():
            return FetchTimeout(f"{where}: no complete answer within {policy.seconds:g} s")
        case _:
            return FetchError(f"{where}: {_one_line(_reason(error))}")


def _reason(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {error.verify_message}"
        case ssl.SSLError():
            return f"no secure connection: {error.reason}"
        case OSError():
            return error.strerror or str(error) or type(error).__name__
        case http.client.IncompleteRead():
            return "the answer was cut short"
        case zlib.error():
            return "the compressed answer is damaged"
        case _:
            return f"no valid answer ({type(error).__name__})"


def _one_line(text: str) -> str:
    """Text of a stranger, short and harmless enough for a terminal or a log."""
    short = text if len(text) <= 200 else f"{text[:200]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
