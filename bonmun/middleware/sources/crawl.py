"""The articles of one site, found by following its links."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from bonmun.errors import RobotsDisallowed, SourceError
from bonmun.middleware.exchange import Network, Request, SourcePage, Unfetched
from bonmun.middleware.sources.page_links import Link, PageLinks, is_html, read_links
from bonmun.middleware.sources.url_rules import LinkKind, is_list, link_kind, site_of, url_key, url_shape

MOST_QUEUED: Final = 100_000
"""URLs that wait at the same time."""
BATCH: Final = 32
"""URLs that the network gets at a time."""
SAME_SHAPE: Final = 50
"""Lists whose URLs differ in numbers and values only, such as the months of a calendar or the pages of an archive."""


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """Where a crawl stops.

    >>> CrawlLimits(pages=50).depth
    3
    """

    pages: int = 1_000
    """Pages to fetch, lists included."""
    depth: int = 3
    """Links between the start page and the last page."""
    seconds: float = 1_800.0
    """Time after which no further batch of `BATCH` pages is requested."""


@dataclass(slots=True)
class Crawl:
    """The articles of a site, from a start page on, level by level: first what looks like an article, then lists.

    Links outside the site, links with `rel=nofollow`, and pages that forbid robots are left alone; robots.txt and the
    pace are the network's part. A page is an article if its URL looks like one (`link_kind`) or its metadata says so.

    >>> Crawl("https://example.org/").name
    'site:https://example.org/'
    """

    url: str
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    articles_only: bool = True
    """Whether lists, home pages and the like are followed but not yielded."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"site:{self.url}"

    def items(self, network: Network) -> Iterator[SourcePage | Unfetched]:
        """Yield pages as they come, and those that failed. The start page has to succeed."""
        end = time.monotonic() + self.limits.seconds
        start = network.fetch(Request(self.url, self.name))
        if not is_html(start):
            raise SourceError(f"{start.url}: not a web page to start from: {start.content_type}")
        walk = _Walk(self, site_of(start.url), end)
        yield from walk.visit(start, LinkKind.HUB)
        for _ in range(self.limits.depth):
            level = walk.next_level()
            while batch := walk.next_batch(level):
                for request, answer in network.stream(Request(url, self.name) for url in batch):
                    if isinstance(answer, SourcePage):
                        yield from walk.visit(answer, batch[request.url])
                    elif not isinstance(answer, RobotsDisallowed):
                        yield Unfetched(request, answer)


class _Walk:
    """The state of a crawl."""

    def __init__(self, crawl: Crawl, site: str, end: float) -> None:
        self._crawl, self._site, self._end = crawl, site, end
        self._queued: dict[str, LinkKind] = {}
        self._known = {url_key(crawl.url)}
        self._visited: set[str] = set()
        self._contents: set[bytes] = set()
        self._shapes: Counter[str] = Counter()
        self._requested = 1

    def next_level(self) -> dict[str, LinkKind]:
        """Return the URLs queued so far, articles first, and begin a new queue."""
        order = sorted(self._queued, key=lambda url: self._queued[url] is not LinkKind.ARTICLE)
        level = {url: self._queued[url] for url in order}
        self._queued = {}
        return level

    def next_batch(self, level: dict[str, LinkKind]) -> dict[str, LinkKind]:
        """Take the next URLs of a level; none when it is empty or a limit of the crawl is reached.

        A network reads requests far ahead, so a whole level at once would outlast the time limit.
        """
        left = self._crawl.limits.pages - self._requested if time.monotonic() < self._end else 0
        batch = {url: level.pop(url) for url in list(islice(level, max(0, min(left, BATCH))))}
        self._requested += len(batch)
        return batch

    def visit(self, page: SourcePage, kind: LinkKind) -> Iterator[SourcePage]:
        """Queue the links of a page, and yield it if it is a new article that may be indexed."""
        if not is_html(page) or site_of(page.url) != self._site or self._is_copy(page):
            return
        links = read_links(page)
        is_new = not self._is_known_page(page, links)
        for link in links.links:  # of a known page too: all pages of a list may name the first as canonical
            self._queue(link)
        # The metadata of many home pages and categories calls them an article too.
        says_article = links.says_article and not is_list(page.url)
        is_wanted = kind is LinkKind.ARTICLE or says_article or not self._crawl.articles_only
        if is_new and is_wanted and links.may_index:
            yield page

    def _is_copy(self, page: SourcePage) -> bool:
        """Whether the same content came under another URL: endless query strings give the same page again."""
        digest = hashlib.blake2b(page.content, digest_size=16).digest()
        is_copy = digest in self._contents
        self._contents.add(digest)
        return is_copy

    def _is_known_page(self, page: SourcePage, links: PageLinks) -> bool:
        """Whether a page was visited under another URL: by its redirect or its canonical URL."""
        own, canonical = url_key(page.url), url_key(links.canonical or page.url)
        is_known = canonical in self._visited or own in self._visited
        self._visited |= {own, canonical}
        self._known |= {own, canonical}
        return is_known

    def _queue(self, link: Link) -> None:
        kind = link_kind(link.url, link.text)
        if kind is LinkKind.OTHER or site_of(link.url) != self._site or len(self._queued) >= MOST_QUEUED:
            return
        key = url_key(link.url)
        if key in self._known:
            return
        if kind is LinkKind.HUB:
            shape = url_shape(link.url)
            self._shapes[shape] += 1
            if self._shapes[shape] > SAME_SHAPE:
                return
        self._known.add(key)
        self._queued[link.url] = kind
