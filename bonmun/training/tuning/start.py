"""The model that a fine-tuning starts from: its arrays, and its sums over the rows of corrected pages."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import BadModel
from bonmun.methods.learned.cascade import Exit
from bonmun.methods.learned.model import LearnedModel
from bonmun.methods.learned.model_file import ModelFile, read_model
from bonmun.methods.tensor_file import naming
from bonmun.training.dataset import Dataset, Numbers, with_scores

SHIPPED = "auto"
"""The name of the model that ships with Bonmun."""


@dataclass(frozen=True)
class Tiers:
    """The sums of the two tiers of a cascade, for each row."""

    first: Numbers
    rest: Numbers
    exit: Exit

    def plus(self, extra: Numbers, rows: slice | NDArray[np.bool_] = slice(None)) -> Numbers:
        """Return the sums of some rows with extra trees, arranged as `arrangement.with_trees` does it."""
        first = self.first[rows] + extra / self.exit.weight
        early = (first < self.exit.below) | (first > self.exit.above)
        return np.where(early, self.exit.weight * first, self.first[rows] + self.rest[rows] + extra)

    def whole(self) -> Numbers:
        """Return the sums of all rows without extra trees, as at run time."""
        return self.plus(np.zeros(len(self.first)))


@dataclass(frozen=True)
class StartModel:
    """A model file and its parts."""

    name: str
    file: ModelFile
    parts: LearnedModel

    @classmethod
    def read(cls, name: str) -> "StartModel":
        """Read the shipped model (`auto`) or a model file; `BadModel` if it cannot be used or tuned."""
        shipped = name == SHIPPED
        source = files("bonmun.models").joinpath("auto.safetensors").read_bytes() if shipped else name
        file = read_model(source)
        with naming(source):
            parts = LearnedModel.of(file)
            if parts.blocks.exit.weight <= 0:
                raise BadModel("exit.weight must be above 0: extra trees are divided by it")
        return cls(name, file, parts)

    @property
    def digest(self) -> str:
        """The checksum of the model file."""
        return self.file.text("digest")

    def table(self, data: Dataset) -> NDArray[np.float32]:
        """Return the table of all columns, with the linear scores by the weights of this model."""
        weights = self.parts.weights
        return with_scores(data, _scores(data.terms, weights.terms), _scores(data.names, weights.names))

    def tiers(self, table: NDArray[np.float32]) -> Tiers:
        """Return the sums of both tiers for each row of a table."""
        cascade, cells = self.parts.blocks, table.tobytes()
        first, rest = (np.array(part.sums(cells, table.shape[1]), float) for part in (cascade.first, cascade.rest))
        return Tiers(first, rest, cascade.exit)


def _scores(bags: Any, weights: "memoryview[float]") -> NDArray[np.float32]:
    return np.asarray(bags @ np.array(weights, np.float32), np.float32)
