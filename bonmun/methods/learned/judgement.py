"""Scores of blocks → choice → summary of the page → its type and confidence → choice by type, in one call of `_core`.

The twins do the same operations on doubles in the same order: a choice must not depend on which of them made it.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Final

from bonmun.core import Core, core
from bonmun.deadline import check, exceeded, seconds_left
from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import FAR
from bonmun.features.matrix import BlockFeatures
from bonmun.features.measured_page import words_of_size
from bonmun.methods.learned.choice import SNIPPET, choose, weight_of_recall
from bonmun.methods.learned.in_order import total
from bonmun.methods.learned.model import LearnedModel
from bonmun.methods.learned.page_figures import summary
from bonmun.methods.learned.plain_pages import PLAIN, is_from_markup, loses_prose
from bonmun.methods.learned.rules import readable
from bonmun.methods.learned.tables import TableBlocks, evened
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_SNIPPET: Final = Reason("snippet", "on so short a page all readable text is kept")
_WHOLE: Final = (None, _SNIPPET, PLAIN)  # by the number that the compiled twin gives
_SIZE, _NAMED_COMMENTS, _COPIES_BEFORE = map(COLUMNS.index, ("size", "named_comments", "copies_before"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model says of a page, before any rule overrules it."""

    raw: "array[float]"
    """The raw score of each block."""
    keep: bytearray
    expected_f1: float
    whole: Reason | None
    """Why all readable text is kept, whatever the scores; `None` if the scores decided."""
    commented: bool
    """Whether a kept block is near an element named after comments."""
    copied: int
    """The characters of kept blocks whose text is further up the page."""
    figures: "array[float]"
    about: Sequence[float]
    """The sums of `LearnedModel.about` for the figures."""


def judged(
    page: Page, features: BlockFeatures, model: LearnedModel, units: Sequence[TableBlocks], beta: float
) -> Judgement:
    """Judge a page with at least one block. `units` are its data tables, `beta` is the weight of recall."""
    compiled = core()
    if compiled:
        return _compiled(compiled, page, features, model, units, beta)
    return _reference(page, features, model, units, beta)


def _recalls(page: Page, model: LearnedModel) -> "array[float]":
    """The weight of recall for each type of page."""
    # Where reading has found the main text already, there is nothing around it to be careful about.
    return model.recalls if page.text_source == "markup" else array("d", [1.0]) * len(model.types)


def _compiled(
    compiled: Core, page: Page, features: BlockFeatures, model: LearnedModel, units: Sequence[TableBlocks], beta: float
) -> Judgement:
    blocks, stops = array("i"), array("i")
    for indices in chain.from_iterable((unit.shown, unit.others) for unit in units):
        blocks.extend(indices)
        stops.append(len(blocks))
    measured, table = features.measured()
    exit = model.blocks.exit
    answer = compiled.judge(
        measured,
        table,
        model.blocks.compiled,
        model.compiled_about,
        _recalls(page, model),
        (exit.below, exit.above, exit.weight, model.empty),
        blocks,
        stops,
        is_from_markup(page),
        beta,
        seconds_left(),
    )
    if isinstance(answer, str):
        raise exceeded()
    raw, keep, figures, about, expected_f1, whole, commented, copied = answer
    return Judgement(
        array("d", raw),
        keep,
        expected_f1,
        _WHOLE[whole],
        commented,
        copied,
        array("f", figures),
        memoryview(about).cast("f"),
    )


def _reference(
    page: Page, features: BlockFeatures, model: LearnedModel, units: Sequence[TableBlocks], beta: float
) -> Judgement:
    raw, sizes, near_comments, copies = array("d"), array("d"), bytearray(), bytearray()
    for _, tile in features.tiles():
        check()
        cells = memoryview(tile).cast("f")
        raw.extend(model.raw_scores(tile))
        sizes.extend([words_of_size(size) for size in cells[_SIZE :: len(COLUMNS)]])
        near_comments.extend([distance < FAR for distance in cells[_NAMED_COMMENTS :: len(COLUMNS)]])
        copies.extend([number > 0 for number in cells[_COPIES_BEFORE :: len(COLUMNS)]])
    even = evened(raw, sizes, units)
    keep, expected_f1, whole = _chosen(page, even, sizes, beta, model.empty)
    figures = array("f", summary(COLUMNS, features.tiles(), raw, sizes, keep))
    about = model.about_sums(figures.tobytes())
    kind, _ = model.page_type(about)
    recall = weight_of_recall(beta, _recalls(page, model)[model.types.index(kind)])
    if recall != beta:
        keep, expected_f1, whole = _chosen(page, even, sizes, recall, model.empty)
    commented = any(kept and near for kept, near in zip(keep, near_comments, strict=True))
    copied = sum(compress(compress(page.blocks.chars, keep), compress(copies, keep)))
    return Judgement(raw, keep, expected_f1, whole, commented, copied, figures, about)


def _chosen(
    page: Page, scores: Sequence[float], sizes: Sequence[float], beta: float, empty: float
) -> tuple[bytearray, float, Reason | None]:
    """The blocks to keep, their expected F1, and why all readable text is kept, if it is."""
    keep, expected_f1 = choose(scores, sizes, beta, empty)
    whole = _kept_whole(page, keep, sizes)
    return readable(page.blocks) if whole else keep, expected_f1, whole


def _kept_whole(page: Page, keep: Sequence[int], sizes: Sequence[float]) -> Reason | None:
    """Why all readable text of a page is kept, whatever the scores; `None` if the scores decide."""
    if total(sizes) <= SNIPPET:
        return _SNIPPET
    return PLAIN if loses_prose(page, keep, sizes) else None
