"""M1, XPath groups: B.-K. Sun, "Main Contents Extraction from Web News Pages based on XPath Analysis" (XTractor, 2015).

Text nodes in document order; consecutive ones whose parents have the same tag path form a group; the longest group is
the main text. Faithful to the paper, including its weaknesses: inline markup breaks a group, a long comment list wins,
and closing notices that share the article's path are kept. `xpath_robust` corrects these.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

from bonmun.core import core
from bonmun.deadline import check
from bonmun.model.block import rows_shown
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, UNRENDERED
from bonmun.model.verdict import Later, Reason, Verdicts, nothing


@dataclass(frozen=True, slots=True)
class TextNode:
    """A text node of the page with its ID."""

    row: int
    path: str
    text: str
    """White space collapsed."""

    @property
    def length(self) -> int:
        """Characters."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class PathGroup:
    """Consecutive text nodes with the same ID."""

    path: str
    first: int
    """Index of its first text node in `XPathAnalysis.nodes`."""
    count: int
    length: int


@dataclass(frozen=True, eq=False)
class XPathAnalysis:
    """The paper's three intermediate results: text nodes with their paths, groups, and the chosen group."""

    page_nodes: Nodes
    rows: Sequence[int]
    """The rows of the text nodes."""
    firsts: Sequence[int]
    """For each group, the index of its first text node."""
    lengths: Sequence[int]
    """For each group, its characters."""
    chosen: int
    """Index into `groups`; -1 on a page without text."""

    @cached_property
    def nodes(self) -> tuple[TextNode, ...]:
        """Every text node with its path."""
        text = self.page_nodes.text
        return tuple(TextNode(row, self._path(row), " ".join(text(row).split())) for row in self.rows)

    @cached_property
    def _paths(self) -> dict[int, str]:
        return {}

    def _path(self, row: int) -> str:
        """The path of a text node: one string for all of the same path."""
        number = self.page_nodes.path[row]
        if number not in self._paths:
            self._paths[number] = self.page_nodes.tag_path(row)
        return self._paths[number]

    @cached_property
    def groups(self) -> tuple[PathGroup, ...]:
        """The groups in document order."""
        bounds = pairwise([*self.firsts, len(self.rows)])
        return tuple(
            PathGroup(self._path(self.rows[first]), first, stop - first, length)
            for (first, stop), length in zip(bounds, self.lengths, strict=True)
        )

    @property
    def chosen_group(self) -> PathGroup | None:
        """The main text's group."""
        return self.groups[self.chosen] if self.chosen >= 0 else None

    def rows_of(self, group: int) -> Sequence[int]:
        """The rows of a group's text nodes."""
        last = group + 1 == len(self.firsts)
        return self.rows[self.firsts[group] : len(self.rows) if last else self.firsts[group + 1]]

    def nodes_of(self, group: PathGroup) -> Sequence[TextNode]:
        """The text nodes of a group."""
        return self.nodes[group.first : group.first + group.count]

    def to_dict(self) -> dict[str, object]:
        """The four panes of the paper's analysis screen (its figure 7) as plain data."""
        chosen = self.chosen_group
        return {
            "text_nodes": [{"path": node.path, "length": node.length, "text": node.text} for node in self.nodes],
            "groups": [{"path": group.path, "count": group.count, "length": group.length} for group in self.groups],
            "chosen": {"group": self.chosen, "path": chosen.path} if chosen else None,
            "text": [node.text for node in self.nodes_of(chosen)] if chosen else [],
            "distinct_paths": len({node.path for node in self.nodes}),
            "total_length": sum(self.lengths),
        }


class XPathGroups:
    """The method ``"xpath"``."""

    name = "xpath"

    def judge(self, page: Page) -> Verdicts:
        """Keep the text nodes of the longest group."""
        analysis = analyse(page.nodes)
        count = len(page.blocks)
        if analysis.chosen < 0:
            return nothing(count, Reason("no-text", "the page has no text node"), analysis)
        keep, parts = _kept(page, analysis)
        return Verdicts(
            keep=keep,
            score=Later(count, partial(_scores, page, analysis)),
            reasons=Later(count, partial(_reasons, page, analysis, keep)),
            confidence=analysis.lengths[analysis.chosen] / sum(analysis.lengths),
            parts=parts,
            analysis=analysis,
        )


def analyse(nodes: Nodes) -> XPathAnalysis:
    """Compute the text nodes, groups and choice for a page.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div>a<h3>b</h3><div>c</div><div>d</div><h3>e</h3><h3>f</h3></div>")
    >>> [(group.path, group.count) for group in analyse(page).groups][-2:]
    [('html/body/div/div', 2), ('html/body/div/h3', 2)]
    """
    compiled = core()
    if compiled is None:
        return _analyse_by_reference(nodes)
    _, rows, firsts, _, lengths, chosen = compiled.group(nodes.parent, nodes.tag, nodes.chars, nodes.flags)
    return XPathAnalysis(nodes, array("i", rows), array("i", firsts), array("q", lengths), chosen)


def _analyse_by_reference(nodes: Nodes) -> XPathAnalysis:
    columns = zip(nodes.chars, nodes.flags, strict=True)
    rows = [row for row, (chars, flags) in enumerate(columns) if chars and not flags & UNRENDERED]
    firsts: list[int] = []
    lengths: list[int] = []
    path = None
    for index, row in enumerate(rows):
        if nodes.path[row] != path:
            path = nodes.path[row]
            firsts.append(index)
            lengths.append(0)
        lengths[-1] += nodes.chars[row]
    # max() keeps the first of equals: on a tie the earlier group wins.
    chosen = max(range(len(lengths)), key=lengths.__getitem__, default=-1)
    return XPathAnalysis(nodes, rows, firsts, lengths, chosen)


def _kept(page: Page, analysis: XPathAnalysis) -> tuple[bytearray, dict[int, tuple[int, ...]]]:
    """The blocks that hold text nodes of the chosen group; partly kept if they hold others too."""
    blocks = page.blocks
    keep, parts = bytearray(len(blocks)), dict[int, tuple[int, ...]]()
    chosen = analysis.rows_of(analysis.chosen)
    start = 0
    while start < len(chosen):
        check()
        index = bisect_right(blocks.first, chosen[start]) - 1
        stop = bisect_left(chosen, blocks.stop[index], start) if index >= 0 else start
        if stop > start:
            keep[index] = 1
            if blocks.stop[index] > blocks.first[index] + 1:  # else the block is this one text
                rows = tuple(chosen[start:stop])
                if rows != _rows_seen(page, index):
                    parts[index] = rows
        start = max(stop, start + 1)
    return keep, parts


def _rows_seen(page: Page, index: int) -> tuple[int, ...]:
    blocks, nodes = page.blocks, page.nodes
    rows = rows_shown(nodes, blocks.first[index], blocks.stop[index], bool(blocks.flags[index] & HIDDEN))
    return tuple(row for row in rows if nodes.chars[row])


def _longest_groups(page: Page, analysis: XPathAnalysis) -> list[int]:
    """For every block the longest group among its text nodes; -1 for a block without any."""
    blocks, owner = page.blocks, page.blocks.of_row(page.nodes)
    longest = [-1] * len(blocks)
    for group in range(len(analysis.firsts)):
        for index in {owner[row] for row in analysis.rows_of(group)} - {-1}:
            if longest[index] < 0 or analysis.lengths[group] > analysis.lengths[longest[index]]:
                longest[index] = group
    return longest


def _scores(page: Page, analysis: XPathAnalysis) -> Sequence[float]:
    most = analysis.lengths[analysis.chosen]
    return [analysis.lengths[group] / most if group >= 0 else 0.0 for group in _longest_groups(page, analysis)]


def _reasons(page: Page, analysis: XPathAnalysis, keep: bytearray) -> Sequence[tuple[Reason, ...]]:
    reasons: list[tuple[Reason, ...]] = []
    for index, longest in enumerate(_longest_groups(page, analysis)):
        if longest < 0:
            reasons.append((Reason("no-text"),))
            continue
        group = analysis.groups[analysis.chosen if keep[index] else longest]
        size = f"{group.path}: {group.count} text nodes, {group.length:,} characters"
        reasons.append((Reason("longest-group" if keep[index] else "shorter-group", size),))
    return reasons
