"""TabNet in numpy: Arik and Pfister, "TabNet: Attentive Interpretable Tabular Learning" (2021), the forward pass.

The network is that of `pytorch_tabnet` 4.1 in evaluation mode: embeddings of categories, batch norm, and at each step
an attentive transformer (sparsemax) that chooses columns and a feature transformer (gated linear units) for them.
Batch norms are folded into the layers before them, except the first: the inputs' mean may be 10⁵ times their spread.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from typing import TYPE_CHECKING, Final

import numpy as np

from bonmun.deadline import check
from bonmun.methods.visual.rows import CATEGORIES, COLUMNS
from bonmun.methods.visual.tabnet_file import Shape, TabNetFile, blocks_of, read_tabnet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_SMALL: Final = 1e-5
"""Added to variances; the value of torch."""
_SCALE: Final = np.float32(np.sqrt(0.5))
_ROWS_AT_ONCE: Final = 8192


@dataclass(frozen=True, eq=False)
class _Layer:
    """A linear layer with its batch norm folded in."""

    weight: "Matrix"
    bias: "Matrix"

    def __call__(self, x: "Matrix") -> "Matrix":
        return x @ self.weight + self.bias


@dataclass(frozen=True, eq=False)
class _Transformer:
    """Gated linear units in a row, the first without, the others with a residual connection."""

    layers: tuple[_Layer, ...]

    def __call__(self, x: "Matrix") -> "Matrix":
        x = _gated(self.layers[0](x))
        for layer in self.layers[1:]:
            x = (x + _gated(layer(x))) * _SCALE
        return x


class TabNet:
    """A trained network over the rows of a page.

    >>> import bonmun
    >>> try:
    ...     TabNet.load(__file__)
    ... except bonmun.BadModel:
    ...     print("not a model")
    not a model
    """

    def __init__(self, content: TabNetFile) -> None:
        self.shape, self._content = content.shape, content
        arrays = _Arrays(content)
        embedded = range(len(self.shape.categories))
        self._embeddings = [arrays[f"embedder.embeddings.{number}.weight"] for number in embedded]
        self._norm = arrays.norm("tabnet.encoder.initial_bn")
        self._splitter, *self._transformers = (arrays.transformer(prefix) for prefix in blocks_of(self.shape))
        steps = range(self.shape.n_steps)
        self._attention = [arrays.layer(f"tabnet.encoder.att_transformers.{step}") for step in steps]
        self._final = arrays["tabnet.final_mapping.weight"].T
        widths = np.array(self.shape.widths)
        self._columns = [COLUMNS.index(name) for name in self.shape.columns]
        self._input_of = np.repeat(np.arange(len(widths)), widths)
        self._shares = np.repeat(1 / widths, widths).astype(np.float32)

    @classmethod
    def load(cls, source: str | PathLike[str] | bytes) -> "TabNet":
        """Read a model file, by path or from its bytes; raise `BadModel`."""
        return cls(read_tabnet(source, COLUMNS, CATEGORIES))

    def __reduce__(self) -> "tuple[Callable[..., TabNet], tuple[object, ...]]":
        arrays = {name: bytes(numbers) for name, numbers in self._content.arrays.items()}
        return _unpickled, (self.shape, arrays, dict(self._content.shapes))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, in order."""
        return self.shape.columns

    def probabilities(self, matrix: "Matrix") -> "Matrix":
        """Return for each row the probability that its element is main content; the columns are `rows.COLUMNS`."""
        return self._in_parts(matrix, self._probabilities)

    def masks(self, matrix: "Matrix") -> "Matrix":
        """Return how much each of `columns` counted for each row: the steps' masks, weighted by their outputs."""
        return self._in_parts(matrix, self._masks, len(self.columns))

    def _in_parts(self, matrix: "Matrix", function: "Callable[[Matrix], Matrix]", *width: int) -> "Matrix":
        result = np.empty((len(matrix), *width), np.float32)
        for start in range(0, len(matrix), _ROWS_AT_ONCE):
            check()
            result[start : start + _ROWS_AT_ONCE] = function(matrix[start : start + _ROWS_AT_ONCE, self._columns])
        return result

    def _probabilities(self, rows: "Matrix") -> "Matrix":
        total = sum(output for _, output in self._steps(rows))
        logits = total @ self._final
        return _sigmoid(logits[:, 1] - logits[:, 0])

    def _masks(self, rows: "Matrix") -> "Matrix":
        total: Matrix = sum(mask * output.sum(axis=1, keepdims=True) for mask, output in self._steps(rows))
        return total

    def _steps(self, rows: "Matrix") -> "Iterator[tuple[Matrix, Matrix]]":
        """Yield the mask over the columns and the output of each step."""
        x, split = self._normed(rows), self.shape.n_d
        attended = self._splitter(x)[:, split:]
        prior = np.ones_like(rows)
        for attention, transformer in zip(self._attention, self._transformers, strict=True):
            mask = _sparsemax(attention(attended) * prior)
            prior = prior * (np.float32(self.shape.gamma) - mask)
            out = transformer(mask[:, self._input_of] * self._shares * x)
            attended = out[:, split:]
            yield mask, np.maximum(out[:, :split], 0)

    def _normed(self, rows: "Matrix") -> "Matrix":
        """The rows with embeddings for categories, after the first batch norm."""
        numbers = np.sign(rows) * np.log1p(np.abs(rows)) if self.shape.transform == "log" else rows
        embedding = dict(zip(self.shape.categories, self._embeddings, strict=True))
        parts = [
            embedding[name][rows[:, at].astype(np.int64)] if name in embedding else numbers[:, at : at + 1]
            for at, name in enumerate(self.columns)
        ]
        mean, scale, shift = self._norm
        return ((np.concatenate(parts, axis=1) - mean) * scale + shift).astype(np.float32)


@cache
def shipped(name: str = "visual-2") -> TabNet:
    """The model of that name that ships with Bonmun: `visual-2`, TabNet_2, is the method's; `visual-1` is TabNet_1."""
    return TabNet.load(files("bonmun.models").joinpath(f"{name}.safetensors").read_bytes())


def _unpickled(shape: Shape, arrays: dict[str, bytes], shapes: dict[str, tuple[int, ...]]) -> TabNet:
    return TabNet(TabNetFile(shape, {name: memoryview(data).cast("f") for name, data in arrays.items()}, shapes))


class _Arrays:
    """The arrays of a file as layers."""

    def __init__(self, content: TabNetFile) -> None:
        self._content = content

    def __getitem__(self, name: str) -> "Matrix":
        numbers: Matrix = np.array(self._content.arrays[name], np.float32)
        return numbers.reshape(self._content.shapes[name])

    def norm(self, prefix: str) -> "tuple[Matrix, Matrix, Matrix]":
        """A batch norm as mean, scale and shift."""
        scale = self[f"{prefix}.weight"] / np.sqrt(self[f"{prefix}.running_var"].astype(np.float64) + _SMALL)
        return self[f"{prefix}.running_mean"], scale.astype(np.float32), self[f"{prefix}.bias"]

    def layer(self, prefix: str, linear: str | None = None) -> _Layer:
        """A linear layer and its batch norm; `linear` is the layer's own prefix if it is shared."""
        mean, scale, shift = (part.astype(np.float64) for part in self.norm(f"{prefix}.bn.bn"))
        weight = self[f"{linear or prefix}.fc.weight"].T * scale
        return _Layer(weight.astype(np.float32), (shift - mean * scale).astype(np.float32))

    def transformer(self, prefix: str) -> _Transformer:
        """The layers of a step; the linear parts of shared ones are those of the first splitter."""
        splitter, shape = next(iter(blocks_of(self._content.shape))), self._content.shape
        shared = ("shared.glu_layers." + str(layer) for layer in range(shape.n_shared))
        own = ("specifics.glu_layers." + str(layer) for layer in range(shape.n_independent))
        first = [self.layer(f"{prefix}.{layer}", f"{splitter}.{layer}") for layer in shared]
        return _Transformer((*first, *(self.layer(f"{prefix}.{layer}") for layer in own)))


def _gated(x: "Matrix") -> "Matrix":
    """The gated linear unit: one half of the columns times the sigmoid of the other."""
    half = x.shape[1] // 2
    return x[:, :half] * _sigmoid(x[:, half:])


def _sigmoid(x: "Matrix") -> "Matrix":
    """By tanh, which does not overflow."""
    half = np.float32(0.5)
    result: Matrix = half + half * np.tanh(half * x)
    return result


def _sparsemax(scores: "Matrix") -> "Matrix":
    """The projection of each row onto the probability simplex: Martins and Astudillo (2016)."""
    scores = scores - scores.max(axis=1, keepdims=True)
    ordered = -np.sort(-scores, axis=1)
    above = np.cumsum(ordered, axis=1) - 1
    size = np.count_nonzero(np.arange(1, scores.shape[1] + 1) * ordered > above, axis=1)
    threshold = above[np.arange(len(scores)), size - 1] / size
    projected: Matrix = np.maximum(scores - threshold[:, None], 0).astype(np.float32)
    return projected
