"""A model as a file: plain arrays behind a JSON header, in the layout of safetensors. Nothing in it can run.

| array | what |
|---|---|
| `blocks.*` | boosted trees over the feature columns; the sigmoid of their sum is a block's raw score |
| `terms.weights` `names.weights` | the linear scores of words and of names |
| `calibration.x` `calibration.y` | from raw scores to probabilities, straight lines between the knots |
| `type.N.*` | trees over a page's summary, one ensemble for each page type; softmax of the sums |
| `confidence.*` | trees over a page's summary; the sum is the F1 to be expected |

The metadata name the columns, the figures of the summary and the types, and say by `empty` and `exit` (see
`bonmun.methods.learned.choice` and `cascade`) how the trees over blocks are asked.

An ensemble is six arrays: tree *t* has the nodes `start[t]` to `start[t + 1]`; at each, `x[feature] < threshold` goes
`left`, anything else `right`; a child below 0 is the leaf `~child`, any other a node further on.
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
"""The arrays of an ensemble."""
Array = tuple[str, tuple[int, ...], bytes]
"""The type (`F32` or `I32`), the shape, and the numbers, little end first."""

_CODES: Final = {"F32": "f", "I32": "i"}
_WHOLE_NUMBERS: Final = frozenset({"feature", "left", "right", "start"})
_LONGEST_HEADER: Final = 1 << 20
_DIGEST: Final = "digest"


@dataclass(frozen=True)
class Model:
    """What a model file holds."""

    arrays: Mapping[str, "memoryview[Any]"]
    """Name → 32-bit numbers, over the bytes of the file."""
    metadata: Mapping[str, str]

    def listed(self, name: str) -> tuple[str, ...]:
        """Return a list of names in the metadata: `columns`, `summary`, `types`."""
        return tuple(json.loads(self.told(name)))

    def told(self, name: str) -> str:
        """Return a text of the metadata; `BadModel` where there is none."""
        if name not in self.metadata:
            raise BadModel(f"{name} is missing from its metadata")
        return self.metadata[name]

    def array(self, name: str) -> "memoryview[Any]":
        """Return the numbers of that name; `BadModel` where there are none."""
        if name not in self.arrays:
            raise BadModel(f"{name} is missing")
        return self.arrays[name]

    def floats(self, name: str) -> "memoryview[float]":
        """Return the 32-bit floats of that name; `BadModel` where there are none, or some are not finite."""
        found = self.array(name)
        if found.format != "f":
            raise BadModel(f"{name} is of another type than F32")
        if not _are_finite(found):
            raise BadModel(f"{name} has a number that is not finite")
        return found

    def forest(self, prefix: str) -> "tuple[memoryview[Any], ...]":
        """Return the arrays of an ensemble, in the order of `PARTS`; `BadModel` where one is missing."""
        return tuple(self.array(f"{prefix}.{part}") for part in PARTS)


def write_model(path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write a model file; the same arrays and words give the same bytes."""
    described: dict[str, Any] = {}
    end = 0
    for name, (kind, shape, data) in sorted(arrays.items()):
        described[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
    body = b"".join(data for _, (_, _, data) in sorted(arrays.items()))
    told = dict(sorted(metadata.items()))
    told[_DIGEST] = _digest(told, described, body)
    header = json.dumps({"__metadata__": told, **described}, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    Path(path).write_bytes(len(header).to_bytes(8, "little") + header + body)


def read_model(source: str | os.PathLike[str] | bytes) -> Model:
    """Return the model in a file or in its bytes; `BadModel` says what is wrong with it.

    >>> read_model(b"PK")
    Traceback (most recent call last):
    bonmun.errors.BadModel: no model: shorter than a header
    """
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
    except OSError as error:
        raise BadModel(f"cannot read the model {source!s}: {error.strerror or error}") from error
    with naming(source):
        return _checked(content)


@contextmanager
def naming(source: str | os.PathLike[str] | bytes) -> Iterator[None]:
    """Have a `BadModel` say where it came from."""
    try:
        yield
    except BadModel as error:
        where = "no model" if isinstance(source, bytes) else f"no model: {os.fspath(source)}"
        raise BadModel(f"{where}: {error}") from None


def _checked(content: bytes) -> Model:
    metadata, described, body = _parts(content)
    if metadata.get(_DIGEST) != _digest(metadata, described, body):
        raise BadModel("damaged: its digest is another")
    if metadata.get("format") != FORMAT:
        raise BadModel(f"of format {metadata.get('format')!r}; this version reads {FORMAT!r}")
    arrays = {name: _numbers(name, entry, body) for name, entry in described.items()}
    model = Model(arrays, metadata)
    for name in ("columns", "summary", "types"):
        _check_names(name, model.told(name))
    for prefix in sorted({name.rpartition(".")[0] for name in arrays if name.endswith(".start")}):
        _check_forest(model, prefix, len(model.listed("columns" if prefix == "blocks" else "summary")))
    return model


def _parts(content: bytes) -> tuple[dict[str, str], dict[str, Any], bytes]:
    """Return the metadata, the descriptions of arrays, and the numbers."""
    if len(content) < 8:
        raise BadModel("shorter than a header")
    length = int.from_bytes(content[:8], "little")
    if length > min(_LONGEST_HEADER, len(content) - 8):
        raise BadModel("its header is cut short")
    try:
        header = json.loads(content[8 : 8 + length])
    except (ValueError, RecursionError) as error:
        raise BadModel("its header is no JSON") from error
    if not isinstance(header, dict):
        raise BadModel("its header is no JSON object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise BadModel("its metadata are not all texts")
    return metadata, header, content[8 + length :]


def _numbers(name: str, entry: Any, body: bytes) -> "memoryview[Any]":
    """Return the numbers that a header's entry describes."""
    try:
        kind, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
        code = _CODES[kind]
        right = all(type(number) is int and number >= 0 for number in (*shape, start, stop))
        right = right and start <= stop <= len(body) and stop - start == 4 * math.prod(shape)
    except (KeyError, TypeError, ValueError) as error:
        raise BadModel(f"{name} is not described as an array") from error
    if not right:
        raise BadModel(f"{name} has other numbers than its shape says")
    data = body[start:stop]
    if sys.byteorder == "big":
        swapped = array(code, data)
        swapped.byteswap()
        data = swapped.tobytes()
    return memoryview(data).cast("i" if code == "i" else "f")


def _check_names(name: str, text: str) -> None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadModel(f"{name} is no JSON") from error
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise BadModel(f"{name} is no list of names")


def _check_forest(model: Model, prefix: str, width: int) -> None:
    """Make sure that every walk down a tree ends in a leaf with a number, whatever the numbers it is given."""
    for part in PARTS:
        found = model.arrays.get(f"{prefix}.{part}")
        if found is None or found.format != ("i" if part in _WHOLE_NUMBERS else "f"):
            raise BadModel(f"{prefix}.{part} is missing, or of another type")
    feature, threshold, left, right, leaf, start = model.forest(prefix)
    nodes, asked = len(feature), feature.tolist()
    if not len(threshold) == len(left) == len(right) == nodes:
        raise BadModel(f"the nodes of {prefix} differ in number")
    if not (len(start) and start[0] == 0 and start[-1] == nodes and all(a < b for a, b in pairwise(start))):
        raise BadModel(f"the trees of {prefix} do not follow one another")
    if nodes and not (min(asked) >= 0 and max(asked) < width):
        raise BadModel(f"{prefix} asks for a column that is not there")
    for children in (left, right):
        if not _inside(start.tolist(), children, len(leaf)):
            raise BadModel(f"a node of {prefix} leads out of its tree")
    if math.isnan(sum(threshold.tolist())):  # an infinite one is fine: LightGBM's may be beyond 32 bits
        raise BadModel(f"{prefix}.threshold has a NaN")
    if not _are_finite(leaf):
        raise BadModel(f"{prefix}.leaf has a number that is not finite")


def _inside(start: list[int], children: "memoryview[Any]", leaves: int) -> bool:
    """Tell whether every child is a leaf that is there, or a node further on in the same tree."""
    listed, unsigned = children.tolist(), children.cast("B").cast("I").tolist()
    further_on = all(map(lt, range(len(listed)), unsigned))  # a leaf, unsigned, is beyond every node
    ends = all(max(listed[first:stop]) < stop for first, stop in pairwise(start))
    return further_on and ends and min(listed, default=-1) >= -leaves


def _are_finite(numbers: "memoryview[Any]") -> bool:
    """Tell whether all numbers are finite: no sum with one in it that is not, is."""
    return math.isfinite(sum(numbers.tolist()))


def _digest(metadata: Mapping[str, str], described: Mapping[str, Any], body: bytes) -> str:
    """Return a hash of everything in a file but itself."""
    told = {name: value for name, value in metadata.items() if name != _DIGEST}
    total = hashlib.blake2b(json.dumps([told, described], sort_keys=True).encode(), digest_size=16)
    total.update(body)
    return total.hexdigest()
