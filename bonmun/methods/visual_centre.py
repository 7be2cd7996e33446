"""The centre of the page: the idea behind M4's distances, without training.

The main content is drawn around the middle of the document. Start at the text nearest to it, and climb to the ancestor
at which the text outside links jumps most: the region. Measured on `wcxb_dev` (docs/visual.md): the centre of the
document beats that of the viewport, and a jump of the text one of the width.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import hypot
from typing import Final

from bonmun.deadline import check
from bonmun.methods.drawn import NO_TEXT, NOT_DRAWN, DrawnText
from bonmun.model.page import Page
from bonmun.model.tags import LINK
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_LEAST: Final = 25
"""Characters of the shortest text to start at: shorter ones are dates, labels and captions."""


@dataclass(frozen=True, eq=False)
class CentreAnalysis:
    """The climb from the text nearest to the centre."""

    page: Page
    start: int
    """The row of that text."""
    path: tuple[int, ...]
    """The elements around it, innermost first."""
    plain: tuple[int, ...]
    """Their characters outside links."""
    chosen: int
    """The row of the chosen element."""

    def to_dict(self) -> dict[str, object]:
        """The climb as plain data."""
        xpath = self.page.nodes.xpath
        climb = zip(self.path, self.plain, strict=True)
        return {
            "start": xpath(self.start),
            "climb": [{"element": xpath(row), "plain_characters": plain} for row, plain in climb],
            "chosen": xpath(self.chosen),
        }


class VisualCentre:
    """The method ``"visual-centre"``."""

    name = "visual-centre"
    needs_layout = True

    def judge(self, page: Page) -> Verdicts:
        """Keep the element around the page's centre; raise `NotRendered` for a page without layout."""
        text = DrawnText.of(page)
        if not any(text.rows):
            return nothing(len(page.blocks), NO_TEXT)
        analysis = _climbed(page, text)
        inside = page.blocks_in(analysis.chosen)
        keep = bytearray(index in inside and text.shows(page, index) for index in range(len(page.blocks)))
        kept = sum(chars for chars, kept in zip(text.blocks, keep, strict=True) if kept)
        return Verdicts(
            keep=keep,
            score=array("d", map(float, keep)),
            reasons=Later(len(keep), partial(_reasons, analysis, keep)),
            confidence=kept / max(1, sum(text.blocks)),
            warnings=text.warnings,
            analysis=analysis,
        )


def _climbed(page: Page, text: DrawnText) -> CentreAnalysis:
    """Start at the centre and climb to the largest jump of the text outside links."""
    nodes = page.nodes
    plain = [0 if flags & LINK else n for n, flags in zip(text.rows, nodes.flags, strict=True)]
    start = _nearest(text, plain)
    before = list(accumulate(plain if any(plain) else text.rows, initial=0))
    path = tuple(nodes.ancestors(start)) or (start,)
    sizes = tuple(before[nodes.end[row]] - before[row] for row in path)
    jumps = [size - smaller for size, smaller in zip(sizes, (0, *sizes), strict=False)]
    check()
    return CentreAnalysis(page, start, path, sizes, path[max(range(len(path)), key=jumps.__getitem__)])


def _nearest(text: DrawnText, plain: Sequence[int]) -> int:
    """The text nearest to the document's centre: one that is long enough, or else any outside links, or any."""
    layout = text.layout
    across, down = layout.document[0] / 2, layout.document[1] / 2

    def distance(row: int) -> float:
        x, y = layout.centre(row)
        return hypot(x - across, y - down)

    return min(next(filter(None, _candidates(text, plain))), key=distance)


def _candidates(text: DrawnText, plain: Sequence[int]) -> Iterator[list[int]]:
    yield [row for row, chars in enumerate(plain) if chars >= _LEAST]
    yield [row for row, chars in enumerate(plain) if chars]
    yield [row for row, chars in enumerate(text.rows) if chars]


def _reasons(analysis: CentreAnalysis, keep: Sequence[int]) -> list[tuple[Reason, ...]]:
    """Why each block was kept or dropped."""
    page, where = analysis.page, analysis.page.nodes.xpath(analysis.chosen)
    kept = (Reason("in-region", where), Reason("centre", "around the text nearest to the centre of the document"))
    outside, inside = (Reason("outside-region", f"not in {where}"),), page.blocks_in(analysis.chosen)
    return [kept if keep[index] else (NOT_DRAWN,) if index in inside else outside for index in range(len(keep))]
