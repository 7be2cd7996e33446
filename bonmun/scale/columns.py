"""Columns of pages and texts as Python values, whichever of Arrow's types they have."""

from collections.abc import Iterator
from itertools import repeat

import pyarrow as pa

from bonmun.errors import SourceError

_WRAPPED = (pa.DictionaryScalar, pa.RunEndEncodedScalar, pa.ExtensionScalar)


def check_column(given: pa.Schema, name: str) -> None:
    """Raise `SourceError` for a column that is there twice, or holds neither text nor bytes; it may be missing.

    >>> check_column(pa.schema([("html", pa.int64())]), "html")
    Traceback (most recent call last):
    bonmun.errors.SourceError: column 'html' is int64; it must be text or bytes
    """
    places = given.get_all_field_indices(name)
    if len(places) > 1:
        raise SourceError(f"{len(places)} columns are named {name!r}; rename all but one")
    if places:
        found = given.field(places[0]).type
        plain = _plain(found)
        if not (_is_text(plain) or _is_binary(plain) or pa.types.is_null(plain)):
            raise SourceError(f"column {name!r} is {found}; it must be text or bytes")


def texts(batch: pa.RecordBatch, name: str) -> Iterator[str | None]:
    """Yield the texts of a column; nothing for every row of one that is missing. Invalid UTF-8 is replaced.

    >>> list(texts(pa.RecordBatch.from_pydict({"url": [b"tea\\xff", None]}), "url"))
    ['tea\\ufffd', None]
    """
    for _, buffer in contents(batch, name):
        yield None if buffer is None else str(buffer, "utf-8", "replace")


def contents(batch: pa.RecordBatch, name: str) -> Iterator[tuple[bool, pa.Buffer | None]]:
    """Yield for every row whether its column is text, and its bytes, which are not copied; `None` for null."""
    if name not in batch.schema.names:
        yield from repeat((False, None), batch.num_rows)
        return
    text = _is_text(_plain(batch.schema.field(name).type))
    for scalar in batch.column(name):
        while isinstance(scalar, _WRAPPED):
            scalar = scalar.value
        yield text, scalar.as_buffer() if scalar is not None and scalar.is_valid else None


def html_of(text: bool, buffer: pa.Buffer) -> str | bytes:
    """Return a page. Text that is not valid UTF-8 is returned as bytes: its encoding has to be detected.

    >>> html_of(True, pa.py_buffer("<p>Té".encode())), html_of(True, pa.py_buffer("<p>Té".encode("latin-1")))
    ('<p>Té', b'<p>T\\xe9')
    """
    if text:
        try:
            return str(buffer, "utf-8")
        except UnicodeDecodeError:
            pass
    return bytes(buffer.to_pybytes())


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of the values themselves, without dictionary, runs and extension."""
    while True:
        if isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        elif pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
            kind = kind.value_type
        else:
            return kind


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_binary(kind: pa.DataType) -> bool:
    types = pa.types
    fixed = types.is_fixed_size_binary(kind)
    return bool(fixed or types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind))
