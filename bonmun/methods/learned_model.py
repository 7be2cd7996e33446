"""What a model file holds, ready to be asked about the blocks of a page and about the page."""

import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import Self

from bonmun.errors import BadModel
from bonmun.features.cascade import Cascade, Exit
from bonmun.features.columns import COLUMNS
from bonmun.features.ensemble import Ensemble
from bonmun.features.summary import SUMMARY
from bonmun.features.table import WordWeights
from bonmun.methods.model_file import Model, read_model


@dataclass(frozen=True)
class LearnedModel:
    """A model, ready to be asked."""

    trees: Ensemble
    blocks: Cascade | Ensemble
    weights: WordWeights
    knots: tuple[Sequence[float], Sequence[float]]
    types: tuple[str, ...]
    type_trees: tuple[Ensemble, ...]
    trust: Ensemble
    empty: float

    @classmethod
    def of(cls, model: Model) -> Self:
        """Take a model file apart; `BadModel` where it was trained on other features than these."""
        for name, ours in (("columns", COLUMNS), ("summary", SUMMARY)):
            if model.listed(name) != ours:
                raise BadModel(f"the model was trained on other {name} than this version of bonmun measures")
        arrays, types = model.arrays, model.listed("types")
        trees = Ensemble(*model.ensemble("blocks"))
        return cls(
            trees=trees,
            blocks=Cascade.of(trees, Exit(**json.loads(model.metadata["exit"]))) if "exit" in model.metadata else trees,
            weights=WordWeights(arrays["terms.weights"], arrays["names.weights"]),
            knots=(arrays["calibration.x"].tolist(), arrays["calibration.y"].tolist()),
            types=types,
            type_trees=tuple(Ensemble(*model.ensemble(f"type.{number}")) for number in range(len(types))),
            trust=Ensemble(*model.ensemble("confidence")),
            empty=float(model.metadata["empty"]),
        )

    def raw_scores(self, matrix: bytes) -> list[float]:
        """What the trees say of each block of a feature table, from 0 to 1."""
        return [_sigmoid(total) for total in self.blocks.sums(matrix, len(COLUMNS))]

    def calibrated(self, raw: Sequence[float]) -> "array[float]":
        """Of all blocks with a score of 0.7, seven in ten are content.

        The choice is made by the raw scores: they promise a better page, if not as much as they say.
        """
        xs, ys = self.knots
        found = array("d")
        for one in raw:
            at = min(max(bisect_right(xs, one), 1), len(xs) - 1)
            low, high = xs[at - 1], xs[at]
            way = min(1.0, max(0.0, (one - low) / (high - low)))
            found.append(ys[at - 1] + (ys[at] - ys[at - 1]) * way)
        return found

    def page_type(self, about: bytes) -> tuple[str, float]:
        """The likeliest type of a page, and how likely it is."""
        sums = [trees.sums(about, len(SUMMARY))[0] for trees in self.type_trees]
        best = max(sums)
        return self.types[sums.index(best)], 1 / sum(exp(total - best) for total in sums)

    def confidence(self, about: bytes) -> float:
        """The F1 that is to be expected of the page."""
        return min(1.0, max(0.0, self.trust.sums(about, len(SUMMARY))[0]))


@cache
def shipped() -> LearnedModel:
    """The model that comes with Bonmun."""
    return LearnedModel.of(read_model(files("bonmun.models").joinpath("auto.safetensors").read_bytes()))


def _sigmoid(total: float) -> float:
    return 1 / (1 + exp(-total)) if total > -100 else 0.0
