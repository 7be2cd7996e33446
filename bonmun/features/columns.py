"""The columns of the feature table, in order, by family.

`tools/make_core_tables.py` makes an enum of them for the compiled twin, which writes each cell by its column's name.
"""

from itertools import chain
from typing import Final

from bonmun.features.concepts import CONCEPTS, LANDMARKS

WINDOWS: Final = (3, 8, 20)
"""Widths of the windows around a block: how many blocks before and after it."""
STEPS: Final = (-2, -1, 1, 2)
"""Positions of the neighbours of a block, relative to it."""

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
_CONTAINERS: Final = "up2 up3 up4 region region1 region2 region3"
_CONTAINER: Final = "blocks share link long of_long mean density headings paragraphs punctuation images place"
_CORE: Final = "to_half to_half_long to_most_long in_core core_share"
_PAGE: Final = (
    "blocks size link long long_size longest mean currencies dates years marks paragraphs items cells headings code"
    " inputs h1 h2 h3 article main section time table form blockquote img"
)
_SCORES: Final = "term_score name_score heading_term_score heading_name_score term_score-1 term_score+1"


def _each(prefixes: str, names: str) -> dict[str, tuple[str, ...]]:
    return {prefix: tuple(f"{prefix}_{name}" for name in names.split()) for prefix in prefixes.split()}


REPEATED: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "window": _each(" ".join(f"window{width}" for width in WINDOWS), "size link long"),
    "neighbour": {f"{step:+}": tuple(f"{name}{step:+}" for name in ("size", "link", "kind")) for step in STEPS},
    "container": _each(_CONTAINERS, _CONTAINER),
    "group": _each("path style column", "count share mean link long parents"),
}
"""Families whose columns recur: family → member → its columns, the same for each member."""


def _repeated(family: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(REPEATED[family].values()))


FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "wording": tuple(_WORDING.split()),
    "kind": tuple(_KIND.split()),
    "place": tuple(_PLACE.split()),
    "window": _repeated("window"),
    "neighbour": _repeated("neighbour"),
    "section": tuple(_SECTION.split()),
    "container": _repeated("container"),
    "core": tuple(_CORE.split()),
    "group": _repeated("group"),
    "concept": tuple(f"named_{name}" for name in CONCEPTS),
    "landmark": tuple(f"in_{name}" for name in LANDMARKS),
    "page": tuple(f"page_{name}" for name in _PAGE.split()),
    "score": tuple(_SCORES.split()),
}
"""Family → its columns; each family is computed by one function, in Python and in C."""

COLUMNS: Final[tuple[str, ...]] = tuple(chain.from_iterable(FAMILIES.values()))
"""All columns, one feature each, in the order of the table and of the models trained on it."""
