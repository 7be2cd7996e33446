"""The rows of a shard as a file: Parquet or JSON lines. What is written depends on the rows, not on their batches."""

import json
import math
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from bonmun.errors import MissingExtra
from bonmun.scale.run.durable import DurableFile

if TYPE_CHECKING:
    from bonmun.scale.shards import Shard

_GROUP_ROWS = 2048
"""Rows of a row group: some 10 MB of text, which a reader takes at a time."""
_GROUP_BYTES = 64 << 20
"""A group of long texts, or with blocks, ends earlier, so that memory stays flat."""


class PartWriter(Protocol):
    """Writes the rows of a shard in order."""

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows."""

    def finish(self) -> int:
        """Write what is left; return the number of pages in the file."""


class ParquetPart:
    """Parquet, packed with zstd."""

    def __init__(self, file: DurableFile, schema: pa.Schema) -> None:
        from pyarrow.parquet import ParquetWriter

        self._file, self._schema = file, schema
        self._writer = ParquetWriter(file, schema, compression="zstd")
        self._rows: list[pa.RecordBatch] = []
        self._count = self._bytes = 0

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows; a full group is written."""
        while rows.num_rows:
            taken = rows.slice(0, self._room(rows))
            rows = rows.slice(taken.num_rows)
            self._rows.append(taken)
            self._count += taken.num_rows
            self._bytes += taken.nbytes
            if self._count >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
                self._flush()

    def finish(self) -> int:
        """Write the last group and the footer; return the rows that the footer counts."""
        from pyarrow.parquet import read_metadata

        self._flush()
        self._writer.close()
        return int(read_metadata(self._file.sync()).num_rows)

    def _room(self, rows: pa.RecordBatch) -> int:
        """The number of rows that the group still takes: one by one when they are large."""
        if self._bytes + rows.nbytes < _GROUP_BYTES:
            return _GROUP_ROWS - self._count
        return 1

    def _flush(self) -> None:
        if self._rows:
            table = pa.Table.from_batches(self._rows, self._schema).combine_chunks()
            self._writer.write_table(table, row_group_size=_GROUP_ROWS)
            self._rows, self._count, self._bytes = [], 0, 0


class JsonLinesPart:
    """One JSON object on each line, with the columns of the schema."""

    def __init__(self, file: DurableFile) -> None:
        self._out: Callable[[bytes], object] = file.write
        self._count = 0

    def write(self, rows: pa.RecordBatch) -> None:
        """Write rows."""
        lines = [json.dumps(row, ensure_ascii=False, default=_plain) for row in map(_rounded, rows.to_pylist())]
        self._out("".join(f"{line}\n" for line in lines).encode())
        self._count += len(lines)

    def finish(self) -> int:
        """Return the number of lines."""
        return self._count


class PackedJsonLinesPart(JsonLinesPart):
    """The same, packed with zstd."""

    def __init__(self, file: DurableFile) -> None:
        super().__init__(file)
        try:
            import zstandard
        except ImportError:
            raise MissingExtra("files packed with zstd", "scale") from None
        self._file, self._packer = file, zstandard.ZstdCompressor().compressobj()
        self._out = lambda content: file.write(self._packer.compress(content))

    def finish(self) -> int:
        """End the frame; return the number of lines."""
        self._file.write(self._packer.flush())
        return super().finish()


def part_writer(format: str, file: DurableFile, schema: pa.Schema, shard: "Shard") -> PartWriter:
    """Return the writer of a format for the rows of a shard."""
    if format == "wet":
        from bonmun.scale.run.wet import WetPart

        return WetPart(file, shard.name, shard.modified)
    if format == "parquet":
        return ParquetPart(file, schema)
    return JsonLinesPart(file) if format == "jsonl" else PackedJsonLinesPart(file)


def _rounded(value: Any) -> Any:
    """A value with the shortest decimals of its 32-bit numbers; none that JSON does not know."""
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else None
    return value


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
