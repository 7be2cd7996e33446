"""Rate, concurrency and streams of a client, on a real server."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.requests import HTTPConnection, Request
from starlette.responses import StreamingResponse

from bonmun.serve.access import limits
from bonmun.serve.access.gatekeeper import address_of
from bonmun.serve.access.rates import Rate
from bonmun.serve.access.settings import AccessSettings
from tests.serve.access.live import add_token, ask, gated, revoke, running, until


def application(settings: AccessSettings) -> FastAPI:
    """Routes that answer at once, when they are told to, and never."""
    app = FastAPI()
    app.state.waiting, app.state.ended, go = [], [], threading.Event()
    app.state.go = go

    @app.get("/v1/quick")
    async def quick(request: Request) -> dict[str, Any]:
        return {"owner": request.state.owner, "max_bytes": request.state.max_bytes}

    @app.get("/v1/slow")
    async def slow() -> str:
        app.state.waiting.append("slow")
        await asyncio.to_thread(go.wait, 30)
        return "done"

    @app.get("/v1/jobs/{number}/events")
    async def events(number: int) -> StreamingResponse:
        async def forever() -> AsyncIterator[bytes]:
            try:
                while True:
                    yield b": still here\n\n"
                    await asyncio.sleep(0.05)
            finally:
                app.state.ended.append(number)

        return StreamingResponse(forever(), media_type="text/event-stream")

    return gated(app, settings)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def test_a_client_beyond_its_rate_is_told_when_to_come_again() -> None:
    client = TestClient(application(AccessSettings(rate=Rate(2, 3600))))
    first, second, third = (client.get("/v1/quick") for _ in range(3))
    assert first.status_code == 200 and first.headers["ratelimit-policy"] == '"default";q=2;w=3600'
    assert first.headers["ratelimit"] == '"default";r=1;t=0'
    assert second.headers["ratelimit"].startswith('"default";r=0;t=18')
    assert third.status_code == 429 and third.json()["type"] == "urn:bonmun:problem:too-many-requests"
    assert 1790 <= int(third.headers["retry-after"]) <= 1800
    assert third.headers["ratelimit"].startswith('"default";r=0')


def test_every_token_has_its_own_rate(file: Path) -> None:
    slow, fast = add_token(file, "slow", rate=Rate(1, 3600)), add_token(file, "fast", max_bytes=5)
    client = TestClient(application(AccessSettings(token_file=file, rate=Rate(3, 3600), max_bytes=7)))
    asked = [client.get("/v1/quick", headers={"authorization": f"Bearer {one}"}) for one in (slow, slow, *[fast] * 4)]
    assert [answer.status_code for answer in asked] == [200, 429, 200, 200, 200, 429]
    assert asked[0].json() == {"owner": "slow", "max_bytes": 7} and asked[2].json() == {"owner": "fast", "max_bytes": 5}


def test_static_files_do_not_count() -> None:
    client = TestClient(application(AccessSettings(rate=Rate(1, 3600))))
    assert {client.get("/static/none.css").status_code for _ in range(5)} == {404}
    assert client.get("/v1/quick").status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
    ],
)
def test_clients_are_told_apart_by_address(one: str, other: str, same: bool) -> None:
    first, second = (
        address_of(HTTPConnection({"type": "http", "client": (host, 5), "headers": []})) for host in (one, other)
    )
    assert (first == second) == same


def test_a_client_has_only_so_many_requests_at_once() -> None:
    app = application(AccessSettings(concurrency=2))
    with running(app) as (port, _), ThreadPoolExecutor(2) as threads:
        running_now = [threads.submit(ask, port, "/v1/slow") for _ in range(2)]
        until(lambda: len(app.state.waiting) == 2)
        refused = ask(port, "/v1/quick")
        app.state.go.set()
        assert [one.result().status for one in running_now] == [200, 200]
        assert refused.status == 429 and refused.headers["retry-after"] == "1"
        assert ask(port, "/v1/quick").status == 200
    assert len(app.state.gatekeeper.requests) == 0


@pytest.fixture
def streaming(file: Path) -> Iterator[tuple[FastAPI, int, str]]:
    secret = add_token(file)
    app = application(AccessSettings(token_file=file, streams=2, concurrency=1))
    with running(app) as (port, _):
        yield app, port, secret


def stream(port: int, secret: str, number: int) -> socket.socket:
    """Open an event stream and read its first event."""
    listening = socket.create_connection(("127.0.0.1", port), timeout=30)
    head = f"GET /v1/jobs/{number}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
    listening.sendall(head.encode())
    received = b""
    while b"still here" not in received:
        received += listening.recv(1000)
    return listening


def rest(listening: socket.socket) -> bytes:
    """What a stream sends until the server closes it."""
    received, deadline = b"", monotonic() + 30
    while not received.endswith(b"0\r\n\r\n") and (piece := listening.recv(10_000)):
        received += piece
        assert monotonic() < deadline, "the stream goes on"
    return received


def test_streams_have_a_limit_of_their_own(streaming: tuple[FastAPI, int, str]) -> None:
    app, port, secret = streaming
    bearer = {"authorization": f"Bearer {secret}"}
    with stream(port, secret, 1), stream(port, secret, 2):
        assert ask(port, "/v1/jobs/3/events", **bearer).status == 429
        assert ask(port, "/v1/quick", **bearer).status == 200
    until(lambda: sorted(app.state.ended) == [1, 2])  # their clients are gone
    until(lambda: len(app.state.gatekeeper.streams) == 0)
    stream(port, secret, 3).close()


@pytest.mark.parametrize("end", [revoke, Path.unlink, lambda file: file.write_text("{")])
def test_a_revoked_token_ends_its_streams(
    streaming: tuple[FastAPI, int, str], file: Path, end: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, port, secret = streaming
    monkeypatch.setattr(limits, "CHECK_AFTER", 0.1)
    with stream(port, secret, 1) as listening:
        end(file)
        assert rest(listening).endswith(b"0\r\n\r\n")  # a complete answer, not a broken connection
    until(lambda: app.state.ended == [1])


def test_a_service_that_ends_ends_its_streams_and_finishes_requests(file: Path) -> None:
    app = application(AccessSettings())
    with running(app) as (port, server), stream(port, "", 1) as listening, ThreadPoolExecutor(1) as threads:
        slow = threads.submit(ask, port, "/v1/slow")
        until(lambda: app.state.waiting)
        server.should_exit = True
        assert rest(listening).endswith(b"0\r\n\r\n")
        app.state.go.set()
        assert slow.result().body == b'"done"'
