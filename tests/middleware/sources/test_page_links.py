import time

import pytest

from bonmun.middleware.exchange import SourcePage
from bonmun.middleware.sources.page_links import MOST_LINKS, feeds_of, is_html, read_links

URL = "https://example.org/news/"


def page(html: str, content_type: str | None = "text/html") -> SourcePage:
    return SourcePage(URL, html.encode(), content_type)


def test_links_are_absolute_unique_and_have_their_text() -> None:
    html = (
        "<base href='/b/'><a href=1>Green\n <b>tea</b></a><a href='/b/1#top'>again</a><a>none</a><a href=''>empty</a>"
        "<a href='javascript:x'>no</a><a href=2><img alt=x><script>var x</script> Two</a>"
    )
    links = read_links(page(html)).links
    assert [(link.url, link.text) for link in links] == [
        ("https://example.org/b/1", "Green tea"),
        ("https://example.org/b/", "empty"),
        ("https://example.org/b/2", "Two"),
    ]


def test_the_encoding_of_a_page_is_that_of_its_header() -> None:
    found = read_links(SourcePage(URL, "<a href=1>녹차와 홍차".encode("cp949"), "text/html; charset=euc-kr"))
    assert found.links[0].text == "녹차와 홍차"


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html", True),
        (None, True),
        ("Application/XHTML+XML; charset=x", True),
        ("image/png", False),
        ("utf-8", True),
    ],
)
def test_html_is_told_by_its_type(content_type: str | None, expected: bool) -> None:
    assert is_html(page("", content_type)) is expected


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "html",
    [
        "<a href=x>" * 300_000,
        "".join(f"<a href={number}><object>" for number in range(200)) + "<b>x</b>" * 200_000,
        "<base>" * 200_000 + "<link rel=alternate type=text/xml href=x>" * 100_000,
        "".join(f"<a href={number}>" for number in range(100_000)),
    ],
    ids=["same links", "nested links", "links of the head", "many links"],
)
def test_hostile_pages_take_linear_time(html: str) -> None:
    start = time.process_time()
    assert len(read_links(page(html)).links) <= MOST_LINKS
    assert len(feeds_of(page(html))) <= 1
    assert time.process_time() - start < 8
