"""M1, XPath groups: B.-K. Sun, "Main Contents Extraction from Web News Pages based on XPath Analysis" (XTractor, 2015).

Text nodes in document order; consecutive ones whose parents have the same tag path form a group; the longest group is
the main text. Faithful to the paper, weaknesses and all: inline markup breaks a group, a long comment list wins, and
closing notices that share the article's path ride along. `xpath_robust` mends these.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, TEXT, UNRENDERED
from bonmun.model.verdict import Reason, Verdicts, nothing


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
class Group:
    """Consecutive text nodes with the same ID."""

    path: str
    first: int
    """Place of its first text node in `XPathAnalysis.nodes`."""
    count: int
    length: int


@dataclass(frozen=True, eq=False)
class XPathAnalysis:
    """The paper's three intermediate results: text nodes with their paths, groups, and the chosen group."""

    nodes: tuple[TextNode, ...]
    groups: tuple[Group, ...]
    chosen: int
    """Index into `groups`; -1 on a page without text."""

    @property
    def chosen_group(self) -> Group | None:
        """The main text's group."""
        return self.groups[self.chosen] if self.groups else None

    def nodes_of(self, group: Group) -> Sequence[TextNode]:
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
            "total_length": sum(group.length for group in self.groups),
        }


class XPathGroups:
    """The method ``"xpath"``."""

    name = "xpath"

    def judge(self, page: Page) -> Verdicts:
        """Keep the text nodes of the longest group."""
        analysis = analyse(page.nodes)
        chosen = analysis.chosen_group
        if chosen is None:
            return nothing(len(page.blocks), Reason("no-text", "the page has no text node"), analysis)
        return _verdicts(page, analysis, chosen)


def analyse(nodes: Nodes) -> XPathAnalysis:
    """Text nodes, groups and choice for a page.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div>a<h3>b</h3><div>c</div><div>d</div><h3>e</h3><h3>f</h3></div>")
    >>> [(group.path, group.count) for group in analyse(page).groups][-2:]
    [('html/body/div/div', 2), ('html/body/div/h3', 2)]
    """
    texts = tuple(_text_nodes(nodes))
    groups: list[Group] = []
    for path, run in groupby(texts, key=lambda node: node.path):
        lengths = [node.length for node in run]
        first = groups[-1].first + groups[-1].count if groups else 0
        groups.append(Group(path, first, len(lengths), sum(lengths)))
    # max() keeps the first of equals: on a tie the earlier group wins.
    chosen = max(range(len(groups)), key=lambda at: groups[at].length, default=-1)
    return XPathAnalysis(texts, tuple(groups), chosen)


def _text_nodes(nodes: Nodes) -> Iterator[TextNode]:
    spelled: dict[int, str] = {}
    for row, tag in enumerate(nodes.tag):
        if tag == TEXT and nodes.chars[row] and not nodes.flags[row] & UNRENDERED:
            path = nodes.path[row]
            if path not in spelled:
                spelled[path] = nodes.tag_path(row)
            yield TextNode(row, spelled[path], " ".join(nodes.text(row).split()))


def _verdicts(page: Page, analysis: XPathAnalysis, chosen: Group) -> Verdicts:
    """Text nodes back to blocks; a block with nodes outside the chosen group is kept in part."""
    blocks, group_of = page.blocks, _groups_of_blocks(page, analysis)
    keep, score = bytearray(len(blocks)), array("d", bytes(8 * len(blocks)))
    reasons: list[tuple[Reason, ...]] = []
    parts: dict[int, tuple[int, ...]] = {}
    for index, members in enumerate(group_of):
        longest = max((group for _, group in members), key=lambda group: group.length, default=None)
        if longest is None:
            reasons.append((Reason("no-text"),))
            continue
        kept = tuple(row for row, group in members if group is chosen)
        shown = tuple(row for row, _ in members if page.nodes.flags[row] & HIDDEN == blocks.flags[index] & HIDDEN)
        keep[index] = bool(kept)
        score[index] = longest.length / chosen.length
        name = "longest-group" if kept else "shorter-group"
        size = f"{longest.count} text nodes, {longest.length:,} characters"
        reasons.append((Reason(name, f"{longest.path}: {size}"),))
        if kept and kept != shown:
            parts[index] = kept
    total = sum(group.length for group in analysis.groups)
    return Verdicts(keep, score, reasons, chosen.length / total, parts, analysis=analysis)


def _groups_of_blocks(page: Page, analysis: XPathAnalysis) -> list[list[tuple[int, Group]]]:
    """For every block its text nodes' rows, each with its group."""
    owner = page.blocks.of_row(page.nodes)
    members: list[list[tuple[int, Group]]] = [[] for _ in range(len(page.blocks))]
    for group in analysis.groups:
        for node in analysis.nodes_of(group):
            if owner[node.row] >= 0:
                members[owner[node.row]].append((node.row, group))
    return members
