"""A network over the safe fetch of the core, for sources that are tested against a local server."""

from collections.abc import Iterable, Iterator, Mapping

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Request, SourceItem, SourcePage, Unfetched
from bonmun.middleware.network import FetchPolicy, fetch
from tests.middleware.local_server import Server, answer

POLICY = FetchPolicy(allow_private=True, seconds=10.0, max_bytes=200_000_000)


class LocalNetwork:
    """Fetches one page after the other, and remembers which."""

    def __init__(self) -> None:
        self.fetched: list[str] = []

    def fetch(self, request: Request) -> SourcePage:
        self.fetched.append(request.url)
        page = fetch(request.url, POLICY)
        return SourcePage(page.url, page.content, page.content_type, request.source)

    def stream(self, requests: Iterable[Request]) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
        for request in requests:
            try:
                yield request, self.fetch(request)
            except BonmunError as error:
                yield request, error


class Missing(dict[str, object]):
    """Answers 404 for every path that is not served."""

    def __missing__(self, path: str) -> bytes:
        return answer(b"<p>missing", "404 Not Found", Content_Type="text/html")


def serve(server: Server, pages: Mapping[str, str | bytes], kind: str = "text/html; charset=utf-8") -> str:
    """Serve some pages by path; return the server's home page."""
    for path, body in pages.items():
        content = body.encode() if isinstance(body, str) else body
        server.serve(answer(content, Content_Type=kind), path)
    return f"http://127.0.0.1:{server.port}/"


def paths(items: Iterable[SourceItem]) -> list[str]:
    """The paths of what a source yields, without what it failed to fetch."""
    return ["/" + item.url.split("/", 3)[3] for item in items if not isinstance(item, Unfetched)]


def fetched_or_not(items: Iterable[SourceItem]) -> tuple[list[str], dict[str, BonmunError]]:
    """The URLs that a source yields, and those that it failed to fetch, with their errors."""
    given = list(items)
    failed = {item.request.url: item.error for item in given if isinstance(item, Unfetched)}
    return [item.url for item in given if not isinstance(item, Unfetched)], failed


def until_error(items: Iterator[SourceItem]) -> tuple[list[str], BonmunError]:
    """The URLs that a source yields before its error, and the error."""
    urls: list[str] = []
    try:
        for item in items:
            if not isinstance(item, Unfetched):
                urls.append(item.url)
    except BonmunError as error:
        return urls, error
    raise AssertionError(f"no error after {len(urls)} items")
