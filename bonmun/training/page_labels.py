"""The label of each block of a page, and whether it is known."""

from collections.abc import Sequence
from dataclasses import dataclass

from bonmun.evaluate.corpora import Case
from bonmun.methods.learned.listed_lines import blocks_of_lines
from bonmun.model.block import KINDS
from bonmun.model.page import Page
from bonmun.model.segmentation import segmentation_digest
from bonmun.training.block_labels import shares
from bonmun.training.conventions import Convention

_DISAGREE = 1 / 3
"""Minimum difference of a block's labels by two golds: captions and other optional text."""


@dataclass(frozen=True)
class PageLabels:
    """The labels of a page's blocks."""

    content: list[float]
    """The share of each block that is main content."""
    known: list[bool]
    """Whether the corpus says so; what it says nothing about has the label 0."""


def page_labels(
    case: Case, page: Page, words: Sequence[Sequence[int]], by_character: bool, convention: Convention
) -> PageLabels:
    """Return the labels: those of a person if these are the labelled blocks, else by the golds or the listed lines.

    A block without words, such as a picture, is 0: pictures are decided by the text around them.
    """
    texts = page.blocks.text
    if case.keep and case.segmentation == segmentation_digest(page.blocks):
        content = [float(keep and bool(held)) for keep, held in zip(case.keep, words, strict=True)]
        return PageLabels(content, [True] * len(content))
    if convention.lines_only:
        found = blocks_of_lines(page, case.present)
        known = [block in found for block in range(len(texts))]
        return PageLabels(list(map(float, known)), known)
    content = shares(texts, case.golds[0] if case.golds else "", by_character)
    others = [shares(texts, gold, by_character) for gold in case.golds[1:]]
    known = [all(abs(label - other[block]) < _DISAGREE for other in others) for block, label in enumerate(content)]
    for block in _open_blocks(page, content, convention):
        known[block] = False
    return PageLabels(content, known)


def _open_blocks(page: Page, content: Sequence[float], convention: Convention) -> list[int]:
    """Return the blocks inside the main text that the gold leaves out by its convention."""
    inside = [block for block, label in enumerate(content) if label > 0.5]
    codes = {KINDS.index(kind) for kind in convention.open_inside}
    if not inside or not codes:
        return []
    kinds = page.blocks.kind_code
    return [block for block in range(inside[0], inside[-1]) if content[block] < 0.5 and kinds[block] in codes]
