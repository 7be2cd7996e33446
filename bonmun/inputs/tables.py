"""The pages of JSON lines and of Parquet files."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import LimitExceeded, MissingExtra, SourceError
from bonmun.inputs.member import Columns, Damage, Found, Member, Reading, reason_of

if TYPE_CHECKING:
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


def _from_record(label: str, html: str | bytes, url: Any) -> Member:
    content = html.encode("utf-8", "replace") if isinstance(html, str) else html
    charset = "utf-8" if isinstance(html, str) else None
    return Member(label, content, url if isinstance(url, str) and url else None, charset, is_html=True)


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
            for row in batch.to_pylist():
                yield _of_row(f", row {number}", row, columns)
                number += 1
    except (OSError, ValueError) as error:  # what pyarrow raises: ArrowInvalid is a ValueError
        lost = about.num_rows - (number - first)
        yield Damage(f", row group {group + 1}", reason_of(error), lost)


def _of_row(label: str, row: dict[str, Any], columns: Columns) -> Member:
    html = row[columns.html]
    if isinstance(html, str | bytes):
        return _from_record(label, html, row.get(columns.url))
    return Member(label, error=SourceError(f"no text in the column {columns.html!r}"))
