"""M4, visual features: a browser draws the page, TabNet judges every element, and a few elements become the region."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Final, Self

from bonmun.deadline import check
from bonmun.methods.drawn import NO_TEXT, DrawnText
from bonmun.methods.visual.reasons import reasons
from bonmun.methods.visual.region import Region, RegionSettings, find_region
from bonmun.methods.visual.rows import Rows, medians
from bonmun.methods.visual.tabnet import TabNet, shipped
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

if TYPE_CHECKING:
    from bonmun.methods.visual.tabnet import Matrix

_NOTHING: Final = Reason("nothing-promising", "no text is likely to be the main content")
_DEFAULT: Final = RegionSettings()


@dataclass(frozen=True, eq=False)
class VisualAnalysis:
    """The rows of a page, their probabilities and the region."""

    page: Page
    model: TabNet
    text: DrawnText
    probability: "array[float]"
    """Of each of `rows`."""
    line_of_block: Sequence[int]
    """The place of each block's element in `rows`; -1 if it has no row."""
    region: Region

    @cached_property
    def rows(self) -> Rows:
        """The rows, computed again on access."""
        return Rows.of(self.page)

    @cached_property
    def masks(self) -> "Matrix":
        """How much each column of the model counted for each row."""
        return self.model.masks(self.rows.matrix)

    @cached_property
    def medians(self) -> Sequence[float]:
        """The median of each column over the elements of blocks."""
        return medians(self.rows.matrix[sorted({line for line in self.line_of_block if line >= 0})])

    def to_dict(self) -> dict[str, object]:
        """The analysis as plain data: boxes are left, top, right, bottom."""
        layout, xpath = self.text.layout, self.page.nodes.xpath
        sides = (layout.left, layout.top, layout.right, layout.bottom)
        return {
            "model": self.model.shape.name,
            "threshold": self.region.threshold,
            "expected_f": self.region.expected,
            "chosen": [xpath(row) for row in self.region.chosen],
            "elements": [
                {
                    "xpath": xpath(row),
                    "probability": round(probability, 4),
                    "visible": bool(layout.visible[row]),
                    "box": [side[row] for side in sides],
                }
                for row, probability in zip(self.rows.row.tolist(), self.probability, strict=True)
            ],
        }


class Visual:
    """The method ``"visual"``; `Visual.load` takes a model of your own."""

    name = "visual"
    needs_layout = True

    def __init__(self, model: TabNet | None = None, *, beta: float = 1.0, region: RegionSettings = _DEFAULT) -> None:
        self.model = shipped() if model is None else model
        self._beta, self._region = beta, region

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Load a model of your own, as written by `tools/train_visual.py`; raise `BadModel`."""
        return cls(TabNet.load(path))

    def preferring(self, beta: float) -> "Visual":
        """The same model, with recall worth `beta` times as much as precision."""
        return Visual(self.model, beta=beta, region=self._region)

    def judge(self, page: Page) -> Verdicts:
        """Keep the region with the best expected F-score; raise `NotRendered` for a page without layout."""
        text, rows = DrawnText.of(page), Rows.of(page)
        if not any(text.blocks):
            return nothing(len(page.blocks), NO_TEXT)
        check()
        probability = array("d", self.model.probabilities(rows.matrix).tolist())
        line = _lines(page, rows.row.tolist())
        of_blocks = [probability[at] if at >= 0 else 0.0 for at in line]
        region = find_region(page, text.blocks, of_blocks, self._beta, self._region)
        inside = {index for row in region.chosen for index in page.blocks_in(row)}
        keep = bytearray(index in inside and text.shows(page, index) for index in range(len(page.blocks)))
        analysis = VisualAnalysis(page, self.model, text, probability, line, region)
        return Verdicts(
            keep=keep,
            score=region.likely,
            reasons=Later(len(keep), partial(reasons, analysis, keep)),
            confidence=region.expected,
            notes=() if any(keep) else (_NOTHING,),
            warnings=text.warnings,
            analysis=analysis,
        )


def _lines(page: Page, rows: Sequence[int]) -> "array[int]":
    """For each block the place of its element among the rows, or of the nearest element around it that has a row."""
    place, parents = {row: at for at, row in enumerate(rows)}, page.nodes.parent
    found = array("i")
    for element in page.blocks.element:
        while element >= 0 and element not in place:
            element = parents[element]
        found.append(place.get(element, -1))
    return found
