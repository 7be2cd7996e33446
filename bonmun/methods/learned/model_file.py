"""Model files: the arrays of a `tensor_file` and what they mean.

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

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import lt
from typing import Any, Final

from bonmun.errors import BadModel
from bonmun.methods.tensor_file import TensorFile, are_finite, naming, read_tensors

FORMAT: Final = "1"
PARTS: Final = ("feature", "threshold", "left", "right", "leaf", "start")
"""The arrays of a forest."""
_WHOLE_NUMBERS: Final = frozenset({"feature", "left", "right", "start"})


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
        if not are_finite(numbers):
            raise BadModel(f"{name} has a number that is not finite")
        return numbers

    def forest(self, prefix: str) -> "tuple[memoryview[Any], ...]":
        """Return the arrays of a forest, in the order of `PARTS`; `BadModel` if one is missing."""
        return tuple(self.array(f"{prefix}.{part}") for part in PARTS)


def read_model(source: str | os.PathLike[str] | bytes) -> ModelFile:
    """Read a model file, by path or from its bytes; `BadModel` says what is wrong with it.

    >>> read_model(b"PK")
    Traceback (most recent call last):
    bonmun.errors.BadModel: invalid model: shorter than a header
    """
    content = read_tensors(source)
    with naming(source):
        return _checked(content)


def _checked(content: TensorFile) -> ModelFile:
    metadata = content.metadata
    if metadata.get("format") != FORMAT:
        raise BadModel(f"format {metadata.get('format')!r} is not supported; this version of bonmun reads {FORMAT!r}")
    model = ModelFile(content.arrays, metadata)
    for name in ("columns", "summary", "types"):
        _check_names(name, model.text(name))
    for prefix in sorted({name.rpartition(".")[0] for name in model.arrays if name.endswith(".start")}):
        _check_forest(model, prefix, len(model.listed("columns" if prefix == "blocks" else "summary")))
    return model


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
    if not are_finite(leaf):
        raise BadModel(f"{prefix}.leaf has a number that is not finite")


def _inside(start: list[int], children: "memoryview[Any]", leaves: int) -> bool:
    """Whether every child is an existing leaf, or a later node of the same tree."""
    listed, unsigned = children.tolist(), children.cast("B").cast("I").tolist()
    later = all(map(lt, range(len(listed)), unsigned))  # a leaf, unsigned, is beyond every node
    ends = all(max(listed[first:stop]) < stop for first, stop in pairwise(start))
    return later and ends and min(listed, default=-1) >= -leaves
