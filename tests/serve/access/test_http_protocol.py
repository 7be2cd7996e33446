"""The head of a request is limited in size and time."""

import select
import socket
from collections.abc import Iterator
from time import monotonic

import pytest
from fastapi import FastAPI

from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.http_protocol import MAX_HEAD, LimitedHttpProtocol
from tests.serve.access.live import DEADLINE, gated, running


class Impatient(LimitedHttpProtocol):
    head_seconds = 0.5


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = FastAPI()

    @app.post("/v1/size")
    async def size(body: dict[str, str]) -> int:
        return len(body["text"])

    with running(gated(app, AccessSettings()), Impatient) as (port, _):
        yield port


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)


def request(text: str, headers: str = "") -> bytes:
    body = f'{{"text": "{text}"}}'
    head = f"POST /v1/size HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def everything(client: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    received = b""
    while piece := client.recv(65536):
        received += piece
    return received


@pytest.mark.parametrize(
    "start", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: local", b"GET / HTTP/1.1\r\nHost: localhost\r\n"]
)
def test_a_head_that_does_not_come_ends_the_connection(port: int, start: bytes) -> None:
    with connect(port) as client:
        client.sendall(start)
        begin = monotonic()
        assert everything(client) == b""
        assert monotonic() - begin > 0.3  # not at once


def test_a_head_that_trickles_in_ends_the_connection(port: int) -> None:
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        while not select.select([client], [], [], 0.05)[0]:
            client.sendall(b"X: y\r\n")
        with pytest.raises(OSError):
            while client.recv(100):
                pass
            raise ConnectionResetError


@pytest.mark.parametrize("piece", [b"x", b"X: y\r\n"])
def test_a_head_that_does_not_end_is_refused(port: int, piece: bytes) -> None:
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        sent = 0
        try:
            while sent < 100 * MAX_HEAD and not select.select([client], [], [], 0)[0]:
                sent += client.send(piece * (8192 // len(piece)))
            received = client.recv(65536)
        except OSError:
            received = b""
        assert sent < 100 * MAX_HEAD and (not received or b" 400 " in received)


def test_long_heads_long_bodies_and_several_requests_pass(port: int) -> None:
    long = f"X-Long: {'y' * 30_000}\r\n"
    with connect(port) as client:
        client.sendall(request("tea", long) + request("t" * 500_000) + request("water", "Connection: close\r\n"))
        received = everything(client)
    assert received.count(b"HTTP/1.1 200 OK") == 3
    assert [received.find(size) > 0 for size in (b"\r\n3HTTP", b"\r\n500000HTTP", b"\r\n5")] == [True] * 3


def test_a_slow_body_has_its_time(port: int) -> None:
    whole = request("tea", "Connection: close\r\n")
    with connect(port) as client:
        client.sendall(whole[:-3])
        assert not select.select([client], [], [], 1.0)[0]
        client.sendall(whole[-3:])
        assert b" 200 " in everything(client)
