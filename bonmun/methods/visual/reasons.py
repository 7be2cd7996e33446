"""Why a block was kept or dropped, from the columns that the network's masks point to."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bonmun.methods.drawn import NOT_DRAWN
from bonmun.methods.visual.rows import COLUMNS, TAGS
from bonmun.model.verdict import Reason

if TYPE_CHECKING:
    from bonmun.methods.visual.method import VisualAnalysis

PHRASES: Final = {
    "order": ("early in the page's markup", "late in the page's markup"),
    "children": ("few child nodes", "many child nodes"),
    "characters": ("little text", "much text"),
    "link_characters": ("no links in it", "mostly links"),
    "left": ("near the left edge", "far from the left edge"),
    "top": ("starts near the top of the page", "starts far down the page"),
    "right": ("far from the right edge", "reaches far to the right"),
    "bottom": ("ends near the top of the page", "ends far down the page"),
    "width": ("a narrow box", "a wide box"),
    "height": ("a flat box", "a tall box"),
    "d0": ("near the centre of the window", "far from the centre of the window"),
    "d1": ("near the centre of the document", "far from the centre of the document"),
}
"""For each column a phrase for low values and one for high ones: up to the median of the page's blocks, or above."""
_CONTENT: Final = {"characters": 1, "link_characters": 0, "d0": 0, "d1": 0}
"""The phrases that a person reads as signs of content; a network may use them the other way, which explains nothing."""
_MUCH: Final = 80
"""Characters of a text that is not short: of menus, the median says little."""
_UNDECIDED: Final = "no single sign decided"
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
        found.append((where, *probable, *(Reason(name, phrase) for phrase in _phrases(analysis, index, bool(kept)))))
    return found


def _phrases(analysis: "VisualAnalysis", block: int, kept: bool) -> list[str]:
    """The columns that counted most for a block's element, in words."""
    line = analysis.line_of_block[block]
    if line < 0:
        return [_UNDECIDED]
    masks, values = analysis.masks[line].tolist(), dict(zip(COLUMNS, analysis.rows.matrix[line].tolist(), strict=True))
    phrases = list[str]()
    for mask, name in sorted(zip(masks, analysis.model.columns, strict=True), reverse=True):
        side = _side(name, values, analysis.medians)
        if mask <= 0 or len(phrases) == _MOST:
            break
        if name == "tag" and values[name] < len(TAGS):
            phrases.append(f"inside <{TAGS[int(values[name])]}>")
        elif side >= 0 and (name not in _CONTENT or (_CONTENT[name] == side) == kept):
            phrases.append(PHRASES[name][side])
    return phrases or [_UNDECIDED]


def _side(name: str, values: Mapping[str, float], medians: Sequence[float]) -> int:
    """Which phrase of a column is true: 0, 1, or -1 for none."""
    if name not in PHRASES:
        return -1
    if name == "characters":
        return int(values[name] >= _MUCH)
    if name == "link_characters":
        linked = values[name]
        return 0 if not linked else 1 if 2 * linked > values["characters"] else -1
    return int(values[name] > medians[COLUMNS.index(name)])
