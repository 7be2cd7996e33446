"""Phrases about the elements around a block, and about the texts that are marked up like it."""

from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.concepts import LANDMARKS
from bonmun.features.measured_page import LONG, log
from bonmun.methods.learned.phrases.about_place import links_around, running_text_around, sizes_around
from bonmun.methods.learned.phrases.block_row import BlockRow, number_of
from bonmun.methods.learned.phrases.decisions import (
    OWN,
    Decision,
    above,
    at_least,
    at_most,
    below,
    either,
    equal,
    fewer,
    when,
)
from bonmun.model.tags import TAGS

_AROUND: Final = "up2 up3 up4 region region1 region2 region3".split()
_UNTOLD: Final = frozenset({"html", "body", "div", "span", "center", "font", *LANDMARKS})
"""Tags that say nothing, or that have phrases of their own in `about_names`."""
_OF_CONTENT: Final = frozenset("p blockquote".split())
_OF_FURNITURE: Final = frozenset("menu label button".split())
_TOLD: Final = tuple(
    frozenset(number for number, tag in enumerate(TAGS) if number and tag not in _UNTOLD | against)
    for against in (_OF_CONTENT, _OF_FURNITURE)
)
"""The numbers of the tags that are told of dropped and of kept blocks."""
_SHORT: Final = 40  # letters
_SEVERAL: Final = 5  # texts


def _low_or_high(low: float, high: float, few: str, many: str, *, keeps: str = "many") -> Decision:
    """A phrase for low values of a column and one for high values; `keeps` says which speaks for keeping a block."""
    rare, frequent = (when(few, at_most(OWN, low)),), (when(many, at_least(OWN, high)),)
    return Decision(frequent, rare) if keeps == "many" else Decision(rare, frequent)


def _many(enough: float, many: str) -> Decision:
    """A phrase for the high values of a column, whatever the verdict."""
    return either(when(many, at_least(OWN, enough)))


_place: Final = Decision(
    kept=(when("in the middle of its part of the page", above(OWN, 0.1), below(OWN, 0.9)),),
    dropped=(when("at the end of its part of the page", at_least(OWN, 0.9)),),
)
_MOST: Final = "the part of the page with most of its running text"
_main_part: Final = Decision(
    kept=(when("", equal("in_core", 0)), when(f"in {_MOST}", above("page_long_size", 0))),
    dropped=(when(f"outside {_MOST}", above("page_long_size", 0), equal("in_core", 0)),),
)


def _marked_up_alike(row: BlockRow, column: int) -> str:
    return f"one of {row.count(number_of(_count_of(column)))} texts marked up alike"


def _count_of(column: int) -> str:
    return f"{COLUMNS[column].partition('_')[0]}_count"


_ALIKE: Final = tuple(map(COLUMNS.index, ("path_count", "path_parents", "style_count", "style_parents")))
_alike: Final = either(
    *(
        clause
        for column in _ALIKE
        for clause in (
            when("", fewer(_count_of(column), 1), asked=COLUMNS[column]),
            when("no other text is marked up like it", fewer(_count_of(column), 2), asked=COLUMNS[column]),
            when("", fewer(_count_of(column), _SEVERAL), asked=COLUMNS[column]),
        )
    ),
    when(_marked_up_alike),
)
_inside: Final = Decision(
    *(tuple(when(f"inside <{TAGS[tag]}>", equal(OWN, tag)) for tag in sorted(told)) for told in reversed(_TOLD))
)


_OF_ELEMENTS: Final[dict[str, Decision]] = {
    "blocks": _low_or_high(
        log(5), log(10), "in a part of the page with few texts", "in a part of the page with many texts"
    ),
    "share": _low_or_high(
        0.05, 0.5, "in a part of the page with little text", "in the part of the page with most of its text"
    ),
    "of_long": _low_or_high(
        0.02, 0.5, "in a part of the page without running text", "in the part of the page with most of its running text"
    ),
    "link": links_around,
    "long": running_text_around,
    "mean": sizes_around,
    "density": _low_or_high(
        log(15), log(40), "little text and much markup around it", "much text and little markup around it"
    ),
    "headings": _many(0.25, "many headings around it"),
    "paragraphs": _low_or_high(0.05, 0.5, "hardly any paragraphs around it", "among paragraphs"),
    "punctuation": _low_or_high(0.005, 0.015, "hardly any punctuation around it", "punctuated text around it"),
    "images": _many(0.25, "among pictures"),
    "place": _place,
}


def _of_texts(texts: str, count: Decision) -> dict[str, Decision]:
    """Phrases about the texts that have something in common with a block."""
    return {
        "count": count,
        "parents": count,
        "share": _low_or_high(
            0.02, 0.3, f"{texts} hold little of the page's text", f"{texts} hold much of the page's text"
        ),
        "mean": _low_or_high(log(_SHORT), log(LONG), f"{texts} are short", f"{texts} are long"),
        "link": _low_or_high(0.1, 0.5, f"{texts} have hardly any links", f"{texts} are mostly links", keeps="few"),
        "long": _low_or_high(0.05, 0.5, f"{texts} are no running text", f"{texts} are running text"),
    }


_MARKED_UP_LIKE_IT: Final = _of_texts("texts marked up like it", _alike)
_BUILT_ALIKE: Final = _of_texts(
    "texts in parts of the page built like its own",
    _many(log(20), "one of many texts in parts of the page built alike"),
)

PHRASES: Final[dict[str, Decision]] = {
    **{f"{element}_{figure}": phrase for element in _AROUND for figure, phrase in _OF_ELEMENTS.items()},
    **dict.fromkeys(("to_half", "to_half_long", "to_most_long", "in_core", "core_share"), _main_part),
    **{f"{prefix}_{figure}": phrase for prefix in ("path", "style") for figure, phrase in _MARKED_UP_LIKE_IT.items()},
    **{f"column_{figure}": phrase for figure, phrase in _BUILT_ALIKE.items()},
    **dict.fromkeys(("parent_tag", "third_tag", "fourth_tag"), _inside),
}
SHARED: Final = frozenset((_main_part, _OF_ELEMENTS["of_long"]))
"""Functions with a phrase that both give."""
OF_BLOCKS: Final = frozenset((_main_part,))
"""Functions that look at the block, whatever the column."""
