"""The pages of a sitemap and of the sitemaps that it lists."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urljoin

from bonmun.errors import BonmunError, SourceError
from bonmun.middleware.exchange import Network, Request, SourcePage, Unfetched
from bonmun.middleware.sources.problems import Problems
from bonmun.middleware.sources.sitemap_entries import NotASitemap, changed_since, sitemap_entries
from bonmun.middleware.sources.url_rules import clean_url, url_key

MOST_ENTRIES: Final = 5_000_000
"""Pages of a site; the largest news archives have a few million."""
MOST_FILES: Final = 10_000
"""Sitemaps of a site, of up to 50,000 pages each."""
DEEPEST: Final = 4
"""Levels of index files; the protocol allows one, a robots.txt adds one."""


@dataclass(slots=True)
class Sitemap:
    """The pages of a sitemap: XML, gzip, news, plain text, a feed, or an index of these.

    A site's robots.txt is one too; of a home page, the sitemaps are found through its robots.txt or at `/sitemap.xml`.

    >>> Sitemap("https://example.org/sitemap.xml").name
    'sitemap:https://example.org/sitemap.xml'
    """

    url: str
    since: datetime | None = None
    """Leave out pages and sitemaps that say they were last changed before this time."""
    limit: int = MOST_ENTRIES
    """The largest number of pages; a `SourceError` says that there are more."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"sitemap:{self.url}"

    def items(self, network: Network) -> Iterator[Request | Unfetched]:
        """Yield the pages in the order of the files, and the files that could not be fetched.

        A `SourceError` for malformed files and loops comes last.
        """
        reading = _Reading(self)
        reading.add(self.url, 0)
        count = 0
        while reading.waiting:
            for address in reading.pages(network):
                if isinstance(address, Unfetched):
                    yield address
                    continue
                if count >= self.limit:
                    reading.problems.add(SourceError(f"more than {self.limit:,} pages (Sitemap.limit)"))
                    reading.waiting.clear()
                    break
                count += 1
                yield Request(address, self.name)
        reading.problems.raise_any()


@dataclass(slots=True)
class _Reading:
    """The sitemaps to read and those already known."""

    source: Sitemap
    waiting: deque[tuple[str, int]] = field(default_factory=deque)
    known: set[str] = field(default_factory=set)
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = Problems(self.source.name)

    def add(self, url: str, depth: int) -> None:
        """Queue a sitemap, unless it is known, too deep or one too many."""
        if url_key(url) in self.known:
            self.problems.add(SourceError(f"sitemap {url} is listed again: a loop"))
        elif depth > DEEPEST:
            self.problems.add(SourceError(f"sitemap {url}: more than {DEEPEST} levels of index files"))
        elif len(self.known) >= MOST_FILES:
            self.problems.add(SourceError(f"sitemap {url}: more than {MOST_FILES:,} sitemaps"))
        else:
            self.known.add(url_key(url))
            self.waiting.append((url, depth))

    def pages(self, network: Network) -> Iterator[str | Unfetched]:
        """Yield the pages of the next sitemap, and queue the sitemaps that it lists."""
        url, depth = self.waiting.popleft()
        request = Request(url, self.source.name)
        try:
            yield from self._entries(network.fetch(request), depth)
        except NotASitemap as error:
            if depth:
                self.problems.add(SourceError(f"{url}: {error}"))
            else:
                yield from self._discovered(url, network)
        except SourceError as error:
            self.problems.add(error if url in str(error) else SourceError(f"sitemap {url}: {error}"))
        except BonmunError as error:
            if not depth:
                raise
            yield Unfetched(request, error)

    def _entries(self, page: SourcePage, depth: int) -> Iterator[str]:
        since = self.source.since
        for entry in sitemap_entries(page.content, page.url, page.content_type):
            if since is not None and entry.changed and not changed_since(entry.changed, since):
                continue
            address = clean_url(entry.url, page.url)
            if address and entry.is_sitemap:
                self.add(address, depth + 1)
            elif address:
                yield address

    def _discovered(self, url: str, network: Network) -> Iterator[str]:
        """Find the sitemaps of a site whose home page, or any other page, was given."""
        try:
            robots = network.fetch(Request(urljoin(url, "/robots.txt"), self.source.name))
            yield from self._entries(robots, 0)
        except BonmunError:
            self.add(urljoin(url, "/sitemap.xml"), 1)
