"""The learned method: every block measured, a probability for each, and the choice that promises the best page."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Self

from bonmun.features.choice import SNIPPET, choose
from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import feature_matrix
from bonmun.features.measured import words_of_size
from bonmun.features.summary import SUMMARY, summary
from bonmun.methods.learned_model import LearnedModel, shipped
from bonmun.methods.learned_reasons import Reasons
from bonmun.methods.learned_rules import comments, holes, keep_pictures_inside, no_part_of_it, readable
from bonmun.methods.model_file import Model, naming, read_model
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_SIZE = COLUMNS.index("size")
_LIKELY = 0.4  # how likely a page has to be an article for comments to be no part of it, whatever the trees say
_INSIDE = Reason("inside", "the text before and after it is kept")
_PIECE = Reason("snippet", "so short a page is a piece of one, and is taken as it is")
_NOTHING = Reason("nothing-promising", "no text that is likely to be what a reader came for")


class Learned:
    """The method ``"auto"``: a model trained on pages of many kinds in several languages decides."""

    name = "auto"

    def __init__(self, model: Model | None = None, beta: float = 1.0) -> None:
        self._model = shipped() if model is None else LearnedModel.of(model)
        self._beta = beta

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The method with a model of your own, as `bonmun train` writes it."""
        model = read_model(path)
        with naming(path):
            return cls(model)

    def preferring(self, beta: float) -> "Learned":
        """The same model, with recall worth `beta` times as much as precision."""
        other = object.__new__(type(self))
        other._model, other._beta = self._model, beta
        return other

    def judge(self, page: Page) -> Verdicts:
        """Keep the blocks that together promise the best F score."""
        model, blocks = self._model, page.blocks
        if not len(blocks):
            return nothing(0, Reason("no-text", "nothing on the page can be read"))
        matrix = feature_matrix(page, model.weights)
        raw = model.raw_scores(matrix)
        sizes = [words_of_size(size) for size in memoryview(matrix).cast("f")[_SIZE :: len(COLUMNS)]]
        keep, expected = choose(raw, sizes, self._beta, model.empty)
        snippet = sum(sizes) <= SNIPPET
        keep = readable(blocks) if snippet else keep
        figures = array("f", summary(COLUMNS, matrix, raw, sizes, keep))
        about = figures.tobytes()
        kind, likely = model.page_type(about)
        overruled = dict.fromkeys((at for at, kept in enumerate(keep) if kept and snippet), _PIECE)
        for at, reason in no_part_of_it(page, keep, matrix, kind == "article" and likely >= _LIKELY).items():
            keep[at], overruled[at] = 0, reason
        for at in holes(blocks, keep, overruled):
            keep[at], overruled[at] = 1, _INSIDE
        keep_pictures_inside(blocks, keep)
        return Verdicts(
            keep=keep,
            score=Later(len(blocks), lambda: model.calibrated(raw)),
            reasons=Reasons(model.trees, matrix, keep, overruled, page),
            confidence=model.confidence(about),
            notes=() if any(keep) else (_NOTHING,),
            analysis=PageFigures(kind, likely, expected, figures),
            page_type=kind,
            comments=Later(len(blocks), partial(comments, page, keep, kind)),
        )


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
