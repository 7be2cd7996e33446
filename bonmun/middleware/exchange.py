"""What flows from the sources through the network to the container: requests, and the pages that answer them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bonmun.errors import BonmunError


@dataclass(frozen=True, slots=True)
class Request:
    """A page that a source asks the network for.

    >>> Request("https://example.org/news/1", source="example feed").url
    'https://example.org/news/1'
    """

    url: str
    source: str = ""
    """The name of the source."""


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """How a page was fetched."""

    requested_url: str
    status: int
    """The status code of the final response; 304 responses are answered from the cache and have the cached one."""
    http_version: str
    """`HTTP/1.1` or `HTTP/2`."""
    redirects: tuple[str, ...]
    """The URLs that redirected, the requested one first."""
    attempts: int
    from_cache: bool
    """Whether the body came from the cache, revalidated or still fresh."""
    received_bytes: int
    """The body's bytes before decompression; 0 if it came from the cache."""
    seconds: float
    """Time on the network, without the wait for the host's turn."""
    fetched_at: datetime
    """When the response was complete, in UTC."""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page as it came, before extraction: from the network, a file or an archive.

    >>> SourcePage("https://example.org/", b"<p>Tea", "text/html; charset=utf-8").content
    b'<p>Tea'
    """

    url: str
    """The final URL; of a file without one, its `file:` URL."""
    content: bytes
    content_type: str | None = None
    """The Content-Type header as sent; passed to `extract` as `charset`."""
    source: str = ""
    """The name of the source."""
    network: NetworkFacts | None = None
    """`None` for a page that did not come over the network."""


@dataclass(frozen=True, slots=True)
class Unfetched:
    """A page that a source tried to fetch itself, with the error; the container reports it like a failed request.

    >>> Unfetched(Request("https://example.org/sitemap-2.xml"), BonmunError("no answer")).request.url
    'https://example.org/sitemap-2.xml'
    """

    request: Request
    error: BonmunError


SourceItem = Request | SourcePage | Unfetched
"""What a source yields."""


class Network(Protocol):
    """What a source and the container use to fetch."""

    def fetch(self, request: Request) -> SourcePage:
        """Fetch one page politely; raise `FetchError` or `LimitExceeded`."""
        ...

    def stream(
        self, requests: Iterable[Request], on_start: Callable[[Request], object] | None = None
    ) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
        """Fetch many, several hosts at once; yield each with its page or error as it completes.

        `requests` may block while its source waits: answers must not wait for the next request. `on_start` is called
        from any thread when the fetch of a request starts.
        """
        ...


class Source(Protocol):
    """Where pages come from: one method that yields requests, pages, or pages that the source failed to fetch.

    An exception ends the source; the container reports it and records it in the store. A source that waits, such as for
    files, can have a method `stop` that ends `items`; the container calls it.

    A plug-in package adds one through the entry point group `bonmun.sources`.
    """

    name: str

    def items(self, network: Network) -> Iterator[SourceItem]:
        """Yield what to fetch, or the pages themselves; lazily, and possibly without end."""
        ...


@dataclass(frozen=True, slots=True)
class Pages:
    """A source of pages and requests that are at hand.

    >>> [page.url for page in Pages([SourcePage("https://example.org/", b"<p>Tea")]).pages]
    ['https://example.org/']
    """

    pages: Iterable[SourceItem]
    name: str = "pages"

    def items(self, network: Network) -> Iterator[SourceItem]:
        """Yield them one by one."""
        return iter(self.pages)
