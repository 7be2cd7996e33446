"""Model files: plain arrays behind a JSON header, in the layout of safetensors. Nothing in them is executable.

| array | content |
|---|---|
| `blocks.*` | boosted trees over the feature columns; the sigmoid of their sum is a block's raw score |
| `terms.weights` `names.weights` | the linear scores of words and of names |
| `calibration.x` `calibration.y` | knots of the piecewise linear function from raw scores to probabilities |
| `type.N.*` | trees over a page's summary, a forest for each page type; softmax of the sums |
| `confidence.*` | trees over a page's summary; the sum is the expected F1 |

The metadata name the columns, the figures of the summary and the page types; `empty` is a parameter of `choice.choose`,
`exit` the early exit of `cascade.Cascade`.

A forest is six arrays: tree *t* has the nodes from `start[t]` up to `start[t + 1]`; at each, `x[feature] < threshold`
goes `left`, anything else `right`; a child below 0 is the leaf `~child`, any other a later node of the tree.
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
from itertools import pairwise
from operator import lt
from pathlib import Path
from typing import Any, Final

from bonmun.errors import BadModel

FORMAT: Final = "1"
PARTS: Final = ("feature", "threshold", "left", "right", "leaf", "start")
"""The arrays of a forest."""
Array = tuple[str, tuple[int, ...], bytes]
"""The type (`F32` or `I32`), the shape, and the little-endian numbers."""

_CODES: Final = {"F32": "f", "I32": "i"}
_WHOLE_NUMBERS: Final = frozenset({"feature", "left", "right", "start"})
_LONGEST_HEADER: Final = 1 << 20
_DIGEST: Final = "digest"


@dataclass(frozen=True)
class ModelFile:
    """The content of a model file."""

    arrays: Mapping[str, "memoryview[Any]"]
    """Name → 32-bit numbers, views of the file's bytes."""
    metadata: Mapping[str, str]

    def listed(self, name: str) -> tuple[str, ...]:
        """Return a list of names in the metadata: `columns`, `summary`, `types`."""
        return tuple(json.loads(self.text(name)))

    def text(self, name: str) -> str:
        """Return a text of the metadata; `BadModel` if it is missing."""
        if name not in self.metadata:
            raise BadModel(f"{name} is missing from the metadata")
        return self.metadata[name]

    def array(self, name: str) -> "memoryview[Any]":
        """Return the array of that name; `BadModel` if it is missing."""
        if name not in self.arrays:
            raise BadModel(f"{name} is missing")
        return self.arrays[name]

    def floats(self, name: str) -> "memoryview[float]":
        """Return the 32-bit floats of that name; `BadModel` if they are missing or not all finite."""
        numbers = self.array(name)
        if numbers.format != "f":
            raise BadModel(f"{name} must be of type F32")
        if not _are_finite(numbers):
            raise BadModel(f"{name} has a number that is not finite")
        return numbers

    def forest(self, prefix: str) -> "tuple[memoryview[Any], ...]":
        """Return the arrays of a forest, in the order of `PARTS`; `BadModel` if one is missing."""
        return tuple(self.array(f"{prefix}.{part}") for part in PARTS)


def write_model(path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write a model file; the same arrays and metadata give the same bytes."""
    described: dict[str, Any] = {}
    end = 0
    for name, (kind, shape, data) in sorted(arrays.items()):
        described[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
    body = b"".join(data for _, (_, _, data) in sorted(arrays.items()))
    texts = dict(sorted(metadata.items()))
    texts[_DIGEST] = _digest(texts, described, body)
    header = json.dumps({"__metadata__": texts, **described}, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    Path(path).write_bytes(len(header).to_bytes(8, "little") + header + body)


def read_model(source: str | os.PathLike[str] | bytes) -> ModelFile:
    """Read a model file, by path or from its bytes; `BadModel` says what is wrong with it.

    >>> read_model(b"PK")
    Traceback (most recent call last):
    bonmun.errors.BadModel: invalid model: shorter than a header
    """
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
    except OSError as error:
        raise BadModel(f"cannot read model file {source!s}: {error.strerror or error}") from error
    with naming(source):
        return _checked(content)


@contextmanager
def naming(source: str | os.PathLike[str] | bytes) -> Iterator[None]:
    """Add the path of the file to a `BadModel`."""
    try:
        yield
    except BadModel as error:
        which = "invalid model" if isinstance(source, bytes) else f"invalid model file {os.fspath(source)}"
        raise BadModel(f"{which}: {error}") from None


def _checked(content: bytes) -> ModelFile:
    metadata, described, body = _parts(content)
    if metadata.get(_DIGEST) != _digest(metadata, described, body):
        raise BadModel("checksum mismatch: the file is damaged")
    if metadata.get("format") != FORMAT:
        raise BadModel(f"format {metadata.get('format')!r} is not supported; this version of bonmun reads {FORMAT!r}")
    arrays = {name: _numbers(name, entry, body) for name, entry in described.items()}
    model = ModelFile(arrays, metadata)
    for name in ("columns", "summary", "types"):
        _check_names(name, model.text(name))
    for prefix in sorted({name.rpartition(".")[0] for name in arrays if name.endswith(".start")}):
        _check_forest(model, prefix, len(model.listed("columns" if prefix == "blocks" else "summary")))
    return model


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


def _check_names(name: str, text: str) -> None:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadModel(f"{name} is not JSON") from error
    if not isinstance(names, list) or not all(isinstance(item, str) for item in names):
        raise BadModel(f"{name} is not a list of names")


def _check_forest(model: ModelFile, prefix: str, width: int) -> None:
    """Check that every walk down a tree ends in a finite leaf, whatever the features."""
    for part in PARTS:
        wanted = "i" if part in _WHOLE_NUMBERS else "f"
        if model.array(f"{prefix}.{part}").format != wanted:
            raise BadModel(f"{prefix}.{part} must be of type {'I32' if wanted == 'i' else 'F32'}")
    feature, threshold, left, right, leaf, start = model.forest(prefix)
    nodes, columns = len(feature), feature.tolist()
    if not len(threshold) == len(left) == len(right) == nodes:
        raise BadModel(f"the arrays of {prefix} differ in length")
    if not (len(start) and start[0] == 0 and start[-1] == nodes and all(a < b for a, b in pairwise(start))):
        raise BadModel(f"{prefix}.start does not cover all nodes in increasing order")
    if nodes and not (min(columns) >= 0 and max(columns) < width):
        raise BadModel(f"{prefix}.feature has a column that does not exist")
    for children in (left, right):
        if not _inside(start.tolist(), children, len(leaf)):
            raise BadModel(f"a node of {prefix} has a child outside its tree")
    if math.isnan(sum(threshold.tolist())):  # an infinite one is fine: LightGBM's may be beyond 32 bits
        raise BadModel(f"{prefix}.threshold has a NaN")
    if not _are_finite(leaf):
        raise BadModel(f"{prefix}.leaf has a number that is not finite")


def _inside(start: list[int], children: "memoryview[Any]", leaves: int) -> bool:
    """Whether every child is an existing leaf, or a later node of the same tree."""
    listed, unsigned = children.tolist(), children.cast("B").cast("I").tolist()
    later = all(map(lt, range(len(listed)), unsigned))  # a leaf, unsigned, is beyond every node
    ends = all(max(listed[first:stop]) < stop for first, stop in pairwise(start))
    return later and ends and min(listed, default=-1) >= -leaves


def _are_finite(numbers: "memoryview[Any]") -> bool:
    """Whether all numbers are finite: a sum containing inf or NaN is never finite."""
    return math.isfinite(sum(numbers.tolist()))


def _digest(metadata: Mapping[str, str], described: Mapping[str, Any], body: bytes) -> str:
    """Return a checksum of everything in a file but itself."""
    texts = {name: value for name, value in metadata.items() if name != _DIGEST}
    total = hashlib.blake2b(json.dumps([texts, described], sort_keys=True).encode(), digest_size=16)
    total.update(body)
    return total.hexdigest()
