"""The verdicts of `auto`, whose columns are made when first asked for: most callers want the kept blocks alone."""

from functools import partial
from typing import Any, Final

from bonmun.core import Answer
from bonmun.features.matrix import BlockFeatures
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.judgement import Judgement, judgement_of, stopped_at
from bonmun.methods.learned.model import LearnedModel, calibrate
from bonmun.methods.learned.overruling import Overruled, Parts
from bonmun.methods.learned.page_figures import PageFigures
from bonmun.methods.learned.plain_pages import PLAIN, PLAIN_CONFIDENCE
from bonmun.methods.learned.reasons import Reasons
from bonmun.methods.learned.rules import comments
from bonmun.model.lazy import filled, lazy
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts

_NOTHING: Final = Reason("nothing-promising", "no text is likely to be the main content")


class LateVerdicts(Verdicts):
    """Verdicts on a page by a judgement, or by the answer of the core that one is made from."""

    _page: Page
    _model: LearnedModel
    _answer: Answer

    @lazy
    def _judgement(self) -> Judgement:
        return judgement_of(self._answer, self._model)

    @lazy
    def _decided(self) -> Overruled:
        """The blocks that a rule decided on."""
        return Overruled(stopped_at(self._answer).why)

    @lazy
    def _contributions(self) -> Contributions:
        return Contributions(self._model.trees, BlockFeatures(self._page, self._model.weights), self._page)


def _confidence(verdicts: LateVerdicts) -> float:
    judgement = verdicts._judgement
    highest = PLAIN_CONFIDENCE if judgement.whole is PLAIN else 1.0
    return min(verdicts._model.confidence(judgement.about), highest)


def _analysis(verdicts: LateVerdicts) -> PageFigures:
    judgement = verdicts._judgement
    return filled(
        PageFigures,
        page_type=judgement.kind,
        page_type_probability=judgement.likely,
        expected_f1=judgement.expected_f1,
        figures=judgement.figures,
        _contributions=verdicts._contributions,
    )


def _score(verdicts: LateVerdicts) -> Later[float]:
    raw = verdicts._judgement.raw
    return Later(len(raw), partial(calibrate, *verdicts._model.knots, raw))  # picklable as it is


def _comments(verdicts: LateVerdicts) -> Later[int]:
    judgement = verdicts._judgement
    return Later(len(judgement.raw), partial(comments, verdicts._page, judgement.keep, judgement.kind))


for _name, _compute in {
    "score": _score,
    "reasons": lambda own: Reasons(own._contributions, own._page, own._judgement.keep, own._decided),
    "confidence": _confidence,
    "notes": lambda own: () if any(own._judgement.keep) else (_NOTHING,),
    "analysis": _analysis,
    "page_type": lambda own: own._judgement.kind,
    "comments": _comments,
}.items():
    lazy.add(LateVerdicts, _name, _compute)


def verdicts_of(page: Page, model: LearnedModel, keep: bytearray, parts: Parts, **known: Any) -> Verdicts:
    """The verdicts by `_answer`, or by `_judgement` and `_decided`."""
    return filled(LateVerdicts, keep=keep, parts=parts, _page=page, _model=model, **known)
