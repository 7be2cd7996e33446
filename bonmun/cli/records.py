"""Iterate over the pages of a site: from a directory, a WARC, a list of URLs or JSON lines."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bonmun.cli.sources import PageSource, Raw, expand, read
from bonmun.errors import MissingExtra, SourceError

_WARC = (".warc", ".warc.gz")
_LINES = (".jsonl", ".jsonl.zst", ".ndjson")
_URL_LISTS = (".txt", ".urls", ".list")
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Record:
    """A page before decoding, or the error that it gave."""

    name: str
    raw: Raw | None
    error: Exception | None = None


def records_of(argument: str, most: int, *, allow_private: bool = False) -> Iterator[Record]:
    """Yield the pages of an argument; an unreadable page is a record with its error."""
    lower = argument.lower()
    if Path(argument).is_file() and lower.endswith(_WARC):
        yield from _from_warc(argument, most)
    elif Path(argument).is_file() and lower.endswith(_LINES):
        yield from _from_lines(argument)
    elif Path(argument).is_file() and lower.endswith(_URL_LISTS):
        for number, line in enumerate(_text_lines(argument), 1):
            if line.strip() and not line.startswith("#"):
                yield from _from_sources(line.strip(), most, allow_private, f"{argument}, line {number}")
    else:
        yield from _from_sources(argument, most, allow_private)


def _from_sources(argument: str, most: int, allow_private: bool, where: str = "") -> Iterator[Record]:
    try:
        sources = expand(argument)
    except SourceError as error:
        yield Record(where or argument, None, error)
        return
    for source in sources:
        yield _one(source, most, allow_private)


def _one(source: PageSource, most: int, allow_private: bool) -> Record:
    try:
        return Record(source.name, read(source, most, allow_private=allow_private))
    except Exception as error:  # One bad source does not stop the others.
        return Record(source.name, None, error)


def _from_warc(path: str, most: int) -> Iterator[Record]:
    """Yield the HTML responses of a web archive."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with Path(path).open("rb") as file:
        archive = ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True, auto_decode="all")
        for number, record in enumerate(archive, 1):
            url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
            kind = record.http_content_type or ""
            if kind and kind not in _PAGE_TYPES:
                continue
            content = record.reader.read(most + 1)
            if content and record.http_headers is not None and 200 <= int(record.http_headers.status_code or 0) < 300:
                yield Record(url or f"{path}, record {number}", Raw(content, url or None, record.http_charset))


def _from_lines(path: str) -> Iterator[Record]:
    """Yield the pages of JSON lines: objects with `html` and, optionally, `url`."""
    for number, line in enumerate(_text_lines(path), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            record: Any = json.loads(line)
            html, url = record["html"], record.get("url")
            yield Record(url or where, Raw(html.encode("utf-8", "replace"), url, "utf-8"))
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Record(where, None, SourceError("not a JSON object with 'html'"))


def _text_lines(path: str) -> Iterator[str]:
    with _opened(path) as file:
        yield from file


def _opened(path: str) -> IO[str]:
    if not path.lower().endswith(".zst"):
        return Path(path).open(encoding="utf-8")
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("files packed with zstd", "bench") from None
    opened: IO[str] = zstandard.open(path, "rt", encoding="utf-8")
    return opened
