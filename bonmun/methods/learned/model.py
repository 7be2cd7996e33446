"""What a model file holds, ready to be asked about the blocks of a page and about the page."""

import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp, inf, isfinite, isnan, nan
from operator import index
from typing import Self

from bonmun.errors import BadModel
from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import RANGES
from bonmun.features.hashing import BUCKETS
from bonmun.features.table import WordWeights
from bonmun.methods.learned.cascade import Cascade, Exit
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.model_file import Model, read_model
from bonmun.methods.learned.page_figures import SUMMARY


@dataclass(frozen=True)
class LearnedModel:
    """A model, ready to be asked."""

    trees: Forest
    blocks: Cascade
    """The same trees, most blocks settled by the first."""
    weights: WordWeights
    knots: tuple[Sequence[float], Sequence[float]]
    types: tuple[str, ...]
    type_trees: tuple[Forest, ...]
    trust: Forest
    empty: float

    @classmethod
    def of(cls, model: Model) -> Self:
        """Take a model file apart; `BadModel` where it is not whole, or was trained on other features than these."""
        for name, ours in (("columns", COLUMNS), ("summary", SUMMARY)):
            if model.listed(name) != ours:
                raise BadModel(f"the model was trained on other {name} than this version of bonmun measures")
        types = model.listed("types")
        if not types:
            raise BadModel("types has no page type")
        trees = Forest(*model.forest("blocks"))
        return cls(
            trees=trees,
            blocks=Cascade.of(trees, _exit(model, len(trees.start) - 1)),
            weights=WordWeights(
                _weights(model, "terms.weights", BUCKETS), _weights(model, "names.weights", RANGES * BUCKETS)
            ),
            knots=_knots(model),
            types=types,
            type_trees=tuple(Forest(*model.forest(f"type.{number}")) for number in range(len(types))),
            trust=Forest(*model.forest("confidence")),
            empty=_empty(model),
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


def _exit(model: Model, trees: int) -> Exit:
    """Who is settled by the first trees."""
    try:
        told = dict(json.loads(model.told("exit")))
        exit = Exit(index(told.pop("trees")), **{name: float(number) for name, number in told.items()})
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadModel("exit does not say who is settled by the first trees") from error
    if not 1 <= exit.trees <= trees:
        raise BadModel(f"exit is after {exit.trees} trees; there are {trees}")
    if isnan(exit.below) or isnan(exit.above) or not isfinite(exit.weight):
        raise BadModel("exit has a bound or a weight that is no number")
    return exit


def _weights(model: Model, name: str, buckets: int) -> "memoryview[float]":
    """One weight for each bucket of words."""
    found = model.floats(name)
    if len(found) != buckets:
        raise BadModel(f"{name} has {len(found):,} weights instead of {buckets:,}")
    return found


def _knots(model: Model) -> tuple[list[float], list[float]]:
    """The knots between which probabilities lie on straight lines."""
    xs, ys = list(model.floats("calibration.x")), list(model.floats("calibration.y"))
    if len(xs) != len(ys):
        raise BadModel("calibration.x and calibration.y differ in number")
    if len(xs) < 2:
        raise BadModel("calibration has fewer than two knots")
    if not all(low < high for low, high in pairwise(xs)):
        raise BadModel("calibration.x does not rise from knot to knot")
    if not 0 <= min(ys) <= max(ys) <= 1:
        raise BadModel("calibration.y has what is no probability")
    return xs, ys


def _empty(model: Model) -> float:
    """Words that a page has to promise."""
    try:
        found = float(model.told("empty"))
    except ValueError:
        found = nan
    if not 0 <= found < inf:
        raise BadModel("empty is no number of words")
    return found


def _sigmoid(total: float) -> float:
    return 1 / (1 + exp(-total)) if total > -100 else 0.0
