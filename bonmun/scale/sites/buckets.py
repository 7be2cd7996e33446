"""Pages grouped by host with bounded memory: compressed bucket files, of which each has all pages of its hosts.

At most `most_pages` of a host are kept, those with the smallest keys. A bucket that has doubled since it was last
compacted is compacted: disk holds at most about twice what is kept, and pages of hosts that have enough are refused
before they are written.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa

from bonmun.scale.sites.sample import SAMPLE_SCHEMA, chosen
from bonmun.scale.sites.settings import SiteSettings

_BUCKETS = 32
_BUFFERED = 1 << 20
"""Bytes of pages that a bucket keeps in memory before it writes them."""
_LEAST_ROWS = 256
"""Rows of a bucket before it is compacted for the first time."""
_TOGETHER = 32 << 20
"""Bytes of pages that are in memory at once when a bucket is read by host."""
_INDEX = pa.ipc.IpcReadOptions(
    included_fields=[SAMPLE_SCHEMA.get_field_index(name) for name in ("host", "key", "size")]
)


class Buckets:
    """The bucket files of a folder."""

    def __init__(self, folder: Path, settings: SiteSettings) -> None:
        self._buckets = [_Bucket(folder / f"{number:02}.arrows", settings) for number in range(_BUCKETS)]

    def __enter__(self) -> "Buckets":
        return self

    def __exit__(self, *_: object) -> None:
        for bucket in self._buckets:
            bucket.close()

    def add(self, pages: pa.RecordBatch) -> None:
        """Take pages of `SAMPLE_SCHEMA`."""
        for row in pages.to_pylist():
            self._buckets[crc32(row["host"].encode(errors="replace")) % _BUCKETS].add(row)

    def finish(self) -> int:
        """Write and compact everything; return how many hosts have enough pages."""
        return sum(bucket.finish() for bucket in self._buckets)

    def hosts(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the hosts with enough pages, and the pages of each, in an order that does not depend on the input's."""
        for bucket in self._buckets:
            yield from bucket.hosts()


@dataclass(slots=True)
class _Pages:
    """What a bucket has of a host."""

    keys: list[bytes]
    bytes: int


class _Bucket:
    def __init__(self, path: Path, settings: SiteSettings) -> None:
        self._path, self._settings = path, settings
        self._rows: list[dict[str, Any]] = []
        self._buffered = self._written = 0
        self._compact_at = _LEAST_ROWS
        self._last: dict[str, bytes] = {}
        """The largest key of every host that has enough pages."""
        self._writer: pa.ipc.RecordBatchStreamWriter | None = None
        self._sink: Any = None

    def add(self, row: dict[str, Any]) -> None:
        last = self._last.get(row["host"])
        if last is not None and row["key"] > last:
            return
        self._rows.append(row)
        self._buffered += row["size"]
        if self._buffered >= _BUFFERED:
            self._flush()
            if self._written >= self._compact_at:
                self._compact()

    def finish(self) -> int:
        self._flush()
        self._compact(last=True)
        return len(self._wanted())

    def hosts(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        together: list[str] = []
        size = 0
        for host, pages in sorted(self._wanted().items()):
            if together and size + pages.bytes > _TOGETHER:
                yield from self._read(together)
                together, size = [], 0
            together.append(host)
            size += pages.bytes
        yield from self._read(together)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._sink.close()
            self._writer = None

    def _wanted(self) -> dict[str, _Pages]:
        return {host: pages for host, pages in self._index().items() if len(pages.keys) >= self._settings.least_pages}

    def _read(self, hosts: list[str]) -> Iterator[tuple[str, pa.RecordBatch]]:
        rows: dict[str, list[dict[str, Any]]] = {host: [] for host in hosts}
        for batch in self._batches() if hosts else ():
            for row in batch.filter(_of(batch, rows)).to_pylist():
                rows[row["host"]].append(row)
        for host in hosts:
            yield host, pa.RecordBatch.from_pylist(rows.pop(host), SAMPLE_SCHEMA)

    def _flush(self) -> None:
        if self._rows:
            self._write(pa.RecordBatch.from_pylist(self._rows, SAMPLE_SCHEMA))
            self._rows, self._buffered = [], 0

    def _write(self, batch: pa.RecordBatch) -> None:
        if self._writer is None:
            self._sink = self._path.open("wb")
            options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=1))
            self._writer = pa.ipc.new_stream(self._sink, SAMPLE_SCHEMA, options=options)
        self._writer.write_batch(batch)
        self._written += batch.num_rows

    def _compact(self, *, last: bool = False) -> None:
        """Write the file anew with the chosen pages only; nothing is added after the `last` time."""
        keep: set[tuple[str, bytes]] = set()
        most = self._settings.most_pages
        for host, pages in self._index().items():
            keys = chosen(pages.keys, most)
            keep.update((host, key) for key in keys)
            if len(keys) == most:
                self._last[host] = keys[-1]
        if not keep or (last and len(keep) == self._written):
            return
        old = self._path.with_suffix(".old")
        self._path.replace(old)
        self._written = 0
        for batch in _batches(old):
            rows = batch.filter(_taken(batch, keep))
            if rows.num_rows:
                self._write(rows)
        old.unlink()
        self._compact_at = max(_LEAST_ROWS, 2 * self._written)

    def _index(self) -> dict[str, _Pages]:
        found: dict[str, _Pages] = {}
        for batch in self._batches(_INDEX):
            columns = [batch.column(name).to_pylist() for name in ("host", "key", "size")]
            for host, key, size in zip(*columns, strict=True):
                pages = found.setdefault(host, _Pages([], 0))
                pages.keys.append(key)
                pages.bytes += size
        return found

    def _batches(self, options: pa.ipc.IpcReadOptions | None = None) -> Iterator[pa.RecordBatch]:
        self.close()
        return _batches(self._path, options) if self._path.exists() else iter(())


def _batches(path: Path, options: pa.ipc.IpcReadOptions | None = None) -> Iterator[pa.RecordBatch]:
    with path.open("rb") as file, pa.ipc.open_stream(file, options=options) as reader:
        yield from reader


def _of(batch: pa.RecordBatch, hosts: Container[str]) -> pa.BooleanArray:
    """Return which rows are of some hosts."""
    return pa.array([host in hosts for host in batch.column("host").to_pylist()], pa.bool_())


def _taken(batch: pa.RecordBatch, keep: set[tuple[str, bytes]]) -> pa.BooleanArray:
    """Return which rows are in a set, each once; it is emptied of them."""
    taken = []
    for pair in zip(batch.column("host").to_pylist(), batch.column("key").to_pylist(), strict=True):
        taken.append(pair in keep)
        keep.discard(pair)
    return pa.array(taken, pa.bool_())
