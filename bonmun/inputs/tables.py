"""The pages of JSON lines and of Parquet files."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import LimitExceeded, MissingExtra, SourceError
from bonmun.inputs.member import Columns, Damage, Found, Member, Reading, reason_of

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch
    from pyarrow.parquet import ParquetFile

_LINE_FACTOR = 4
"""Longest JSON line as a multiple of the largest page: escapes double the size, and there are other fields."""
_ROWS = 64
_BYTES = 8_000_000
"""Rows of a Parquet file that are decoded at a time, and about how many bytes."""


def from_json_lines(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the page of every line; a line without one is a member with its error."""
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


def _from_record(label: str, html: str, url: Any) -> Member:
    content = html.encode("utf-8", "replace")
    return Member(label, content, url if isinstance(url, str) and url else None, "utf-8", is_html=True)


def from_parquet(stream: BinaryIO, reading: Reading) -> Iterator[Found]:
    """Yield the page of every row; a row group that is corrupt is damage, and the others are read."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtra("Parquet files", "scale") from None
    # Without pre-buffering a column chunk is streamed, so a row group of any size is read in little memory.
    with ParquetFile(stream, pre_buffer=False, buffer_size=1 << 20, page_checksum_verification=True) as file:
        there = file.schema_arrow.names
        if reading.columns.html not in there:
            columns = ", ".join(there[:8])
            raise SourceError(f"no column {reading.columns.html!r} (columns: {columns}); name it with --html-field")
        first = 1
        for group in range(file.num_row_groups):
            yield from _from_row_group(file, group, first, reading.columns)
            first += file.metadata.row_group(group).num_rows


def _from_row_group(file: "ParquetFile", group: int, first: int, columns: Columns) -> Iterator[Found]:
    wanted = [name for name in (columns.html, columns.url) if name in file.schema_arrow.names]
    about = file.metadata.row_group(group)
    at_once = max(1, min(_ROWS, _BYTES * about.num_rows // max(about.total_byte_size, 1)))
    number = first
    try:
        for batch in file.iter_batches(at_once, row_groups=[group], columns=wanted):
            for member in _of_rows(batch, number, columns):
                yield member
                number += 1
    except Exception as error:  # pyarrow raises OSError, ValueError, NotImplementedError and others
        lost = about.num_rows - (number - first)
        yield Damage(f", row group {group + 1}", reason_of(error), lost)


def _of_rows(batch: "RecordBatch", number: int, columns: Columns) -> Iterator[Member]:
    pages, is_text = _values(batch.column(columns.html))
    urls, _ = _values(batch.column(columns.url)) if columns.url in batch.schema.names else ([None] * len(pages), False)
    for html, url in zip(pages, urls, strict=True):
        label = f", row {number}"
        number += 1
        if isinstance(html, bytes):
            address = url.decode("utf-8", "replace") if isinstance(url, bytes) else None
            yield Member(label, html, address or None, "utf-8" if is_text else None, is_html=True)
        else:
            yield Member(label, error=SourceError(f"no text in the column {columns.html!r}"))


def _values(column: "Array") -> tuple[list[Any], bool]:
    """The values of a column, and whether they are text: that comes as bytes too, because it may not be valid UTF-8."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_string(column.type):
        return column.cast(pa.binary()).to_pylist(), True
    if pa.types.is_large_string(column.type):
        return column.cast(pa.large_binary()).to_pylist(), True
    return column.to_pylist(), False
