"""The elements of a rendered page with the probability that a method gives each, for drawing."""

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

from bonmun.model.document import Document
from bonmun.write.block_boxes import BlockBox

_MOST: Final = 5000
"""Elements that are drawn; browsers get slow beyond."""


@runtime_checkable
class JudgesElements(Protocol):
    """The analysis of a method that judges elements, such as `visual`."""

    @property
    def element_probabilities(self) -> Sequence[tuple[int, float]]:
        """The row of each element in `Page.nodes`, and the probability that it is main content or inside it."""


def element_boxes(document: Document, size: tuple[int, int]) -> list[tuple[BlockBox, float]]:
    """Return the elements on the screenshot with their probability, in document order; none for other methods."""
    analysis, layout = document.analysis, document.page.layout
    if layout is None or not isinstance(analysis, JudgesElements):
        return []
    found: list[tuple[BlockBox, float]] = []
    for row, probability in analysis.element_probabilities:
        if layout.visible[row]:
            whole = BlockBox(layout.left[row], layout.top[row], layout.right[row], layout.bottom[row])
            if (box := whole.within(size)) is not None:
                found.append((box, min(max(0.0, float(probability)), 1.0)))
    return found[:_MOST]
