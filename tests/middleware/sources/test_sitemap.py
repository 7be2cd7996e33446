import gzip
import time
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bonmun.errors import SourceError
from bonmun.middleware.exchange import Request, SourcePage, Unfetched
from bonmun.middleware.sources import Sitemap, sitemap, sitemap_entries
from bonmun.middleware.sources.sitemap_entries import changed_since
from tests.middleware.local_server import Server
from tests.middleware.sources.local_network import LocalNetwork, paths, serve, until_error

MILLION = 1_000_000


def urlset(*locations: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{one}</loc></url>' for one in locations)}</urlset>"


def index(*locations: str) -> str:
    listed = "".join(f"<sitemap><loc>{one}</loc></sitemap>" for one in locations)
    return f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</sitemapindex>'


def test_an_index_leads_to_its_sitemaps_in_order(server: Server, network: LocalNetwork) -> None:
    served = {
        "/index.xml": index("/a.xml", "/b.xml.gz", "/c.txt", "/d"),
        "/a.xml": urlset("/1", "/2?utm_source=sitemap&amp;id=7"),
        "/b.xml.gz": gzip.compress(urlset("/3").encode()) + gzip.compress(b"<!-- second member -->"),
        "/c.txt": "\ufeff\n# pages\nhttps://example.org/4\r\nnot a URL\n/no\nhttps://example.org/5",
        "/d": "<rss><channel><item><link>/6</link></item></channel></rss>",
    }
    home = serve(server, served, "application/octet-stream")
    assert paths(Sitemap(home + "index.xml").items(network)) == ["/1", "/2?id=7", "/3", "/4", "/5", "/6"]


def test_only_the_location_of_the_page_counts() -> None:
    text = (
        '<urlset xmlns:image="i"><url><image:image><image:loc>https://example.org/no.jpg</image:loc></image:image>'
        "<loc>\n https://example.org/1 </loc><xhtml:link rel='alternate' href='https://example.org/ko'/>"
        "<video:video><video:player_loc>https://example.org/no</video:player_loc></video:video></url><url/></urlset>"
    )
    entries = sitemap_entries.sitemap_entries(text.encode(), "https://example.org/")
    assert [entry.url for entry in entries] == ["https://example.org/1"]


def test_pages_and_sitemaps_from_before_a_time_are_left_out(server: Server, network: LocalNetwork) -> None:
    entries = [
        ("/old", "<lastmod>2026-11-14</lastmod>"),
        ("/day", "<lastmod>2026-11-15</lastmod>"),
        ("/new", "<lastmod>2026-11-15T21:01:00+09:00</lastmod>"),
        ("/earlier", "<lastmod>2026-11-15T20:59:00+09:00</lastmod>"),
        ("/unknown", ""),
        ("/unreadable", "<lastmod>yesterday</lastmod>"),
        ("/news", "<news:news><news:publication_date>2026-11-16T00:00Z</news:publication_date></news:news>"),
        ("/olds", "<news:news><news:publication_date>2026-11-01</news:publication_date></news:news>"),
    ]
    pages = "".join(f"<url><loc>{path}</loc>{more}</url>" for path, more in entries)
    listed = "<sitemap><loc>/old.xml</loc><lastmod>2020</lastmod></sitemap><sitemap><loc>/new.xml</loc></sitemap>"
    served = {"/index.xml": f"<sitemapindex>{listed}</sitemapindex>", "/new.xml": f"<urlset>{pages}</urlset>"}
    home = serve(server, served)
    source = Sitemap(home + "index.xml", since=datetime(2026, 11, 15, 12, tzinfo=UTC))
    assert paths(source.items(network)) == ["/day", "/new", "/unknown", "/unreadable", "/news"]
    assert home + "old.xml" not in network.fetched


def test_a_time_without_zone_is_utc() -> None:
    assert changed_since("2026-11-16T10:00:00", datetime(2026, 11, 16, 10))
    assert not changed_since("2026-11-16T09:59:59", datetime(2026, 11, 16, 10, tzinfo=UTC))
    assert changed_since("2026-11", datetime(2026, 11, 28, tzinfo=UTC))


def test_the_sitemaps_of_a_home_page_are_found_through_robots(server: Server, network: LocalNetwork) -> None:
    robots = "User-agent: *\nDisallow: /x\nsitemap: /news.xml\nSitemap : /pages.xml"
    served = {
        "/": "<!doctype html><p>Tea",
        "/robots.txt": robots,
        "/news.xml": urlset("/1"),
        "/pages.xml": urlset("/2"),
    }
    assert paths(Sitemap(serve(server, served)).items(network)) == ["/1", "/2"]


@pytest.mark.parametrize("robots", [{}, {"/robots.txt": "User-agent: *\nDisallow:"}, {"/robots.txt": "<html>"}])
def test_a_home_page_without_one_in_robots_has_it_in_the_usual_place(
    robots: dict[str, str], server: Server, network: LocalNetwork
) -> None:
    home = serve(server, {"/": "<!doctype html><html>", "/sitemap.xml": urlset("/1"), **robots})
    assert paths(Sitemap(home).items(network)) == ["/1"]


def test_a_loop_ends_and_is_reported(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/a.xml": index("/b.xml", "/c.xml"), "/b.xml": index("/a.xml?"), "/c.xml": urlset("/1")})
    urls, error = until_error(Sitemap(home + "a.xml").items(network))
    assert urls == [home + "1"]
    assert isinstance(error, SourceError)
    assert "a loop" in str(error)
    assert len(network.fetched) == 3


def test_an_endless_chain_of_index_files_ends(server: Server) -> None:
    class Endless(LocalNetwork):
        def fetch(self, request: Request) -> SourcePage:
            self.fetched.append(request.url)
            return SourcePage(request.url, index(f"/{len(self.fetched)}.xml").encode())

    network = Endless()
    _, error = until_error(Sitemap("https://example.org/").items(network))
    assert "levels of index files" in str(error)
    assert len(network.fetched) == sitemap.DEEPEST + 1


def test_an_index_of_too_many_sitemaps_ends(monkeypatch: pytest.MonkeyPatch, network: LocalNetwork) -> None:
    monkeypatch.setattr(sitemap, "MOST_FILES", 20)

    class Wide(LocalNetwork):
        def fetch(self, request: Request) -> SourcePage:
            self.fetched.append(request.url)
            return SourcePage(request.url, index(*(f"{request.url}/{number}" for number in range(100))).encode())

    wide = Wide()
    _, error = until_error(Sitemap("https://example.org").items(wide))
    assert "more than 20 sitemaps" in str(error)
    assert len(wide.fetched) == 20


def test_a_failing_sitemap_does_not_stop_the_others(server: Server, network: LocalNetwork) -> None:
    served: dict[str, str | bytes] = {
        "/index.xml": index("/missing.xml", "/html", "/cut.xml", "/bad.xml.gz", "/bomb.xml", "/good.xml"),
        "/html": "<!doctype html><html>",
        "/cut.xml": urlset("/1", "/2")[:-20],
        "/bad.xml.gz": gzip.compress(urlset(*(f"/{number}" for number in range(3))).encode())[:-10],
        "/bomb.xml": '<!DOCTYPE urlset [<!ENTITY a "b">]>' + urlset("/&a;"),
        "/good.xml": urlset("/good"),
    }
    failed: list[str] = []

    def noting(items: Iterator[Request | Unfetched]) -> Iterator[Request | Unfetched]:
        for item in items:
            if isinstance(item, Unfetched):
                failed.append(f"{item.request.url} {type(item.error).__name__}")
            yield item

    home = serve(server, served)
    urls, error = until_error(noting(Sitemap(home + "index.xml").items(network)))
    assert paths(Request(url) for url in urls)[-1] == "/good"
    assert "/1" in paths(Request(url) for url in urls)
    assert isinstance(error, SourceError)
    assert "4 errors" in str(error)
    assert failed == [f"{home}missing.xml BadStatus"]


@pytest.mark.parametrize("body", ["", "Tea is made of leaves.", '{"urls": []}', "<opml/>", "<urlset><url>"])
def test_what_is_no_sitemap_is_a_source_error(body: str, server: Server, network: LocalNetwork) -> None:
    urls, error = until_error(Sitemap(serve(server, {"/sitemap.xml": body}) + "sitemap.xml").items(network))
    assert urls == []
    assert isinstance(error, SourceError)


def test_a_sitemap_in_another_encoding_is_read(server: Server, network: LocalNetwork) -> None:
    korean = '<?xml version="1.0" encoding="euc-kr"?>' + urlset("/뉴스/녹차와-홍차")
    home = serve(server, {"/sitemap.xml": korean.encode("euc-kr")}, "text/xml")
    [request] = Sitemap(home + "sitemap.xml").items(network)
    assert request.url == home + "%EB%89%B4%EC%8A%A4/%EB%85%B9%EC%B0%A8%EC%99%80-%ED%99%8D%EC%B0%A8"


def million() -> Iterator[bytes]:
    yield b"<urlset>"
    for start in range(0, MILLION, 1000):
        yield b"".join(b"<url><loc>/n/%d</loc></url>" % number for number in range(start, start + 1000))
    yield b"</urlset>"


@pytest.fixture(scope="module")
def huge() -> bytes:
    return gzip.compress(b"".join(million()), 1)


def test_a_sitemap_of_a_million_entries_is_read_in_bounded_memory(huge: bytes) -> None:
    entries = sitemap_entries.sitemap_entries(huge, "https://example.org/")
    for _ in range(100_000):
        next(entries)
    tracemalloc.start()
    try:
        for _ in range(30_000):
            next(entries)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(1 for _ in entries) == MILLION - 130_000
    assert peak < 5_000_000


def test_a_sitemap_beyond_its_limit_ends_in_an_error(huge: bytes, server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/sitemap.xml.gz": huge}, "application/gzip")
    urls, error = until_error(Sitemap(home + "sitemap.xml.gz", limit=20_000).items(network))
    assert len(urls) == 20_000
    assert "more than 20,000 pages (Sitemap.limit)" in str(error)


def test_a_decompression_bomb_ends_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_entries, "MOST_BYTES", 1_000_000)
    bomb = gzip.compress(b"<urlset>" + b" " * 20_000_000)
    with pytest.raises(SourceError, match="after decompression"):
        list(sitemap_entries.sitemap_entries(bomb, "https://example.org/"))


@pytest.mark.cpu_timed
def test_a_comment_without_end_ends_in_an_error() -> None:
    content = gzip.compress(b"<urlset><!--" + b" " * 100_000_000, 1)
    start = time.process_time()
    with pytest.raises(SourceError, match="a tag or comment"):
        list(sitemap_entries.sitemap_entries(content, "https://example.org/"))
    assert time.process_time() - start < 5


def test_a_text_without_line_breaks_takes_bounded_memory() -> None:
    with pytest.raises(SourceError):
        list(sitemap_entries.sitemap_entries(b"x" * 5_000_000, "https://example.org/"))
