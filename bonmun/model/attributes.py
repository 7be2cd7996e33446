"""The attributes that compiled code and common steps read; a reader tells their numbers on a page, list by list."""

from itertools import accumulate
from typing import Final

SEGMENTED: Final = (
    *"width height role style src data-src data-original data-lazy-src data-lazy data-url srcset data-srcset".split(),
)
"""Those of segmentation."""
NAMING: Final = ("class", "id", "role", "itemprop", "itemtype")
"""Those that may name the purpose of an element."""
LANGUAGES: Final = ("data-lang", "data-language", "data-enlighter-language")
"""Those that name the language of code."""
LAZY: Final = (
    *"data-src data-original data-lazy-src data-lazy data-url data-hi-res-src data-full-url data-orig-file".split(),
    *"data-image data-echo data-original-src data-img-src data-actualsrc data-lazyload nitro-lazy-src".split(),
)
"""Those with the address of a picture whose `src` is a placeholder."""
SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset", "nitro-lazy-srcset", "imagesrcset")
"""Those with addresses of a picture in several sizes."""
WRITTEN: Final = (
    *"start reversed value type colspan rowspan disabled checked class href src alt width height style role".split(),
    *LANGUAGES,
    *LAZY,
    *SETS,
)
"""Those of the writers."""
DECLARING: Final = ("property", "name", "http-equiv", "content")
"""Those of `meta` elements: three that name its content."""
ITEMS: Final = ("itemprop", "itemscope", "itemtype", "content", "src", "href", "value", "datetime")
"""Those of microdata: a property, an item and its type, and the values of properties."""
_LISTS: Final = (
    SEGMENTED,
    NAMING,
    WRITTEN,
    ("for", "data-line-number", "aria-level"),
    DECLARING,
    ITEMS,
    ("rel", "lang", "xml:lang"),
)
KNOWN: Final = tuple(name for names in _LISTS for name in names)
"""All of them, list by list."""
INDEX: Final = {name: index for index, name in enumerate(KNOWN)}
"""A place of each in `KNOWN`."""
_STARTS = accumulate(map(len, _LISTS), initial=0)
BYTES_OF: Final = {
    names: slice(4 * start, 4 * (start + len(names))) for names, start in zip(_LISTS, _STARTS, strict=False)
}
"""The numbers of each list, in the 32-bit numbers of `KNOWN`."""
