"""The network of a site's crawl: it remembers every page in the job, and answers from there when the job goes on.

A site is crawled by following links, so after a restart its pages are needed again: for their links, not for their
text. The contents are dropped when the job is over.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import datetime

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network, NetworkFacts, Request, SourcePage
from bonmun.store.job_pages import JobPage, JobPages
from bonmun.store.urls import url_key

_LEVEL = 3
"""Of zlib: a page of 100 kB takes 2 ms."""


class RecordedNetwork:
    """A `Network` that asks for no page of a job twice."""

    def __init__(self, network: Network, pages: JobPages, source_id: int) -> None:
        self._network, self._pages, self._source_id = network, pages, source_id

    def fetch(self, request: Request) -> SourcePage:
        """Fetch one page."""
        return self._found(request) or self._kept(request, self._network.fetch(request))

    def stream(
        self, requests: Iterable[Request], on_start: Callable[[Request], object] | None = None
    ) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
        """Fetch many pages."""
        missing = []
        for request in requests:
            page = self._found(request)
            if page is None:
                missing.append(request)
            else:
                yield request, page
        for request, answer in self._network.stream(missing, on_start) if missing else ():
            yield request, self._kept(request, answer) if isinstance(answer, SourcePage) else answer

    def _found(self, request: Request) -> SourcePage | None:
        row = self._pages.find(url_key(request.url))
        return source_page(row, request.source) if row is not None and row.content is not None else None

    def _kept(self, request: Request, page: SourcePage) -> SourcePage:
        row = JobPage(
            key=url_key(request.url),
            url=request.url,
            state="seen",
            source_id=self._source_id,
            content=compressed(page.content),
            content_type=page.content_type,
            network=json.dumps({"url": page.url, **(asdict(page.network) if page.network else {})}, default=str),
        )
        self._pages.add([row])
        return page


def source_page(row: JobPage, source: str) -> SourcePage:
    """Return the page that a row has."""
    facts = json.loads(row.network) if row.network else {}
    url = facts.pop("url", row.url)
    return SourcePage(url, zlib.decompress(row.content or b""), row.content_type, source, _facts(facts))


def compressed(content: bytes) -> bytes:
    """Return content in less space; `zlib.decompress` is the other end."""
    return zlib.compress(content, _LEVEL)


def _facts(facts: dict[str, object]) -> NetworkFacts | None:
    if not facts:
        return None
    moment, redirects = datetime.fromisoformat(str(facts["fetched_at"])), facts["redirects"]
    assert isinstance(redirects, list)
    return NetworkFacts(**{**facts, "fetched_at": moment, "redirects": tuple(redirects)})  # type: ignore[arg-type]
