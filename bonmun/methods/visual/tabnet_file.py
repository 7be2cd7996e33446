"""The model file of a TabNet: its hyper-parameters and arrays, checked.

Arrays have the names of `pytorch_tabnet`'s `state_dict`, all of type `F32`. The metadata have a text `bonmun`: a JSON
object with the fields of `Shape` and `format`, 1. Layers that the steps share are read where the first splitter
has them; other copies need not be in the file.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any, Final

from bonmun.errors import BadModel
from bonmun.methods.tensor_file import TensorFile, are_finite, naming, read_tensors

FORMAT: Final = 1
TRANSFORMS: Final = ("none", "log")
"""What happens to numbers before the network: nothing, as in the paper, or sign(x) · log(1 + |x|)."""
_ENCODER: Final = "tabnet.encoder"
_MOST: Final = 1024
"""The largest hyper-parameter: a bound on memory, far above any sensible one."""


@dataclass(frozen=True)
class Shape:
    """Hyper-parameters of a TabNet, by the names of `pytorch_tabnet`."""

    name: str
    columns: tuple[str, ...]
    n_d: int
    n_a: int
    n_steps: int
    gamma: float
    n_independent: int
    n_shared: int
    categories: Mapping[str, int] = field(default_factory=dict)
    """Categorical columns, in the order of their embeddings, with the number of categories."""
    embedding: Mapping[str, int] = field(default_factory=dict)
    """Their widths."""
    transform: str = "none"

    @property
    def inputs(self) -> int:
        """The width of a row after the embeddings."""
        return len(self.columns) + sum(self.embedding.values()) - len(self.categories)

    @property
    def widths(self) -> tuple[int, ...]:
        """How many inputs each column has."""
        return tuple(self.embedding.get(name, 1) for name in self.columns)


@dataclass(frozen=True)
class TabNetFile:
    """A checked model file."""

    shape: Shape
    arrays: Mapping[str, "memoryview[Any]"]
    shapes: Mapping[str, tuple[int, ...]]


def read_tabnet(
    source: str | PathLike[str] | bytes, known: tuple[str, ...], categories: Mapping[str, int]
) -> TabNetFile:
    """Read a model of some of the columns `known`; `BadModel` says what is wrong with it."""
    content = read_tensors(source)
    with naming(source):
        shape = _shape(content.metadata, known, categories)
        for name, wanted in expected_arrays(shape):
            _check_array(content, name, wanted)
        return TabNetFile(shape, content.arrays, content.shapes)


def blocks_of(shape: Shape) -> Iterator[str]:
    """The prefixes of the feature transformers: the first splitter, then one for each step."""
    yield f"{_ENCODER}.initial_splitter"
    yield from (f"{_ENCODER}.feat_transformers.{step}" for step in range(shape.n_steps))


def expected_arrays(shape: Shape) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The arrays that a network of this shape needs, with their shapes."""
    for number, (name, count) in enumerate(shape.categories.items()):
        yield f"embedder.embeddings.{number}.weight", (count, shape.embedding[name])
    yield from _norm(f"{_ENCODER}.initial_bn", shape.inputs)
    hidden = shape.n_d + shape.n_a
    for prefix in blocks_of(shape):
        first = prefix.endswith("initial_splitter")
        for layer in range(shape.n_shared):
            yield from _norm(f"{prefix}.shared.glu_layers.{layer}.bn.bn", 2 * hidden)
            if first:
                yield f"{prefix}.shared.glu_layers.{layer}.fc.weight", (2 * hidden, hidden if layer else shape.inputs)
        for layer in range(shape.n_independent):
            yield from _norm(f"{prefix}.specifics.glu_layers.{layer}.bn.bn", 2 * hidden)
            width = hidden if layer or shape.n_shared else shape.inputs
            yield f"{prefix}.specifics.glu_layers.{layer}.fc.weight", (2 * hidden, width)
    for step in range(shape.n_steps):
        yield f"{_ENCODER}.att_transformers.{step}.fc.weight", (len(shape.columns), shape.n_a)
        yield from _norm(f"{_ENCODER}.att_transformers.{step}.bn.bn", len(shape.columns))
    yield "tabnet.final_mapping.weight", (2, shape.n_d)


def _norm(prefix: str, width: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    return ((f"{prefix}.{part}", (width,)) for part in ("weight", "bias", "running_mean", "running_var"))


def _check_array(content: TensorFile, name: str, wanted: tuple[int, ...]) -> None:
    numbers = content.arrays.get(name)
    if numbers is None:
        raise BadModel(f"{name} is missing")
    if numbers.format != "f" or content.shapes[name] != wanted:
        raise BadModel(f"{name} must be of type F32 and shape {list(wanted)}")
    if not are_finite(numbers):
        raise BadModel(f"{name} has a number that is not finite")
    if name.endswith("running_var") and min(numbers.tolist()) < 0:
        raise BadModel(f"{name} has a variance below 0")


def _shape(metadata: Mapping[str, str], known: tuple[str, ...], categories: Mapping[str, int]) -> Shape:
    """Return the hyper-parameters in the metadata, checked."""
    try:
        about = json.loads(metadata["bonmun"])
    except (KeyError, ValueError, RecursionError):
        raise BadModel("the metadata have no JSON text 'bonmun'") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadModel(f"not a TabNet of format {FORMAT}")
    names = {one.name for one in fields(Shape)}
    try:
        shape = Shape(**{name: value for name, value in about.items() if name in names})
    except TypeError as error:
        raise BadModel(f"the hyper-parameters are incomplete: {error}") from None
    _check_numbers(shape)
    columns = shape.columns
    if not (isinstance(columns, list) and columns and all(name in known for name in columns)):
        raise BadModel(f"'columns' must be a list of columns of a row: {', '.join(known)}")
    wanted = {name: count for name, count in categories.items() if name in columns}
    if len(set(columns)) < len(columns) or shape.categories != wanted or list(shape.embedding) != list(wanted):
        raise BadModel(f"'columns' must be unique, 'categories' and 'embedding' be those of {', '.join(wanted)}")
    return Shape(**{**vars(shape), "columns": tuple(columns)})


def _check_numbers(shape: Shape) -> None:
    if not (isinstance(shape.categories, dict) and isinstance(shape.embedding, dict)):
        raise BadModel("'categories' and 'embedding' must be objects")
    positive = (shape.n_d, shape.n_a, shape.n_steps, *shape.embedding.values())
    whole = (*positive, shape.n_independent, shape.n_shared)
    if not all(type(number) is int and 0 <= number <= _MOST for number in whole) or not all(positive):
        raise BadModel("a hyper-parameter is not a whole number of a sensible size")
    if not shape.n_independent + shape.n_shared:
        raise BadModel("n_independent and n_shared are both 0")
    if not (isinstance(shape.gamma, int | float) and 0 < shape.gamma <= _MOST):
        raise BadModel("gamma must be a number above 0")
    if shape.transform not in TRANSFORMS or not isinstance(shape.name, str):
        raise BadModel(f"'transform' must be one of {', '.join(TRANSFORMS)}, and 'name' a string")
