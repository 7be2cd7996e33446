"""The pages of a shard as record batches."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

import pyarrow as pa

from bonmun.errors import BonmunError, LimitExceeded, MissingExtra, SourceError
from bonmun.inputs.member import Damage, Found, Member, Reading, Skipped, reason_of
from bonmun.inputs.opening import members_of, opened, page_in, page_of
from bonmun.inputs.saved_page import Raw
from bonmun.scale.schema import ERROR
from bonmun.scale.shards import Shard, ShardKind

__all__ = ["BATCH_BYTES", "BATCH_ROWS", "PAGE_SCHEMA", "Damage", "Reading", "ShardPages", "read_shard"]

PAGE_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("html", pa.binary()),
        ("charset", pa.string()),
        ("source", pa.string()),
        ("digest", pa.string()),
        ("fetched", pa.string()),
        ("failure", ERROR),
    ]
)
"""The columns of a page batch. `source` is the shard and the place of the page in it; `failure` the error of a page
that could not be read, whose `html` is null."""
BATCH_ROWS: Final = 64
BATCH_BYTES: Final = 8_000_000
"""The most pages of a batch, and the most bytes of a batch of several pages."""
_READING = Reading()
_COLUMNS = [(field.name, field.type) for field in PAGE_SCHEMA]


@dataclass(frozen=True, slots=True)
class _Row:
    """A page, or the error that it gave."""

    source: str
    url: str | None = None
    html: bytes | None = None
    charset: str | None = None
    digest: str | None = None
    fetched: str | None = None
    failure: dict[str, str] | None = None


@dataclass(slots=True)
class ShardPages:
    """Iterate over the pages of a shard in batches, with a `Damage` where a part of it cannot be read.

    The counts grow with the reading, and are complete at its end.
    """

    shard: Shard
    reading: Reading = _READING
    pages: int = 0
    """Rows of the batches: pages, and those that could not be read."""
    truncated: int = 0
    """Pages that the crawler cut (`WARC-Truncated`); they are read as they are."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Records of web archives that are no pages, by reason: `revisit`, `not 2xx`, `not HTML` and others."""
    position: int = 0
    """Bytes of the shard that were read, about: a progress bar shows them."""

    def __iter__(self) -> Iterator[pa.RecordBatch | Damage]:
        rows: list[_Row] = []
        size = 0
        for found in self._rows():
            weight = len(found.html or b"") if isinstance(found, _Row) else BATCH_BYTES
            if rows and (len(rows) == BATCH_ROWS or size + weight > BATCH_BYTES):
                yield _batch(rows)
                rows, size = [], 0
            if isinstance(found, Damage):
                yield found
            else:
                self.pages += 1
                rows.append(found)
                size += weight
        if rows:
            yield _batch(rows)

    def _rows(self) -> Iterator[_Row | Damage]:
        if self.shard.kind is ShardKind.PAGES:
            for path in self.shard.pages:
                yield (row := _of_file(path, self.reading.most))
                self.position += len(row.html or b"")
            return
        try:
            with self.shard.path.open("rb") as raw:
                for found in _members(raw, self.shard.name, self.reading):
                    self.position = raw.tell()
                    if isinstance(found, Member):
                        self.truncated += found.truncated
                        yield _of_member(found, self.shard.name, self.reading.most)
                    elif isinstance(found, Skipped):
                        self.skipped[found.reason] += 1
                    else:
                        yield Damage(self.shard.name + found.where, found.what, found.pages)
        except MissingExtra:
            raise
        except Exception as error:  # of a decompressor, an archive reader or the disk
            yield Damage(self.shard.name, reason_of(error))


def read_shard(shard: Shard, reading: Reading = _READING) -> ShardPages:
    """Return the pages of a shard: iterate over it for batches of `PAGE_SCHEMA`, and `Damage` between them.

    Nothing but a missing package is raised: a page that cannot be read is a row with its failure, and a shard that
    cannot be read is a damage.

    >>> [damage] = read_shard(Shard("no-such.warc.gz", Path("no-such.warc.gz"), 0, 0))
    >>> damage
    Damage(where='no-such.warc.gz', what='No such file or directory', pages=None)
    """
    return ShardPages(shard, reading)


def _members(raw: BinaryIO, name: str, reading: Reading) -> Iterator[Found]:
    input = opened(raw, name)
    if input.kind.is_container:
        return members_of(input, reading)
    page = page_in(input, reading.most)
    return iter([Member("", page.content, page.url, page.content_type, is_html=True)])


def _of_file(path: Path, most: int) -> _Row:
    try:
        with path.open("rb") as raw:
            return _of_page(str(path), page_in(opened(raw, path.name), most), most)
    except Exception as error:
        return _failed(str(path), error)


def _of_member(member: Member, name: str, most: int) -> _Row:
    source = name + member.label
    try:
        return _of_page(source, page_of(member, most), most, member.digest, member.fetched)
    except Exception as error:
        return _failed(source, error, member.url)


def _of_page(source: str, page: Raw, most: int, digest: str | None = None, fetched: str | None = None) -> _Row:
    if len(page.content) > most:
        raise LimitExceeded("bytes", len(page.content), most)
    url = _clean(page.url) if page.url else None
    return _Row(_clean(source), url, page.content, page.content_type, digest or _digest(page.content), fetched)


def _digest(content: bytes) -> str:
    """The digest of a page in the form of `WARC-Payload-Digest`."""
    return "sha1:" + base64.b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()


def _failed(source: str, error: Exception, url: str | None = None) -> _Row:
    if not isinstance(error, BonmunError):
        error = SourceError(f"cannot read it: {reason_of(error)}")
    failure = {"type": type(error).__name__, "message": _clean(str(error))}
    return _Row(_clean(source), _clean(url) if url else None, failure=failure)


def _clean(text: str) -> str:
    """Text that UTF-8 can hold: names of files may not."""
    return text.encode("utf-8", "replace").decode()


def _batch(rows: list[_Row]) -> pa.RecordBatch:
    columns = [pa.array([getattr(row, name) for row in rows], kind) for name, kind in _COLUMNS]
    return pa.RecordBatch.from_arrays(columns, schema=PAGE_SCHEMA)
