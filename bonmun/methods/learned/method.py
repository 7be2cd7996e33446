"""The learned method: features of every block, a probability for each, and the choice with the best expected F1."""

from os import PathLike
from typing import Self

from bonmun.core import Answer, Judging, core
from bonmun.deadline import check
from bonmun.methods.learned.judgement import answered, judged, judgement_of, stopped_at
from bonmun.methods.learned.late_verdicts import verdicts_of
from bonmun.methods.learned.model import LearnedModel, shipped
from bonmun.methods.learned.model_file import ModelFile, read_model
from bonmun.methods.learned.overruling import finished, overruled
from bonmun.methods.learned.tables import tables
from bonmun.methods.tensor_file import naming
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts, nothing

_SCRIPT_RECALL = 2.0  # weight of recall where reading has found the main text in the data of scripts already


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
        units = tables(page)
        check()
        beta = self._beta * (_SCRIPT_RECALL if page.text_source == "script" else 1.0)
        judgement, stopped = judged(page, model, units, beta)
        decided, parts = overruled(page, judgement, units, stopped)
        return verdicts_of(page, model, judgement.keep, parts, _judgement=judgement, _decided=decided)

    def judging(self) -> Judging | None:
        """What the core needs to judge an ordinary page while it reads it; `None` without it."""
        return (*self._model.judging, self._beta) if core() else None

    def judged(self, page: Page, answer: str | Answer) -> Verdicts:
        """The verdicts on a page that the core has judged by `judging`."""
        model, answer = self._model, answered(answer)
        stopped = stopped_at(answer)
        if (parts := finished(stopped)) is not None:  # nearly always
            return verdicts_of(page, model, answer[1], parts, _answer=answer)
        judgement = judgement_of(answer, model)
        decided, parts = overruled(page, judgement, tables(page), stopped)
        return verdicts_of(page, model, judgement.keep, parts, _judgement=judgement, _decided=decided)
