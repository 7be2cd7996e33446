"""Features and scores of blocks → choice → summary of the page → its type and confidence → choice by type → rules.

All of it is one call of `_core`, from the columns of a page to its verdicts. The twins do the same operations on
doubles in the same order: a choice must not depend on which of them made it. The rules are in `overruling`.
"""

from array import array
from collections.abc import Sequence
from itertools import compress
from typing import Final, NamedTuple

from bonmun.core import Answer, Core, Findings, core
from bonmun.deadline import check, exceeded, seconds_left
from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import FAR
from bonmun.features.matrix import BlockFeatures, texts_of
from bonmun.features.measured_page import words_of_size
from bonmun.methods.learned.candidates import kind_column, signs
from bonmun.methods.learned.choice import RECIPE, SNIPPET, choose, weight_of_recall
from bonmun.methods.learned.declared import declares_one, may_be_recipe
from bonmun.methods.learned.in_order import total
from bonmun.methods.learned.model import LearnedModel
from bonmun.methods.learned.page_figures import summary
from bonmun.methods.learned.plain_pages import PLAIN, is_from_markup, loses_prose
from bonmun.methods.learned.rules import readable
from bonmun.methods.learned.tables import TableBlocks, evened, table_columns
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

SNIPPET_PAGE: Final = Reason("snippet", "on so short a page all readable text is kept")
_WHOLE: Final = (None, SNIPPET_PAGE, PLAIN)  # by the number that the compiled twin gives
_SIZE, _NAMED_COMMENTS, _COPIES_BEFORE = map(COLUMNS.index, ("size", "named_comments", "copies_before"))


class Judgement(NamedTuple):
    """What the model says of a page, before any rule overrules it."""

    raw: "array[float]"
    """The raw score of each block."""
    keep: bytearray
    kind: str
    """The likeliest type of the page."""
    likely: float
    """Its probability."""
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
    may_be_thread: bool = False
    """Whether posts are looked for."""
    recipe: bool = False
    """Whether the page may declare a recipe."""


class Stopped(NamedTuple):
    """Where the rules stopped that `_core` applies together with the judgement."""

    why: bytearray
    """The number of the rule that decided on each block, 0 for none."""
    measured: object
    """The measured page; `None` if all rules are applied."""
    findings: Findings


def judged(
    page: Page, model: LearnedModel, units: Sequence[TableBlocks], beta: float, step: int = 0
) -> tuple[Judgement, Stopped | None]:
    """Judge a page with at least one block; with `_core` the rules are applied too, from a step on.

    `units` are its data tables, `beta` is the weight of recall.
    """
    compiled = core()
    if compiled:
        return _compiled(compiled, page, model, units, beta, step)
    return judged_by_reference(page, BlockFeatures(page, model.weights), model, units, beta), None


def _recalls(page: Page, model: LearnedModel, recipe: bool) -> "array[float]":
    """The weight of recall for each type of page."""
    if page.text_source != "markup":  # reading has found the main text already: nothing around it to be careful about
        return array("d", [1.0]) * len(model.types)
    one = recipe and declares_one(page.nodes)
    return array("d", [RECIPE]) * len(model.types) if one else model.recalls


def _compiled(
    compiled: Core, page: Page, model: LearnedModel, units: Sequence[TableBlocks], beta: float, step: int
) -> tuple[Judgement, Stopped]:
    href, recipe = page.nodes.attr_number("href"), may_be_recipe(page.nodes)
    judged = compiled.judge(
        page.nodes.columns,
        page.blocks.columns,
        texts_of(page),
        model.compiled,
        signs(),
        (_recalls(page, model, recipe), kind_column(page), is_from_markup(page), bool(page.footnotes), href),
        table_columns(units),
        beta,
        seconds_left(),
        step,
    )
    answer = answered(judged)
    return judgement_of(answer, model, recipe), stopped_at(answer)


def answered(answer: str | Answer) -> Answer:
    """The answer of the core; `LimitExceeded` if it is the name of a limit."""
    if isinstance(answer, str):
        raise exceeded()
    return answer


def judgement_of(answer: Answer, model: LearnedModel, recipe: bool = False) -> Judgement:
    """The answer of the core as a judgement; `recipe`: whether the page may declare a recipe."""
    raw, keep, figures, sums, kind, likely, expected_f1, whole, commented, copied, *_ = answer
    about = memoryview(sums).cast("f")
    return Judgement(
        array("d", raw),
        keep,
        model.types[kind],
        likely,
        expected_f1,
        _WHOLE[whole],
        commented,
        copied,
        array("f", figures),
        about,
        not whole and model.may_be_thread(about),
        recipe,
    )


def stopped_at(answer: Answer) -> Stopped:
    """Where the rules stopped."""
    return Stopped(*answer[-3:])


def judged_by_reference(
    page: Page, features: BlockFeatures, model: LearnedModel, units: Sequence[TableBlocks], beta: float
) -> Judgement:
    """The same in Python, where the compiled twin could not be built, without the rules."""
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
    kind, likely = model.page_type(about)
    recipe = may_be_recipe(page.nodes)
    recall = weight_of_recall(beta, _recalls(page, model, recipe)[model.types.index(kind)])
    if recall != beta:
        keep, expected_f1, whole = _chosen(page, even, sizes, recall, model.empty)
    commented = any(kept and near for kept, near in zip(keep, near_comments, strict=True))
    copied = sum(compress(compress(page.blocks.chars, keep), compress(copies, keep)))
    thread = not whole and model.may_be_thread(about)
    return Judgement(raw, keep, kind, likely, expected_f1, whole, commented, copied, figures, about, thread, recipe)


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
        return SNIPPET_PAGE
    return PLAIN if loses_prose(page, keep, sizes) else None
