"""A hostile server against the whole: sources, network manager, container and store.

One run has all cases at once, with good pages between them. Names resolve to a public address that leads to the local
server, so the address guard is on.
"""

import gzip
import multiprocessing
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

import bonmun
from bonmun.middleware.delivery import RunReport
from bonmun.middleware.exchange import Source
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.settings import ContainerSettings
from bonmun.middleware.sources import Crawl, Feed, Sitemap, Urls
from bonmun.store import open_store
from bonmun.store.results import FailureRecord, StoredDocument
from tests.middleware.container.parts import FETCHED, Recorder, html, until
from tests.middleware.hostile_server import HEAD, bomb, dialling, names_resolved, reset
from tests.middleware.local_server import PUBLIC, Answer, answer, chunked, forever, redirect, serving
from tests.middleware.network_server import KeepAliveServer

SECONDS = 120.0
"""Until the run is stopped: none of its cases may need it."""
NETWORK = NetworkSettings(
    per_host=8, delay=0.0, seconds=3.0, max_bytes=8_000_000, redirects=3, retries=1, backoff=0.05, max_wait=0.2
)
HOST = "http://hostile.test"
KOREAN = "<title>차</title><h1>차</h1><p>차는 잎으로 만든다. 물은 막 끓은 것이 좋다고 한다, 그리고 오래 우린다.</p>"
XML_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "tea tea tea tea"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><rss><channel><item><link>/story/never</link>'
    "<title>&c;</title></item></channel></rss>"
)

FETCH_FAILURES: dict[str, tuple[bytes | Answer | list[bytes | Answer], str]] = {
    "/drip": (forever(HEAD + b"\r\n", b"y", 0.05, 60.0), "FetchTimeout"),
    "/drip-chunks": (forever(chunked(b""), b"1\r\ny\r\n", 0.05, 60.0), "FetchTimeout"),
    "/silence": (forever(b"", b"", 0.05, 60.0), "FetchTimeout"),
    "/endless": (forever(HEAD + b"\r\n", bytes(50_000), 0.0, 60.0), "LimitExceeded"),
    "/loop": (redirect("/loop"), "TooManyRedirects"),
    "/to-private": (redirect("http://10.0.0.1/"), "AddressRefused"),
    "/to-loopback-name": (redirect("http://loopback.test/good/0"), "AddressRefused"),
    "/gzip": (answer(bomb("gzip", 50_000_000), Content_Encoding="gzip"), "LimitExceeded"),
    "/br": (answer(bomb("br", 50_000_000), Content_Encoding="br"), "LimitExceeded"),
    "/zstd": (answer(bomb("zstd", 50_000_000), Content_Encoding="zstd"), "LimitExceeded"),
    "/short": (lambda connection: connection.sendall(answer(html(1), Content_Length="9999")), "FetchError"),
    "/reset": (reset, "FetchError"),
    "/500": (answer(b"", "500 Oops"), "BadStatus"),
    "/503": (answer(b"", "503 Busy", Retry_After="1000"), "BadStatus"),
    "/429": (answer(b"", "429 Slow down", Retry_After="1000"), "BadStatus"),
    "/404": (answer(b"", "404 Not Found"), "BadStatus"),
    "/forbidden": (answer(html("forbidden")), "RobotsDisallowed"),
}
PARSING_FAILURES = {"/picture": (answer(b"\x89PNG\r\n\x1a\n" + bytes(100), Content_Type="text/html"), "NotAPage")}
GOOD: dict[str, bytes | list[bytes]] = {
    **{f"/good/{number}": answer(html(number)) for number in range(10)},
    "/charset": answer(KOREAN.encode(), Content_Type="text/html; charset=shift_jis"),
    "/500-once": [answer(b"", "500 Oops"), answer(html("after 500"))],
    "/429-once": [answer(b"", "429 Slow down", Retry_After="1"), answer(html("after 429"))],
    "/redirected": redirect("/target"),
}
SOURCES: dict[str, tuple[Source, str]] = {
    "sitemap of 10⁶ entries": (Sitemap(f"{HOST}/million.xml.gz", limit=20), "SourceError"),
    "sitemap loop": (Sitemap(f"{HOST}/index.xml"), "SourceError"),
    "XML bomb": (Feed(f"{HOST}/bomb.rss"), "SourceError"),
    "truncated feed": (Feed(f"{HOST}/truncated.rss"), "SourceError"),
    "no feed": (Feed(f"{HOST}/good/0"), "SourceError"),
    "feed that fails": (Feed(f"{HOST}/500?feed"), "BadStatus"),
    "sitemap that drips": (Sitemap(f"{HOST}/drip?sitemap"), "FetchTimeout"),
    "forbidden site": (Crawl(f"{HOST}/forbidden?site"), "RobotsDisallowed"),
    "private site": (Crawl("http://loopback.test/"), "AddressRefused"),
}
"""Sources with the error that ends them."""
CHILDREN = {
    f"{HOST}/500?sitemap": "BadStatus",
    f"{HOST}/gzip?sitemap": "LimitExceeded",
    f"{HOST}/story/20002-reset": "FetchError",
    f"{HOST}/story/20003-loop": "TooManyRedirects",
    f"{HOST}/story/20004-private": "AddressRefused",
}
"""What a sitemap index and a crawl fail to fetch."""
LISTED = [f"{HOST}/story/{name}" for name in (
    *(f"m{number}" for number in range(20)), "from-index", "before-the-cut", "20001-found-by-the-crawl",
)]  # fmt: skip


def million() -> bytes:
    entries = "".join(f"<url><loc>/story/m{number}</loc></url>" for number in range(1_000_000))
    return answer(gzip.compress(f"<urlset>{entries}</urlset>".encode(), 1), Content_Type="application/gzip")


def script(server: KeepAliveServer) -> None:
    xml, page = {"Content_Type": "text/xml"}, {"Content_Type": "text/html"}
    for path, (response, _) in {**FETCH_FAILURES, **PARSING_FAILURES}.items():
        server.serve(response, path)
    for path, response in GOOD.items():
        server.serve(response, path)  # type: ignore[arg-type]  # A list of bytes is one of answers too.
    for url in LISTED:
        server.serve(answer(html(url.rpartition("/")[2]), **page), url.removeprefix(HOST))
    server.serve(answer(html("target")), "/target")
    server.serve(answer(b"User-agent: *\nDisallow: /forbidden", Content_Type="text/plain"), "/robots.txt")
    server.serve(million(), "/million.xml.gz")
    listed = ("/index.xml", "/500?sitemap", "/gzip?sitemap", "/child.xml")
    index = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in listed)
    server.serve(answer(f"<sitemapindex>{index}</sitemapindex>".encode(), **xml), "/index.xml")
    server.serve(answer(b"<urlset><url><loc>/story/from-index</loc></url></urlset>", **xml), "/child.xml")
    server.serve(answer(XML_BOMB.encode(), **xml), "/bomb.rss")
    cut = b"<rss><channel><item><link>/story/before-the-cut</link></item><item><link>/story/nev"
    server.serve(answer(cut, **xml), "/truncated.rss")
    found = ("20001-found-by-the-crawl", "20002-reset", "20003-loop", "20004-private")
    home = "".join(f'<p><a href="/story/{name}">{name}</a></p>' for name in found)
    server.serve(answer(f"<html><body>{home}".encode(), **page), "/")
    server.serve(reset, "/story/20002-reset")
    server.serve(redirect("/story/20003-loop"), "/story/20003-loop")
    server.serve(redirect("http://169.254.169.254/latest/"), "/story/20004-private")
    for path in ("/500", "/drip", "/gzip"):
        for query in ("feed", "sitemap"):
            server.serve(FETCH_FAILURES[path][0], f"{path}?{query}")


@contextmanager
def hostile_server() -> Iterator[KeepAliveServer]:
    names = {"hostile.test": [PUBLIC], "loopback.test": ["127.0.0.1"]}
    with serving(KeepAliveServer()) as server, names_resolved(names), dialling(server.port):
        assert isinstance(server, KeepAliveServer)
        script(server)
        yield server


@dataclass
class Outcome:
    report: RunReport
    wrapper: Recorder
    documents: dict[str, StoredDocument]
    failures: list[FailureRecord]
    seconds: float
    requested: list[str]

    def failed(self, url: str) -> list[tuple[str, str, int]]:
        return [(one.stage, one.error, one.count) for one in self.failures if one.url == url]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The run of everything."""
    paths = [*FETCH_FAILURES, *PARSING_FAILURES, *GOOD]
    urls = [*(HOST + path for path in paths), "http://loopback.test/good/0", "http://127.0.0.1/good/0"]
    sources = [Urls(urls, name="urls"), Crawl(f"{HOST}/", name="crawl"), *(source for source, _ in SOURCES.values())]
    wrapper = Recorder()
    with ExitStack() as stack:
        server = stack.enter_context(hostile_server())
        store = stack.enter_context(open_store(tmp_path_factory.mktemp("store") / "news.db"))
        network = stack.enter_context(NetworkManager(NETWORK))
        container = bonmun.Container(wrapper, network, store, ContainerSettings(jobs=2))
        watchdog = threading.Timer(SECONDS, lambda: container.stop(now=True))
        watchdog.start()
        stack.callback(watchdog.cancel)
        start = time.monotonic()
        report = container.run(sources)
        return Outcome(
            report,
            wrapper,
            {one.url: one for one in store.documents()},
            list(store.failures(1000)),
            time.monotonic() - start,
            server.paths(),
        )


def test_the_run_ends_by_itself_and_nothing_is_left(outcome: Outcome) -> None:
    assert not outcome.report.stopped, f"hung: {outcome.report}"
    assert outcome.seconds < SECONDS
    assert outcome.wrapper.calls[-1] == ("dispose", "")
    until(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("bonmun")])
    assert not multiprocessing.active_children()


def test_every_page_is_counted_once(outcome: Outcome) -> None:
    report, good = outcome.report, len(GOOD) + len(LISTED)
    fetches = len(FETCH_FAILURES) + len(CHILDREN) + 2
    assert (report.delivered, report.failed_at) == (good, {"fetch": fetches, "parsing": len(PARSING_FAILURES)})
    assert (report.taken, report.left) == (good + fetches + len(PARSING_FAILURES), 0)
    assert len(outcome.wrapper.failures) == report.failed


@pytest.mark.parametrize("path", FETCH_FAILURES)
def test_a_fetch_that_fails_is_recorded_once_with_its_type(outcome: Outcome, path: str) -> None:
    assert outcome.failed(HOST + path) == [("fetch", FETCH_FAILURES[path][1], 1)]
    assert outcome.wrapper.of(HOST + path) == ["fetch started", "fetch failed"]
    assert HOST + path not in outcome.documents


@pytest.mark.parametrize("path", PARSING_FAILURES)
def test_a_body_that_is_no_page_is_recorded_once(outcome: Outcome, path: str) -> None:
    assert outcome.failed(HOST + path) == [("parsing", PARSING_FAILURES[path][1], 1)]


@pytest.mark.parametrize("url", ["http://loopback.test/good/0", "http://127.0.0.1/good/0"])
def test_a_private_address_is_refused_and_recorded(outcome: Outcome, url: str) -> None:
    assert outcome.failed(url) == [("fetch", "AddressRefused", 1)]


@pytest.mark.parametrize("case", SOURCES)
def test_a_source_that_fails_is_recorded_once(outcome: Outcome, case: str) -> None:
    source, error = SOURCES[case]
    assert outcome.failed(source.name) == [("source", error, 1)]
    assert [kind for where, kind in outcome.wrapper.errors if where == f"source {source.name}"]


@pytest.mark.parametrize("url", CHILDREN)
def test_what_a_source_fails_to_fetch_is_recorded_once(outcome: Outcome, url: str) -> None:
    assert outcome.failed(url) == [("fetch", CHILDREN[url], 1)]
    assert outcome.wrapper.of(url) == ["fetch started", "fetch failed"]


def test_nothing_else_is_recorded(outcome: Outcome) -> None:
    fetches = [*(HOST + path for path in FETCH_FAILURES), "http://loopback.test/good/0", "http://127.0.0.1/good/0"]
    pages = [*fetches, *(HOST + path for path in PARSING_FAILURES), *CHILDREN]
    sources = [source.name for source, _ in SOURCES.values()]
    assert sorted(one.url for one in outcome.failures) == sorted([*pages, *sources])


def test_good_pages_of_the_same_run_are_stored_once_and_delivered(outcome: Outcome) -> None:
    final = {HOST + path: HOST + path for path in GOOD} | {f"{HOST}/redirected": f"{HOST}/target"}
    expected = [*final.values(), *LISTED]
    assert sorted(outcome.documents) == sorted(expected)
    assert {document.versions for document in outcome.documents.values()} == {1}
    assert sorted(outcome.wrapper.named("analyze_news")) == sorted(expected)
    calls = {url: outcome.wrapper.of(url) for url in expected if url != f"{HOST}/target"}
    assert calls == dict.fromkeys(calls, FETCHED)


def test_a_wrong_charset_is_read_as_it_is(outcome: Outcome) -> None:
    assert "차는 잎으로 만든다" in outcome.documents[f"{HOST}/charset"].text


def test_what_robots_txt_forbids_is_not_requested(outcome: Outcome) -> None:
    assert not [path for path in outcome.requested if path.startswith("/forbidden")]


def test_a_long_sitemap_is_read_as_far_as_its_pages_are_wanted(tmp_path: Path) -> None:
    class Enough(Recorder):
        def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
            super().analyze_news(dataset)
            if len(self.named("analyze_news")) == 20:
                container.stop()

    wrapper, most = Enough(), 50
    settings = ContainerSettings(jobs=1, in_flight=most)
    with hostile_server() as server, open_store(tmp_path / "news.db") as store, NetworkManager(NETWORK) as network:
        server.serve(million(), "/million.xml.gz")
        for number in range(200):
            server.serve(answer(html(number)), f"/story/m{number}")
        container = bonmun.Container(wrapper, network, store, settings)
        tracemalloc.start()
        try:
            report = container.run([f"sitemap:{HOST}/million.xml.gz"])
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        stored = len(list(store.documents()))
        failures = store.failures()
    assert report.stopped
    assert 20 <= report.delivered == stored
    assert report.taken <= report.delivered + most
    assert report.taken == report.delivered + report.left
    assert failures == ()
    assert len(server.paths()) <= report.taken + 2
    assert peak < 60_000_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_socket_is_left(tmp_path: Path) -> None:
    def sockets() -> int:
        count = 0
        for link in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                count += str(link.readlink()).startswith("socket:")
        return count

    before = sockets()
    with hostile_server(), open_store(tmp_path / "news.db") as store, NetworkManager(NETWORK) as network:
        urls = [f"{HOST}{path}" for path in ("/reset", "/short", "/endless", "/loop", "/gzip", "/good/1", "/500")]
        sources = [Urls(urls), Feed(f"{HOST}/bomb.rss"), Sitemap(f"{HOST}/index.xml"), Crawl(f"{HOST}/")]
        report = bonmun.Container(None, network, store, ContainerSettings(jobs=1)).run(sources)
        assert (report.taken, report.left) == (report.delivered + report.failed, 0)
    until(lambda: sockets() <= before)
