"""XPath groups made robust: M1 on blocks instead of text nodes.

Differences from `xpath_groups`, each for a weakness that the paper or its evaluation names:

1. a block is one text, so inline markup does not break a group;
2. paragraphs, headings, lists and tables of one region share an ID: the tag path of the element around them;
3. hidden text, controls and page furniture do not compete, nor do characters inside links;
4. the lengths of all groups with the same ID add up, so that an advert in the middle does not halve the article;
5. the answer is the smallest element that holds nearly all of the winning ID, without lists of links;
6. closing notices and headings with nothing below them are dropped.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from operator import itemgetter, sub

from bonmun.deadline import check
from bonmun.methods.boilerplate import furniture
from bonmun.methods.nearest import Nearest
from bonmun.methods.trimming import closing_notices, headings_of_nothing, kept_texts, lone_images, mere_links, unread
from bonmun.model.page import Page
from bonmun.model.tags import FLOW, TEXT
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_NEARLY_ALL = 0.9  # of the winning ID's text
_MOSTLY_LINK = 0.5
_NOT_A_REGION = FLOW | {TEXT}
_LITTLE_TEXT = 200  # characters; an answer this short halves the confidence


@dataclass(frozen=True, eq=False)
class RegionAnalysis:
    """The weight of each ID, and the chosen region."""

    page: Page
    row: int
    """The chosen element."""
    weight_of_path: Counter[int]
    path_of_block: Sequence[int]
    """The ID of each block; -1 if it did not compete."""

    @cached_property
    def region(self) -> str:
        """The xpath of the chosen element."""
        return self.page.nodes.xpath(self.row)

    @cached_property
    def weights(self) -> dict[str, int]:
        """Characters outside links per ID, heaviest first."""
        block_of_path = {path: block for block, path in enumerate(self.path_of_block) if path >= 0}
        elements, regions = self.page.blocks.element, _regions(self.page)
        rows = {path: max(regions.around(elements[block]), 0) for path, block in block_of_path.items()}
        names = {path: self.page.nodes.tag_path(row) for path, row in rows.items()}
        return {names[path]: weight for path, weight in self.weight_of_path.most_common()}

    def to_dict(self) -> dict[str, object]:
        """The analysis as plain data."""
        return {"weights": self.weights, "region": self.region}


class XPathRobust:
    """The method ``"xpath-robust"``."""

    name = "xpath-robust"

    def judge(self, page: Page) -> Verdicts:
        """Keep the region whose ID has the most text."""
        blocks, nodes = page.blocks, page.nodes
        dropped = _not_competing(page)
        plain = array("i", map(sub, blocks.chars, blocks.link_chars))
        regions, paths = _regions(page), nodes.path
        identity = array("i", [-1]) * len(blocks)
        weights = Counter[int]()
        for index, element in enumerate(blocks.element):
            if index not in dropped:
                identity[index] = path = paths[max(regions.around(element), 0)]
                weights[path] += plain[index]
        check()
        best, most = max(weights.items(), key=itemgetter(1), default=(-1, 0))
        if not most:
            return nothing(len(blocks), Reason("no-text", "no text outside links and page furniture"))
        region = _smallest_holding(page, [index for index, path in enumerate(identity) if path == best], plain)
        dropped |= _outside(page, dropped, region)
        dropped |= mere_links(page, dropped)
        dropped |= closing_notices(page, kept_texts(page, dropped))
        dropped |= headings_of_nothing(page, dropped)
        dropped |= lone_images(page, dropped)
        return _verdicts(dropped, RegionAnalysis(page, region, weights, identity))


def _not_competing(page: Page) -> dict[int, Reason]:
    """Page furniture, hidden blocks and form controls."""
    dropped: dict[int, Reason] = {}
    for row, evidence in furniture(page.nodes).items():
        dropped |= dict.fromkeys(page.blocks_in(row), Reason("page-furniture", evidence.detail))
    return dropped | unread(page)


def _regions(page: Page) -> Nearest:
    """The nearest element around a block that is not part of running text, such as a paragraph or a list."""
    return Nearest(page.nodes, lambda tag: tag not in FLOW)


def _smallest_holding(page: Page, indexes: Sequence[int], weight: Sequence[int]) -> int:
    """The smallest element with nearly all of the weight of some blocks."""
    nodes = page.nodes
    rows = array("i", [page.blocks.first[index] for index in indexes])
    before = array("q", accumulate([weight[index] for index in indexes], initial=0))
    region, enough = 0, _NEARLY_ALL * before[-1]
    while True:
        inside = (
            child
            for child in nodes.children(region)
            if nodes.tag[child] not in _NOT_A_REGION
            and before[bisect_left(rows, nodes.end[child])] - before[bisect_left(rows, child)] >= enough
        )
        smaller = next(inside, -1)
        if smaller < 0:
            return region
        region = smaller


def _outside(page: Page, dropped: dict[int, Reason], region: int) -> dict[int, Reason]:
    reason = Reason("outside-region", "not in the element that holds the main text")
    stop = page.nodes.end[region]
    columns = enumerate(page.blocks.first)
    return {index: reason for index, row in columns if not region <= row < stop and index not in dropped}


def _verdicts(dropped: dict[int, Reason], analysis: RegionAnalysis) -> Verdicts:
    blocks = analysis.page.blocks
    count = len(blocks)
    keep = bytearray(index not in dropped for index in range(count))
    kept = sum(blocks.chars[index] - blocks.link_chars[index] for index in range(count) if keep[index])
    share = kept / max(1, analysis.weight_of_path.total())
    left = Reason("nothing-left", "every block was dropped for a reason of its own")
    return Verdicts(
        keep=keep,
        score=Later(count, partial(_scores, keep, analysis)),
        reasons=Later(count, partial(_reasons, dropped, analysis)),
        confidence=share * kept / (kept + _LITTLE_TEXT),
        notes=() if any(keep) else (left,),
        analysis=analysis,
    )


def _scores(keep: bytearray, analysis: RegionAnalysis) -> Sequence[float]:
    """Kept: from ½ (all links) to 1 (no links). Dropped: below ½, by the weight of the ID if the block competed."""
    blocks, weights, path = analysis.page.blocks, analysis.weight_of_path, analysis.path_of_block
    most = max(weights.values())
    score = array("d")
    for index, chars in enumerate(blocks.chars):
        if keep[index]:
            score.append(1 - _MOSTLY_LINK * min(1, blocks.link_chars[index] / max(1, chars)))
        else:
            score.append(0.49 * weights[path[index]] / most if path[index] >= 0 else 0.0)
    return score


def _reasons(dropped: dict[int, Reason], analysis: RegionAnalysis) -> Sequence[tuple[Reason, ...]]:
    kept = (Reason("in-region", f"{analysis.region} holds the heaviest group"),)
    return [(dropped[index],) if index in dropped else kept for index in range(len(analysis.page.blocks))]
