"""Sources on the real network manager, alone and inside a container."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.errors import BadStatus, FetchTimeout, RobotsDisallowed, TooManyRedirects
from bonmun.middleware.container import Container
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.sources import Crawl, Feed, Sitemap, Urls
from tests.middleware.local_server import answer, forever, redirect, serving
from tests.middleware.network_server import KeepAliveServer, settings
from tests.middleware.sources.local_network import fetched_or_not, paths, serve, until_error

STORY = (
    "<html><head><title>Tea {0}</title></head><body><h1>Tea {0}</h1><p>Tea is made of leaves, of water and of time.</p>"
)


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


@pytest.fixture
def network() -> Iterator[NetworkManager]:
    with NetworkManager(settings(honour_robots=True, seconds=2.0)) as manager:
        yield manager


def stories(server: KeepAliveServer, *numbers: int) -> str:
    return serve(server, {f"/story/{number}": STORY.format(number) for number in numbers})


def links(*hrefs: str) -> str:
    return "".join(f'<p><a href="{href}">Tea</a>' for href in hrefs)


def test_a_crawl_obeys_robots_txt_without_an_error(server: KeepAliveServer, network: NetworkManager) -> None:
    home = stories(server, 11111, 22222)
    serve(server, {"/robots.txt": "User-agent: *\nDisallow: /story/2\nDisallow: /list"}, "text/plain")
    serve(
        server, {"/": links("/story/11111", "/story/22222", "/list", "/politics"), "/politics": links("/story/11111")}
    )
    assert paths(Crawl(home).items(network)) == ["/story/11111"]
    assert sorted(server.paths()) == ["/", "/politics", "/robots.txt", "/story/11111"]


def test_a_forbidden_start_page_raises(server: KeepAliveServer, network: NetworkManager) -> None:
    home = serve(server, {"/robots.txt": "User-agent: *\nDisallow: /"}, "text/plain")
    for source in (Crawl(home), Feed(home)):
        urls, error = until_error(source.items(network))
        assert (urls, type(error)) == ([], RobotsDisallowed)


def test_hostile_pages_of_a_site_are_named_with_their_errors(server: KeepAliveServer, network: NetworkManager) -> None:
    home = stories(server, 11111)
    paths_of = [f"/story/{number}" for number in (11111, 22222, 33333, 44444, 55555)]
    serve(server, {"/": links(*paths_of)})
    server.serve(redirect("/story/22222"), "/story/22222")
    server.serve(forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x", 0.05), "/story/33333")
    server.serve(answer(b"x" * 10, Content_Length="20"), "/story/44444")
    server.serve(answer(b"", "500 Internal Server Error"), "/story/55555")
    urls, failed = fetched_or_not(Crawl(home).items(network))
    assert urls == [home + "story/11111"]
    assert {url.removeprefix(home): type(error) for url, error in failed.items()} == {
        "story/22222": TooManyRedirects,
        "story/33333": FetchTimeout,
        "story/44444": FetchTimeout,  # The connection stays open.
        "story/55555": BadStatus,
    }


def test_a_sitemap_index_with_packed_files(server: KeepAliveServer, network: NetworkManager) -> None:
    listed = "".join(f"<url><loc>/story/{number}</loc></url>" for number in range(1000))
    packed = gzip.compress(f"<urlset>{listed}</urlset>".encode())
    index = "<sitemapindex><sitemap><loc>/a.xml.gz</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>"
    home = serve(server, {"/sitemap.xml": index, "/a.xml.gz": packed}, "application/octet-stream")
    server.serve(answer(packed, Content_Encoding="gzip", Content_Type="text/xml"), "/b.xml")
    requests = list(Sitemap(home + "sitemap.xml").items(network))
    assert len(requests) == 2000


@pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")
def test_a_container_takes_several_sources_of_one_host(
    server: KeepAliveServer, network: NetworkManager, tmp_path: Path
) -> None:
    home = stories(server, *range(10_000, 10_012))
    feed = "".join(f"<item><link>/story/{number}</link></item>" for number in range(10_000, 10_004))
    serve(server, {"/feed": f"<rss><channel>{feed}</channel></rss>"}, "application/rss+xml")
    serve(server, {"/": links(*(f"/story/{number}" for number in range(10_004, 10_008)))})
    urls = [f"{home}story/{number}" for number in range(10_008, 10_012)]
    (tmp_path / "page.html").write_text(STORY.format("file"))
    sources = [f"feed:{home}feed", f"site:{home}", Urls(urls), str(tmp_path)]
    with Container(network=network) as container:
        texts = sorted(dataset.document.metadata.title or "" for dataset in container.stream(sources))
    assert texts == sorted(f"Tea {name}" for name in (*range(10_000, 10_012), "file"))
