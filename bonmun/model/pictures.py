"""The address of a picture: its `src`, or where that is a placeholder, a lazy attribute, `srcset` or `noscript`."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from bonmun.core import core
from bonmun.model.attributes import LAZY, SETS, WRITTEN
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID, TEXT, tag_set

LARGEST: Final = 2048
"""Pixels of width. A `srcset` gives the widest picture up to this one, else the narrowest; `2x` counts as this wide."""

_SEGMENTED: Final = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-url")
_SEGMENTED_SETS: Final = ("srcset", "data-srcset")
_ALL_SEGMENTED: Final = _SEGMENTED + _SEGMENTED_SETS
FURTHER_LAZY: Final = tuple(name for name in LAZY + SETS if name not in _ALL_SEGMENTED)
"""Lazy attributes that segmentation does not know: a picture with nothing else has no block."""

PLACEHOLDER_WORDS: Final = (
    *"blank spacer placeholder pixel transparent trans lazy loading loader load gray grey empty clear dummy".split(),
    *("image", "img"),
)
"""Words in the names of placeholders, each before those that it starts with: the core takes the first that fits."""
PLACEHOLDER_TYPES: Final = ("gif", "png", "svg", "jpg", "jpeg", "webp")
_WORD: Final = f"(?:{'|'.join(PLACEHOLDER_WORDS)})"
_PLACEHOLDER = re.compile(
    rf"(?:data|about|javascript):|//:|#|(?:.*[/=])?(?!(?:image|img)[^/]*\Z)"
    rf"(?:{_WORD}|[0-9]x[0-9])(?:[-_.]?(?:{_WORD}|[0-9x]))*\.(?:{'|'.join(PLACEHOLDER_TYPES)})(?:[?#].*)?\Z",
    re.IGNORECASE | re.DOTALL,
)
MAX_ADDRESS: Final = 4096
_NUMBER = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?(?=[wx]\Z)")
_PICTURE, _SOURCE, _NOSCRIPT, _IMAGE = (TAG_ID[name] for name in ("picture", "source", "noscript", "img"))
_WRAPPERS = tag_set("picture a span div figure p")
_MOST_WRAPPERS: Final = 3
_MOST_ROWS: Final = 40  # rows of a noscript that are searched for its picture, and children of a picture


def is_picture(nodes: Nodes, row: int) -> bool:
    """Whether segmentation counts an `img` as a picture: any address that is no `data:` URL; twin in `segment.c`."""
    if is_thin(nodes, row):
        return False
    for name in _ALL_SEGMENTED:
        source = (nodes.attr(row, name) or "").strip()
        if name in _SEGMENTED_SETS:
            source = source.split(" ", 1)[0].rstrip(",")
        if source and not source.startswith("data:"):
            return True
    return False


def is_thin(nodes: Nodes, row: int) -> bool:
    """Whether an element is declared 0 or 1 pixel wide or high: a tracking pixel."""
    return _is_pixel(nodes.attr(row, "width")) or _is_pixel(nodes.attr(row, "height"))


def _is_pixel(side: str | None) -> bool:
    return side is not None and side.strip().removesuffix("px") in ("0", "1")


def picture_source(nodes: Nodes, row: int) -> str | None:
    """The address of an `img` or `amp-img`; `None` for tracking pixels, and placeholders that nothing replaces.

    `src` unless it is a placeholder; then a lazy attribute, the set of the `img`, the sets of its `picture`, and the
    `img` in a `noscript` beside it.

    >>> from bonmun.read.parse import parse
    >>> picture_source(parse("<img src=blank.gif srcset='s.jpg 320w, m.jpg 1200w, l.jpg 4000w'>"), 3)
    'm.jpg'
    """
    compiled = core()
    if compiled:
        source = compiled.picture_source(nodes.held, nodes.attr_numbers(WRITTEN), row)
        return source or None if source is not None else picture_source_by_reference(nodes, row)
    return picture_source_by_reference(nodes, row)


def picture_source_by_reference(nodes: Nodes, row: int) -> str | None:
    """The same in Python, where the compiled twin could not be built, and for addresses beyond ASCII."""
    if is_thin(nodes, row):
        return None
    source = (nodes.attr(row, "src") or "").strip()
    if is_address(source):
        return source
    return _lazy_source(nodes, row) or _source_of_picture(nodes, row) or _fallback(nodes, row)


def picture_address(nodes: Nodes, row: int, base: str | None) -> str | None:
    """The absolute address of a picture, if it is one of the web; relative if the page's own is unknown."""
    source = picture_source(nodes, row)
    return web_address(source, base) if source else None


def web_address(href: str, base: str | None) -> str | None:
    """The absolute URL like `absolute`, `None` also for `mailto:` and `tel:`."""
    address = absolute(href, base)
    return None if address is None or address.lower().startswith(("mailto:", "tel:")) else address


def is_address(source: str) -> bool:
    """Whether an attribute's value can be the address of a picture that is no placeholder."""
    return 0 < len(source) <= MAX_ADDRESS and source[0] not in "{[" and not _PLACEHOLDER.match(source)


def _lazy_source(nodes: Nodes, row: int) -> str | None:
    """The address in a lazy attribute or the set of an element."""
    for name in LAZY:
        source = (nodes.attr(row, name) or "").strip()
        if ("/" in source or "." in source) and is_address(source):  # some hold a number or a word
            return source
    sets = (_from_set(nodes.attr(row, name) or "") for name in SETS)
    return next((source for source in sets if source), None)


def _source_of_picture(nodes: Nodes, row: int) -> str | None:
    """The first address among the first `source` elements of the `picture` around an `img`."""
    picture = nodes.parent[row]
    if nodes.tag[picture] != _PICTURE:
        return None
    children = islice(nodes.children(picture), _MOST_ROWS)  # a hostile page has as many sources as pictures
    sources = (_lazy_source(nodes, child) for child in children if nodes.tag[child] == _SOURCE)
    return next((source for source in sources if source), None)


def _from_set(srcset: str) -> str | None:
    """The widest candidate of a set up to `LARGEST`, else the narrowest."""
    best, best_rank = None, (False, 0.0)
    for source, width in _candidates(srcset):
        rank = (True, width) if width <= LARGEST else (False, -width)
        if is_address(source) and (best is None or rank > best_rank):
            best, best_rank = source, rank
    return best


def _candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """The addresses of a set with their widths; 1024 for each unit of a density, which is 1 if nothing else is said."""
    source, width = "", 0.0
    for token in srcset.split():
        if not source:
            source, width = token.lstrip(","), LARGEST / 2
            ended, rest = source.endswith(","), ""
        else:
            descriptor, comma, rest = token.partition(",")
            if number := _NUMBER.match(descriptor):
                width = float(number[0]) * (LARGEST / 2 if descriptor[-1] == "x" else 1)
            ended = bool(comma)
        if ended and source:
            yield source.rstrip(","), width
            source, width = rest, LARGEST / 2
    if source:
        yield source, width


def _fallback(nodes: Nodes, row: int) -> str | None:
    """The address of the `img` in a `noscript` right after or before an element, or the inline elements around it."""
    for _ in range(_MOST_WRAPPERS):
        for sibling in (_next_sibling(nodes, row), _previous_sibling(nodes, row)):
            if sibling >= 0 and nodes.tag[sibling] == _NOSCRIPT and (image := image_inside(nodes, sibling)) >= 0:
                source = (nodes.attr(image, "src") or "").strip()
                return source if is_address(source) and not is_thin(nodes, image) else _lazy_source(nodes, image)
        row = nodes.parent[row]
        if row < 0 or nodes.tag[row] not in _WRAPPERS:
            break
    return None


def image_inside(nodes: Nodes, noscript: int) -> int:
    """The row of the only `img` in a `noscript`; -1 for none or several."""
    tags = nodes.tag[noscript + 1 : min(nodes.end[noscript], noscript + _MOST_ROWS)].tolist()
    return noscript + 1 + tags.index(_IMAGE) if tags.count(_IMAGE) == 1 else -1


def _next_sibling(nodes: Nodes, row: int) -> int:
    """The next sibling that is an element or has text; -1 for none."""
    row, stop = nodes.end[row], nodes.end[nodes.parent[row]] if nodes.parent[row] >= 0 else 0
    while row < stop and nodes.tag[row] == TEXT and not nodes.chars[row]:
        row += 1
    return row if row < stop else -1


def _previous_sibling(nodes: Nodes, row: int) -> int:
    """The `noscript` right before an element; -1 for none."""
    parent, before = nodes.parent[row], row - 1
    if before > parent and nodes.tag[before] == TEXT and not nodes.chars[before]:
        before -= 1
    for _ in range(_MOST_WRAPPERS):
        if before <= parent or nodes.parent[before] == parent:
            break
        before = nodes.parent[before]
    return before if before > parent else -1
