"""Nodes of rich text in JSON, as content management systems store it, and the HTML elements they stand for.

Contentful (`nodeType`), Sanity (`_type`, `style`, `listItem`), ProseMirror and Slate (`type`), Prismic (`heading2`),
WordPress (`core/paragraph`), and trees of HTML parsers (`tagName`, or `name` beside the type `tag`).
"""

import re
from collections.abc import Mapping
from typing import Final

_TYPES: Final = ("tagName", "nodeType", "_type", "blockType", "type", "tag", "kind", "__typename")
_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]+")
_HEADING: Final = re.compile(r"(?:heading|header|h|title)([1-6])")
_ELEMENTS: Final = {
    **dict.fromkeys("p paragraph".split(), "p"),
    **dict.fromkeys("heading header subheading subhead subtitle crosshead".split(), "h2"),
    **dict.fromkeys("ul unorderedlist bulletlist bulletedlist itemlist".split(), "ul"),
    **dict.fromkeys("ol orderedlist numberedlist numlist".split(), "ol"),
    **dict.fromkeys("li listitem bulletlistitem".split(), "li"),
    **dict.fromkeys("blockquote quote pullquote".split(), "blockquote"),
    **dict.fromkeys("code codeblock pre preformatted".split(), "pre"),
    **{name: name for name in "table tr td th dl dt dd div".split()},
    "tablerow": "tr",
    "tablecell": "td",
    **dict.fromkeys("tableheader tableheadercell".split(), "th"),
}
_INLINE: Final = {
    **{name: name for name in "a b strong i em u sub sup br span".split()},
    **dict.fromkeys("link hyperlink".split(), "a"),
    **dict.fromkeys("hardbreak linebreak".split(), "br"),
}
_LEFT_OUT: Final = frozenset(
    "script style image picture video gallery embed ad advertisement newsletter iframe svg".split()
)


def element_of(node: Mapping[str, object]) -> str | None:
    """Return the element that a node stands for; empty for one to leave out, `None` for a node of another kind.

    >>> element_of({"nodeType": "heading-3"}), element_of({"_type": "block", "style": "blockquote"})
    ('h3', 'blockquote')
    >>> element_of({"type": "tag", "name": "ul"}), element_of({"type": "image"}), element_of({"type": "article"})
    ('ul', '', None)
    """
    for key in _TYPES:
        name = node.get(key)
        if isinstance(name, str) and len(name) < 40:
            name = _NOT_LETTERS.sub("", name.lower().removeprefix("core/"))
            element = _element(name, node)
            if element is not None:
                return element
    return None


def _element(name: str, node: Mapping[str, object]) -> str | None:
    if isinstance(node.get("listItem"), str):
        return "li"
    if name == "block":
        return _element(str(node.get("style")).lower(), {}) or "p"
    if name == "tag":
        tag = str(node.get("name")).lower()
        return None if tag == "header" else _element(tag, {})
    heading = _HEADING.fullmatch(name)
    if heading:
        return f"h{heading[1]}"
    level = node.get("level", node.get("depth"))
    if name in ("heading", "header") and type(level) is int and 1 <= level <= 6:
        return f"h{level}"
    if name in ("list", "corelist"):
        return "ol" if node.get("ordered") is True else "ul"
    return "" if name in _LEFT_OUT else _ELEMENTS.get(name, _INLINE.get(name))


def is_inline(element: str) -> bool:
    """Return whether an element is part of a line of text."""
    return element in _INLINE
