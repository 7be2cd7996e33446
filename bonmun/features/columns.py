"""The names of the feature table's columns, in order."""

from collections.abc import Iterator
from typing import Final

from bonmun.features.concepts import CONCEPTS, LANDMARKS

_WORDING: Final = (
    "size word_length sentences commas colons digit_share currencies quotes brackets dates upper_share"
    " capitalised_share ends_sentence times times_but_digits copies_before copy_run copied_run title_share of_title"
    " known_share"
)
_KIND: Final = (
    "kind level flags link_share rows tag inner_tag parent_tag third_tag fourth_tag depth siblings siblings_same"
    " parent_siblings_same third_siblings_same"
)
_PLACE: Final = (
    "place index from_end text_before long_before after_h1 after_last_h1 text_after_h1 after_first_long since_long"
    " until_long"
)
_SECTION: Final = "since_heading heading_level heading_size heading_link section_size section_link section_long"
_CONTAINER: Final = "blocks share link long of_long mean density headings paragraphs punctuation images place"
_CORE: Final = "to_half to_half_long to_most_long in_core core_share"
_PAGE: Final = (
    "blocks size link long long_size longest mean currencies dates years marks paragraphs items cells headings code"
    " inputs h1 h2 h3 article main section time table form blockquote img"
)
_SCORES: Final = "term_score name_score heading_term_score heading_name_score term_score-1 term_score+1"


def _each(prefixes: str, names: str) -> Iterator[str]:
    return (f"{prefix}_{name}" for prefix in prefixes.split() for name in names.split())


COLUMNS: Final[tuple[str, ...]] = (
    *_WORDING.split(),
    *_KIND.split(),
    *_PLACE.split(),
    *_each("window3 window8 window20", "size link long"),
    *(f"{name}{step}" for step in ("-2", "-1", "+1", "+2") for name in ("size", "link", "kind")),
    *_SECTION.split(),
    *_each("up2 up3 up4 region region1 region2 region3", _CONTAINER),
    *_CORE.split(),
    *_each("path style column", "count share mean link long parents"),
    *(f"named_{name}" for name in CONCEPTS),
    *(f"in_{name}" for name in LANDMARKS),
    *_each("page", _PAGE),
    *_SCORES.split(),
)
"""One feature each; `table` computes them in this order, and so does its compiled twin."""
