"""HTTP/2 over TLS, from servers that behave and servers that do not."""

import contextlib
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import pytest

from bonmun.errors import AddressRefused, FetchError, FetchTimeout, LimitExceeded
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from tests.middleware.local_server import PAGE, elapsed
from tests.middleware.network_server import all_of, settings, wait_for

Script = Callable[["Exchange"], None]
OK = [(":status", "200"), ("content-type", "text/html")]


class Exchange:
    """One stream of a connection, as its script sees it."""

    def __init__(self, connection: h2.connection.H2Connection, sock: ssl.SSLSocket, stream: int) -> None:
        self.connection, self._sock, self.stream = connection, sock, stream

    def send(self) -> None:
        self._sock.sendall(self.connection.data_to_send())

    def head(self, headers: list[tuple[str, str]], end: bool = False) -> None:
        self.connection.send_headers(self.stream, headers, end_stream=end)
        self.send()

    def body(self, data: bytes, end: bool = False) -> None:
        self.connection.send_data(self.stream, data, end_stream=end)
        self.send()


def page(exchange: Exchange) -> None:
    exchange.head(OK)
    exchange.body(PAGE, end=True)


class _Handler(socketserver.BaseRequestHandler):
    server: "Http2Server"

    def handle(self) -> None:
        with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            self.request.do_handshake()
            self.server.connections += 1
            self._serve(h2.connection.H2Connection(h2.config.H2Configuration(client_side=False)))

    def _serve(self, connection: h2.connection.H2Connection) -> None:
        connection.initiate_connection()
        self.request.sendall(connection.data_to_send())
        while data := self.request.recv(65536):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    path = dict(event.headers)[b":path"].decode()
                    self.server.paths.append(path)
                    self.server.scripts.get(path, page)(Exchange(connection, self.request, event.stream_id))
            self.request.sendall(connection.data_to_send())


class Http2Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, certificate: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.scripts: dict[str, Script] = {}
        self.paths: list[str] = []
        self.connections = 0
        self.url = f"https://good.test:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect."""


@pytest.fixture
def server(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Http2Server]:
    real = socket.getaddrinfo

    def look_up(host: str, *rest: Any, **options: Any) -> Any:
        return real("127.0.0.1" if host.endswith(".test") else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    with Http2Server(certificate) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def result_of(server: Http2Server, script: Script, **changes: Any) -> SourcePage | Exception:
    """What a script's page ends in; another page of the same manager comes after it."""
    server.scripts["/hostile"] = script
    with NetworkManager(settings(**({"retries": 0} | changes))) as network:
        ((_, result),) = network.stream([Request(f"{server.url}/hostile")])
        assert network.fetch(Request(f"{server.url}/good")).content == PAGE
    return result


def test_pages_come_over_one_http2_connection(server: Http2Server) -> None:
    with NetworkManager(settings(honour_robots=True)) as network:
        results = all_of(network, [f"{server.url}/{number}" for number in range(10)])
    for result in results.values():
        assert isinstance(result, SourcePage)
        assert (result.content, result.content_type) == (PAGE, "text/html")
        assert result.network is not None
        assert result.network.http_version == "HTTP/2"
    assert server.connections == 1
    assert len(server.paths) == 11


def test_two_lanes_of_a_host_have_connections_of_their_own(server: Http2Server) -> None:
    go_on = threading.Event()

    def hold(exchange: Exchange) -> None:
        go_on.wait(15)
        page(exchange)

    server.scripts["/held"] = hold
    with NetworkManager(settings(per_host=2)) as network:
        stream = network.stream([Request(f"{server.url}/held"), *(Request(f"{server.url}/{n}") for n in range(5))])
        assert {next(stream)[0].url[-1] for _ in range(5)} == set("01234")
        go_on.set()
        assert next(stream)[0].url.endswith("/held")
        stream.close()
    assert server.connections == 2


def test_the_guard_holds_for_https(server: Http2Server) -> None:
    result = None
    with NetworkManager(settings(allow_private=False)) as network:
        ((_, result),) = network.stream([Request(f"{server.url}/")])
    assert isinstance(result, AddressRefused)
    assert server.connections == 0


@pytest.mark.parametrize("host", ["other.test", "127.0.0.1"])
def test_a_certificate_for_another_name_is_refused(server: Http2Server, host: str) -> None:
    with NetworkManager(settings()) as network, pytest.raises(FetchError, match="certificate not trusted"):
        network.fetch(Request(server.url.replace("good.test", host)))


def endless(exchange: Exchange) -> None:
    exchange.head(OK)
    for _ in range(1000):
        exchange.body(bytes(16_000))


def test_an_endless_body_is_stopped_at_the_limit(server: Http2Server) -> None:
    assert isinstance(result_of(server, endless, max_bytes=500_000), LimitExceeded)
    assert server.connections == 2


def drip(exchange: Exchange) -> None:
    exchange.head(OK)
    for _ in range(100):
        exchange.body(b"x")
        time.sleep(0.03)


def pings(exchange: Exchange) -> None:
    for _ in range(100):
        exchange.connection.ping(b"12345678")
        exchange.send()
        time.sleep(0.03)


@pytest.mark.timed
@pytest.mark.parametrize("script", [drip, pings, lambda exchange: None], ids=["drip", "pings", "silence"])
def test_a_slow_server_is_stopped_at_the_deadline(server: Http2Server, script: Script) -> None:
    start = time.monotonic()
    assert isinstance(result_of(server, script, seconds=0.5), FetchTimeout)
    assert elapsed(start) < 3


def reset(exchange: Exchange) -> None:
    exchange.head(OK)
    exchange.body(PAGE)
    exchange.connection.reset_stream(exchange.stream)
    exchange.send()


def goodbye(exchange: Exchange) -> None:
    exchange.connection.close_connection(last_stream_id=0)
    exchange.send()


def header_bomb(exchange: Exchange) -> None:
    exchange.head([*OK, *((f"x{number}", "y" * 1000) for number in range(200))], end=True)


def wrong_length(exchange: Exchange) -> None:
    exchange.head([*OK, ("content-length", "1000")])
    exchange.body(PAGE, end=True)


def no_status(exchange: Exchange) -> None:
    exchange._sock.sendall(b"\x00\x00\x01\x01\x05\x00\x00\x00\x01\xff")


@pytest.mark.parametrize("script", [reset, goodbye, header_bomb, wrong_length, no_status])
def test_a_broken_response_is_a_fetch_error(server: Http2Server, script: Script) -> None:
    result = result_of(server, script)
    assert type(result) is FetchError
    assert str(result).isprintable()


def test_a_reset_stream_is_tried_again(server: Http2Server) -> None:
    server.scripts["/once"] = lambda exchange: reset(exchange) if server.paths.count("/once") == 1 else page(exchange)
    with NetworkManager(settings()) as network:
        got = network.fetch(Request(f"{server.url}/once"))
    assert got.network is not None
    assert (got.content, got.network.attempts) == (PAGE, 2)


def test_a_connection_that_the_server_closed_meanwhile_is_replaced(server: Http2Server) -> None:
    def last(exchange: Exchange) -> None:
        page(exchange)
        exchange.connection.close_connection()
        exchange.send()

    server.scripts["/last"] = last
    with NetworkManager(settings(retries=0)) as network:
        out_of_step = network._client._transport._backends[0].is_out_of_step
        for path in ("/last", "/next"):
            got = network.fetch(Request(f"{server.url}{path}"))
            assert got.network is not None
            assert (got.content, got.network.attempts) == (PAGE, 1)
            if path == "/last":
                wait_for(lambda: out_of_step("good.test", server.server_address[1]))
    assert server.connections == 2


class _Tunnel(socketserver.BaseRequestHandler):
    server: "TunnelProxy"

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.request.recv(4096)
        self.server.asked.append(head.split(b"\r\n")[0].decode())
        with socket.create_connection(self.server.target) as onward:
            self.request.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            back = threading.Thread(target=_copy, args=(onward, self.request))
            back.start()
            _copy(self.request, onward)
            back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


class TunnelProxy(socketserver.ThreadingTCPServer):
    """A proxy that knows CONNECT; whatever it is asked for, it connects to one server."""

    def __init__(self, target: Any) -> None:
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.target = target
        self.asked: list[str] = []


def test_https_goes_through_the_tunnel_of_a_proxy(server: Http2Server) -> None:
    with TunnelProxy(server.server_address) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        with NetworkManager(settings(proxy=f"http://127.0.0.1:{proxy.server_address[1]}")) as network:
            pages = [network.fetch(Request(f"{server.url}/{number}")) for number in range(3)]
        proxy.shutdown()
        thread.join()
    assert [page.network.http_version for page in pages if page.network] == ["HTTP/2"] * 3
    assert proxy.asked == [f"CONNECT good.test:{server.server_address[1]} HTTP/1.1"]
