"""Methods for comparison: the elements that a network takes for content, one by one, and all of a page."""

from bonmun.methods.visual.rows import Rows
from bonmun.methods.visual.tabnet import TabNet
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts

_HALF = 0.5


class ElementsAboveHalf:
    """The paper's classification: a text is content if the network says so of its element, whatever is around it."""

    name = "elements-above-half"
    needs_layout = True

    def __init__(self, model: TabNet) -> None:
        self._model = model

    def judge(self, page: Page) -> Verdicts:
        """Keep the blocks whose element, or the nearest around it that has a row, is more likely content than not."""
        rows = Rows.of(page)
        probabilities = self._model.probabilities(rows.matrix).tolist() if len(rows) else []
        of_row = dict(zip(rows.row.tolist(), probabilities, strict=True))
        visible = page.layout.visible if page.layout else ()
        score, keep = [], []
        for element in page.blocks.element:
            shown = element >= 0 and visible[element] > 0
            while element >= 0 and element not in of_row:
                element = page.nodes.parent[element]
            score.append(of_row.get(element, 0.0))
            keep.append(int(shown and score[-1] > _HALF))
        return Verdicts(keep=keep, score=score, reasons=[(Reason("probability"),)] * len(keep), confidence=0.0)


class WholePage:
    """All of a page: the extraction whose recall is 1. A method below it has found nothing."""

    name = "whole-page"
    needs_layout = True

    def judge(self, page: Page) -> Verdicts:
        """Keep every block that is visible."""
        visible = page.layout.visible if page.layout else ()
        keep = [int(element < 0 or visible[element] > 0) for element in page.blocks.element]
        reasons = [(Reason("visible"),)] * len(keep)
        return Verdicts(keep=keep, score=[float(one) for one in keep], reasons=reasons, confidence=0.0)
