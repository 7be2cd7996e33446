"""Outputs with one record for each page: JSON lines, CSV and Parquet."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, Protocol

from bonmun.atomic_file import AtomicFile
from bonmun.cli.sources import PageSource
from bonmun.errors import MissingExtra
from bonmun.workers.failure import Failure

_ROWS = 256
"""Rows of a Parquet file that are collected before they are written."""


class _Bytes(Protocol):
    def write(self, content: bytes, /) -> Any: ...
    def flush(self) -> Any: ...


def failure_record(page: PageSource, failure: Failure) -> dict[str, Any]:
    """Return the record of a page that failed.

    >>> from bonmun.cli.sources import SourceKind
    >>> failure_record(PageSource("a.html", SourceKind.FILE), Failure("NotAPage", "a PDF"))
    {'source': 'a.html', 'status': 'error', 'error': {'type': 'NotAPage', 'message': 'a PDF'}}
    """
    error = {"type": failure.kind, "message": failure.message}
    return {"source": page.name, "status": "error", "error": error}


class _Records:
    """One output for all records; an error discards a file."""

    def __init__(self, out: _Bytes) -> None:
        self._out = out

    def put(self, index: int, page: PageSource, text: str) -> None:
        """Write the record of a document, which is JSON."""
        self._add({"source": page.name} | json.loads(text))

    def fail(self, page: PageSource, failure: Failure) -> None:
        """Write the record of a page that failed."""
        self._add(failure_record(page, failure))

    def __enter__(self) -> "_Records":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._finish()
        if isinstance(self._out, AtomicFile):
            self._out.close() if kind is None else self._out.discard()

    def _add(self, record: dict[str, Any]) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        pass


class JsonLines(_Records):
    """One JSON object on each line."""

    def _add(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self._out.write(f"{line}\n".encode(errors="replace"))
        self._out.flush()


class ChunkLines(JsonLines):
    """One JSON object on each line for each chunk."""

    def put(self, index: int, page: PageSource, text: str) -> None:
        """Write the chunks of a document, which are a JSON array."""
        for record in json.loads(text):
            self._add({"source": page.name} | record)


class CsvOutput(_Records):
    """CSV with a header, as RFC 4180 describes it; lists are JSON."""

    def __init__(self, out: _Bytes, columns: Sequence[str]) -> None:
        super().__init__(out)
        self._columns = columns
        self._write(columns)

    def fail(self, page: PageSource, failure: Failure) -> None:
        """Write the row of a page that failed, if a column shows that."""
        if {"status", "error"} & set(self._columns):
            super().fail(page, failure)

    def _add(self, record: dict[str, Any]) -> None:
        self._write([_cell(record.get(column)) for column in self._columns])

    def _write(self, row: Sequence[str]) -> None:
        text = io.StringIO()
        csv.writer(text).writerow(row)
        self._out.write(text.getvalue().encode(errors="replace"))
        self._out.flush()


class ParquetOutput(CsvOutput):
    """A Parquet file with a column for each field, all of them strings."""

    def __init__(self, out: AtomicFile, columns: Sequence[str]) -> None:
        try:
            import pyarrow.parquet
        except ImportError:
            out.discard()
            raise MissingExtra("Parquet files", "scale") from None
        _Records.__init__(self, out)
        self._columns = columns
        self._schema = pyarrow.schema([(name, pyarrow.string()) for name in columns])
        self._writer = pyarrow.parquet.ParquetWriter(_Sink(out), self._schema)
        self._rows: list[dict[str, str | None]] = []

    def _add(self, record: dict[str, Any]) -> None:
        values = {name: record.get(name) for name in self._columns}
        self._rows.append({name: None if value is None else _cell(value) for name, value in values.items()})
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow

        if self._rows:
            self._writer.write_table(pyarrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def _finish(self) -> None:
        self._flush()
        self._writer.close()


class _Sink(io.RawIOBase):
    """An `AtomicFile` as the file object that pyarrow writes to."""

    def __init__(self, file: AtomicFile) -> None:
        self._file, self._size = file, 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._size += self._file.write(bytes(content))
        return len(content)

    def tell(self) -> int:
        return self._size


def _cell(value: Any) -> str:
    """Return a value as the text of a cell: an error in one line, lists as JSON, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"{value['type']}: {value['message']}"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return text.encode("utf-8", "replace").decode()
