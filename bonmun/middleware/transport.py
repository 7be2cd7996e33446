"""Connections of the network manager: httpcore2 pools behind the address guard, and the cache in front of them."""

import contextlib
import select
import socket
import ssl
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import httpcore2
import httpx2
from ada_url import URL

from bonmun.errors import BonmunError, FetchError
from bonmun.middleware.guard import Deadline, Guard, resolve
from bonmun.middleware.hops import quoted_location
from bonmun.middleware.network_settings import NetworkSettings

_HEADER_BYTES = 128 * 1024
_KEEP_ALIVE = 60.0
_IDLE_CONNECTIONS = 200
# Kept of a response; cookies and all others are dropped before the cache.
_KEPT = frozenset(
    b"age cache-control content-encoding content-length content-type date etag expires last-modified location pragma "
    b"retry-after vary".split()
)
_KEPT_OF_304 = frozenset(b"age cache-control date etag expires last-modified vary".split())
_LISTS = frozenset(b"cache-control content-encoding vary".split())
_FRESHNESS = ("max-age", "s-maxage", "no-store", "no-cache")
VERSION = "bonmun-http-version"
"""Added to a response's headers, so that the cache keeps it."""


class Meter:
    """What one hop may use up: seconds, and bytes of headers and body; it can be aborted from another thread."""

    def __init__(self, seconds: float) -> None:
        self.deadline = Deadline(seconds)
        self.sent = False
        """Whether a server was reached."""
        self._sock: socket.socket | None = None
        self._aborted = False
        self.allow(_HEADER_BYTES, FetchError(f"response headers larger than {_HEADER_BYTES:,} bytes"))

    def allow(self, count: int, error: BonmunError) -> None:
        """Allow `count` more bytes; raise `error` after them."""
        self._room, self._error = count, error

    def use(self, sock: socket.socket) -> None:
        """Prepare a connection's next operation."""
        self._sock, self.sent = sock, True
        if self._aborted:
            raise ConnectionAbortedError
        sock.settimeout(self.deadline.left())

    def count(self, received: int) -> None:
        """Count received bytes."""
        self._room -= received
        if self._room < 0:
            raise self._error

    def abort(self) -> None:
        """End the hop: the operation under way returns at once, and no other begins."""
        self._aborted = True
        if self._sock is not None:
            with contextlib.suppress(OSError):
                # Not SSLSocket.shutdown, which is not safe beside a read.
                socket.socket.shutdown(self._sock, socket.SHUT_RDWR)


class _Stream(httpcore2.NetworkStream):
    """A connection; its limits are in the meter of the thread that uses it, not in httpcore2's timeouts."""

    def __init__(self, sock: socket.socket, meters: "Meters") -> None:
        self._sock, self._meters = sock, meters

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        meter = self._meters.current()
        meter.use(self._sock)
        data = self._sock.recv(max_bytes)
        meter.count(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        meter, view = self._meters.current(), memoryview(buffer)
        while view:
            meter.use(self._sock)
            try:
                view = view[self._sock.send(view) :]
            except TimeoutError:
                raise
            except OSError as error:
                # httpcore2 reads the response even so: a server may answer and close before it has read everything.
                raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            name = (server_hostname or "").rstrip(".")
            secured = ssl_context.wrap_socket(self._sock, server_hostname=name, do_handshake_on_connect=False)
            self._sock = secured
            self._meters.current().use(secured)
            secured.do_handshake()
        except BaseException:
            self._sock.close()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object" and isinstance(self._sock, ssl.SSLSocket):
            return self._sock
        if info == "is_readable":
            return _readable(self._sock)
        return None


def _readable(sock: socket.socket) -> bool:
    """Whether an idle connection has input: then the server has closed it, or it is out of step."""
    if sock.fileno() < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


class Meters:
    """The meter of each thread's current hop."""

    def __init__(self) -> None:
        self._local = threading.local()

    @contextlib.contextmanager
    def metering(self, meter: Meter) -> Iterator[None]:
        """Let this thread's connections use `meter`."""
        self._local.meter = meter
        try:
            yield
        finally:
            del self._local.meter

    def current(self) -> Meter:
        """The meter of this thread."""
        meter: Meter = self._local.meter
        return meter


class _Backend(httpcore2.NetworkBackend):
    """Opens the connections of one pool through the address guard."""

    def __init__(self, guard: Guard, meters: Meters) -> None:
        self._guard, self._meters = guard, meters
        self._opened: weakref.WeakValueDictionary[tuple[str, int], _Stream] = weakref.WeakValueDictionary()

    def is_out_of_step(self, host: str, port: int) -> bool:
        """Whether the server of an unused connection has closed it, or has sent something."""
        stream = self._opened.get((host, port))
        return stream is not None and bool(stream.get_extra_info("is_readable"))

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        meter = self._meters.current()
        sock = self._guard.connect(host.strip("[]"), port, meter.deadline)
        try:
            meter.use(sock)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            sock.close()
            raise
        stream = self._opened[host, port] = _Stream(sock, self._meters)
        return stream


class GuardedTransport(httpx2.BaseTransport):
    """Sends requests over pooled connections, HTTP/2 where the server offers it.

    A connection serves one thread at a time: each of a host's requests under way has a pool of its own (`lane`). So no
    request waits for another one's lock, and the end of one never breaks another.
    """

    def __init__(self, settings: NetworkSettings, meters: Meters) -> None:
        self._guard = Guard(settings.allow_private, resolve)
        self._proxied = settings.proxy is not None
        self._meters = meters
        # The proxy's own address is trusted: the user has named it. The targets are checked in `handle_request`.
        connecting = Guard(True, resolve) if self._proxied else self._guard
        self._backends = [_Backend(connecting, meters) for _ in range(settings.per_host)]
        context = ssl.create_default_context()
        self._pools = [
            httpcore2.ConnectionPool(
                ssl_context=context,
                proxy=_proxy(settings.proxy),
                max_connections=None,
                max_keepalive_connections=_IDLE_CONNECTIONS,
                keepalive_expiry=_KEEP_ALIVE,
                http2=True,
                network_backend=backend,
            )
            for backend in self._backends
        ]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request of the lane in its extensions."""
        meter = self._meters.current()
        if self._proxied:
            self._guard.addresses(request.url.raw_host.decode().strip("[]"), meter.deadline)
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.extensions["target"],
        )
        lane = request.extensions["lane"]
        if self._backends[lane].is_out_of_step(url.origin.host.decode(), url.origin.port):
            self._drop(lane, url.origin)  # httpcore2 looks only at HTTP/1.1 connections
        response = self._pools[lane].handle_request(httpcore2.Request("GET", url, headers=request.headers.raw))
        return httpx2.Response(response.status, headers=_kept(response), stream=_Body(response))

    def drop(self, lane: int, url: URL) -> None:
        """Close a lane's connections to a host: a response on them was not read to its end."""
        self._drop(lane, httpcore2.URL(url.origin).origin)

    def _drop(self, lane: int, origin: httpcore2.Origin) -> None:
        for connection in self._pools[lane].connections:
            if connection.can_handle_request(origin):
                connection.close()

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools:
            pool.close()


class _Body(httpx2.SyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


def _proxy(text: str | None) -> httpcore2.Proxy | None:
    if text is None:
        return None
    url = httpx2.URL(text)
    auth = (url.username, url.password) if url.username or url.password else None
    return httpcore2.Proxy(f"http://{url.netloc.decode()}/", auth=auth)


def _kept(response: httpcore2.Response) -> list[tuple[bytes, bytes]]:
    """The headers that matter, valid UTF-8 whatever was sent, with cache rules that assume nothing."""
    wanted = _KEPT_OF_304 if response.status == 304 else _KEPT
    fields: dict[bytes, str] = {}
    for name, value in response.headers:
        key = name.lower()
        if key in wanted:
            text = value.decode("latin-1")
            fields[key] = f"{fields[key]}, {text}" if key in fields and key in _LISTS else fields.get(key, text)
    if b"location" in fields:
        fields[b"location"] = quoted_location(fields[b"location"])
    if response.status != 304:
        _forbid_guesses(fields)
        fields[VERSION.encode()] = bytes(response.extensions["http_version"]).decode("latin-1")
    return [(key, text.encode()) for key, text in fields.items()]


def _forbid_guesses(fields: dict[bytes, str]) -> None:
    """RFC 9111 lets a cache guess how long a page stays fresh if the server does not say; ours asks again instead."""
    control = fields.get(b"cache-control", "").lower()
    if b"expires" in fields or any(word in control for word in _FRESHNESS):
        return
    validators = b"etag" in fields or b"last-modified" in fields
    fields[b"cache-control"] = f"{control}, {'no-cache' if validators else 'no-store'}".lstrip(", ")
