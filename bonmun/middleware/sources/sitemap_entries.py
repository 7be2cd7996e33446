"""The entries of a sitemap: of an index, of pages, of news, as plain text; read as a stream in bounded memory."""

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import chain
from typing import Final

from bonmun.errors import SourceError
from bonmun.middleware.sources.feed_entries import ROOTS, entry_links, root_of
from bonmun.middleware.sources.url_rules import LONGEST_URL
from bonmun.middleware.sources.xml_stream import byte_chunks, elements, text_chunks

MOST_BYTES: Final = 1_000_000_000
"""Bytes of a sitemap after decompression. The protocol allows 50 MB; a bomb of this size takes seconds, not memory."""
_ENTRIES: Final = ("url", "sitemap")
_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page, or another sitemap, with the time of its last change as written."""

    url: str
    is_sitemap: bool = False
    changed: str = ""


class NotASitemap(SourceError):
    """A web page or another file where a sitemap was expected.

    >>> issubclass(NotASitemap, SourceError)
    True
    """


def sitemap_entries(content: bytes, url: str, content_type: str | None = None) -> Iterator[SitemapEntry]:
    """Yield the entries of a sitemap, decompressed if need be; a feed is one too, and so is a robots.txt.

    Raise `SourceError` for malformed or hostile content, after the entries before it.

    >>> list(sitemap_entries(b"<urlset><url><loc>https://example.org/tea</loc></url></urlset>", "https://example.org/"))
    [SitemapEntry(url='https://example.org/tea', is_sitemap=False, changed='')]
    """
    packed = content.startswith(_GZIP)
    texts = text_chunks(_unpacked(content) if packed else byte_chunks(content), None if packed else content_type)
    first = next(texts).lstrip()
    texts = chain([first], texts)
    root = root_of(first)
    if root in ("urlset", "sitemapindex"):
        yield from _from_xml(texts)
    elif root in ROOTS:
        joined = "".join(texts).encode()
        yield from (SitemapEntry(link) for link in entry_links(joined, url, "application/xml; charset=utf-8"))
    elif root:
        raise NotASitemap(f"not a sitemap: <{root}> instead of <urlset> or <sitemapindex>")
    else:
        yield from _from_text(texts)


def changed_since(changed: str, since: datetime) -> bool:
    """Tell whether a W3C date is not before `since`; a date without time counts to its end, an unknown one as new.

    >>> changed_since("2026-11-16", datetime(2026, 11, 16, 10, tzinfo=UTC)), changed_since("2025", datetime.now(UTC))
    (True, False)
    """
    date = changed.strip()
    try:
        moment = datetime.fromisoformat({4: f"{date}-12-31", 7: f"{date}-28"}.get(len(date), date))
    except ValueError:
        return True
    if len(date) <= len("2026-11-16"):
        moment = datetime.combine(moment, time.max)
    return _aware(moment) >= _aware(since)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _from_xml(texts: Iterable[str]) -> Iterator[SitemapEntry]:
    fields: dict[str, str] = {}
    for element in elements(texts):
        local, parent = element.local, element.parent
        if local in _ENTRIES:
            if address := fields.get("loc", ""):
                changed = fields.get("lastmod") or fields.get("publication_date", "")
                yield SitemapEntry(address, local == "sitemap", changed)
            fields = {}
        elif parent is not None and (parent.local in _ENTRIES or local == "publication_date"):
            fields[local] = element.text.strip()


def _from_text(texts: Iterable[str]) -> Iterator[SitemapEntry]:
    """Yield the lines that are a URL, and the `Sitemap:` lines of a robots.txt."""
    found = False
    for line in _lines(texts):
        label, colon, value = line.partition(":")
        named = label.strip().lower() == "sitemap" and bool(colon)
        address = value.strip() if named else line.strip()
        if address.startswith(("http://", "https://")) or (named and address):
            found = True
            yield SitemapEntry(address, named)
    if not found:
        raise NotASitemap("not a sitemap: text without any URL on a line of its own")


def _lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text; of one that is longer than a URL can be, some part."""
    rest = ""
    for text in texts:
        *lines, rest = (rest[-2 * LONGEST_URL :] + text).split("\n")
        yield from lines
    yield rest


def _unpacked(content: bytes) -> Iterator[bytes]:
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            while piece := file.read1(_CHUNK):
                size += len(piece)
                if size > MOST_BYTES:
                    raise SourceError(f"larger than {MOST_BYTES:,} bytes after decompression")
                yield piece
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"damaged gzip file: {error}") from error
