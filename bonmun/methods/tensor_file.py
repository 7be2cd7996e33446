"""Arrays on disk: plain numbers behind a JSON header, in the layout of safetensors. Nothing in them is executable.

The metadata of every file have a checksum of all the rest. The same arrays and metadata give the same bytes.
"""

import hashlib
import json
import math
import os
import sys
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bonmun.errors import BadModel

Array = tuple[str, tuple[int, ...], bytes]
"""The type (`F32` or `I32`), the shape, and the little-endian numbers."""

_CODES: Final = {"F32": "f", "I32": "i"}
_LONGEST_HEADER: Final = 1 << 20
_DIGEST: Final = "digest"


@dataclass(frozen=True)
class TensorFile:
    """The content of a file."""

    arrays: Mapping[str, "memoryview[Any]"]
    """Name → 32-bit numbers, views of the file's bytes."""
    shapes: Mapping[str, tuple[int, ...]]
    metadata: Mapping[str, str]


def write_tensors(path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write a file; the same arrays and metadata give the same bytes."""
    described: dict[str, Any] = {}
    end = 0
    for name, (kind, shape, data) in sorted(arrays.items()):
        described[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
    body = b"".join(data for _, (_, _, data) in sorted(arrays.items()))
    texts = dict(sorted(metadata.items()))
    texts[_DIGEST] = checksum(texts, described, body)
    header = json.dumps({"__metadata__": texts, **described}, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    Path(path).write_bytes(len(header).to_bytes(8, "little") + header + body)


def read_tensors(source: str | os.PathLike[str] | bytes) -> TensorFile:
    """Read a file, by path or from its bytes; `BadModel` says what is wrong with it.

    >>> read_tensors(b"PK")
    Traceback (most recent call last):
    bonmun.errors.BadModel: invalid model: shorter than a header
    """
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
    except OSError as error:
        raise BadModel(f"cannot read model file {source!s}: {error.strerror or error}") from error
    with naming(source):
        metadata, described, body = _parts(content)
        if metadata.get(_DIGEST) != checksum(metadata, described, body):
            raise BadModel("checksum mismatch: the file is damaged")
        arrays = {name: _numbers(name, entry, body) for name, entry in described.items()}
        return TensorFile(arrays, {name: tuple(entry["shape"]) for name, entry in described.items()}, metadata)


@contextmanager
def naming(source: str | os.PathLike[str] | bytes) -> Iterator[None]:
    """Add the path of the file to a `BadModel`."""
    try:
        yield
    except BadModel as error:
        which = "invalid model" if isinstance(source, bytes) else f"invalid model file {os.fspath(source)}"
        raise BadModel(f"{which}: {error}") from None


def _parts(content: bytes) -> tuple[dict[str, str], dict[str, Any], bytes]:
    """Return the metadata, the descriptions of arrays, and the numbers."""
    if len(content) < 8:
        raise BadModel("shorter than a header")
    length = int.from_bytes(content[:8], "little")
    if length > min(_LONGEST_HEADER, len(content) - 8):
        raise BadModel("the header is truncated")
    try:
        header = json.loads(content[8 : 8 + length])
    except (ValueError, RecursionError) as error:
        raise BadModel("the header is not JSON") from error
    if not isinstance(header, dict):
        raise BadModel("the header is not a JSON object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise BadModel("the metadata are not an object of strings")
    return metadata, header, content[8 + length :]


def _numbers(name: str, entry: Any, body: bytes) -> "memoryview[Any]":
    """Return the array that an entry of the header describes."""
    try:
        kind, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
        code = _CODES[kind]
        valid = all(type(number) is int and number >= 0 for number in (*shape, start, stop))
        valid = valid and start <= stop <= len(body) and stop - start == 4 * math.prod(shape)
    except (KeyError, TypeError, ValueError) as error:
        raise BadModel(f"{name} has no valid dtype, shape and data_offsets") from error
    if not valid:
        raise BadModel(f"{name}: data_offsets do not match its shape or the file's length")
    data = body[start:stop]
    if sys.byteorder == "big":
        swapped = array(code, data)
        swapped.byteswap()
        data = swapped.tobytes()
    return memoryview(data).cast("i" if code == "i" else "f")


def are_finite(numbers: "memoryview[Any]") -> bool:
    """Whether all numbers are finite: a sum containing inf or NaN is never finite."""
    return math.isfinite(sum(numbers.tolist()))


def checksum(metadata: Mapping[str, str], described: Mapping[str, Any], body: bytes) -> str:
    """Return a checksum of everything in a file but itself."""
    texts = {name: value for name, value in metadata.items() if name != _DIGEST}
    total = hashlib.blake2b(json.dumps([texts, described], sort_keys=True).encode(), digest_size=16)
    total.update(body)
    return total.hexdigest()
