"""Stored pages as files: JSON lines, a folder of Markdown, Parquet."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from bonmun.atomic_file import AtomicFile, write_atomically
from bonmun.errors import MissingExtra, SourceError, UnknownName
from bonmun.store.results import StoredDocument

_PARQUET_BATCH = 1_000
_LONGEST_NAME = 80


def as_row(document: StoredDocument) -> dict[str, Any]:
    """Return a document as plain data for JSON, without the fields that an export cannot fill."""
    row = asdict(document)
    del row["duplicates"]
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def export(documents: Iterable[StoredDocument], path: Path, format: str) -> int:
    """Write documents to a file, or to a folder for Markdown; return their number."""
    if format not in WRITERS:
        raise UnknownName("export format", format, WRITERS)
    try:
        return WRITERS[format](documents, path)
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror or error}") from error


def format_of(path: Path) -> str:
    """Return the format that a path stands for: by its suffix, a folder for Markdown.

    >>> format_of(Path("news.parquet")), format_of(Path("news.jsonl")), format_of(Path("pages"))
    ('parquet', 'jsonl', 'markdown')
    """
    return {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet"}.get(
        path.suffix.lower(), "markdown"
    )


def json_lines(documents: Iterable[StoredDocument]) -> Iterator[str]:
    """Yield each document as a line of JSON."""
    for document in documents:
        yield json.dumps(as_row(document), ensure_ascii=False) + "\n"


def _write_jsonl(documents: Iterable[StoredDocument], path: Path) -> int:
    file, count = AtomicFile(path), 0
    try:
        for line in json_lines(documents):
            file.write(line.encode())
            count += 1
        file.close()
    except BaseException:
        file.discard()
        raise
    return count


def _write_markdown(documents: Iterable[StoredDocument], folder: Path) -> int:
    count = 0
    for document in documents:
        write_atomically(folder / _file_name(document), markdown_with_front_matter(document).encode())
        count += 1
    return count


def _file_name(document: StoredDocument) -> str:
    words = "".join(char if char.isalnum() else "-" for char in document.title.lower())
    name = "-".join(filter(None, words.split("-")))
    while len(name.encode()) > _LONGEST_NAME:
        name = name[:-1]
    return f"{document.document_id:06}{f'-{name}' if name else ''}.md"


def markdown_with_front_matter(document: StoredDocument) -> str:
    """Return the Markdown of a document with its metadata as YAML front matter."""
    row = as_row(document)
    names = ("title", "author", "published", "url", "site", "language", "description", "tags", "keywords", "source")
    values = {name: row[name] for name in (*names, "last_seen", "version") if row[name]}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]  # JSON is YAML
    return "\n".join(["---", *lines, "---", "", document.markdown, ""])


def _write_parquet(documents: Iterable[StoredDocument], path: Path) -> int:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("Parquet files", "scale") from None
    kinds = {"strings": pyarrow.list_(pyarrow.string()), "int": pyarrow.int64(), "float": pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds.get(kind, pyarrow.string())) for name, kind in _columns()])
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".bonmun-{os.urandom(8).hex()}.part")  # pyarrow wants a file of its own
    count, stream = 0, iter(documents)
    try:
        with parquet.ParquetWriter(part, schema) as writer:
            while rows := [as_row(document) for document in islice(stream, _PARQUET_BATCH)]:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
                count += len(rows)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return count


def _columns() -> Iterator[tuple[str, str]]:
    """Yield the names of the columns and the kinds of their values."""
    names = {int: "int", float: "float", tuple[str, ...]: "strings"}
    for field in fields(StoredDocument):
        if field.name != "duplicates":
            yield field.name, next((name for kind, name in names.items() if field.type == kind), "string")


WRITERS: Mapping[str, Callable[[Iterable[StoredDocument], Path], int]] = {
    "jsonl": _write_jsonl,
    "markdown": _write_markdown,
    "parquet": _write_parquet,
}
