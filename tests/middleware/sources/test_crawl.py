import time
from collections.abc import Iterable, Iterator

import pytest

from bonmun.errors import BadStatus, BonmunError, FetchError, SourceError
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.sources import Crawl, CrawlLimits
from bonmun.middleware.sources import crawl as crawl_module
from tests.middleware.local_server import Server, answer, redirect
from tests.middleware.sources.local_network import LocalNetwork, fetched_or_not, paths, serve, until_error

STORY = "how-tea-is-made"


def a(*hrefs: str) -> str:
    return "<html><body>" + "".join(f'<p><a href="{href}">Tea</a></p>' for href in hrefs)


def test_a_crawl_yields_articles_and_follows_lists(server: Server, network: LocalNetwork) -> None:
    served = {
        "/": a(
            "/politics",
            f"/2026/11/16/{STORY}?utm_source=home",
            "/about",
            "/login",
            "/logo.png",
            "mailto:tea@example.org",
        ),
        "/politics": a("/politics/page/2", "/news/articleView.html?idxno=45395"),
        "/politics/page/2": a("/arti/1046292.html", "/"),
        "/about": "<p>About tea",
        "/news/articleView.html?idxno=45395": "<p>A story",
        "/arti/1046292.html": "<p>Another",
        f"/2026/11/16/{STORY}": a("/politics"),
    }
    home = serve(server, served)
    pages = list(Crawl(home, name="tea").items(network))
    assert paths(pages) == [f"/2026/11/16/{STORY}", "/news/articleView.html?idxno=45395", "/arti/1046292.html"]
    assert {page.source for page in pages} == {"tea"}
    assert pages[1].content == b"<p>A story"
    assert pages[1].content_type == "text/html; charset=utf-8"
    assert len(network.fetched) == len(set(network.fetched)) == len(served)


def test_all_pages_are_yielded_on_request(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": a("/about"), "/about": "<p>Tea"})
    assert paths(Crawl(home, articles_only=False).items(network)) == ["/", "/about"]


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:type" content="article">',
        '<meta property="article:published_time" content="2026-11-16">',
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tea"}</script>',
    ],
)
def test_a_page_that_calls_itself_an_article_is_one(head: str, server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": a("/tea"), "/tea": f"<html><head>{head}</head><p>Tea"})
    assert paths(Crawl(home).items(network)) == ["/tea"]


def test_a_list_that_describes_many_articles_is_none(server: Server, network: LocalNetwork) -> None:
    several = '{"@type": "NewsArticle", "headline": "Tea"},' * 3
    head = f'<script type="application/ld+json">[{several[:-1]}]</script>'
    home = serve(server, {"/": a("/tea"), "/tea": f"<html><head>{head}</head><p>Tea"})
    assert paths(Crawl(home).items(network)) == []


def test_robots_directives_and_nofollow_are_respected(server: Server, network: LocalNetwork) -> None:
    links = '<a rel="nofollow" href="/1/how-tea-is-drunk">x</a><a rel="sponsored" href="/2/how-tea-is-drunk">x</a>'
    served = {
        "/": a("/hidden", "/closed", f"/{STORY}") + links,
        "/hidden": '<meta name="ROBOTS" content="NoIndex, follow"><meta property="og:type" content="article">'
        + a("/77777"),
        "/closed": '<meta name="robots" content="nofollow">' + a("/88888"),
        f"/{STORY}": '<meta name="robots" content="none">' + a("/99999"),
        "/77777": "<p>Reached through a page that is not indexed itself",
    }
    home = serve(server, served)
    assert paths(Crawl(home).items(network)) == ["/77777"]
    assert len(network.fetched) == len(served)


def test_one_page_under_several_urls_is_yielded_once(server: Server, network: LocalNetwork) -> None:
    story = f'<link rel="canonical" href="/{STORY}">'
    served = {
        "/": a(
            f"/{STORY}?view=1", f"/{STORY}?view=2", f"/{STORY}", "/old-and-moved-for-ever", "/copy-of-this-same-page?1"
        ),
        f"/{STORY}?view=1": f"{story}<p>Tea 1",
        f"/{STORY}?view=2": f"{story}<p>Tea 2",
        f"/{STORY}": f"{story}<p>Tea",
        "/copy-of-this-same-page?1": f"{story}<p>Tea",
    }
    home = serve(server, served)
    server.serve(redirect(f"/{STORY}"), "/old-and-moved-for-ever")
    assert paths(Crawl(home).items(network)) == [f"/{STORY}?view=1"]


def test_the_pages_of_a_list_are_followed_though_they_name_the_first(server: Server, network: LocalNetwork) -> None:
    first = '<link rel="canonical" href="/politics">'
    served = {
        "/": a("/politics"),
        "/politics": first + a("/politics?page=2", "/11111"),
        "/politics?page=2": first + a("/22222"),
        "/11111": "<p>1",
        "/22222": "<p>2",
    }
    assert paths(Crawl(serve(server, served)).items(network)) == ["/11111", "/22222"]


def test_a_canonical_url_that_is_the_home_page_or_elsewhere_is_ignored(server: Server, network: LocalNetwork) -> None:
    served = {
        "/": a("/11111", "/22222", "/33333"),
        "/11111": '<link rel="canonical" href="/"><p>1',
        "/22222": '<link rel="canonical" href="/"><p>2',
        "/33333": '<link rel="canonical" href="https://example.org/22222"><p>3',
    }
    assert paths(Crawl(serve(server, served)).items(network)) == ["/11111", "/22222", "/33333"]


def test_a_crawl_stays_on_its_site(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": a("https://example.org/12345", "//example.org/23456", "/34567", "/45678")})
    server.serve(redirect(home.replace("127.0.0.1", "localhost") + "other"), "/34567")
    serve(server, {"/other": "<p>Another host", "/45678": f'<base href="https://example.org/">{a("/56789")}'})
    assert paths(Crawl(home).items(network)) == ["/45678"]
    assert not any("example.org" in url for url in network.fetched)


def test_a_start_page_may_redirect_to_another_host(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/start": a("/12345"), "/12345": "<p>Tea"})
    server.serve(redirect(home.replace("127.0.0.1", "localhost") + "start"), "/")
    [page] = Crawl(home).items(network)
    assert page.url.startswith("http://localhost:")


class Endless(LocalNetwork):
    """A site with two new links on every page."""

    def __init__(self, link: str, seconds: float = 0.0) -> None:
        super().__init__()
        self.link, self.seconds = link, seconds

    def fetch(self, request: Request) -> SourcePage:
        self.fetched.append(request.url)
        time.sleep(self.seconds)
        number = 2 * len(self.fetched)
        body = a(self.link.format(number), self.link.format(number + 1))
        return SourcePage(request.url, body.encode(), "text/html")


def test_pages_depth_and_seconds_bound_a_crawl() -> None:
    for limits, most in ((CrawlLimits(pages=20, depth=100), 20), (CrawlLimits(depth=3), 15), (CrawlLimits(depth=0), 1)):
        network = Endless("/story/{:06}")
        pages = list(Crawl("https://example.org/", limits).items(network))
        assert (len(network.fetched), len(pages)) == (most, most - 1)
    network = Endless("/story/{:06}", seconds=0.02)
    list(Crawl("https://example.org/", CrawlLimits(depth=1000, seconds=0.2)).items(network))
    assert 2 <= len(network.fetched) <= 11 + crawl_module.BATCH


@pytest.mark.parametrize(
    "link",
    ["/events/{}/11/", "/list?day={}", "/archive/page/{}", "/x?q={}&sid=0123456789abcdef{:08}", "/go;jsessionid={}"],
)
def test_endless_lists_are_bounded(link: str) -> None:
    network = Endless(link.replace("{}", "{0}").replace("{:08}", "{0:08}"))
    pages = list(Crawl("https://example.org/", CrawlLimits(pages=10_000, depth=10_000)).items(network))
    assert pages == []
    assert len(network.fetched) <= crawl_module.SAME_SHAPE + 1


def test_growing_paths_are_bounded() -> None:
    class Growing(LocalNetwork):
        def fetch(self, request: Request) -> SourcePage:
            self.fetched.append(request.url)
            number = len(self.fetched)
            return SourcePage(request.url, f"{number} {a('a/', 'b/')}".encode(), "text/html")

    network = Growing()
    list(Crawl("https://example.org/", CrawlLimits(pages=10_000, depth=10_000)).items(network))
    assert len(network.fetched) < 100


def test_pages_are_requested_as_a_stream_articles_first() -> None:
    class Streaming(LocalNetwork):
        def __init__(self) -> None:
            super().__init__()
            self.waves: list[list[str]] = []

        def fetch(self, request: Request) -> SourcePage:
            return SourcePage(request.url, a("/list", "/11111", "/22222").encode(), "text/html")

        def stream(self, requests: Iterable[Request]) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
            wave = list(requests)
            self.waves.append([request.url for request in wave])
            yield from ((request, FetchError(f"{request.url}: no")) for request in reversed(wave))

    network = Streaming()
    urls, failed = fetched_or_not(Crawl("https://example.org/").items(network))
    assert network.waves[0] == [f"https://example.org/{path}" for path in ("11111", "22222", "list")]
    assert urls == []
    assert sorted(failed) == network.waves[0]


def test_failing_pages_do_not_stop_a_crawl(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": a("/11111", "/22222"), "/22222": "<p>Tea"})
    urls, failed = fetched_or_not(Crawl(home).items(network))
    assert urls == [home + "22222"]
    assert [(url, type(error)) for url, error in failed.items()] == [(f"{home}11111", BadStatus)]


def test_a_start_page_that_fails_raises_its_error(server: Server, network: LocalNetwork) -> None:
    _, error = until_error(Crawl(serve(server, {})).items(network))
    assert isinstance(error, FetchError)
    server.serve(answer(b"%PDF-1.7", Content_Type="application/pdf"))
    _, error = until_error(Crawl(serve(server, {})).items(network))
    assert isinstance(error, SourceError)


def test_what_is_not_html_is_left_out(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": a("/11111")})
    serve(server, {"/11111": b"\x89PNG"}, "image/png")
    assert paths(Crawl(home).items(network)) == []
