"""Sources in one line of text, as configuration files and the command line have them."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bonmun.errors import SourceError, UnknownName
from bonmun.middleware.exchange import Source
from bonmun.middleware.sources.crawl import Crawl
from bonmun.middleware.sources.feed import Feed
from bonmun.middleware.sources.files import Files
from bonmun.middleware.sources.sitemap import Sitemap
from bonmun.middleware.sources.url_rules import clean_url
from bonmun.middleware.sources.urls import Urls
from bonmun.middleware.sources.warc import Warc
from bonmun.middleware.sources.watched_folder import WatchedFolder

Maker = Callable[[str], Source]
"""What makes a source of the text after the colon."""

_PREFIX: Final = re.compile(r"([a-z][a-z0-9_-]+):(.*)", re.S)  # two letters: `C:` is a drive of Windows
_LISTS: Final = (".txt", ".urls", ".list")
_WILDCARD: Final = re.compile(r"[*?[]")


def _feed(text: str) -> Source:
    return Feed(_url(text, "feed"))


def _sitemap(text: str) -> Source:
    return Sitemap(_url(text, "sitemap"))


def _site(text: str) -> Source:
    return Crawl(_url(text, "site"))


def _urls(text: str) -> Source:
    return Urls(Path(text))


FORMS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "feed": _feed,
        "sitemap": _sitemap,
        "site": _site,
        "urls": _urls,
        "files": Files,
        "warc": Warc,
        "watch": WatchedFolder,
    }
)
"""The forms `name:text` of our own."""


def source_of(text: str, more: Mapping[str, Maker] = MappingProxyType({})) -> Source:
    """Return the source that a line names.

    `https://…`, `feed:https://…`, `sitemap:https://…`, `site:https://…`, `urls:list.txt`, `files:…`, `warc:…`,
    `watch:folder`, or the path of a file or folder, or a pattern. `more`: the forms of plug-ins, by the name before the
    colon. Raise `UnknownName` for another form, `SourceError` for a path that does not exist.

    >>> source_of("feed:https://example.org/rss")
    Feed(url='https://example.org/rss', limit=10000, name='feed:https://example.org/rss')
    >>> source_of("gopher:tea")
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no source named 'gopher'; there are: feed, files, http, https, ...
    """
    text = text.strip()
    match = _PREFIX.fullmatch(text)
    forms = {**FORMS, **more}
    if match is None or (match[1] not in forms and Path(text).exists()):
        return _path(text, forms)
    name, rest = match[1], match[2].strip()
    if name in ("http", "https"):
        return Urls([_url(text, name)])
    if name not in forms:
        raise UnknownName("source", name, (*forms, "http", "https"))
    if not rest:
        raise SourceError(f"{text}: nothing after the colon; expected {name}:{_EXAMPLES.get(name, '…')}")
    return forms[name](rest)


_EXAMPLES: Final = {
    "feed": "https://example.org/feed.xml",
    "sitemap": "https://example.org/sitemap.xml",
    "site": "https://example.org/",
    "urls": "list.txt",
    "files": "pages/*.html",
    "warc": "crawl.warc.gz",
    "watch": "folder",
}


def _url(text: str, form: str) -> str:
    if clean_url(text) is None:
        raise SourceError(f"{form}: {text[:80]!r} is not a URL of http or https")
    return text


def _path(text: str, forms: Mapping[str, Maker]) -> Source:
    path = Path(text)
    if text and (_WILDCARD.search(text) or path.exists()):
        return Urls(path) if text.lower().endswith(_LISTS) and path.is_file() else Files(text)
    known = ", ".join(f"{name}:" for name in sorted(forms))
    raise SourceError(f"{text[:500] or 'an empty line'}: neither a URL nor an existing file; other sources: {known}")
