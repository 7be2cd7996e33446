"""The learned method: every block measured, a probability for each, and the choice that promises the best page."""

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import exp
from os import PathLike
from typing import Self

from bonmun.errors import BadModel
from bonmun.features.cascade import Cascade, Exit
from bonmun.features.choice import SNIPPET, choose
from bonmun.features.columns import COLUMNS
from bonmun.features.ensemble import Ensemble
from bonmun.features.matrix import feature_matrix
from bonmun.features.phrases import phrase
from bonmun.features.summary import SUMMARY, summary
from bonmun.features.table import WordWeights
from bonmun.methods.comments import comment_lists
from bonmun.methods.model_file import Model, read_model
from bonmun.methods.trimming import closing_notices
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_IMAGE, _CAPTION = KINDS.index(Kind.IMAGE), KINDS.index(Kind.CAPTION)
_SIZE = COLUMNS.index("size")
_OF_A_BLOCK = [number for number, name in enumerate(COLUMNS) if not name.startswith("page_")]
_TELLING = 3  # features that are named as reasons
_PIECE = Reason("snippet", "so short a page is a piece of one, and is taken as it is")
_NOTHING = Reason("nothing-promising", "no text that is likely to be what a reader came for")


class Learned:
    """The method ``"auto"``: a model trained on pages of many kinds in several languages decides."""

    name = "auto"

    def __init__(self, model: Model | None = None, beta: float = 1.0) -> None:
        self._parts = _shipped() if model is None else Parts.of(model)
        self._beta = beta

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The method with a model of your own, as `bonmun train` writes it."""
        return cls(read_model(path))

    def preferring(self, beta: float) -> "Learned":
        """The same model, with recall worth `beta` times as much as precision."""
        other = object.__new__(type(self))
        other._parts, other._beta = self._parts, beta
        return other

    def judge(self, page: Page) -> Verdicts:
        """Keep the blocks that together promise the best F score."""
        parts, blocks = self._parts, page.blocks
        if not len(blocks):
            return nothing(0, Reason("no-text", "nothing on the page can be read"))
        matrix = feature_matrix(page, parts.weights)
        raw = [_sigmoid(total) for total in parts.blocks.sums(matrix, len(COLUMNS))]
        sizes = [(2**size - 1) / 6 + 1 for size in memoryview(matrix).cast("f")[_SIZE :: len(COLUMNS)]]
        keep, expected = choose(raw, sizes, self._beta, parts.empty)
        snippet = sum(sizes) <= SNIPPET
        keep = _readable(blocks) if snippet else keep
        figures = array("f", summary(COLUMNS, matrix, raw, sizes, keep))
        about = figures.tobytes()
        kind, likely = parts.page_type(about)
        overruled = dict.fromkeys((at for at, kept in enumerate(keep) if kept and snippet), _PIECE)
        for at, notice in closing_notices(page, {at for at, kept in enumerate(keep) if not kept}).items():
            keep[at], overruled[at] = 0, notice
        _keep_pictures_inside(blocks, keep)
        return Verdicts(
            keep=keep,
            score=Later(len(blocks), lambda: parts.calibrated(raw)),
            reasons=Reasons(parts.trees, matrix, keep, overruled),
            confidence=parts.confidence(about),
            notes=() if any(keep) else (_NOTHING,),
            analysis=PageFigures(kind, likely, expected, figures),
            page_type=kind,
            comments=Later(len(blocks), lambda: _comments(page, keep, kind)),
        )


@dataclass(frozen=True)
class Parts:
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


def _sigmoid(total: float) -> float:
    return 1 / (1 + exp(-total)) if total > -100 else 0.0


@cache
def _shipped() -> Parts:
    return Parts.of(read_model(files("bonmun.models").joinpath("auto.safetensors").read_bytes()))


@dataclass(frozen=True)
class PageFigures:
    """What the learned method thinks of the page as a whole."""

    page_type: str
    page_type_probability: float
    expected_f1: float
    """Of the choice, if the scores are right; `confidence` also knows how far such promises are kept."""
    figures: Sequence[float]

    def to_dict(self) -> dict[str, object]:
        """The figures by name."""
        return {
            "page_type": self.page_type,
            "page_type_probability": self.page_type_probability,
            "expected_f1": self.expected_f1,
            "figures": dict(zip(SUMMARY, self.figures, strict=True)),
        }


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, looked up when somebody asks.

    A reason is a feature that moved the block's sum further than it moves that of the page's blocks on the whole: what
    sets the block apart from the others.
    """

    def __init__(self, trees: Ensemble, matrix: bytes, keep: Sequence[int], overruled: Mapping[int, Reason]) -> None:
        self._trees, self._matrix, self._keep, self._overruled = trees, matrix, keep, overruled

    def __len__(self) -> int:
        return len(self._keep)

    def __getitem__(self, at: int) -> tuple[Reason, ...]:  # type: ignore[override]
        if not 0 <= at < len(self):
            raise IndexError(at)
        if at in self._overruled:
            return (self._overruled[at],)
        width = len(COLUMNS)
        row = slice(at * width, (at + 1) * width)
        name, sign = ("content-like", 1) if self._keep[at] else ("boilerplate-like", -1)
        said = [sign * (mine - usual) for mine, usual in zip(self._moved[row], self._usual, strict=True)]
        loudest = sorted(_OF_A_BLOCK, key=lambda column: -said[column])[:_TELLING]
        values = memoryview(self._matrix).cast("f")[row]
        return tuple(Reason(name, phrase(COLUMNS[column], values[column])) for column in loudest if said[column] > 0)

    @cached_property
    def _moved(self) -> "memoryview[float]":
        """How far each feature moved each block's sum."""
        return self._trees.contributions(self._matrix, len(COLUMNS))

    @cached_property
    def _usual(self) -> list[float]:
        """How far each feature moves the sums of the page, on average."""
        return [sum(self._moved[column :: len(COLUMNS)]) / len(self) for column in range(len(COLUMNS))]


def _readable(blocks: Blocks) -> bytearray:
    """What can be read of a piece of a page: all that is shown and is more than links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def _keep_pictures_inside(blocks: Blocks, keep: bytearray) -> None:
    """A picture has no words to be judged by: it is content where the text before and after it is, captions aside."""
    spoken = [at for at, kind in enumerate(blocks.kind_code) if kind not in (_IMAGE, _CAPTION)]
    for at, kind in enumerate(blocks.kind_code):
        if kind == _IMAGE:
            after = bisect_left(spoken, at)
            beside = spoken[max(after - 1, 0) : after + 1]
            keep[at] = len(beside) == 2 and all(keep[near] for near in beside)


def _comments(page: Page, keep: Sequence[int], kind: str) -> bytearray:
    """The blocks that are readers' comments; on a forum there are none, since posts are its content."""
    found = bytearray(len(keep))
    if kind == "forum":
        return found
    blocks, ends = page.blocks, page.nodes.end
    for row in comment_lists(page):
        for at in range(bisect_left(blocks.first, row), bisect_left(blocks.first, ends[row])):
            found[at] = not (keep[at] or blocks.flags[at])
    return found
