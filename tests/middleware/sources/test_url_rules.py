import time
from collections import Counter
from functools import cache

import pytest

from bonmun.middleware.sources.url_rules import LinkKind, clean_url, is_trap, link_kind, site_of, url_key
from tests.corpora import pages

SITE = "https://example.org"


@pytest.mark.parametrize(
    ("url", "cleaned"),
    [
        ("HTTPS://Example.org:443/a/../b", "/b"),
        ("/tea#top", "/tea"),
        ("/tea#", "/tea"),
        ("/tea?", "/tea"),
        ("/#!/tea", "/#!/tea"),
        ("/tea?utm_source=a&id=1&fbclid=x&gclid=y&UTM_Campaign=z", "/tea?id=1"),
        ("/tea?utm_source=a", "/tea"),
        ("/tea;jsessionid=0A1B2C?x=1", "/tea?x=1"),
        ("/tea?PHPSESSID=abc&sid=0123456789abcdef0123&oid=1", "/tea?oid=1"),
        (
            "/main/read.naver?mode=LSD&mid=sec&oid=081&aid=0003219994&sid1=001",
            "/main/read.naver?mode=LSD&mid=sec&oid=081&aid=0003219994&sid1=001",
        ),
        ("/section?sid=101", "/section?sid=101"),
        ("/list?ref=home&source=2&from=3", "/list?ref=home&source=2&from=3"),
        (" /기사 ", "/%EA%B8%B0%EC%82%AC"),
    ],
)
def test_a_cleaned_url_names_the_page_only(url: str, cleaned: str) -> None:
    assert clean_url(url, SITE) == SITE + cleaned


@pytest.mark.parametrize(
    "url",
    [
        *[
            "mailto:a@example.org",
            "javascript:void(0)",
            "data:text/html,x",
            "ftp://example.org/",
            "http://",
            "http://[::1",
        ],
        *["https://user:secret@example.org/", "file:///etc/passwd", "https://example.org/" + "a" * 3000],
    ],
)
def test_what_cannot_be_fetched_is_no_url(url: str) -> None:
    assert clean_url(url, SITE) is None


def test_different_pages_have_different_keys() -> None:
    urls = ["/a", "/b", "/a?x=1", "/a?x=2", "/A", "/a/b", "/#!/a", "/#!/b"]
    assert len({url_key(SITE + url) for url in urls}) == len(urls)


def test_a_site_is_a_host_and_a_port() -> None:
    assert site_of("https://www.example.org/") == site_of("http://m.example.org/a") == "example.org"
    assert site_of("https://news.example.org/") != site_of("https://example.org/")
    assert site_of("http://127.0.0.1:8000/") == "127.0.0.1:8000"
    assert site_of("https://m.kr/") == "m.kr"
    assert site_of("tea") == ""


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("/", LinkKind.HUB),
        ("/news", LinkKind.HUB),
        ("/category/green-tea-from-the-mountains", LinkKind.HUB),
        ("/author/somebody-with-a-long-name", LinkKind.HUB),
        ("/politics/page/12", LinkKind.HUB),
        ("/events/2026/11/05/", LinkKind.HUB),
        ("/list?date=20261105", LinkKind.HUB),
        ("/privacy-policy", LinkKind.HUB),
        ("/2026/11/05/tea", LinkKind.ARTICLE),
        ("/tea/2026-11-05-tea.html", LinkKind.ARTICLE),
        ("/view/AKR20251206038900530", LinkKind.ARTICLE),
        ("/arti/economy/1046292.html", LinkKind.ARTICLE),
        ("/bbs/board.php?bo_table=bs08&wr_id=87", LinkKind.ARTICLE),
        ("/?p=123", LinkKind.ARTICLE),
        ("/35", LinkKind.ARTICLE),
        ("/%EB%85%B9%EC%B0%A8%EC%99%80-%ED%99%8D%EC%B0%A8%EC%9D%98-%EC%B0%A8%EC%9D%B4", LinkKind.ARTICLE),
        ("/how-green-tea-is-made", LinkKind.ARTICLE),
        ("/login", LinkKind.OTHER),
        ("/search?q=tea", LinkKind.OTHER),
        ("/calendar/2026/11", LinkKind.OTHER),
        ("/2026/11/05/tea.jpg", LinkKind.OTHER),
        ("/feed/", LinkKind.OTHER),
        ("/a/b/a/b/a/b/a/b", LinkKind.OTHER),
    ],
)
def test_a_url_tells_an_article_from_a_list(url: str, kind: LinkKind) -> None:
    assert link_kind(SITE + url) is kind


def test_a_headline_makes_an_article_of_an_unclear_url() -> None:
    assert link_kind(f"{SITE}/x7f", "Politics") is LinkKind.HUB
    assert link_kind(f"{SITE}/x7f", "How tea is grown in the mountains") is LinkKind.ARTICLE
    assert link_kind(f"{SITE}/x7f", "녹차와 홍차의 차이를 알아보자 오늘") is LinkKind.ARTICLE
    assert link_kind(f"{SITE}/x7f", "緑茶と紅茶の違いを知っていますか") is LinkKind.ARTICLE
    assert link_kind(f"{SITE}/x7f", "Экономика и политика") is LinkKind.HUB
    assert link_kind(f"{SITE}/tag/x7f", "How tea is grown in the mountains") is LinkKind.HUB


def test_traps_are_recognised() -> None:
    assert is_trap(f"{SITE}/{'a/' * 20}")
    assert is_trap(f"{SITE}/?{'&'.join(f'a{number}=1' for number in range(9))}")
    assert is_trap(f"{SITE}/{'x' * 2000}")
    assert not is_trap(f"{SITE}/a/b/c/d?x=1&y=2")


@cache
def corpus_urls(corpus: str) -> list[tuple[str, str]]:
    return [(page["url"], page["page_type"]) for page in pages(corpus) if page["url"]]


@pytest.mark.parametrize(
    ("corpus", "types", "least", "most"),
    [
        ("news_dev", {"article"}, 0.98, 1),
        ("cjk_dev", {"news", "blog"}, 0.95, 1),
        ("wcxb_dev", {"article"}, 0.78, 1),
        ("wcxb_dev", {"service", "listing", "collection"}, 0, 0.16),
    ],
)
def test_articles_of_the_corpora_pass_and_lists_do_not(corpus: str, types: set[str], least: float, most: float) -> None:
    urls = [url for url, page_type in corpus_urls(corpus) if page_type in types]
    kinds = Counter(link_kind(clean_url(url) or url) for url in urls)
    assert least <= kinds[LinkKind.ARTICLE] / len(urls) <= most


@pytest.mark.cpu_timed
@pytest.mark.parametrize("part", ["a", "-", "1", "%EC", "=", "&", "2026/", "a=1&", "é", "?"])
def test_hostile_urls_take_linear_time(part: str) -> None:
    start = time.process_time()
    url = f"{SITE}/{part * 100_000}"
    clean_url(url, SITE)
    url_key(url)
    for _ in range(100):
        link_kind(url[:4000], part * 1000)
    assert time.process_time() - start < 4
