"""DNS rebinding: the Host header has to name this service."""

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from bonmun.serve.access.hosts import KnownHost, host_of
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.app import create_app
from bonmun.serve.problems import Problem

LOOPBACK = ("127.0.0.1", 8117)
TOKENS = AccessSettings(token_file=Path("tokens.json"))


def passes(host: str, server: tuple[str, int | None] | None, settings: AccessSettings = AccessSettings()) -> bool:  # noqa: B008
    reached = []

    async def app(*_: object) -> None:
        reached.append(True)

    scope = {"type": "http", "headers": [(b"host", host.encode())], "server": server}
    try:
        asyncio.run(KnownHost(app, settings)(scope, None, None))  # type: ignore[arg-type]
    except Problem as problem:
        assert problem.status == 421 and "--allow-host" in problem.detail
    return bool(reached)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8117", "LOCALHOST", "localhost.", "127.0.0.1:9000", "[::1]:1"]
)
@pytest.mark.parametrize(
    "server", [LOOPBACK, ("::1", 8117), ("::ffff:127.0.0.1", 8117), ("/run/bonmun.sock", None), None]
)
def test_names_of_the_loopback_interface_pass(host: str, server: tuple[str, int | None] | None) -> None:
    assert passes(host, server)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1.nip.io", "192.0.2.7", "0.0.0.0",
     "10.0.0.1:8117", "[2001:db8::1]", "127.1", "2130706433", "testserver"],
)  # fmt: skip
@pytest.mark.parametrize("settings", [AccessSettings(), TOKENS])
@pytest.mark.parametrize("server", [LOOPBACK, ("::1", 8117), ("/run/bonmun.sock", None)])
def test_any_other_name_is_refused_on_loopback(
    host: str, server: tuple[str, int | None], settings: AccessSettings
) -> None:
    assert not passes(host, server, settings)


def test_names_that_the_operator_gave_pass() -> None:
    settings = AccessSettings(allow_hosts=("Bonmun.Example.org",))
    assert passes("bonmun.example.org", LOOPBACK, settings) and passes("BONMUN.example.org:443", LOOPBACK, settings)
    assert not passes("www.bonmun.example.org", LOOPBACK, settings)


def test_on_another_interface_a_rebound_name_needs_a_token_to_be_let_in() -> None:
    outside = ("192.0.2.7", 8117)
    assert passes("192.0.2.7:8117", outside) and passes("localhost", outside)
    assert not passes("evil.example", outside)
    assert passes("bonmun.lan", outside, TOKENS)
    strict = AccessSettings(token_file=Path("tokens.json"), allow_hosts=("bonmun.lan",))
    assert passes("bonmun.lan", outside, strict) and not passes("evil.example", outside, strict)


@pytest.mark.parametrize("host", ["", "a b", "evil.example/", "user@localhost", "localhost:x", "[::1", "로컬"])
def test_a_malformed_host_is_a_bad_request(host: str) -> None:
    with pytest.raises(Problem) as raised:
        host_of({"headers": [(b"host", host.encode())]})
    assert raised.value.status == 400


def test_a_request_needs_exactly_one_host() -> None:
    for headers in ([], [(b"host", b"localhost"), (b"host", b"evil.example")]):
        with pytest.raises(Problem):
            host_of({"headers": headers})


def test_the_whole_application_checks_the_host() -> None:
    client = TestClient(create_app(), base_url="http://127.0.0.1:8117")
    assert client.get("/static/base.css").status_code == 200
    refused = client.get("/static/base.css", headers={"host": "evil.example"})
    assert refused.status_code == 421 and refused.headers["content-type"] == "application/problem+json"


def test_no_websocket_is_accepted() -> None:
    with pytest.raises(WebSocketDisconnect), TestClient(create_app()).websocket_connect("/v1/jobs"):
        pass


@pytest.mark.parametrize("host", ["*", "https://example.org", "", "a b"])
def test_a_host_to_allow_is_a_name(host: str) -> None:
    with pytest.raises(ValueError, match="not a host name"):
        AccessSettings(allow_hosts=(host,))
