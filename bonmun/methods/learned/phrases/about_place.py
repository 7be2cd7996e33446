"""Phrases about where a block stands: on the page, beside its neighbours, under its heading."""

from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import FAR
from bonmun.features.measured_page import LONG
from bonmun.methods.learned.phrases.block_row import BlockRow
from bonmun.methods.learned.phrases.decisions import (
    OWN,
    Clause,
    Decision,
    above,
    at_least,
    at_most,
    below,
    counted,
    either,
    equal,
    fewer,
    when,
)
from bonmun.model.block import KINDS, Kind

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


_on_the_page: Final = Decision(
    kept=(when("in the middle of the page", above("place", 0.1), below("place", 0.9)),),
    dropped=(
        when("after nearly all text of the page", at_least("text_before", 0.9)),
        when("before nearly all text of the page", at_most("text_before", 0.05)),
        when("near the top of the page", below("place", 0.15)),
        when("near the end of the page", above("place", 0.85)),
    ),
)
_NO_RUNNING_TEXT: Final = when("", at_most("page_long_size", 0))
_in_running_text: Final = Decision(
    kept=(
        _NO_RUNNING_TEXT,
        when("next to other running text", at_most("since_long", 2)),
        when("next to other running text", at_most("until_long", 2)),
    ),
    dropped=(
        _NO_RUNNING_TEXT,
        when("after the end of the running text", at_least("long_before", 0.98)),
        when("before the running text begins", at_most("long_before", 0.02), below("after_first_long", 0)),
        when("far from any running text", above("since_long", 5), above("until_long", 5)),
    ),
)
_NO_MAIN_HEADING: Final = when("", below("text_after_h1", -1))
_below_the_main_heading: Final = Decision(
    kept=(
        _NO_MAIN_HEADING,
        when("", below("after_h1", 0)),
        when("the page's main heading", equal("after_h1", 0)),
        when("right below the page's main heading", at_most("after_h1", 3)),
        when("below the page's main heading"),
    ),
    dropped=(
        _NO_MAIN_HEADING,
        when("above the page's main heading", below("after_h1", 0)),
        when("far below the page's main heading", above("text_after_h1", 0.5)),
    ),
)
links_around: Final = Decision(
    kept=(when("hardly any links around it", at_least(OWN, 0), at_most(OWN, 0.1)),),  # below 0: no neighbour
    dropped=(when("among links", at_least(OWN, 0.5)),),
)
"""How much of the text around a block is links; for shares from 0 to 1."""
running_text_around: Final = Decision(
    kept=(when("among running text", at_least(OWN, 0.5)),),
    dropped=(when("no running text around it", at_most(OWN, 0.05)),),
)
"""How much of the text around a block is running text; for shares from 0 to 1."""
sizes_around: Final = Decision(
    kept=(when("among long texts", counted(OWN, LONG)),),
    dropped=(when("among short texts", at_least(OWN, 0), fewer(OWN, _SHORT)),),  # below 0: no neighbour
)
"""How long the texts around a block are; for logarithms of sizes."""


def _beside(where: str, *columns: str) -> tuple[Clause, ...]:
    """What stands right before or after a block, without paragraphs."""
    named = [(KINDS.index(kind), name) for kind, name in _NEXT_TO.items()]
    return tuple(
        when(f"just {where} {name}", equal(OWN, code), asked=column) for column in columns for code, name in named
    )


_PARAGRAPH: Final = equal(OWN, KINDS.index(Kind.PARAGRAPH))
_BEHIND, _BEFORE = ("kind-2", "kind-1"), ("kind+1", "kind+2")
_NAMED: Final = (*_beside("after", *_BEHIND), *_beside("before", *_BEFORE))
_neighbour: Final = Decision(
    kept=(
        *(when("just after a paragraph", _PARAGRAPH, asked=column) for column in _BEHIND),
        *(when("just before a paragraph", _PARAGRAPH, asked=column) for column in _BEFORE),
        *_NAMED,
    ),
    dropped=(
        *(when("at the start of the page", below(OWN, 0), asked=column) for column in _BEHIND),
        *(when("at the end of the page", below(OWN, 0), asked=column) for column in _BEFORE),
        *_NAMED,
    ),
)


def _under_heading(row: BlockRow, column: int) -> str:
    return f"under the heading “{row.heading()}”"


_AWAY: Final = (
    when("", above("heading_level", 0), equal("since_heading", 0)),  # it heads its own section
    when("", below("in_nav", FAR)),
    when("", below("in_footer", FAR)),
    when("", above("since_heading", _FAR_BELOW)),
)
_heading_above: Final = Decision(
    kept=(*_AWAY, when("", equal("heading_level", 0)), when(_under_heading)),
    dropped=(*_AWAY, when("no heading above it", equal("heading_level", 0)), when(_under_heading)),
)
_section: Final = Decision(
    kept=(
        when("in a section of running text", at_least("section_long", 0.5)),
        when("in a section with hardly any links", at_most("section_link", 0.1)),
    ),
    dropped=(
        when("in a section of links", at_least("section_link", 0.5)),
        when("in a section without running text", at_most("section_long", 0.05)),
    ),
)


def _side_by_side(row: BlockRow, column: int) -> str:
    name = COLUMNS[column]
    where = "one of" if name.startswith("siblings") else "inside one of"
    return f"{where} {row.count(column)} {'elements' if name == 'siblings' else 'similar elements'} side by side"


_alike: Final = either(when(_side_by_side, counted(OWN, 3)))


def _nested(row: BlockRow, column: int) -> str:
    return f"nested {row.cells[column]:.0f} elements deep"


_depth: Final = either(when(_nested, above(OWN, 2)), when("at the top level of the page's markup"))


PHRASES: Final[dict[str, Decision]] = {
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
