"""The pages of a WARC file: HTML that was answered with success."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BonmunError, LimitExceeded, NotAPage, SourceError
from bonmun.inputs.http_response import MOST_HEAD, Head, body_of, head_of
from bonmun.inputs.kinds import HEAD, PAGE_TYPES, ZSTD_DICTIONARY, kind_of
from bonmun.inputs.member import Damage, Found, Member, Reading, Skipped, reason_of
from bonmun.inputs.record_places import RecordPlaces
from bonmun.inputs.streams import Steady, decompressed, peeked

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_UNTOLD = frozenset({"warcinfo", "request", "metadata"})
"""Types of records that stand beside a response, and are not counted as skipped."""
_CUT = "the archive is truncated"
_CONVERSION = Skipped("conversion")


def from_warc(stream: BinaryIO, reading: Reading) -> Iterator[Found]:
    """Yield the HTML responses of a web archive, and HTML resources of the web; other records as skipped.

    The archive may be compressed, record by record or as a whole. If it is damaged, reading goes on with the next
    record where the stream can seek and its records are compressed one by one or not at all; else the error is raised.
    """
    places = RecordPlaces.of(stream)
    found = _whole(stream, reading.most) if places is None else _apart(places, reading.most)
    is_first = True
    for one in found:
        if is_first and one == _CONVERSION:
            raise SourceError("a WET archive, which has text and no HTML: give the WARC file that it was made of")
        is_first = False
        yield one


def _apart(places: RecordPlaces, most: int) -> Iterator[Found]:
    """Yield the records of an archive that can be read on after a damage."""
    span = _Span(places, places.start, most)
    yield from span.found()
    while span.next_start is not None:
        span = _Span(places, span.next_start, most, span.told)
        yield from span.found()


class _Span:
    """The records from a place to the next damage, or to the end."""

    def __init__(self, places: RecordPlaces, start: int, most: int, told: bool = False) -> None:
        self._places, self._most = places, most
        self._start = self._last = start
        self._any = False
        self.told = told
        """Whether the damage at the end of this span was told; that before it, as long as no record is read."""
        self.next_start: int | None = None
        """Where reading goes on; None at the end."""

    def found(self) -> Iterator[Found]:
        """Yield the records; set `next_start`."""
        waiting: Found | None = None  # until the next record is there: a checksum is only known after the record
        error: Exception | None = None
        try:
            for record in _records(Steady(self._places.stream_at(self._start))):
                if waiting is not None:
                    yield waiting
                waiting, self._any, self.told = None, True, False
                self._last = self._start + record.stream_pos
                waiting = _found(record, self._most)
        except Exception as problem:
            error = problem
        end = self._places.end_of_record(self._last) if self._any else None
        if waiting is not None and end is not None:
            yield waiting
        yield from self._leap(end, error)

    def _leap(self, end: int | None, error: Exception | None) -> Iterator[Damage]:
        """Find the next record; what lies between is damage."""
        self.next_start = self._places.next_record(self._last + 1 if end is None else end)
        if self.told or (end is not None and (self.next_start == end or self._is_whole(end, error))):
            return
        self.told = True
        going_on = "the rest is lost" if self.next_start is None else f"reading goes on at byte {self.next_start:,}"
        what = reason_of(error) if error else _CUT
        yield Damage(f", byte {end or self._last:,}", f"{what}; {going_on}")

    def _is_whole(self, end: int, error: Exception | None) -> bool:
        """Whether no damage follows a record: nothing but padding, or empty gzip members and another record."""
        rest = self._places.content(end)
        blank = rest is not None and not rest.strip(b"\0\r\n ")
        return (blank and self.next_start is None) or (error is None and (rest or b"").startswith(b"WARC/"))


def _whole(stream: BinaryIO, most: int) -> Iterator[Found]:
    """Yield the records of a stream that cannot seek, or is compressed as a whole; raise the error of a damage."""
    head, packed = peeked(stream)
    steady = Steady(decompressed(head, packed, ""))  # zstd with a dictionary is left to fastwarc
    for record in _records(steady):
        if (found := _found(record, most)) is not None:
            yield found
    if steady.error:
        raise steady.error
    ends = steady.last_byte in (b"\n", b"")  # every record ends with two line breaks
    if not ends and not head.startswith(ZSTD_DICTIONARY):
        raise EOFError(_CUT)


def _records(steady: Steady) -> "Iterator[WarcRecord]":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fastwarc imports its own deprecated names
        from fastwarc.warc import ArchiveIterator

    return iter(ArchiveIterator(steady, parse_http=False))


def _found(record: "WarcRecord", most: int) -> Found | None:
    """Return the page of a record, or why it has none; None for a record that only accompanies others."""
    kind = str(record.record_type)
    if "Content-Length" not in record.headers:
        raise EOFError("a record without Content-Length")
    if kind == "response":
        return _of_response(record, most)
    if kind == "resource":
        return _of_resource(record, most)
    return None if kind in _UNTOLD else Skipped(kind)


def _of_response(record: "WarcRecord", most: int) -> Found:
    start = record.reader.read(MOST_HEAD)
    head = head_of(start)
    if head is None:
        return Skipped("not HTTP")
    if not 200 <= head.status < 300:
        return Skipped("not 2xx")
    if head.media_type and head.media_type not in PAGE_TYPES:
        return Skipped("not HTML")
    return _page(record, start, head, most)


def _of_resource(record: "WarcRecord", most: int) -> Found:
    """Return a page that was recorded without its HTTP headers; wget records its own log in this way."""
    kind = _type(record)
    url = _url(record)
    if not kind.startswith(PAGE_TYPES) or not url.lower().startswith(("http://", "https://")):
        return Skipped("resource")
    return _page(record, b"", Head(200, "text/html", {"content-type": kind}, 0), most)


def _page(record: "WarcRecord", start: bytes, head: Head, most: int) -> Found:
    """Return the page whose head was read, with the first bytes of the record's block."""
    url, headers = _url(record), record.headers
    label = f": {url}" if url else f", record {record.record_id}"
    truncated = "WARC-Truncated" in headers
    size = record.content_length - head.size
    try:
        if size > most:
            raise LimitExceeded("bytes", size, most)
        sent = start[head.size :] + record.reader.read(record.content_length - len(start))
        if len(sent) < size:
            raise EOFError(_CUT)
        content = body_of(head, sent, most, partial=truncated)
        if len(content) > most:
            raise LimitExceeded("bytes", len(content), most)
        if not content:
            return Skipped("no body")
        if not head.media_type:
            kind_of(content[:HEAD], "")
    except NotAPage:
        return Skipped("not HTML")
    except BonmunError as error:
        return Member(label, url=url or None, error=error)
    return Member(
        label,
        content,
        url or None,
        head.charset,
        is_html=True,
        digest=headers.get("WARC-Payload-Digest"),
        fetched=headers.get("WARC-Date"),
        truncated=truncated,
    )


def _url(record: "WarcRecord") -> str:
    return (record.headers.get("WARC-Target-URI") or "").strip("<> ")


def _type(record: "WarcRecord") -> str:
    return (record.headers.get("Content-Type") or "").lower()
