"""The HTTP cache: conditional requests, fresh responses, and what is never stored."""

import gzip
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.errors import LimitExceeded, SourceError
from bonmun.middleware.exchange import NetworkFacts, Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from tests.middleware.local_server import PAGE, answer, elapsed, serving
from tests.middleware.network_server import KeepAliveServer, all_of, failure, get, settings

LONG_AGO = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


def twice(url: str, **changes: object) -> list[NetworkFacts]:
    """The facts of two fetches, both with the same page."""
    with NetworkManager(settings(**({"cache": ":memory:"} | changes))) as network:
        pages = [network.fetch(Request(url)) for _ in range(2)]
    assert pages[0].content == pages[1].content == PAGE
    assert pages[0].content_type == pages[1].content_type
    return [page.network for page in pages if page.network is not None]


@pytest.mark.parametrize("validator", [{"ETag": '"1"'}, {"Last_Modified": LONG_AGO}])
def test_a_page_that_has_not_changed_comes_from_the_cache(server: KeepAliveServer, validator: dict[str, str]) -> None:
    packed = answer(gzip.compress(PAGE), Content_Encoding="gzip", Content_Type="text/html; charset=x", **validator)
    url = server.serve([packed, b"HTTP/1.1 304 Not Modified\r\nContent-Encoding: br\r\n\r\n"])
    first, second = twice(url)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert (second.status, second.received_bytes, second.http_version) == (200, 0, "HTTP/1.1")
    assert len(server.seen) == 2
    asked = server.requests[1]
    assert ('if-none-match: "1"' in asked, f"if-modified-since: {LONG_AGO}" in asked) in ((True, False), (False, True))


def test_a_page_that_has_changed_replaces_the_cached_one(server: KeepAliveServer) -> None:
    unchanged = b'HTTP/1.1 304 Not Modified\r\nETag: "2"\r\n\r\n'
    url = server.serve([answer(b"old", ETag='"1"'), answer(b"new", ETag='"2"'), unchanged])
    with NetworkManager(settings(cache=":memory:")) as network:
        pages = [network.fetch(Request(url)) for _ in range(3)]
    assert [page.content for page in pages] == [b"old", b"new", b"new"]
    assert 'if-none-match: "2"\n' in server.requests[2]


@pytest.mark.parametrize("rule", [{"Cache_Control": "max-age=60"}, {"Expires": "Fri, 31 Dec 2100 23:59:59 GMT"}])
def test_a_fresh_page_needs_no_request(server: KeepAliveServer, rule: dict[str, str]) -> None:
    assert [facts.from_cache for facts in twice(server.serve(answer(**rule)))] == [False, True]
    assert len(server.seen) == 1


@pytest.mark.timed
def test_fresh_pages_do_not_wait_for_each_other(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(Cache_Control="max-age=600"), f"/{number}") for number in range(8)]
    with NetworkManager(settings(cache=":memory:", delay=0.2)) as network:
        all_of(network, urls)
        start = time.monotonic()
        results = all_of(network, urls)
        assert elapsed(start) < 1.2
    assert all(isinstance(page, SourcePage) and page.network and page.network.from_cache for page in results.values())
    assert server.paths()[:8] == server.paths()


@pytest.mark.parametrize(
    "rule",
    [{}, {"Cache_Control": "no-store", "ETag": '"1"'}, {"Cache_Control": "public"}, {"Vary": "*", "ETag": '"1"'}],
)
def test_nothing_is_fresh_by_guess_or_against_the_rules(server: KeepAliveServer, rule: dict[str, str]) -> None:
    assert [facts.from_cache for facts in twice(server.serve(answer(**rule)))] == [False, False]
    assert len(server.seen) == 2


def test_a_permanent_redirect_may_be_cached(server: KeepAliveServer) -> None:
    server.serve(answer(b"", "301 Moved", Location="/end", Cache_Control="max-age=60"))
    end = server.serve(answer(), "/end")
    assert [facts.redirects for facts in twice(end.replace("end", ""))] == [(end.replace("end", ""),)] * 2
    assert server.paths() == ["/", "/end", "/end"]


def test_a_cache_file_outlives_its_manager(server: KeepAliveServer, tmp_path: Path) -> None:
    url = server.serve([answer(ETag='"1"'), b"HTTP/1.1 304 Not Modified\r\n\r\n"])
    for from_cache in (False, True):
        page = get(url, cache=tmp_path / "cache.db")
        assert page.network is not None
        assert (page.content, page.network.from_cache) == (PAGE, from_cache)


def test_a_page_that_breaks_off_or_is_too_large_is_not_stored(server: KeepAliveServer) -> None:
    fresh = {"Cache_Control": "max-age=60"}
    url = server.serve(
        [lambda connection: connection.sendall(answer(PAGE, Content_Length="99", **fresh)), answer(**fresh)]
    )
    with NetworkManager(settings(cache=":memory:")) as network:
        page = network.fetch(Request(url))
    assert page.content == PAGE
    assert page.network is not None
    assert (page.network.attempts, page.network.from_cache) == (2, False)
    large = server.serve(b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nConnection: close\r\n\r\n" + b"x" * 3000)
    assert isinstance(failure(f"{large}", cache=":memory:", max_bytes=100), LimitExceeded)


@pytest.mark.parametrize("content", [b"no database at all, whatever it is", None])
def test_a_file_that_is_no_cache_is_refused_and_left_alone(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "cache.db"
    if content is None:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE entries (tea TEXT)")
        connection.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(SourceError, match="cannot be used as the HTTP cache"):
        NetworkManager(settings(cache=path))
    assert path.read_bytes() == before


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be used as the HTTP cache"):
        NetworkManager(settings(cache=tmp_path / "none" / "cache.db"))
