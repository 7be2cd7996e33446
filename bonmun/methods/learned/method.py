"""The learned method: features of every block, a probability for each, and the choice with the best expected F1."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import compress
from os import PathLike
from typing import Self

from bonmun.deadline import check
from bonmun.features.matrix import BlockFeatures
from bonmun.methods.learned.candidates import linked_headings
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.judgement import judged
from bonmun.methods.learned.model import LearnedModel, calibrate, shipped
from bonmun.methods.learned.model_file import ModelFile, read_model
from bonmun.methods.learned.page_figures import PageFigures
from bonmun.methods.learned.pictures import keep_pictures_inside
from bonmun.methods.learned.plain_pages import PLAIN, PLAIN_CONFIDENCE
from bonmun.methods.learned.reasons import Reasons
from bonmun.methods.learned.rules import (
    behind_the_text,
    callout_titles,
    cited_sources,
    comments,
    gaps,
    intruders,
    notes_of_marks,
)
from bonmun.methods.learned.tables import TABLE, TableBlocks, incomplete, tables
from bonmun.methods.tensor_file import naming
from bonmun.methods.unseen import UNSEEN, seen_parts
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_LIKELY = 0.4  # minimum probability of the type article for comments to be dropped, whatever the trees say
_SCRIPT_RECALL = 2.0  # weight of recall where reading has found the main text in the data of scripts already
_INSIDE = Reason("inside", "the text before and after it is kept")
_TITLE = Reason("callout-title", "the callout below it is kept")
_NOTE = Reason("footnote", "the note of a kept mark")
_SOURCE = Reason("source", "an entry of a list of sources")
_BEHIND = Reason("behind-text", "behind the element that holds the text")
_NOTHING = Reason("nothing-promising", "no text is likely to be the main content")


class Learned:
    """The method ``"auto"``: a model trained on pages of many kinds in several languages decides.

    >>> import bonmun
    >>> method = bonmun.Learned()  # the shipped model; `Learned.load("model.safetensors")` is one of your own
    >>> bonmun.extract("<p>Tea is made of leaves, and of water that has just boiled.</p>", method=method).method
    'auto'
    """

    name = "auto"

    def __init__(self, model: ModelFile | None = None, beta: float = 1.0) -> None:
        self._model = shipped() if model is None else LearnedModel.of(model)
        self._beta = beta

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Load a model of your own, as written by `bonmun train`."""
        model = read_model(path)
        with naming(path):
            return cls(model)

    def preferring(self, beta: float) -> "Learned":
        """The same model, with recall worth `beta` times as much as precision."""
        other = object.__new__(type(self))
        other._model, other._beta = self._model, beta
        return other

    def judge(self, page: Page) -> Verdicts:
        """Keep the blocks with the best expected F score."""
        model, blocks = self._model, page.blocks
        if not len(blocks):
            return nothing(0, Reason("no-text", "the page has no text"))
        features, units = BlockFeatures(page, model.weights), tables(page)
        check()
        beta = self._beta * (_SCRIPT_RECALL if page.text_source == "script" else 1.0)
        judgement = judged(page, features, model, units, beta)
        keep, whole, measured = judgement.keep, judgement.whole, features.measured()[0]
        kind, likely = model.page_type(judgement.about)
        article = kind == "article" and likely >= _LIKELY
        overruled = dict.fromkeys(compress(range(len(keep)), keep), whole) if whole else dict[int, Reason]()
        if article and not whole:
            for index in behind_the_text(page, keep, judgement.raw, measured):
                keep[index], overruled[index] = 0, _BEHIND
        commented = article and judgement.commented
        _overrule(page, keep, overruled, intruders(page, keep, judgement.copied, commented, measured), units, measured)
        parts, unseen = seen_parts(page, keep, linked_headings(page, keep, measured))
        for index in unseen:
            keep[index], overruled[index] = 0, UNSEEN
        features.forget()
        contributions = Contributions(model.trees, features, page)
        return Verdicts(
            keep=keep,
            score=Later(len(blocks), partial(calibrate, *model.knots, judgement.raw)),  # picklable as it is
            reasons=Reasons(contributions, page, keep, overruled),
            parts=parts,
            confidence=min(model.confidence(judgement.about), PLAIN_CONFIDENCE if whole is PLAIN else 1.0),
            notes=() if any(keep) else (_NOTHING,),
            analysis=PageFigures(kind, likely, judgement.expected_f1, judgement.figures, contributions),
            page_type=kind,
            comments=Later(len(blocks), partial(comments, page, keep, kind)),
        )


def _overrule(
    page: Page,
    keep: bytearray,
    overruled: dict[int, Reason],
    intruders: Mapping[int, Reason],
    units: Sequence[TableBlocks],
    measured: object | None,
) -> None:
    """Correct the choice by the rules, in their order; the reasons go into `overruled`."""
    for index, reason in intruders.items():
        keep[index], overruled[index] = 0, reason
    for index in cited_sources(page, keep):
        keep[index], overruled[index] = 0, _SOURCE
    for index in gaps(page, keep, overruled, measured):
        keep[index], overruled[index] = 1, _INSIDE
    for index in callout_titles(page, keep, overruled, measured):
        keep[index], overruled[index] = 1, _TITLE
    for index in incomplete(keep, units):
        keep[index], overruled[index] = 1, TABLE
    for index in notes_of_marks(page, keep, overruled):
        keep[index], overruled[index] = 1, _NOTE
    keep_pictures_inside(page, keep, overruled, measured)
