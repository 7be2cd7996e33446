import contextlib
import json
import time

import pytest

from bonmun.errors import SourceError
from bonmun.middleware.sources import Feed
from bonmun.middleware.sources.feed_entries import entry_links, root_of
from tests.middleware.local_server import Server
from tests.middleware.sources.local_network import LocalNetwork, paths, serve, until_error

URL = "https://example.org/feeds/news.xml"
RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>https://example.org/</link><atom:link href="https://example.org/feed" rel="self"/>
<image><link>https://example.org/logo</link></image>
<item><title>Tea</title><link>https://example.org/tea?utm_source=rss</link></item>
<item><title>Tea again</title><link>http://www.example.org/tea/#top</link></item>
<item><link>../coffee</link></item>
<item><guid>https://example.org/cocoa</guid></item>
<item><guid isPermaLink="false">https://example.org/no</guid></item>
<item><guid>tag:7</guid><description>no link</description></item>
</channel></rss>"""
BOMB = (
    '<!DOCTYPE rss [<!ENTITY e0 "aaaaaaaaaa">'
    + "".join('<!ENTITY e{} "{}">'.format(level, f"&e{level - 1};" * 10) for level in range(1, 10))
    + "]><rss><channel><item><link>https://example.org/&e9;</link></item></channel></rss>"
)


def links(text: str | bytes, content_type: str | None = None) -> list[str]:
    return list(entry_links(text.encode() if isinstance(text, str) else text, URL, content_type))


def failure(text: str | bytes) -> str:
    with pytest.raises(SourceError) as caught:
        links(text)
    return str(caught.value)


def test_a_feed_yields_the_page_of_each_entry_once(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/feed": RSS}, "text/plain")
    items = list(Feed(home + "feed", name="news").items(network))
    assert [item.url for item in items] == ["https://example.org/tea", home + "coffee", "https://example.org/cocoa"]
    assert {item.source for item in items} == {"news"}
    assert network.fetched == [home + "feed"]


def test_the_limit_ends_a_feed(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/feed": RSS})
    assert len(list(Feed(home + "feed", limit=2).items(network))) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://example.org/rss-0.91.dtd">'
            "<rss version='0.91'><channel><item><title>&eacute;</title><link> https://example.org/1 </link></item>"
            "</channel></rss>",
            ["https://example.org/1"],
            id="RSS 0.91 with its DTD",
        ),
        pytest.param(
            '<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://example.org/"/>'
            '<item rdf:about="https://example.org/1"><link>https://example.org/1</link></item>'
            '<item rdf:about="https://example.org/2"/></rdf:RDF>',
            ["https://example.org/1", "https://example.org/2"],
            id="RSS 1.0",
        ),
        pytest.param(
            '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.example/"><link href="/self"/>'
            '<entry xml:base="blog/"><link rel="replies" href="no"/><link rel="enclosure" href="no.mp3"/>'
            '<link rel="alternate" type="application/json" href="1.json"/><link type="text/html" href="1"/></entry>'
            "<entry><id>https://example.org/2</id><link rel='edit' href='no'/></entry>"
            "<entry><link href='3'/><source><link href='no'/></source></entry></feed>",
            ["https://base.example/blog/1", "https://example.org/2", "https://base.example/3"],
            id="Atom with bases and relations",
        ),
        pytest.param(
            '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="/1"/></a:entry></a:feed>',
            ["https://example.org/1"],
            id="Atom with a prefix",
        ),
        pytest.param(
            "<rss><channel><item><link>https://feeds.example/~r/1</link><media:link>https://example.org/no</media:link>"
            "<feedburner:origLink>https://example.org/1</feedburner:origLink></item></channel></rss>",
            ["https://example.org/1"],
            id="FeedBurner, with prefixes that are not declared",
        ),
        pytest.param(
            "\n <?xml version='1.0'?><rss><channel><item><link>https://example.org/?a=1&b=2\x08</link>"
            "<title>Q&A &nbsp; &#8212;</title></item><item><link><![CDATA[https://example.org/?a=1&b=3]]></link></item>"
            "</channel></rss>",
            ["https://example.org/?a=1&b=2", "https://example.org/?a=1&b=3"],
            id="bare ampersands, control characters, space before the declaration",
        ),
        pytest.param(
            json.dumps(
                {
                    "version": "https://jsonfeed.org/version/1.1",
                    "items": [{"url": "/1"}, {"id": "https://example.org/2"}, {"id": "3"}, "no", {"url": 7}],
                }
            ),
            ["https://example.org/1", "https://example.org/2"],
            id="JSON Feed",
        ),
        pytest.param(
            "<rss><channel><item><link>javascript:alert(1)</link></item><item><link>http://[::1</link></item>"
            "<item><link>https://user:secret@example.org/</link></item></channel></rss>",
            [],
            id="links that are no pages",
        ),
    ],
)
def test_the_entries_of_each_format(text: str, expected: list[str]) -> None:
    assert links(text) == expected


@pytest.mark.parametrize("declared", ['<?xml version="1.0" encoding="euc-kr"?>', ""])
def test_a_korean_feed_in_euc_kr_is_read(declared: str) -> None:
    item = "<item><title>녹차와 홍차의 차이를 알아봅시다</title><link>https://example.org/기사/1</link></item>"
    feed = f"{declared}<rss><channel><title>한국의 차 소식</title>{item}</channel></rss>".encode("cp949")
    assert links(feed) == ["https://example.org/%EA%B8%B0%EC%82%AC/1"]


def test_a_header_decides_on_the_encoding() -> None:
    feed = "<rss><channel><item><link>/차</link></item></channel></rss>".encode("utf-16le")
    assert links(feed, "text/xml; charset=utf-16le") == ["https://example.org/%EC%B0%A8"]


def test_bytes_that_are_invalid_in_the_encoding_do_not_stop_a_feed() -> None:
    item = b"<item><title>Tea \xff\xfe\x80</title><link>/1</link></item>"
    feed = b'<?xml version="1.0" encoding="utf-8"?><rss><channel>' + item + "<t>차 맛있다</t></channel></rss>".encode()
    assert links(feed) == ["https://example.org/1"]


def test_the_feed_of_a_home_page_is_found(server: Server, network: LocalNetwork) -> None:
    head = (
        '<!DOCTYPE html><head><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">'
        '<link rel="ALTERNATE" type="application/atom+xml; charset=utf-8" href="feed"><link rel="alternate" '
        'hreflang="ko" href="/ko"></head><p>Tea'
    )
    atom = "<feed><entry><link href='/1'/></entry></feed>"
    home = serve(server, {"/": head, "/feed": atom})
    assert paths(Feed(home).items(network)) == ["/1"]
    assert network.fetched == [home, home + "feed"]


def test_a_page_without_a_feed_is_a_source_error(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/": "<!doctype html><html><p>Tea"})
    urls, error = until_error(Feed(home).items(network))
    assert (urls, str(error)) == ([], f"{home}: a web page that names no feed; give the URL of the feed itself")


def test_a_feed_that_is_a_page_again_is_a_source_error(server: Server, network: LocalNetwork) -> None:
    html = '<html><link rel="alternate" type="application/rss+xml" href="/feed">'
    home = serve(server, {"/": html, "/feed": html})
    _, error = until_error(Feed(home).items(network))
    assert isinstance(error, SourceError)
    assert "not a feed: <html>" in str(error)
    assert len(network.fetched) == 2


def test_a_feed_that_cannot_be_fetched_raises_the_error_of_the_fetch(server: Server, network: LocalNetwork) -> None:
    _, error = until_error(Feed(serve(server, {}) + "feed").items(network))
    assert "404" in str(error)


def test_a_malformed_feed_yields_the_entries_before_the_error(server: Server, network: LocalNetwork) -> None:
    home = serve(server, {"/feed": RSS[: RSS.index("<item><guid>")] + "<item><link>x</title>"})
    urls, error = until_error(Feed(home + "feed").items(network))
    assert len(urls) == 2
    assert isinstance(error, SourceError)
    assert str(error).startswith(f"feed {home}feed: malformed XML")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "declares the entity 'e0'"),
        ('<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss>&x;</rss>', "declares the entity 'x'"),
        ("<!DOCTYPE rss [<!ENTITY % p \"<!ENTITY x '1'>\"> %p;]><rss>&x;</rss>", "declares the entity 'p'"),
        ("<rss>" * 100_000, "nested deeper"),
        ("<rss><channel>", "malformed XML"),
        ("", "an empty response"),
        ("Tea is made of leaves.", "plain text"),
        ("<opml><body/></opml>", "<opml>"),
        ('{"version": "https://jsonfeed.org/version/1"}', "not a JSON Feed"),
        ('{"items": []}', "not a JSON Feed"),
        ('{"items": ', "malformed JSON Feed"),
        ('{"a":' * 100_000, "malformed JSON Feed"),
        (b"\x00\xff" * 50, "not a feed"),
    ],
)
def test_hostile_and_malformed_feeds_are_source_errors(text: str | bytes, message: str) -> None:
    assert message in failure(text)


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "text",
    [
        "<rss>" + "<![CDATA[" * 300_000,
        "<rss>" + "&" * 2_000_000,
        "<rss>" + "<!-- " * 500_000,
        "<!--x-->" * 300_000,
        "<!DOCTYPE " * 200_000,
        "<rss><!--" + " " * 20_000_000,
        "<rss><item a='" + " " * 20_000_000,
        "<rss><item>" + "<link>x</link>" * 200_000 + "</item></rss>",
        "<rss><item><link>" + "a" * 3_000_000 + "</link></item></rss>",
    ],
    ids=[
        "CDATA",
        "ampersands",
        "comments",
        "closed comments",
        "doctypes",
        "a long comment",
        "a long attribute",
        "links",
        "a long link",
    ],
)
def test_hostile_feeds_take_linear_time(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(SourceError):
        assert links(text) in ([], ["https://example.org/feeds/x"])
    assert time.process_time() - start < 8


def test_a_feed_of_many_entries_ends_at_its_limit(server: Server, network: LocalNetwork) -> None:
    items = "".join(f"<item><link>/{number}</link></item>" for number in range(200_000))
    home = serve(server, {"/feed": f"<rss><channel>{items}</channel></rss>"})
    assert len(list(Feed(home + "feed").items(network))) == 10_000


def test_the_root_is_found_behind_the_prologue() -> None:
    assert root_of('<?xml version="1.0"?>\n<!-- <html> --><!DOCTYPE x [ <!ELEMENT a> ]>\n<Feed>') == "feed"
    assert root_of("<!DOCTYPE HTML><HTML>") == "html"
    assert root_of("Tea <rss>") == ""
