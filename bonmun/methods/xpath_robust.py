"""XPath groups made sturdier: M1's idea on blocks instead of text nodes.

What differs from `xpath_groups`, each for a weakness that the paper or its evaluation names:

1. a block is one text, so inline markup does not break a group;
2. paragraphs, headings, lists and tables of one region share an ID: the tag path of the element around them;
3. hidden text, controls and page furniture do not compete, nor do characters inside links;
4. the lengths of all groups with the same ID add up, so that an advert in the middle does not halve the article;
5. the answer is the smallest element that holds nearly all of the winning ID, less what is mere links;
6. closing notices and headings with nothing below them are dropped.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from operator import itemgetter

from bonmun.methods.boilerplate import furniture
from bonmun.methods.trimming import closing_notices, headings_of_nothing, lone_images, mere_links, unread
from bonmun.model.page import Page
from bonmun.model.tags import FLOW, TEXT
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_NEARLY_ALL = 0.9  # of the winning ID's text
_MOSTLY_LINK = 0.5
_NOT_A_REGION = FLOW | {TEXT}
_LITTLE_TEXT = 200  # characters; an answer this short is worth half the trust


@dataclass(frozen=True, eq=False)
class RegionAnalysis:
    """What each ID weighs, and the region that was chosen."""

    page: Page
    row: int
    """The chosen element."""
    weight_of_path: Counter[int]
    path_of_block: dict[int, int]

    @cached_property
    def region(self) -> str:
        """The xpath of the chosen element."""
        return self.page.nodes.xpath(self.row)

    @cached_property
    def weights(self) -> dict[str, int]:
        """Characters outside links per ID, heaviest first."""
        example = {path: at for at, path in self.path_of_block.items()}
        spelled = {path: self.page.nodes.tag_path(_region_around(self.page, at)) for path, at in example.items()}
        return {spelled[path]: weight for path, weight in self.weight_of_path.most_common()}

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
        competing = [at for at in range(len(blocks)) if at not in dropped]
        weight = {at: blocks.chars[at] - blocks.link_chars[at] for at in competing}
        identity = {at: nodes.path[_region_around(page, at)] for at in competing}
        weights = Counter[int]()
        for at in competing:
            weights[identity[at]] += weight[at]
        best, most = max(weights.items(), key=itemgetter(1), default=(-1, 0))
        if not most:
            return nothing(len(blocks), Reason("no-text", "no text outside links and page furniture"))
        region = _smallest_holding(page, {at: weight[at] for at in competing if identity[at] == best})
        dropped |= _outside(page, competing, region)
        dropped |= mere_links(page, dropped)
        dropped |= closing_notices(page, dropped)
        dropped |= headings_of_nothing(page, dropped)
        dropped |= lone_images(page, dropped)
        return _verdicts(dropped, RegionAnalysis(page, region, weights, identity))


def _not_competing(page: Page) -> dict[int, Reason]:
    """Blocks that a reader does not see or did not come for."""
    found: dict[int, Reason] = {}
    for row, why in furniture(page.nodes).items():
        found |= dict.fromkeys(page.blocks_in(row), Reason("page-furniture", why))
    return found | unread(page)


def _region_around(page: Page, at: int) -> int:
    """The nearest element around a block that is no part of running text itself."""
    nodes = page.nodes
    row = page.blocks.element[at]
    while nodes.tag[row] in FLOW and nodes.parent[row] >= 0:
        row = nodes.parent[row]
    return row


def _smallest_holding(page: Page, weight: dict[int, int]) -> int:
    """The smallest element with nearly all of the weight of some blocks."""
    nodes, enough = page.nodes, _NEARLY_ALL * sum(weight.values())
    rows = [page.blocks.first[at] for at in weight]
    before = [0, *accumulate(weight.values())]
    region = 0
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


def _outside(page: Page, competing: list[int], region: int) -> dict[int, Reason]:
    reason = Reason("outside-region", "not in the element that holds the main text")
    stop = page.nodes.end[region]
    return {at: reason for at in competing if not region <= page.blocks.first[at] < stop}


def _verdicts(dropped: dict[int, Reason], analysis: RegionAnalysis) -> Verdicts:
    blocks = analysis.page.blocks
    count = len(blocks)
    keep = bytearray(at not in dropped for at in range(count))
    kept = sum(blocks.chars[at] - blocks.link_chars[at] for at in range(count) if keep[at])
    share = kept / max(1, analysis.weight_of_path.total())
    left = Reason("nothing-left", "all that competed was dropped for a reason of its own")
    return Verdicts(
        keep=keep,
        score=Later(count, partial(_scores, keep, analysis)),
        reasons=Later(count, partial(_reasons, dropped, analysis)),
        confidence=share * kept / (kept + _LITTLE_TEXT),
        notes=() if any(keep) else (left,),
        analysis=analysis,
    )


def _scores(keep: bytearray, analysis: RegionAnalysis) -> Sequence[float]:
    """Kept: from ½, all links, to 1, none. Dropped: below ½, by the weight of the ID, if it competed at all."""
    blocks, weights, path = analysis.page.blocks, analysis.weight_of_path, analysis.path_of_block
    most = max(weights.values())
    score = array("d")
    for at, chars in enumerate(blocks.chars):
        if keep[at]:
            score.append(1 - _MOSTLY_LINK * min(1, blocks.link_chars[at] / max(1, chars)))
        else:
            score.append(0.49 * weights[path[at]] / most if at in path else 0.0)
    return score


def _reasons(dropped: dict[int, Reason], analysis: RegionAnalysis) -> Sequence[tuple[Reason, ...]]:
    kept = (Reason("in-region", f"{analysis.region} holds the heaviest group"),)
    return [(dropped[at],) if at in dropped else kept for at in range(len(analysis.page.blocks))]
