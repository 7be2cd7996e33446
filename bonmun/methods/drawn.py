"""The text of a page that the browser drew, for methods that see the rendered page."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from bonmun.errors import NotRendered
from bonmun.model.layout import Layout
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, UNRENDERED
from bonmun.model.verdict import Reason

NOT_DRAWN: Final = Reason("not-visible", "the browser gave it no box")
NO_TEXT: Final = Reason("no-text", "the page has no text")
_LEAST_DRAWN: Final = 0.3
"""Minimum share of the text that is drawn; 18 of 694 pages of `wcxb_dev` have less: they need scripts to be shown."""
_UNDRAWN: Final = "the browser drew less than 30 % of the text: hidden text was judged too"


@dataclass(frozen=True, slots=True)
class DrawnText:
    """The drawn characters of each row, and of each block."""

    layout: Layout
    rows: Sequence[int]
    """0 for elements, and for text that is not shown: in controls, without a box."""
    blocks: Sequence[int]
    warnings: tuple[str, ...] = ()
    """Says that most text has no box, and that boxes were disregarded."""

    @classmethod
    def of(cls, page: Page) -> "DrawnText":
        """Return the text of a rendered page; raise `NotRendered` if it has no layout.

        >>> import bonmun
        >>> DrawnText.of(bonmun.read_page("<p>Tea"))
        Traceback (most recent call last):
        bonmun.errors.NotRendered: the page was not rendered: give it to bonmun.render first
        """
        layout = page.layout
        if layout is None:
            raise NotRendered
        nodes, skipped = page.nodes, UNRENDERED | CONTROL
        shown = array("i", [0 if flags & skipped else n for n, flags in zip(nodes.chars, nodes.flags, strict=True)])
        drawn = array("i", [n if visible else 0 for n, visible in zip(shown, layout.visible, strict=True)])
        complete = sum(drawn) >= _LEAST_DRAWN * sum(shown)
        rows = drawn if complete else shown
        before = list(accumulate(rows, initial=0))
        limits = zip(page.blocks.first, page.blocks.stop, strict=True)
        blocks = array("i", [before[stop] - before[first] for first, stop in limits])
        return cls(layout, rows, blocks, () if complete else (_UNDRAWN,))

    def shows(self, page: Page, block: int) -> bool:
        """Whether a block is seen: it has drawn text, or is a picture with a box."""
        picture = not page.blocks.chars[block] and self.layout.visible[page.blocks.first[block]]
        return bool(self.blocks[block] or picture)
