"""The network manager connects to public addresses only: after DNS, on redirects, and behind a proxy."""

from collections.abc import Iterator

import pytest

from bonmun.errors import AddressRefused, BadStatus, FetchError
from bonmun.middleware.exchange import Request
from bonmun.middleware.network_manager import NetworkManager
from tests.middleware.hostile_server import dialling, names_resolved
from tests.middleware.local_server import PAGE, PUBLIC, answer, redirect, serving
from tests.middleware.network_server import KeepAliveServer, failure, get, settings


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


@pytest.fixture
def name_server() -> Iterator[dict[str, list[str]]]:
    """Addresses that the system's resolver gives, by name."""
    addresses: dict[str, list[str]] = {}
    with names_resolved(addresses):
        yield addresses


@pytest.fixture
def dialled(server: KeepAliveServer) -> Iterator[list[tuple[str, int]]]:
    """The addresses connected to; all lead to the local server."""
    with dialling(server.port) as seen:
        yield seen


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1"])
def test_a_name_that_resolves_to_a_private_address_is_refused(
    server: KeepAliveServer, name_server: dict[str, list[str]], address: str
) -> None:
    name_server["tea.test"] = [address]
    server.serve(answer())
    for robots in (False, True):
        error = failure(f"http://tea.test:{server.port}/", allow_private=False, honour_robots=robots)
        assert isinstance(error, AddressRefused)
        assert "tea.test resolves to" in str(error)
    assert server.seen == []


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    name_server: dict[str, list[str]], dialled: list[tuple[str, int]]
) -> None:
    name_server["mixed.test"] = [PUBLIC, "10.0.0.1"]
    assert isinstance(failure("http://mixed.test/", allow_private=False), AddressRefused)
    assert dialled == []


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest/", "//inner.test/", "https://[::1]/", "//0x7f.1"])
def test_a_redirect_to_a_private_address_is_refused(
    server: KeepAliveServer, name_server: dict[str, list[str]], dialled: list[tuple[str, int]], target: str
) -> None:
    name_server.update({"outer.test": [PUBLIC], "inner.test": ["192.168.0.7"]})
    server.serve(redirect(target))
    assert isinstance(failure("http://outer.test/", allow_private=False), AddressRefused)
    assert dialled == [(PUBLIC, 80)]


def test_each_host_is_resolved_once_and_the_checked_address_is_used(
    server: KeepAliveServer, name_server: dict[str, list[str]], dialled: list[tuple[str, int]]
) -> None:
    name_server.update({"one.test": [PUBLIC], "two.test": ["1.1.1.1", "1.0.0.1"]})
    server.serve(redirect("http://two.test:81/end"))
    server.serve(answer(), "/end")
    with NetworkManager(settings(allow_private=False)) as network:
        assert network.fetch(Request("http://one.test/")).url == "http://two.test:81/end"
        name_server.update({"one.test": ["127.0.0.1"], "two.test": ["127.0.0.1"]})
        # The connections are still those to the checked addresses.
        assert network.fetch(Request("http://one.test/")).content == PAGE
    assert dialled == [(PUBLIC, 80), ("1.1.1.1", 81)]
    assert ["Host: one.test\n" in server.requests[0], "Host: two.test:81\n" in server.requests[1]] == [True, True]


def test_the_environment_chooses_no_proxy(
    server: KeepAliveServer, name_server: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
    server.serve(answer())
    assert isinstance(failure("http://127.0.0.1/", allow_private=False), AddressRefused)
    assert server.seen == []


def test_a_proxy_may_be_private_but_what_it_is_asked_for_may_not(
    server: KeepAliveServer, name_server: dict[str, list[str]]
) -> None:
    name_server.update({"outer.test": [PUBLIC], "inner.test": ["192.168.0.7"]})
    proxy = f"http://user:secret@127.0.0.1:{server.port}"
    server.serve(answer(), "http://outer.test/x")
    assert get("http://outer.test/x", allow_private=False, proxy=proxy).content == PAGE
    assert "Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\n" in server.requests[0]
    server.serve(redirect("http://inner.test/"), "http://outer.test/y")
    for url in ("http://127.0.0.1/", "http://inner.test/", "https://inner.test/", "http://outer.test/y"):
        error = failure(url, allow_private=False, proxy=proxy)
        assert isinstance(error, AddressRefused)
        assert "secret" not in str(error)
    assert server.paths() == ["http://outer.test/x", "http://outer.test/y"]


def test_a_name_that_cannot_be_checked_is_not_asked_of_a_proxy(server: KeepAliveServer) -> None:
    proxy = f"http://127.0.0.1:{server.port}"
    assert "lookup failed" in str(failure("http://no-such-host.invalid/", allow_private=False, proxy=proxy))
    assert server.seen == []


def test_a_proxy_that_refuses_a_tunnel_is_an_error(server: KeepAliveServer, name_server: dict[str, list[str]]) -> None:
    name_server["outer.test"] = [PUBLIC]
    proxy = f"http://127.0.0.1:{server.port}"
    error = failure("https://outer.test/", allow_private=False, proxy=proxy)
    assert type(error) is FetchError
    assert "the proxy answered 501" in str(error)
    assert isinstance(failure("http://outer.test/missing", allow_private=False, proxy=proxy), BadStatus)
