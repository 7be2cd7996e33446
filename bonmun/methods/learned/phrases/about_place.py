"""Phrases about where a block stands: on the page, beside its neighbours, under its heading."""

from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.measured_page import LONG
from bonmun.methods.learned.phrases.block_row import BlockRow, Phrase, number_of
from bonmun.model.block import KINDS, Kind

_PLACE, _AFTER_H1, _TEXT_AFTER_H1 = map(number_of, ("place", "after_h1", "text_after_h1"))
_SHORT: Final = 40  # letters
_FAR_BELOW: Final = 20  # blocks; a heading so far above says little
_NEXT_TO: Final = {
    Kind.HEADING: "a heading",
    Kind.ITEM: "a list item",
    Kind.TERM: "a definition list",
    Kind.DEFINITION: "a definition list",
    Kind.CELL: "a table",
    Kind.CODE: "a block of code",
    Kind.QUOTE: "a quotation",
    Kind.CAPTION: "a caption",
    Kind.IMAGE: "a picture",
}


def _on_the_page(row: BlockRow, column: int, keep: bool) -> str:
    place = row.cells[_PLACE]
    if keep:
        return "in the middle of the page" if 0.1 < place < 0.9 else ""
    before = row["text_before"]
    if before >= 0.9:
        return "after nearly all text of the page"
    if before <= 0.05:
        return "before nearly all text of the page"
    return "near the top of the page" if place < 0.15 else "near the end of the page" if place > 0.85 else ""


def _in_running_text(row: BlockRow, column: int, keep: bool) -> str:
    if not row.has_running_text:
        return ""
    before, since, until = row["long_before"], row["since_long"], row["until_long"]
    if keep:
        return "next to other running text" if min(since, until) <= 2 else ""
    if before >= 0.98:
        return "after the end of the running text"
    if before <= 0.02 and row["after_first_long"] < 0:
        return "before the running text begins"
    return "far from any running text" if min(since, until) > 5 else ""


def _below_the_main_heading(row: BlockRow, column: int, keep: bool) -> str:
    distance, text = row.cells[_AFTER_H1], row.cells[_TEXT_AFTER_H1]
    if text < -1:
        return ""  # the page has no main heading
    if distance < 0:
        return "" if keep else "above the page's main heading"
    if not keep:
        return "far below the page's main heading" if text > 0.5 else ""
    if distance == 0:
        return "the page's main heading"
    return "right below the page's main heading" if distance <= 3 else "below the page's main heading"


def links_around(row: BlockRow, column: int, keep: bool) -> str:
    """How much of the text around a block is links; for shares from 0 to 1."""
    share = row.cells[column]
    if share < 0:
        return ""  # no neighbour
    if keep:
        return "hardly any links around it" if share <= 0.1 else ""
    return "among links" if share >= 0.5 else ""


def running_text_around(row: BlockRow, column: int, keep: bool) -> str:
    """How much of the text around a block is running text; for shares from 0 to 1."""
    if keep:
        return "among running text" if row.cells[column] >= 0.5 else ""
    return "no running text around it" if row.cells[column] <= 0.05 else ""


def sizes_around(row: BlockRow, column: int, keep: bool) -> str:
    """How long the texts around a block are; for logarithms of sizes."""
    if row.cells[column] < 0:
        return ""  # no neighbour
    letters = row.count(column)
    if keep:
        return "among long texts" if letters >= LONG else ""
    return "among short texts" if letters < _SHORT else ""


def _neighbour(row: BlockRow, column: int, keep: bool) -> str:
    where = "after" if "-" in COLUMNS[column] else "before"
    if row.cells[column] < 0:
        return "" if keep else "at the start of the page" if where == "after" else "at the end of the page"
    kind = KINDS[int(row.cells[column])]
    if kind is Kind.PARAGRAPH:
        return f"just {where} a paragraph" if keep else ""
    return f"just {where} {_NEXT_TO[kind]}"


def _heading_above(row: BlockRow, column: int, keep: bool) -> str:
    if row.is_heading or row.near("in_nav") or row.near("in_footer") or row["since_heading"] > _FAR_BELOW:
        return ""
    if not row["heading_level"]:
        return "" if keep else "no heading above it"
    return f"under the heading “{row.heading()}”"


def _section(row: BlockRow, column: int, keep: bool) -> str:
    links, running = row["section_link"], row["section_long"]
    if keep:
        return (
            "in a section of running text"
            if running >= 0.5
            else "in a section with hardly any links"
            if links <= 0.1
            else ""
        )
    if links >= 0.5:
        return "in a section of links"
    return "in a section without running text" if running <= 0.05 else ""


def _alike(row: BlockRow, column: int, keep: bool) -> str:
    count = row.count(column)
    if count < 3:
        return ""
    name = COLUMNS[column]
    where = "one of" if name.startswith("siblings") else "inside one of"
    return f"{where} {count} {'elements' if name == 'siblings' else 'similar elements'} side by side"


def _depth(row: BlockRow, column: int, keep: bool) -> str:
    depth = row.cells[column]
    return f"nested {depth:.0f} elements deep" if depth > 2 else "at the top level of the page's markup"


PHRASES: Final[dict[str, Phrase]] = {
    **dict.fromkeys(("place", "index", "from_end", "text_before"), _on_the_page),
    **dict.fromkeys(("long_before", "after_first_long", "since_long", "until_long"), _in_running_text),
    **dict.fromkeys(("after_h1", "after_last_h1", "text_after_h1"), _below_the_main_heading),
    **{f"window{width}_link": links_around for width in (3, 8, 20)},
    **{f"window{width}_long": running_text_around for width in (3, 8, 20)},
    **{f"window{width}_size": sizes_around for width in (3, 8, 20)},
    **{f"link{step:+}": links_around for step in (-2, -1, 1, 2)},
    **{f"size{step:+}": sizes_around for step in (-2, -1, 1, 2)},
    **{f"kind{step:+}": _neighbour for step in (-2, -1, 1, 2)},
    **dict.fromkeys(
        ("since_heading", "heading_level", "heading_size", "heading_link", "heading_term_score", "heading_name_score"),
        _heading_above,
    ),
    **dict.fromkeys(("section_size", "section_link", "section_long"), _section),
    **dict.fromkeys(("siblings", "siblings_same", "parent_siblings_same", "third_siblings_same"), _alike),
    "depth": _depth,
}
OF_BLOCKS: Final = frozenset((_on_the_page, _in_running_text, _below_the_main_heading, _heading_above, _section))
"""Functions that look at the block, whatever the column."""
