"""Why a block was kept or dropped, from the columns that the network's masks point to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bonmun.methods.drawn import NOT_DRAWN
from bonmun.methods.visual.rows import COLUMNS, TAGS
from bonmun.model.verdict import Reason

if TYPE_CHECKING:
    from bonmun.methods.visual.method import VisualAnalysis

_PHRASES: Final = {
    "order": ("early in the page's markup", "late in the page's markup"),
    "children": ("few child nodes", "many child nodes"),
    "characters": ("little text", "much text"),
    "link_characters": ("little text in links", "much text in links"),
    "left": ("near the left edge", "far from the left edge"),
    "top": ("starts near the top of the page", "starts far down the page"),
    "right": ("far from the right edge", "reaches far to the right"),
    "bottom": ("ends near the top of the page", "ends far down the page"),
    "width": ("a narrow box", "a wide box"),
    "height": ("a flat box", "a tall box"),
    "document_width": ("a narrow page", "a wide page"),
    "document_height": ("a short page", "a long page"),
    "d0": ("near the centre of the window", "far from the centre of the window"),
    "d1": ("near the centre of the document", "far from the centre of the document"),
}
"""For each column a phrase for values up to the page's median, and one for those above."""
_MOST: Final = 2
"""Phrases of a block."""


def reasons(analysis: "VisualAnalysis", keep: Sequence[int]) -> list[tuple[Reason, ...]]:
    """Return the reasons of all blocks."""
    page, region = analysis.page, analysis.region
    chosen = {index: row for row in region.chosen for index in page.blocks_in(row)}
    paths = {row: page.nodes.xpath(row) for row in region.chosen}
    found: list[tuple[Reason, ...]] = []
    for index, kept in enumerate(keep):
        if not kept and (index in chosen or not analysis.text.shows(page, index)):
            found.append((NOT_DRAWN,))
            continue
        likely = f"probability {region.likely[index]:.2f}"
        where = Reason("in-region", paths[chosen[index]]) if kept else Reason("outside-region", likely)
        name = "content-like" if kept else "boilerplate-like"
        probable = (Reason(name, likely),) if kept else ()
        found.append((where, *probable, *(Reason(name, phrase) for phrase in _phrases(analysis, index))))
    return found


def _phrases(analysis: "VisualAnalysis", block: int) -> list[str]:
    """The columns that counted most for a block's element, in words."""
    line = analysis.line_of_block[block]
    if line < 0:
        return []
    masks = analysis.masks[line]
    values, medians = analysis.rows.matrix[line], analysis.medians
    phrases = list[str]()
    for at in sorted(range(len(masks)), key=lambda at: -masks[at]):
        name = analysis.model.columns[at]
        column = COLUMNS.index(name)
        if name == "tag" and values[column] < len(TAGS):
            phrases.append(f"inside <{TAGS[int(values[column])]}>")
        elif name in _PHRASES:
            phrases.append(_PHRASES[name][bool(values[column] > medians[column])])
        if len(phrases) == _MOST or masks[at] <= 0:
            break
    return phrases
