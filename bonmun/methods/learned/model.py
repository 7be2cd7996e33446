"""A model ready for use: scores of blocks, type and confidence of a page."""

import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from math import exp, inf, isfinite, isnan, nan
from operator import index
from typing import Final, Self

from bonmun.core import JudgingModel, core
from bonmun.errors import BadModel
from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import RANGES
from bonmun.features.hashing import BUCKETS
from bonmun.features.matrix import tables_of
from bonmun.features.table import WordWeights
from bonmun.methods.learned.candidates import signs
from bonmun.methods.learned.cascade import Cascade, Exit
from bonmun.methods.learned.choice import RECALL
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.in_order import total
from bonmun.methods.learned.model_file import ModelFile, read_model
from bonmun.methods.learned.page_figures import SUMMARY

THREAD_MARGIN: Final = -4.5
"""How far the type forum may be behind the likeliest one, in logits, for posts to be looked for."""
_LEAST_SUM = -100.0  # the sigmoid of sums below it is 0, and `exp` would overflow


@dataclass(frozen=True)
class LearnedModel:
    """The parts of a model file, checked."""

    trees: Forest
    blocks: Cascade
    """The same trees with an early exit."""
    weights: WordWeights
    knots: "tuple[array[float], array[float]]"
    types: tuple[str, ...]
    type_trees: tuple[Forest, ...]
    trust: Forest
    empty: float

    @classmethod
    def of(cls, model: ModelFile) -> Self:
        """Check and unpack a model file; `BadModel` if it is incomplete or was trained on other features."""
        for name, ours in (("columns", COLUMNS), ("summary", SUMMARY)):
            if model.listed(name) != ours:
                raise BadModel(f"trained with other {name} than this version of bonmun uses; train it again")
        types = model.listed("types")
        if not types:
            raise BadModel("types is empty: a model needs at least one page type")
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
        """The sigmoid of each block's sum, from 0 to 1."""
        sums = self.blocks.sums(matrix, len(COLUMNS))
        return [1 / (1 + exp(-one)) if one > _LEAST_SUM else 0.0 for one in sums]

    def calibrated(self, raw: Sequence[float]) -> "array[float]":
        """Calibrate scores: of all blocks with 0.7, seven in ten are content.

        The choice uses the raw scores, which are overconfident but choose better.
        """
        return calibrate(*self.knots, raw)

    @property
    def about(self) -> tuple[Forest, ...]:
        """The trees over a page's summary: those of each type, and those of its confidence."""
        return *self.type_trees, self.trust

    @cached_property
    def compiled(self) -> JudgingModel:
        """The model as the compiled core takes it."""
        exit = self.blocks.exit
        bounds = exit.below, exit.above, exit.weight, self.empty
        about = tuple(trees.compiled for trees in self.about)
        article, forum = (self.types.index(kind) if kind in self.types else -1 for kind in ("article", "forum"))
        return tables_of(self.weights), self.blocks.compiled, about, bounds, article, forum

    @cached_property
    def judging(self) -> "tuple[JudgingModel, object, array[float]]":
        """The part of `Learned.judging` that is the same for all pages."""
        return self.compiled, signs(), self.recalls

    @cached_property
    def recalls(self) -> "array[float]":
        """The weight of recall for each type of page."""
        return array("d", [RECALL.get(name, 1.0) for name in self.types])

    def about_sums(self, figures: bytes) -> list[float]:
        """The sum of each of `about` for a page's summary."""
        return [trees.sums(figures, len(SUMMARY))[0] for trees in self.about]

    def page_type(self, about: Sequence[float]) -> tuple[str, float]:
        """The likeliest type of a page, and its probability."""
        sums = list(about[: len(self.types)])
        best = max(sums)
        return self.types[sums.index(best)], 1 / total(exp(one - best) for one in sums)

    def may_be_thread(self, about: Sequence[float]) -> bool:
        """Whether a page may be of a forum: a quarter of all pages may, and nearly all with posts that a name tells."""
        if "forum" not in self.types:
            return False
        return about[self.types.index("forum")] - max(about[: len(self.types)]) >= THREAD_MARGIN

    def confidence(self, about: Sequence[float]) -> float:
        """The expected F1 of the page."""
        return min(1.0, max(0.0, about[-1]))


def calibrate(xs: "array[float]", ys: "array[float]", raw: Sequence[float]) -> "array[float]":
    """Map raw scores by a piecewise linear function with these knots."""
    compiled = core()
    if compiled is None:
        return calibrate_by_reference(xs, ys, raw)
    return array("d", compiled.calibrate(xs, ys, raw if isinstance(raw, array) else array("d", raw)))


def calibrate_by_reference(xs: Sequence[float], ys: Sequence[float], raw: Sequence[float]) -> "array[float]":
    """The same in Python, where the compiled twin could not be built."""
    calibrated = array("d")
    for score in raw:
        knot = min(max(bisect_right(xs, score), 1), len(xs) - 1)
        low, high = xs[knot - 1], xs[knot]
        way = min(1.0, max(0.0, (score - low) / (high - low)))
        calibrated.append(ys[knot - 1] + (ys[knot] - ys[knot - 1]) * way)
    return calibrated


@cache
def shipped() -> LearnedModel:
    """The model that ships with Bonmun."""
    return LearnedModel.of(read_model(files("bonmun.models").joinpath("auto.safetensors").read_bytes()))


def _exit(model: ModelFile, trees: int) -> Exit:
    """The early exit of the trees over blocks."""
    try:
        fields = dict(json.loads(model.text("exit")))
        exit = Exit(index(fields.pop("trees")), **{name: float(number) for name, number in fields.items()})
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadModel("exit must be a JSON object with the numbers trees, below, above and weight") from error
    if not 1 <= exit.trees <= trees:
        raise BadModel(f"exit.trees is {exit.trees}; the model has {trees} trees")
    if isnan(exit.below) or isnan(exit.above) or not isfinite(exit.weight):
        raise BadModel("exit has a bound that is NaN or a weight that is not finite")
    return exit


def _weights(model: ModelFile, name: str, buckets: int) -> "memoryview[float]":
    """The weights of words, one for each hash bucket."""
    weights = model.floats(name)
    if len(weights) != buckets:
        raise BadModel(f"{name} has {len(weights):,} weights instead of {buckets:,}")
    return weights


def _knots(model: ModelFile) -> "tuple[array[float], array[float]]":
    """The knots of the calibration, a piecewise linear function."""
    xs, ys = array("d", model.floats("calibration.x")), array("d", model.floats("calibration.y"))
    if len(xs) != len(ys):
        raise BadModel("calibration.x and calibration.y differ in length")
    if len(xs) < 2:
        raise BadModel("calibration has fewer than two knots")
    if not all(low < high for low, high in pairwise(xs)):
        raise BadModel("calibration.x is not strictly increasing")
    if not 0 <= min(ys) <= max(ys) <= 1:
        raise BadModel("calibration.y has a value outside 0 … 1")
    return xs, ys


def _empty(model: ModelFile) -> float:
    """The minimum expected words of content on a page."""
    try:
        words = float(model.text("empty"))
    except ValueError:
        words = nan
    if not 0 <= words < inf:
        raise BadModel("empty must be a number of words, 0 or more")
    return words
