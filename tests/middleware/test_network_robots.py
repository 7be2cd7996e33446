"""robots.txt: fetched once per origin, obeyed, and harmless whatever it holds."""

import socket
import threading
import time
import zlib
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from bonmun.errors import BadStatus, FetchError, FetchTimeout, RobotsDisallowed
from bonmun.middleware import robots
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from tests.middleware.local_server import PAGE, Answer, answer, elapsed, forever, redirect, serving
from tests.middleware.network_server import KeepAliveServer, all_of, failure, settings, two_hosts


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        running.serve(answer(), "/page")
        yield running


@pytest.fixture
def url(server: KeepAliveServer) -> str:
    return f"http://127.0.0.1:{server.port}/page"


def obeying(**changes: object) -> NetworkSettings:
    return settings(**({"honour_robots": True} | changes))


def test_a_disallowed_page_is_not_asked_for(server: KeepAliveServer, url: str) -> None:
    server.serve(answer(b"User-agent: *\nDisallow: /p\nAllow: /page2"), "/robots.txt")
    server.serve(answer(), "/page2")
    error = failure(url, honour_robots=True)
    assert isinstance(error, RobotsDisallowed)
    assert str(error) == f"{url}: disallowed by robots.txt"
    with NetworkManager(obeying()) as network:
        assert (network.allowed(url), network.allowed(f"{url}2"), network.allowed("nonsense")) == (False, True, False)
        assert network.fetch(Request(f"{url}2")).content == PAGE
    assert server.paths() == ["/robots.txt", "/robots.txt", "/page2"]


def test_rules_for_our_user_agent_win(server: KeepAliveServer, url: str) -> None:
    rules = b"User-agent: *\nDisallow: /\nUser-Agent: other\nUser-agent: TeaBot\nDisallow: /private\n"
    server.serve(answer(rules), "/robots.txt")
    for agent, allowed in (("teabot/2.1 (+http://tea)", True), ("coffee/1", False), ("another teabot", True)):
        with NetworkManager(obeying(user_agent=agent)) as network:
            assert network.allowed(url) is allowed
            assert not network.allowed(url.replace("page", "private"))


def test_robots_txt_is_fetched_once_for_many_pages_and_threads(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(), f"/{number}") for number in range(10)]
    with NetworkManager(obeying(per_host=2)) as network:
        threads = [threading.Thread(target=all_of, args=(network, urls)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert server.paths().count("/robots.txt") == 1
    assert len(server.seen) == 31


def test_robots_txt_is_fetched_again_when_it_is_old(
    server: KeepAliveServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with NetworkManager(obeying()) as network:
        network.fetch(Request(url))
        network.fetch(Request(url))
        later = SimpleNamespace(monotonic=lambda: time.monotonic() + 3601)
        monkeypatch.setattr(robots, "time", later)
        network.fetch(Request(url))
    assert server.paths() == ["/robots.txt", "/page", "/page", "/robots.txt", "/page"]


def test_a_crawl_delay_is_kept_and_capped(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(), f"/{number}") for number in range(3)]
    for rule, least in ((b"Crawl-delay: 0.2", 0.195), (b"Request-rate: 1/9h", 0.295)):
        server.seen.clear()
        server.serve(answer(b"User-agent: *\n" + rule), "/robots.txt")
        with NetworkManager(obeying(max_wait=0.3)) as network:
            all_of(network, urls)
        times = [at for at, path, _ in server.seen if path != "/robots.txt"]
        assert min(times[1] - times[0], times[2] - times[1]) >= least


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "401 Unauthorized", "410 Gone"])
def test_a_missing_robots_txt_allows_everything(server: KeepAliveServer, url: str, status: str) -> None:
    server.serve(answer(b"User-agent: *\nDisallow: /", status), "/robots.txt")
    with NetworkManager(obeying()) as network:
        assert network.fetch(Request(url)).content == PAGE


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy", "429 Slow"])
def test_a_failing_robots_txt_is_tried_again_and_then_forbids_everything(
    server: KeepAliveServer, url: str, status: str
) -> None:
    server.serve([answer(b"", status), answer(b"", status), answer(b"", status), answer()], "/robots.txt")
    with NetworkManager(obeying(retries=2)) as network:
        results = all_of(network, [url, f"{url}?2", f"{url}?3"])
        assert network.allowed(url) is False
    assert all(isinstance(error, BadStatus) for error in results.values())
    assert str(results[url]).startswith(f"{url}: robots.txt: the server answered {status[:3]}")
    assert server.paths() == ["/robots.txt"] * 3
    server.serve([answer(b"", status), answer(b"User-agent: *\nDisallow: /x")], "/robots.txt")
    with NetworkManager(obeying(retries=2)) as network:
        assert network.fetch(Request(url)).content == PAGE


def reset(connection: socket.socket) -> None:
    connection.close()


def test_a_broken_robots_txt_fails_its_pages(server: KeepAliveServer, url: str) -> None:
    server.serve(reset, "/robots.txt")
    error = failure(url, honour_robots=True, retries=1)
    assert type(error) is FetchError
    assert "robots.txt: " in str(error)
    assert server.paths() == ["/robots.txt"] * 2


@pytest.mark.timed
@pytest.mark.parametrize(
    "response", [forever(b"HTTP/1.1 200 OK\r\n\r\n", b"y", 0.05), forever(b"", b"", 0.05)], ids=["drip", "silence"]
)
def test_a_slow_robots_txt_ends_at_the_deadline_and_is_remembered(
    server: KeepAliveServer, url: str, response: Answer
) -> None:
    server.serve(response, "/robots.txt")
    start = time.monotonic()
    with NetworkManager(obeying(seconds=0.3)) as network:
        results = all_of(network, [f"{url}?{number}" for number in range(20)])
    assert elapsed(start) < 3
    assert all(isinstance(error, FetchTimeout) for error in results.values())


RULES = b"User-agent: *\nDisallow: /secret\n"


@pytest.mark.timed
@pytest.mark.parametrize(
    "response",
    [
        pytest.param(answer(RULES + b"# tea\n" * 1_000_000), id="huge"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\n\r\n" + RULES, b"# tea\n" * 1000), id="endless"),
        pytest.param(answer(b"\xef\xbb\xbf" + RULES + bytes(range(256)) * 1000), id="bytes"),
        pytest.param(answer(RULES + b"<html><p>Sorry\n" * 100), id="HTML"),
        pytest.param(answer(RULES + b"\n".join(b"User-agent: a%d" % n for n in range(20_000))), id="agents"),
        pytest.param(
            answer(
                RULES
                + b"".join(b"User agent a%d\n" % n for n in range(12_000))
                + b"".join(b"Disallow: /%d\n" % n for n in range(12_000))
            ),
            id="agents times rules",
        ),
        pytest.param(answer(RULES + b"Allow: /" + b"*a" * 200_000 + b"$\n"), id="wildcards"),
        pytest.param(answer(zlib.compress(RULES + b"#" * 50_000_000), Content_Encoding="deflate"), id="bomb"),
    ],
)
def test_a_hostile_robots_txt_costs_little_and_its_start_counts(
    server: KeepAliveServer, url: str, response: bytes | Answer
) -> None:
    server.serve(response, "/robots.txt")
    start = time.monotonic()
    with NetworkManager(obeying()) as network:
        assert network.fetch(Request(url)).content == PAGE
        assert not network.allowed(url.replace("page", "secret/" + "a" * 2000))
    assert elapsed(start) < 3


def test_a_redirected_robots_txt_counts_for_the_first_host() -> None:
    with two_hosts() as (one, two):
        one.serve(redirect(two.serve(answer(RULES), "/robots.txt")), "/robots.txt")
        page, secret = one.serve(answer(), "/page"), one.serve(answer(), "/secret")
        with NetworkManager(obeying()) as network:
            results = all_of(network, [page, secret, f"{page}?2"])
    assert isinstance(results[secret], RobotsDisallowed)
    assert isinstance(results[page], SourcePage)
    assert two.paths() == ["/robots.txt"]
    assert one.paths()[0] == "/robots.txt"
    assert sorted(one.paths()[1:]) == ["/page", "/page?2"]


def test_a_loop_of_robots_txt_allows_everything(server: KeepAliveServer, url: str) -> None:
    server.serve(redirect("/robots.txt"), "/robots.txt")
    with NetworkManager(obeying()) as network:
        assert network.fetch(Request(url)).content == PAGE
    assert server.paths().count("/robots.txt") == 6


def test_a_redirect_to_a_disallowed_page_is_not_followed() -> None:
    with two_hosts() as (one, two):
        two.serve(answer(RULES), "/robots.txt")
        url = one.serve(redirect(two.serve(answer(), "/secret")), "/page")
        error = failure(url, honour_robots=True)
        assert isinstance(error, RobotsDisallowed)
        assert two.paths() == ["/robots.txt"]
