"""The links of a page, and what it asks of robots."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import SourcePage
from bonmun.middleware.sources.url_rules import clean_url, site_of
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes
from bonmun.read.decode import decode
from bonmun.read.parse import parse
from bonmun.read.structured import Structured, read_structured

MOST_LINKS: Final = 5_000
"""Links of a page that are read; the pages of our corpora have at most 3,000."""
_MOST_ANCHORS: Final = 4 * MOST_LINKS
"""Elements that are looked at, with those that repeat a link or have none."""
_LONGEST_TEXT: Final = 200
_TEXT_ROWS: Final = 200
"""Rows of a link that are read for its text. Links can be nested, and reading each whole would take quadratic time."""
_FEED_TYPES: Final = (
    *("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"),
    *("text/rss+xml", "text/xml", "application/xml", "application/json"),
)
_HTML_TYPES: Final = ("text/html", "application/xhtml+xml")
_UNFOLLOWED: Final = frozenset({"nofollow", "sponsored", "ugc"})
_ARTICLE_TYPES: Final = ("article", "blogposting", "report", "discussionforumposting")


@dataclass(frozen=True, slots=True)
class Link:
    """A link that a robot may follow."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a crawl reads from a page."""

    links: tuple[Link, ...] = ()
    canonical: str | None = None
    """The URL that the page calls its own, if it is of the same site and not the home page."""
    may_index: bool = True
    says_article: bool = False
    """Whether its metadata calls it an article."""


def is_html(page: SourcePage) -> bool:
    """Tell whether a page was sent as HTML, or without a type.

    >>> is_html(SourcePage("https://example.org/", b"", "text/html; charset=utf-8"))
    True
    """
    kind = (page.content_type or "text/html").partition(";")[0].strip().lower()
    return kind in _HTML_TYPES or "/" not in kind


def read_links(page: SourcePage) -> PageLinks:
    """Read the links and the robots directives of a page; a page that cannot be parsed has neither.

    >>> read_links(SourcePage("https://example.org/", b'<a href="/tea">Tea</a>')).links
    (Link(url='https://example.org/tea', text='Tea'),)
    """
    try:
        nodes = parse(decode(page.content, page.content_type).utf8)
    except BonmunError:
        return PageLinks()
    structured = read_structured(nodes)
    directives = _directives(structured)
    base = _base(nodes, page.url)
    follow = not directives & {"nofollow", "none"}
    return PageLinks(
        tuple(_links(nodes, base)) if follow else (),
        _canonical(structured, base, page.url),
        not directives & {"noindex", "none"},
        _says_article(structured),
    )


def feeds_of(page: SourcePage) -> list[str]:
    """Return the feeds that a page names in `<link rel=alternate>`, those of comments last.

    >>> feeds_of(SourcePage("https://example.org/", b'<link rel=alternate type="application/rss+xml" href=rss>'))
    ['https://example.org/rss']
    """
    nodes = parse(decode(page.content, page.content_type).utf8)
    base = _base(nodes, page.url)
    found: dict[str, bool] = {}
    for row in islice(nodes.rows_of("link"), MOST_LINKS):
        kind = (nodes.attr(row, "type") or "").partition(";")[0].strip().lower()
        is_feed = "alternate" in _words(nodes, row, "rel") and kind in _FEED_TYPES
        url = absolute(nodes.attr(row, "href") or "", base) if is_feed else None
        if url and url.startswith("http"):
            of_comments = "comment" in f"{url} {nodes.attr(row, 'title') or ''}".lower()
            found.setdefault(url, of_comments)
    return sorted(found, key=lambda url: found[url])


def _links(nodes: Nodes, base: str) -> Iterator[Link]:
    seen: set[str] = set()
    for row in islice(nodes.rows_of("a"), _MOST_ANCHORS):
        href = nodes.attr(row, "href")
        url = clean_url(href, base) if href is not None else None
        if url is None or url in seen or _UNFOLLOWED & _words(nodes, row, "rel"):
            continue
        seen.add(url)
        yield Link(url, _text(nodes, row))
        if len(seen) >= MOST_LINKS:
            return


def _text(nodes: Nodes, row: int) -> str:
    rows = range(row + 1, min(nodes.end[row], row + _TEXT_ROWS))
    texts = (nodes.text(inside)[: 5 * _LONGEST_TEXT] for inside in rows if nodes.chars[inside])
    return " ".join("".join(texts).split())[:_LONGEST_TEXT]


def _base(nodes: Nodes, url: str) -> str:
    """The URL that relative links refer to: that of the first `<base href>`, else the page's."""
    for row in nodes.rows_of("base"):
        href = nodes.attr(row, "href")
        if href is not None:
            return absolute(href, url) or url
    return url


def _canonical(structured: Structured, base: str, url: str) -> str | None:
    for href in structured.links.get("canonical", ()):
        found = clean_url(href, base)
        # Some sites name their home page on every page, which would make one page of all.
        if found and site_of(found) == site_of(url) and found.split("/", 3)[3]:
            return found
    return None


def _directives(structured: Structured) -> set[str]:
    contents = " ".join(structured.all("robots", "bonmun")).lower()
    return {word for word in re.split(r"[\s,]+", contents) if word}


def _says_article(structured: Structured) -> bool:
    """By OpenGraph or JSON-LD. A list of articles describes several: only one that stands alone is the page itself."""
    if structured.first("article:published_time") or (structured.first("og:type") or "").lower() == "article":
        return True
    kinds = [thing.types for thing in structured.things]
    return sum(any(kind.endswith(_ARTICLE_TYPES) for kind in types) for types in kinds) == 1


def _words(nodes: Nodes, row: int, attribute: str) -> set[str]:
    return set((nodes.attr(row, attribute) or "").lower().split())
