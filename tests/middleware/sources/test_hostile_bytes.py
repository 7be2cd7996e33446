"""Whatever the bytes, a feed, a sitemap or a page yields URLs of http or https, or ends in a `SourceError`."""

import contextlib
from datetime import UTC, datetime
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.errors import BonmunError, SourceError
from bonmun.middleware.exchange import SourcePage
from bonmun.middleware.sources.feed_entries import entry_links
from bonmun.middleware.sources.page_links import feeds_of, read_links
from bonmun.middleware.sources.sitemap_entries import changed_since, sitemap_entries
from bonmun.middleware.sources.url_rules import clean_url, is_list, link_kind, url_key, url_shape

URL = "https://example.org/feed"
PIECES = [
    *(
        "<rss>",
        "<channel>",
        "<item>",
        "<link>",
        "</link>",
        "</item>",
        "<feed>",
        "<entry>",
        "<link href='/1'/>",
        "</rss>",
    ),
    *("<urlset>", "<url>", "<loc>", "</loc>", "</url>", "<sitemapindex>", "<sitemap>", "http://a/", "<![CDATA[", "]]>"),
    *(
        "<!--",
        "-->",
        "<?xml version='1.0' encoding='euc-kr'?>",
        "<!DOCTYPE rss [",
        "<!ENTITY a 'b'>",
        "]>",
        "&a;",
        "&",
        "{",
    ),
    *(
        '"items":[',
        '"url":"/1"',
        "}",
        "]",
        "\0",
        "\ufeff",
        "차",
        "xml:base='//['",
        "\n",
        "Sitemap: /x",
        "<base href='//[::'>",
    ),
    *("<a href='?a=1&amp;b'>", "<link rel=canonical href='http://['>", "<meta name=robots content=none>", "%", "%EC"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join)
BYTES = TEXTS.map(lambda text: text.encode("utf-8", "replace")) | TEXTS.map(
    lambda text: text.encode("cp949", "replace")
)
BYTES |= st.binary(max_size=60) | BYTES.map(lambda content: b"\x1f\x8b\x08" + content)


@settings(max_examples=300, deadline=None)
@given(BYTES)
def test_bytes_become_urls_or_a_source_error(content: bytes) -> None:
    with contextlib.suppress(SourceError):
        for link in islice(entry_links(content, URL), 100):
            assert clean_url(link) == link
    with contextlib.suppress(SourceError):
        for entry in islice(sitemap_entries(content, URL), 100):
            changed_since(entry.changed, datetime.now(UTC))
            clean_url(entry.url, URL)
    page = SourcePage(URL, content, "text/html")
    assert all(clean_url(link.url) == link.url for link in read_links(page).links)
    with contextlib.suppress(BonmunError):
        assert all(feed.startswith("http") for feed in feeds_of(page))


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=50) | st.text(max_size=50).map(lambda text: f"https://example.org/{text}"), st.text(max_size=40)
)
def test_any_text_is_cleaned_and_judged(url: str, text: str) -> None:
    cleaned = clean_url(url, URL)
    link_kind(url, text)
    url_shape(url)
    is_list(url)
    if cleaned is not None:
        assert clean_url(cleaned) == cleaned
        assert url_key(cleaned) == url_key(url if "://" in url else cleaned)


@pytest.mark.parametrize(
    "changed", ["", "2026-13-45", "9999-12-31T23:59:59+23:59", "0001-01-01T00:00:00+23:59", "20261116"]
)
def test_any_date_is_compared(changed: str) -> None:
    changed_since(changed, datetime.now(UTC))
