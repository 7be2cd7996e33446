"""The pages behind the sources that loaders are given: files, folders, patterns, URLs, and pages at hand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from bonmun.errors import BonmunError, SourceError
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.middleware.network import DEFAULT_POLICY, FetchPolicy, fetch
from bonmun.middleware.sources.files import page_suffixes, pages_in
from bonmun.middleware.sources.local_files import files_at
from bonmun.middleware.sources.problems import Problems

Source = str | PathLike[str] | tuple[str | None, str | bytes]
"""The path of a file or folder, a pattern, a URL of http or https, or a pair of a page's URL and its HTML."""
Sources = str | PathLike[str] | Iterable[Source]
"""One path or URL, or any number of sources."""

_URL = re.compile(r"(?i)https?://")


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page to extract, or the reason why there is none.

    >>> GivenPage("tea.html", b"<p>Tea").source
    'tea.html'
    """

    source: str
    """The page's URL, else its file: what metadata and messages call it."""
    html: str | bytes = b""
    url: str | None = None
    charset: str | None = None
    """The Content-Type header or its charset."""
    error: BonmunError | None = None


def web_address(text: object) -> str | None:
    """Return a URL of http or https; `None` for anything else.

    >>> web_address("https://example.org/"), web_address("pages/tea.html"), web_address(None)
    ('https://example.org/', None, None)
    """
    return text if isinstance(text, str) and _URL.match(text) else None


def pages_of(
    sources: Sources, fetching: FetchPolicy = DEFAULT_POLICY, limits: Limits = DEFAULT_LIMITS
) -> Iterator[GivenPage]:
    """Yield the pages of sources in order, lazily; one that cannot be read has its error.

    A folder is searched for HTML and MHTML files, but not for links to files. A file that is named may be a WARC, ZIP,
    tar, JSON lines or Parquet file. URLs are fetched by `bonmun.fetch` within the limits of `fetching`; private
    addresses are refused.

    >>> [page.source for page in pages_of([("https://example.org/tea", "<p>Tea"), (None, "<p>Water")])]
    ['https://example.org/tea', 'page 2']
    """
    several: Iterable[Source] = [sources] if isinstance(sources, str | PathLike) else sources
    for number, source in enumerate(several, 1):
        if isinstance(source, tuple):
            url, html = source
            yield GivenPage(url or f"page {number}", html, url)
        elif address := web_address(source):
            yield _fetched(address, fetching)
        else:
            yield from _in_files(fspath(source), limits.bytes)


def _fetched(url: str, fetching: FetchPolicy) -> GivenPage:
    try:
        page = fetch(url, fetching)
    except BonmunError as error:
        return GivenPage(url, error=error)
    return GivenPage(url, page.content, page.url, page.content_type)


def _in_files(text: str, most: int) -> Iterator[GivenPage]:
    if text.lstrip().startswith("<"):
        yield GivenPage(text[:40], error=SourceError("HTML instead of a path: give a page as a pair (url, html)"))
        return
    try:
        for path in files_at(text, page_suffixes()):
            yield from _in_file(path, most)
    except BonmunError as error:
        yield GivenPage(text, error=error)


def _in_file(path: Path, most: int) -> Iterator[GivenPage]:
    unread = _Unread()
    try:
        for page in pages_in(path, str(path), most, unread):
            yield from unread.taken(path)
            url = web_address(page.url)
            place = page.url.rpartition("#")[2] if "#" in page.url else ""
            source = url or (f"{path}, page {place}" if place else str(path))
            yield GivenPage(source, page.content, url, page.content_type)
        yield from unread.taken(path)
    except BonmunError as error:
        yield from unread.taken(path)
        yield GivenPage(str(path), error=error)


class _Unread(Problems):
    """The errors of single pages of a container, to be taken where they occur instead of at the end."""

    def __init__(self) -> None:
        super().__init__("")
        self._errors: list[BonmunError] = []

    def add(self, error: BonmunError) -> None:
        self._errors.append(error)

    def taken(self, path: Path) -> list[GivenPage]:
        errors, self._errors = self._errors, []
        return [GivenPage(str(path), error=error) for error in errors]
