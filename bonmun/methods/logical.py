"""M3, logical structure with keyword weights: H.-G. Jeon and C. Koh, "Text Extraction Algorithm using the HTML Logical
Structure Analysis" (2015).

Stage 1 finds candidates by statistics: the page without lists, links and emphasis is cut into leaf blocks; candidates
are among the ten longest *and* the ten heaviest by their nouns. Stage 2 uses structure: a body is one region, so the
answer is the candidates' parents or an ancestor these share. Faithful to the paper, including its weaknesses: a text
directly inside an `article` or `td` is no block, headlines inside the region are kept, and so are comments in the
same parent. `logical_robust` corrects these.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from bonmun.deadline import check
from bonmun.methods.keyword_weights import KeywordList, declared_language, keyword_list
from bonmun.methods.logical_cleaning import LeafBlock, leaf_blocks
from bonmun.methods.logical_regions import TOP, candidates, heaviest_first, holds, longest_first, shared_regions
from bonmun.model.block import rows_shown
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN
from bonmun.model.verdict import Later, Reason, Verdicts, nothing


@dataclass(frozen=True, slots=True)
class AnalysisTable:
    """One of the paper's tables, for any page."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


@dataclass(frozen=True, eq=False)
class LogicalAnalysis:
    """Every intermediate list of the method."""

    page: Page
    blocks: tuple[LeafBlock, ...]
    keywords: KeywordList
    weights: tuple[int, ...]
    """The weight of each block."""
    by_length: tuple[int, ...]
    """Block numbers, the longest first."""
    by_weight: tuple[int, ...]
    """Numbers of the blocks that weigh anything, the heaviest first."""
    candidates: tuple[int, ...]
    """Numbers of the blocks in the top ten of both lists, in document order."""
    clusters: dict[int, tuple[int, ...]]
    """The candidates by the row of their parent."""
    regions: dict[int, int]
    """The regions that clusters share: row → weight of the candidates in it."""
    row: int
    """The chosen region; -1 on a page without blocks."""
    notes: tuple[Reason, ...] = ()
    """Fallbacks used when the paper's rule gave no answer."""

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """A missing analyser of the language, a page too long to analyse whole."""
        return self.keywords.warnings

    @cached_property
    def region(self) -> str | None:
        """The xpath of the chosen region."""
        return self.page.nodes.xpath(self.row) if self.row >= 0 else None

    @cached_property
    def in_region(self) -> frozenset[int]:
        """The numbers of the blocks inside the chosen region."""
        return frozenset(block.id for block in self.blocks if holds(self.page.nodes, self.row, block.row))

    def tables(self) -> tuple[AnalysisTable, AnalysisTable, AnalysisTable]:
        """The paper's tables 1 to 3 for this page."""
        return self._keyword_table(), self._noun_table(), self._list_table()

    def to_dict(self) -> dict[str, object]:
        """All lists as plain data."""
        nodes = self.page.nodes
        return {
            "language": self.keywords.language,
            "analyser": self.keywords.analyser,
            "warnings": [str(warning) for warning in self.warnings],
            "blocks": [
                {"id": block.id, "xpath": nodes.xpath(block.row), "length": block.length,
                 "weight": self.weights[block.id], "nouns": dict(self.keywords.nouns[block.id]), "text": block.text}
                for block in self.blocks
            ],
            "keywords": dict(self.keywords.frequency.most_common()),
            "by_length": list(self.by_length),
            "by_weight": list(self.by_weight),
            "candidates": list(self.candidates),
            "clusters": {nodes.xpath(row): list(ids) for row, ids in self.clusters.items()},
            "regions": {nodes.xpath(row): weight for row, weight in self.regions.items()},
            "region": self.region,
        }  # fmt: skip

    def _keyword_table(self) -> AnalysisTable:
        body = {noun for block in self.in_region for noun in self.keywords.nouns[block]}
        listed = enumerate(self.keywords.frequency.most_common(), 1)
        rows = tuple((number, noun, "O" if noun in body else "X", count) for number, (noun, count) in listed)
        return AnalysisTable(
            "1: keywords, whether the body has them, frequency", ("ID", "Keyword", "Text", "Frequency"), rows
        )

    def _noun_table(self) -> AnalysisTable:
        rows = tuple(
            (
                block.id,
                block.text,
                ", ".join(f"{noun} ({count})" for noun, count in nouns.items()),
                self.weights[block.id],
            )
            for block, nouns in zip(self.blocks, self.keywords.nouns, strict=True)
        )
        return AnalysisTable("2: the nouns of each block and its weight", ("ID", "Block", "Noun", "Weight"), rows)

    def _list_table(self) -> AnalysisTable:
        longest, heaviest = self.by_length[:TOP], self.by_weight[:TOP]
        rows = tuple(
            (
                *((longest[rank], self.blocks[longest[rank]].length) if rank < len(longest) else ("", "")),
                *((heaviest[rank], self.weights[heaviest[rank]]) if rank < len(heaviest) else ("", "")),
            )
            for rank in range(max(len(longest), len(heaviest)))
        )
        return AnalysisTable("3: the longest and the heaviest blocks", ("ID", "Length", "ID", "Weight"), rows)


class LogicalStructure:
    """The method ``"logical"``."""

    name = "logical"

    def judge(self, page: Page) -> Verdicts:
        """Keep the region that the candidates share."""
        analysis = analyse(page)
        count = len(page.blocks)
        if analysis.row < 0:
            reason = Reason("no-text", "no text is left without lists, links and emphasis")
            return nothing(count, reason, analysis)
        keep, parts = _kept(page, analysis.row)
        weights = Later(count, partial(_weights_of_blocks, page, analysis))
        total = sum(map(analysis.weights.__getitem__, analysis.candidates))
        share = analysis.regions[analysis.row] / total if total else 0.0
        return Verdicts(
            keep=keep,
            score=Later(count, partial(_scores, keep, weights)),
            reasons=Later(count, partial(_reasons, page, analysis, keep, weights)),
            confidence=share,
            parts=parts,
            notes=analysis.notes,
            warnings=tuple(map(str, analysis.warnings)),
            analysis=analysis,
        )


def analyse(page: Page) -> LogicalAnalysis:
    """Run all steps of the method on a page."""
    nodes = page.nodes
    blocks = leaf_blocks(nodes)
    keywords = keyword_list([block.text for block in blocks], declared_language(page))
    weights = keywords.weights
    by_length, by_weight = longest_first([block.length for block in blocks]), heaviest_first(weights)
    chosen, notes = candidates(by_length, by_weight)
    clusters: dict[int, tuple[int, ...]] = {}
    for number in chosen:
        parent = nodes.parent[blocks[number].row]
        clusters[parent] = (*clusters.get(parent, ()), number)
    regions = {
        row: sum(weights[number] for number in chosen if holds(nodes, row, blocks[number].row))
        for row in shared_regions(nodes, clusters)
    }
    best = max(regions, key=lambda row: regions[row], default=-1)
    lists = tuple(weights), tuple(by_length), tuple(by_weight)
    return LogicalAnalysis(page, tuple(blocks), keywords, *lists, chosen, clusters, regions, best, notes)


def _kept(page: Page, region: int) -> tuple[bytearray, dict[int, tuple[int, ...]]]:
    """The blocks inside the region; partly kept if an inline region holds a part of one."""
    blocks, nodes = page.blocks, page.nodes
    keep, parts = bytearray(len(blocks)), dict[int, tuple[int, ...]]()
    stop = nodes.end[region]
    for index, (first, last) in enumerate(zip(blocks.first, blocks.stop, strict=True)):
        check()
        if first < stop and last > region and not _one_syllable(page, index):
            rows = tuple(rows_shown(nodes, first, last, bool(blocks.flags[index] & HIDDEN)))
            inside = tuple(row for row in rows if region <= row < stop)
            keep[index] = bool(inside) or region <= first < stop
            if inside and inside != rows:
                parts[index] = inside
    return keep, parts


def _one_syllable(page: Page, index: int) -> bool:
    """Whether a block has one syllable: the paper's residue of adverts inside a body."""
    return page.blocks.chars[index] == 1


def _weights_of_blocks(page: Page, analysis: LogicalAnalysis) -> Sequence[int]:
    """For every block of the page, the weight of the leaf blocks in it."""
    owner, weights = page.blocks.of_row(page.nodes), [0] * len(page.blocks)
    for block in analysis.blocks:
        for index in {owner[row] for row in block.text_rows} - {-1}:
            weights[index] += analysis.weights[block.id]
    return weights


def _scores(keep: bytearray, weights: Sequence[int]) -> Sequence[float]:
    """Kept: from ½ to 1, dropped: from 0 to ½, by weight."""
    most = max(weights, default=0) or 1
    return array("d", (0.5 * kept + 0.49 * weight / most for kept, weight in zip(keep, weights, strict=True)))


def _reasons(
    page: Page, analysis: LogicalAnalysis, keep: bytearray, weights: Sequence[int]
) -> Sequence[tuple[Reason, ...]]:
    owner = page.blocks.of_row(page.nodes)
    candidates = {owner[row] for number in analysis.candidates for row in analysis.blocks[number].text_rows}
    stop = page.nodes.end[analysis.row]
    reasons: list[tuple[Reason, ...]] = []
    for index, kept in enumerate(keep):
        if kept:
            reason = Reason("in-region", f"{analysis.region} holds the candidates")
        elif _one_syllable(page, index) and analysis.row <= page.blocks.first[index] < stop:
            reason = Reason("one-syllable", "residue of an advert")
        else:
            reason = Reason("outside-region", f"weight {weights[index]}")
        candidate = Reason("candidate", f"weight {weights[index]}")
        reasons.append((reason, candidate) if index in candidates else (reason,))
    return reasons
