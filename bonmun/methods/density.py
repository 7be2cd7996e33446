"""M5 on one page, node density: Wang, Chen and Dai, "Web Information Extraction Based on Webpage Clustering" (2018).

Every `div` and `table` is a block node. Its density H is high if it holds much of the page's plain text, few of its
links and few descendants; the block node with the highest H is the main text. Faithful to the paper, including its
weakness: comments longer than the article win. `bonmun.sites` has the other half of the paper, which corrects that.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate

from bonmun.deadline import check
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import LINK, TAG_ID, TEXT, UNRENDERED, tag_set
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

BLOCK_NODES = tag_set("div table")
_BODY, _ANCHOR = TAG_ID["body"], TAG_ID["a"]
DEFAULT_ALPHA = 0.3
"""The paper's value: a lower one lets noise into the block, a higher one lets a small wrong block win."""


@dataclass(frozen=True, slots=True)
class BlockNode:
    """A block node with the terms of its density."""

    row: int
    path: str
    text_density: float
    """P_text: share of the page's characters outside links."""
    link_density: float
    """P_link: share of the page's links."""
    plain_density: float
    """P_textl: share of its own characters outside links."""
    size: int
    """Number of descendant elements."""
    density: float
    """H."""


@dataclass(frozen=True, eq=False)
class DensityAnalysis:
    """The paper's intermediate results: every block node with its densities, and the one chosen."""

    nodes: Nodes
    alpha: float
    chosen: int
    """Row of the block node with the highest H; -1 on a page without text."""
    rows: Sequence[int]
    """The rows of the block nodes."""
    densities: Sequence[float]
    """Their H."""

    @cached_property
    def block_nodes(self) -> tuple[BlockNode, ...]:
        """Every block node in document order."""
        sums, paths = _Sums.of(self.nodes), _IndexedPaths(self.nodes)
        columns = zip(self.rows, self.densities, strict=True)
        return tuple(self._block_node(sums, paths, row, density) for row, density in columns)

    def _block_node(self, sums: "_Sums", paths: "_IndexedPaths", row: int, density: float) -> BlockNode:
        stop = self.nodes.end[row]
        plain = sums.plain[stop] - sums.plain[row]
        return BlockNode(
            row=row,
            path=paths.path(row),
            text_density=plain / (1 + sums.plain[-1]),
            link_density=(sums.links[stop] - sums.links[row]) / (1 + sums.links[-1]),
            plain_density=plain / (1 + sums.chars[stop] - sums.chars[row]),
            size=sums.elements[stop] - sums.elements[row] - 1,
            density=density,
        )

    def to_dict(self) -> dict[str, object]:
        """The block nodes as plain data."""
        fields = ("path", "text_density", "link_density", "plain_density", "size", "density")
        return {
            "alpha": self.alpha,
            "block_nodes": [{name: getattr(node, name) for name in fields} for node in self.block_nodes],
            "chosen": indexed_path(self.nodes, self.chosen) if self.chosen >= 0 else None,
        }


class Density:
    """The method ``"density"``."""

    name = "density"

    def __init__(self, alpha: float = DEFAULT_ALPHA) -> None:
        self.alpha = alpha

    def judge(self, page: Page) -> Verdicts:
        """Keep the block node with the highest density."""
        analysis = analyse(page.nodes, self.alpha)
        if analysis.chosen < 0:
            return nothing(len(page.blocks), Reason("no-text", "no block node has text outside links"), analysis)
        return inside(page, analysis.chosen, "densest-block", analysis)


def analyse(nodes: Nodes, alpha: float = DEFAULT_ALPHA) -> DensityAnalysis:
    """Compute the densities of all block nodes of a page; a page without any has its body as the only one.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div><a href=/>Home</a></div><div>Tea is made of leaves.</div>")
    >>> analysis = analyse(page)
    >>> [(node.path, round(node.density, 3)) for node in analysis.block_nodes]
    [('body1/div1', 0.0), ('body1/div2', 0.915)]
    """
    sums, tags = _Sums.of(nodes), nodes.tag
    rows = array("i", [row for row, tag in enumerate(tags) if tag in BLOCK_NODES])
    rows = rows or array("i", [row for row, tag in enumerate(tags) if tag == _BODY])
    ends = nodes.end
    check()
    densities = array("d", [sums.density(row, ends[row], alpha) for row in rows])
    # max() keeps the first of equals: on a tie the earlier block node wins.
    best = max(range(len(rows)), key=densities.__getitem__, default=-1)
    return DensityAnalysis(nodes, alpha, rows[best] if best >= 0 and densities[best] > 0 else -1, rows, densities)


def inside(page: Page, row: int, why: str, analysis: DensityAnalysis | None = None) -> Verdicts:
    """Keep the blocks inside one element, and nothing else."""
    stop, count = page.nodes.end[row], len(page.blocks)
    keep = bytearray(row <= first < stop for first in page.blocks.first)
    if not any(keep):
        return nothing(count, Reason("no-text", f"no text in {page.nodes.xpath(row)}"), analysis)
    all_chars = sum(page.blocks.chars)
    kept = sum(chars for chars, kept in zip(page.blocks.chars, keep, strict=True) if kept)

    return Verdicts(
        keep=keep,
        score=array("d", map(float, keep)),
        reasons=Later(count, partial(_reasons, page, row, keep, why)),
        confidence=kept / max(1, all_chars),
        analysis=analysis,
    )


def _reasons(page: Page, row: int, keep: bytearray, why: str) -> list[tuple[Reason, ...]]:
    where = page.nodes.xpath(row)
    return [(Reason(why, where),) if kept else (Reason("outside-region", f"not in {where}"),) for kept in keep]


def indexed_path(nodes: Nodes, row: int) -> str:
    """A block node's path in the paper's notation: tags from the body down, each with its position among equal tags.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<p>a<div>b<div>c</div><div>d</div></div>")
    >>> indexed_path(page, len(page) - 2)
    'body1/div1/div2'
    """
    return _IndexedPaths(nodes).path(row)


class _IndexedPaths:
    """The indexed paths of several rows: the children of each element are counted once."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._places: dict[int, int] = {}

    def path(self, row: int) -> str:
        check()
        parent, steps = self._nodes.parent, list[str]()
        while parent[row] >= 0:
            steps.append(f"{self._nodes.name(row)}{self._place(row)}")
            row = parent[row]
        return "/".join(reversed(steps))

    def _place(self, row: int) -> int:
        if row not in self._places:
            nodes, seen = self._nodes, Counter[int]()
            for child in nodes.children(nodes.parent[row]):
                seen[nodes.tag[child]] += 1
                self._places[child] = seen[nodes.tag[child]]
        return self._places[row]


@dataclass(frozen=True, slots=True)
class _Sums:
    """Prefix sums over the rows: the sum of a subtree is one subtraction."""

    plain: "array[int]"
    """Characters outside links."""
    chars: "array[int]"
    links: "array[int]"
    elements: "array[int]"

    @classmethod
    def of(cls, nodes: Nodes) -> "_Sums":
        flags, chars, tags = nodes.flags, nodes.chars, nodes.tag
        return cls(
            _before(0 if flag & (UNRENDERED | LINK) else n for n, flag in zip(chars, flags, strict=True)),
            _before(0 if flag & UNRENDERED else n for n, flag in zip(chars, flags, strict=True)),
            _before(tag == _ANCHOR and flag & LINK > 0 for tag, flag in zip(tags, flags, strict=True)),
            _before(tag != TEXT for tag in tags),
        )

    def density(self, row: int, stop: int, alpha: float) -> float:
        """H = P_text · (1 − P_link) · P_textl / (1 + size · α)."""
        plain = self.plain[stop] - self.plain[row]
        if not plain:
            return 0.0
        links = (self.links[stop] - self.links[row]) / (1 + self.links[-1])
        size = self.elements[stop] - self.elements[row] - 1
        share = plain / (1 + self.plain[-1])
        return share * (1 - links) * plain / (1 + self.chars[stop] - self.chars[row]) / (1 + size * alpha)


def _before(counts: Iterator[int]) -> "array[int]":
    return array("q", accumulate(counts, initial=0))
