"""The entries of a feed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bonmun.errors import SourceError
from bonmun.middleware.exchange import Network, Request, SourcePage
from bonmun.middleware.sources.feed_entries import ROOTS, entry_links, root_of
from bonmun.middleware.sources.page_links import feeds_of
from bonmun.middleware.sources.url_rules import url_key
from bonmun.read.decode import decode

MOST_ENTRIES: Final = 10_000
"""Entries of a feed. Most have 10 to 100; one with more than this is no feed of news."""
_HEAD: Final = 64 * 1024


@dataclass(slots=True)
class Feed:
    """The pages of an RSS feed (0.9x, 1.0, 2.0), an Atom feed or a JSON Feed, newest first as the feed has them.

    The format is found by the content. A home page is searched for the feed that it names in `<link rel=alternate>`.

    >>> Feed("https://example.org/feed.xml").name
    'feed:https://example.org/feed.xml'
    """

    url: str
    limit: int = MOST_ENTRIES
    """The largest number of entries to yield; further ones are ignored."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"feed:{self.url}"

    def items(self, network: Network) -> Iterator[Request]:
        """Yield each entry's page once; raise `SourceError` if there is no feed, or after a malformed part."""
        page = self._feed_page(network)
        seen: set[str] = set()
        try:
            for link in entry_links(page.content, page.url, page.content_type):
                if len(seen) >= self.limit:
                    return
                if (key := url_key(link)) not in seen:
                    seen.add(key)
                    yield Request(link, self.name)
        except SourceError as error:
            raise SourceError(f"feed {page.url}: {error}") from error

    def _feed_page(self, network: Network) -> SourcePage:
        """The feed, or the one that the page at its URL names."""
        page = network.fetch(Request(self.url, self.name))
        head = decode(page.content[:_HEAD], page.content_type).text.lstrip()
        if head.startswith("{") or root_of(head) in ROOTS:
            return page
        feeds = feeds_of(page)
        if not feeds and root_of(head) == "html":
            raise SourceError(f"{page.url}: a web page that names no feed; give the URL of the feed itself")
        return network.fetch(Request(feeds[0], self.name)) if feeds else page
