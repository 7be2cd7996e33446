"""Logical structure made robust: M3 with a correction for each error that its paper names (`Changes`).

With every change off this is `logical`; `bench/logical.py` measures each of them alone.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate

from bonmun.deadline import check
from bonmun.methods import trimming
from bonmun.methods.boilerplate import furniture
from bonmun.methods.comments import comment_lists
from bonmun.methods.keyword_weights import KeywordList, declared_language, keyword_list
from bonmun.methods.logical_cleaning import leaf_blocks
from bonmun.methods.logical_regions import candidates, heaviest_first, holds, longest_first, shared_regions
from bonmun.methods.trimming import Dropped
from bonmun.model.page import Page
from bonmun.model.tags import BLOCK_LEVEL, FLOW, tag_set
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_REGIONS = BLOCK_LEVEL - FLOW | tag_set("li td th dd center")  # lists and tables used for layout hold texts
_MOST = 0.7  # of the candidates' weight; docs/methods.md shows what other shares give
_MOSTLY_LINK = 0.5
_SENTENCE = 40  # minimum characters of a sentence without a full stop
_LITTLE_TEXT = 200  # characters; an answer this short halves the confidence
_SENTENCE_END = re.compile(r"[。！？]|[.!?…][\"'”’」』)）]*(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Changes:
    """Differences from the published method."""

    paragraphs: bool = True
    """Blocks are what a reader sees as one, not leaf `div`s: inline markup does not hide a paragraph."""
    furniture: bool = True
    """Navigation, footers, dialogs, hidden text and controls neither compete nor are they kept."""
    prose: bool = True
    """Labels do not weigh: the recurring words of a list (date, views, likes) are no keywords."""
    comments: bool = True
    """Comment lists do not compete, even where they outweigh the article."""
    descent: bool = True
    """The region is found from the root down, into the child with most of the candidates' weight."""
    titles: bool = True
    """The page's title and the dates around it are no part of the body."""
    adverts: bool = True
    """Link lists, labels of adverts and the headings above them are dropped from the body."""
    notices: bool = True
    """So are closing notices."""


ALL = Changes()
NONE = Changes(*[False] * 8)


@dataclass(frozen=True, slots=True)
class _Units:
    """The competing elements with their texts."""

    rows: Sequence[int]
    texts: Sequence[str]
    lengths: Sequence[int]


@dataclass(frozen=True, eq=False)
class RobustAnalysis:
    """The blocks that competed, their weights, and the chosen region."""

    page: Page
    rows: tuple[int, ...]
    """The elements of the blocks that competed."""
    keywords: KeywordList
    weights: tuple[int, ...]
    candidates: tuple[int, ...]
    """Indexes into `rows`."""
    row: int
    """The chosen region."""

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """A missing analyser of the language, a page too long to analyse whole."""
        return self.keywords.warnings

    @cached_property
    def region(self) -> str:
        """The xpath of the chosen region."""
        return self.page.nodes.xpath(self.row)

    @cached_property
    def share(self) -> float:
        """Share of the competing weight inside the region."""
        inside = sum(
            weight for row, weight in zip(self.rows, self.weights, strict=True) if holds(self.page.nodes, self.row, row)
        )
        return inside / (sum(self.weights) or 1)

    def to_dict(self) -> dict[str, object]:
        """The analysis as plain data."""
        xpath = self.page.nodes.xpath
        return {
            "language": self.keywords.language,
            "analyser": self.keywords.analyser,
            "warnings": [str(warning) for warning in self.warnings],
            "keywords": dict(self.keywords.frequency.most_common()),
            "candidates": [
                {"xpath": xpath(self.rows[number]), "weight": self.weights[number]} for number in self.candidates
            ],
            "region": self.region,
        }


class LogicalRobust:
    """The method ``"logical-robust"``; with some of the `Changes` for the ablation."""

    name = "logical-robust"

    def __init__(self, changes: Changes = ALL) -> None:
        self.changes = changes

    def judge(self, page: Page) -> Verdicts:
        """Keep the region with most of the candidates' weight, but for the blocks in it that are no body."""
        dropped, apart = _not_competing(page, self.changes)
        check()
        units = _paragraphs(page, dropped, self.changes.prose) if self.changes.paragraphs else _leaves(page, apart)
        if not units.rows:
            return nothing(len(page.blocks), Reason("no-text", "no text outside links and page furniture"))
        keywords = keyword_list(units.texts, declared_language(page))
        weights = keywords.weights
        chosen, notes = candidates(longest_first(units.lengths), heaviest_first(weights))
        region = _region(page, units, weights, chosen, self.changes.descent)
        analysis = RobustAnalysis(page, tuple(units.rows), keywords, tuple(weights), chosen, region)
        dropped |= _outside(page, dropped, region)
        dropped |= _trimmed(page, dropped, self.changes)
        return _verdicts(dropped, analysis, notes)


def _not_competing(page: Page, changes: Changes) -> tuple[Dropped, dict[int, Reason]]:
    """Blocks that do not compete, and the elements they stand in."""
    apart: dict[int, Reason] = {}
    if changes.furniture:
        apart = {
            row: Reason("page-furniture", evidence.detail)
            for row, evidence in furniture(page.nodes).items()
            # comment_lists is more careful than a name: on a forum, elements named like comments are the content
            if not (changes.comments and evidence.name in ("comment", "comments"))
        }
    if changes.comments:
        apart |= {row: Reason("comments", why) for row, why in comment_lists(page).items()}
    dropped: Dropped = {}
    for row, reason in apart.items():
        dropped |= dict.fromkeys(page.blocks_in(row), reason)
    return (dropped | trimming.unread(page) if changes.furniture else dropped), apart


def _paragraphs(page: Page, dropped: Container[int], prose: bool) -> _Units:
    """Blocks that are not mostly links; with `prose`, only those that may be sentences."""
    blocks = page.blocks
    chosen = [
        index
        for index, chars in enumerate(blocks.chars)
        if chars and index not in dropped and blocks.link_chars[index] <= _MOSTLY_LINK * chars
    ]
    if prose:
        chosen = [index for index in chosen if _may_be_a_sentence(blocks.text_at(index))] or chosen
    return _Units(
        [blocks.element[index] for index in chosen],
        [blocks.text_at(index) for index in chosen],
        [blocks.chars[index] - blocks.link_chars[index] for index in chosen],
    )


def _may_be_a_sentence(text: str) -> bool:
    return len(text) >= _SENTENCE or _SENTENCE_END.search(text) is not None


def _leaves(page: Page, apart: Container[int]) -> _Units:
    leaves = [block for block in leaf_blocks(page.nodes) if not _inside(page, block.row, apart)]
    return _Units([block.row for block in leaves], [block.text for block in leaves], [block.length for block in leaves])


def _inside(page: Page, row: int, apart: Container[int]) -> bool:
    return row in apart or any(above in apart for above in page.nodes.ancestors(row))


def _region(page: Page, units: _Units, weights: Sequence[int], chosen: Sequence[int], descent: bool) -> int:
    nodes = page.nodes
    if not descent:
        regions = shared_regions(nodes, {nodes.parent[units.rows[unit]] for unit in chosen})
        inside = {row: sum(weights[unit] for unit in chosen if holds(nodes, row, units.rows[unit])) for row in regions}
        return max(inside, key=lambda row: inside[row])
    weighed = sorted((units.rows[unit], weights[unit] or 1) for unit in chosen)
    rows = [row for row, _ in weighed]
    before = [0, *accumulate(weight for _, weight in weighed)]

    def held(row: int) -> tuple[int, int]:
        first, stop = bisect_left(rows, row), bisect_left(rows, nodes.end[row])
        return before[stop] - before[first], stop - first

    region = 0
    while True:
        weight, count = held(region)
        children = (child for child in nodes.children(region) if nodes.tag[child] in BLOCK_LEVEL)
        heaviest = max(children, key=lambda child: (held(child)[0], -child), default=-1)
        if heaviest < 0 or held(heaviest)[0] < _MOST * weight or (held(heaviest)[1] < 2 <= count):
            break
        region = heaviest
    while nodes.tag[region] not in _REGIONS:
        region = nodes.parent[region]
    return region


def _outside(page: Page, dropped: Container[int], region: int) -> Dropped:
    reason = Reason("outside-region", "not in the element that holds the candidates")
    return {
        index: reason
        for index, row in enumerate(page.blocks.first)
        if index not in dropped and not holds(page.nodes, region, row)
    }


def _trimmed(page: Page, dropped: Dropped, changes: Changes) -> Dropped:
    check()
    trimmed = dict(dropped)
    residue = Reason("one-syllable", "residue of an advert")
    trimmed |= {index: residue for index, chars in enumerate(page.blocks.chars) if chars == 1 and index not in trimmed}
    if changes.adverts:
        trimmed |= trimming.mere_links(page, trimmed)
        trimmed |= trimming.advert_labels(page, trimmed)
    if changes.titles:
        trimmed |= trimming.leading_titles(page, trimmed)
    if changes.notices:
        trimmed |= trimming.closing_notices(page, trimming.kept_texts(page, trimmed))
    if changes.adverts:
        trimmed |= trimming.headings_of_nothing(page, trimmed)
        trimmed |= trimming.lone_images(page, trimmed)
    return trimmed


def _verdicts(dropped: Dropped, analysis: RobustAnalysis, notes: tuple[Reason, ...]) -> Verdicts:
    blocks = analysis.page.blocks
    count = len(blocks)
    keep = bytearray(index not in dropped for index in range(count))
    kept = sum(blocks.chars[index] - blocks.link_chars[index] for index in range(count) if keep[index])
    if not any(keep):
        notes = (*notes, Reason("nothing-left", "every block was dropped for a reason of its own"))
    return Verdicts(
        keep=keep,
        score=Later(count, partial(_scores, keep, analysis)),
        reasons=Later(count, partial(_reasons, dropped, analysis)),
        confidence=analysis.share * kept / (kept + _LITTLE_TEXT),
        notes=notes,
        warnings=tuple(map(str, analysis.warnings)),
        analysis=analysis,
    )


def _scores(keep: bytearray, analysis: RobustAnalysis) -> Sequence[float]:
    """Kept: from ½ to 1, dropped: from 0 to ½, by the weight of the block's element."""
    weight_of: dict[int, int] = {}
    for row, weight in zip(analysis.rows, analysis.weights, strict=True):
        weight_of[row] = max(weight, weight_of.get(row, 0))
    most = max(weight_of.values()) or 1
    shares = (weight_of.get(row, 0) / most for row in analysis.page.blocks.element)
    return array("d", (0.5 * kept + 0.49 * share for kept, share in zip(keep, shares, strict=True)))


def _reasons(dropped: Dropped, analysis: RobustAnalysis) -> Sequence[tuple[Reason, ...]]:
    kept = (Reason("in-region", f"{analysis.region} holds the candidates"),)
    return [(dropped[index],) if index in dropped else kept for index in range(len(analysis.page.blocks))]
