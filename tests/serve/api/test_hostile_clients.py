"""Clients that send or read slowly, send nonsense, or go on sending after they were refused: nothing hangs."""

import json
import socket
import threading
from collections.abc import Iterator
from time import monotonic, perf_counter

import pytest
import uvicorn

from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.app import create_app
from bonmun.serve.http_protocol import LimitedHttpProtocol
from bonmun.serve.settings import ServeSettings
from tests.serve.api.live import PAGE, Live, until

HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
LONG = 4 << 20


class Impatient(LimitedHttpProtocol):
    head_seconds, grace, read_seconds = 0.3, 0.1, 0.3


@pytest.fixture(scope="module")
def impatient() -> Iterator[tuple[int, uvicorn.Server]]:
    """A service whose server has little patience."""
    app = create_app(ServeSettings(store=":memory:", workers=1, access=AccessSettings()))

    @app.get("/v1/long")
    async def long() -> str:
        return "x" * 40_000_000

    config = uvicorn.Config(app, http=Impatient, log_level="error", timeout_keep_alive=1, timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started)
            yield listening.getsockname()[1], server
        finally:
            server.should_exit = True
            thread.join(60)


def connections(server: uvicorn.Server) -> int:
    return len(server.server_state.connections)


def test_a_client_that_never_reads_is_let_go(impatient: tuple[int, uvicorn.Server]) -> None:
    port, server = impatient
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        client.sendall(b"GET /v1/long HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until(lambda: connections(server) == 1)
        until(lambda: connections(server) == 0)


def test_a_client_that_reads_slowly_gets_everything(impatient: tuple[int, uvicorn.Server]) -> None:
    port, _ = impatient
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(b"GET /v1/long HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        pause, received = threading.Event(), 0
        while piece := client.recv(1 << 20):
            received += len(piece)
            pause.wait(0.01)
    assert received > 40_000_000


def test_a_refused_request_whose_body_comes_late_does_not_keep_its_connection(
    impatient: tuple[int, uvicorn.Server],
) -> None:
    port, server = impatient
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(b"POST /v1/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n")
        assert b" 404 " in client.recv(65536)
        client.sendall(b"12345")
        while client.recv(65536):
            pass
    until(lambda: connections(server) == 0)


@pytest.mark.parametrize("size", [LONG, 200 << 20])
def test_an_early_answer_reaches_a_client_that_still_sends(served: Live, size: int) -> None:
    """The connection is closed after it, but not reset while the rest of the request comes."""
    path = b"/v1/nothing" if size == LONG else b"/v1/extract"
    with served.connection() as client:
        head = HEAD.replace(b"/v1/extract", path) + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % size
        client.sendall(head)
        for _ in range(LONG >> 16):
            client.sendall(b" " * (1 << 16))
        received = b""
        while piece := client.recv(65536):
            received += piece
    assert (b" 404 " if size == LONG else b" 413 ") in received.partition(b"\r\n")[0]
    assert json.loads(received.partition(b"\r\n\r\n")[2])


def test_many_unknown_members_do_not_hold_up_others(served: Live) -> None:
    body = json.dumps({str(number): number for number in range(300_000)}).encode()
    headers = {"Content-Type": "application/json"}
    with served.client() as client:
        for path in ("extract", "explain", "compare", "documents", "labels", "sites/learn", "jobs", "fetch"):
            answer = client.post(f"/v1/{path}", content=body, headers=headers)
            assert answer.status_code == 422 and len(answer.json()["errors"]) == 1, (path, answer.text[:300])


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 500_000,
        b'{"html":' * 100_000,
        b'{"html":"x","prefer":' + b"9" * 10_000 + b"}",
        b'{"html":"x","prefer":1e999}',
        b'{"html":"\xff\xfe"}',
        b"",
    ],
)
def test_json_that_is_none_is_a_problem(served: Live, body: bytes) -> None:
    with served.client() as client:
        for path in ("extract", "explain", "documents", "jobs"):
            answer = client.post(f"/v1/{path}", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in (400, 422), answer.text
            assert answer.headers["content-type"] == "application/problem+json"


def test_compressed_and_half_closed_requests_are_answered_or_ended(served: Live) -> None:
    import gzip

    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    with served.client() as client:
        assert client.post("/v1/extract", content=gzip.compress(PAGE.encode()), headers=headers).status_code == 415
    with served.connection() as client:
        client.sendall(HEAD + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"ht')
        client.shutdown(socket.SHUT_WR)
        begin = monotonic()
        while client.recv(65536):
            pass
        assert monotonic() - begin < 30


@pytest.mark.timed
def test_pipelined_requests_are_answered_in_order(served: Live) -> None:
    def request(number: int) -> bytes:
        body = json.dumps({"html": f"<p>Cup number {number} of the tea that was made of leaves.", "format": "text"})
        return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body.encode()

    begin = perf_counter()
    with served.connection() as client:
        client.sendall(b"".join(map(request, range(20))))
        received = b""
        while received.count(b"Cup number") < 20:
            piece = client.recv(65536)
            assert piece
            received += piece
    numbers = [int(part.split()[0]) for part in received.decode().split("Cup number ")[1:]]
    assert numbers == [*range(20)] and perf_counter() - begin < 30
