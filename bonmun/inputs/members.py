"""The pages of a container, one at a time."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.errors import BonmunError, LimitExceeded, MissingExtra, SourceError
from bonmun.inputs.kinds import MHTML_SUFFIXES, PAGE_SUFFIXES, InputKind, suffixes_of
from bonmun.inputs.streams import Steady, decompressed, peeked
from bonmun.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    import zipfile

    from fastwarc.warc import WarcRecord

_PAGE_TYPES = ("text/html", "application/xhtml+xml")
_LINE_FACTOR = 4
"""Longest JSON line as a multiple of the largest page: escapes double the size, and there are other fields."""
_ROWS = 64
"""Rows of a Parquet file that are read at a time."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the fields of JSON lines, or of the columns of a Parquet file."""

    html: str = "html"
    url: str = "url"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read containers."""

    most: int = DEFAULT_LIMITS.bytes
    """The largest page, in bytes: a page is read just beyond it, so that it is refused and not cut."""
    columns: Columns = Columns()


@dataclass(frozen=True, slots=True)
class Member:
    """A page of a container, or the error that it gave."""

    label: str
    """Its place in the container, after the container's name in messages."""
    content: bytes = b""
    url: str | None = None
    charset: str | None = None
    is_html: bool = False
    """Whether the container says that it is HTML; else the content has to look like it."""
    error: BonmunError | None = None


def members(kind: InputKind, stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the pages of a container; only ZIP and Parquet need a stream that can seek."""
    return _READERS[kind](stream, reading)


def _from_warc(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the HTML responses of a web archive."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    steady = Steady(stream)
    archive = ArchiveIterator(steady, record_types=WarcRecordType.response, parse_http=True, auto_decode="all")
    for number, record in enumerate(archive, 1):
        url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
        kind, head = record.http_content_type or "", record.http_headers
        if (kind and kind not in _PAGE_TYPES) or head is None or not 200 <= int(head.status_code or 0) < 300:
            continue
        content = record.reader.read(reading.most + 1)
        if _is_cut(record, len(content), reading.most):
            raise EOFError("the archive is truncated")
        if content:
            yield Member(f": {url}" if url else f", record {number}", content, url or None, record.http_charset, True)
    if steady.error:
        raise steady.error
    if steady.last_byte not in (b"\n", b""):  # every record ends with two line breaks
        raise EOFError("the archive is truncated")


def _is_cut(record: "WarcRecord", size: int, most: int) -> bool:
    """Whether a record without encodings has fewer bytes than its header says."""
    head = record.http_headers
    encoded = head is None or "Content-Encoding" in head or "Transfer-Encoding" in head
    return not encoded and size <= most and size < record.content_length


def _from_zip(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the pages of a ZIP archive, or those of the WARC files in a WACZ."""
    import zipfile

    with zipfile.ZipFile(stream) as archive:
        names = archive.namelist()
        crawls = [name for name in names if name.startswith("archive/") and ".warc" in suffixes_of(name)]
        if crawls and "datapackage.json" in names:
            for name in crawls:
                with archive.open(name) as file:
                    head, whole = peeked(cast(BinaryIO, file))
                    yield from _from_warc(decompressed(head, whole, name), reading)
            return
        for entry in archive.infolist():
            if not entry.is_dir() and _is_page(entry.filename):
                yield _zipped(archive, entry, reading.most)


def _zipped(archive: "zipfile.ZipFile", entry: "zipfile.ZipInfo", most: int) -> Member:
    label = f": {entry.filename}"
    try:
        with archive.open(entry) as file:
            return Member(label, file.read(most + 1))
    except Exception as error:  # A damaged or encrypted entry does not stop the others.
        return Member(label, error=SourceError(f"cannot read it: {error}"))


def _from_tar(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    import tarfile

    with tarfile.open(fileobj=stream, mode="r|") as archive:
        while (entry := archive.next()) is not None:
            if entry.isfile() and _is_page(entry.name):
                file = archive.extractfile(entry)
                yield Member(f": {entry.name}", file.read(reading.most + 1) if file else b"")
            vars(archive)["members"].clear()  # It keeps every entry, and an archive may have millions.


def _from_json_lines(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    longest = _LINE_FACTOR * reading.most
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        size = len(line)
        while line and size > longest and not line.endswith(b"\n"):
            line = stream.readline(longest + 1)
            size += len(line)
        if size > longest:
            yield Member(f", line {number}", error=LimitExceeded("bytes", size, longest))
        elif line.strip():
            yield _parsed(line, f", line {number}", reading.columns)


def _parsed(line: bytes, label: str, columns: Columns) -> Member:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Member(label, error=SourceError(f"not JSON: {error}"))
    if not isinstance(record, dict):
        return Member(label, error=SourceError("not a JSON object"))
    html = record.get(columns.html)
    if not isinstance(html, str):
        there = ", ".join(map(str, list(record)[:8])) or "none"
        return Member(label, error=SourceError(f"no text in the field {columns.html!r} (fields: {there})"))
    return _from_record(label, html, record.get(columns.url))


def _from_record(label: str, html: str | bytes, url: Any) -> Member:
    content = html.encode("utf-8", "replace") if isinstance(html, str) else html
    charset = "utf-8" if isinstance(html, str) else None
    return Member(label, content, url if isinstance(url, str) and url else None, charset, is_html=True)


def _from_parquet(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtra("Parquet files", "scale") from None
    columns = reading.columns
    with ParquetFile(stream) as file:
        there = file.schema_arrow.names
        if columns.html not in there:
            raise SourceError(
                f"no column {columns.html!r} (columns: {', '.join(there[:8])}); name it with --html-field"
            )
        wanted = [name for name in (columns.html, columns.url) if name in there]
        number = 0
        for batch in file.iter_batches(batch_size=_ROWS, columns=wanted):
            for row in batch.to_pylist():
                number += 1
                html = row[columns.html]
                if isinstance(html, str | bytes):
                    yield _from_record(f", row {number}", html, row.get(columns.url))
                else:
                    yield Member(f", row {number}", error=SourceError(f"no text in the column {columns.html!r}"))


def _is_page(name: str) -> bool:
    """Whether a file of an archive is a page: by suffix, without hidden files and those that macOS adds."""
    parts = PurePosixPath(name).parts
    hidden = any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)
    return not hidden and bool(suffixes_of(name) & (PAGE_SUFFIXES | MHTML_SUFFIXES))


_READERS: dict[InputKind, Callable[[BinaryIO, Reading], Iterator[Member]]] = {
    InputKind.WARC: _from_warc,
    InputKind.ZIP: _from_zip,
    InputKind.TAR: _from_tar,
    InputKind.JSON_LINES: _from_json_lines,
    InputKind.PARQUET: _from_parquet,
}
