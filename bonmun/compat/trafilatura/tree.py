"""The content as a tree of trafilatura's elements: head, p, list, item, quote, table, row, cell, ref, graphic, hi …

Made from the HTML of our writer, which has few tags and no mistakes. The elements are those of lxml if it is installed,
else those of the standard library.
"""

from html.parser import HTMLParser
from importlib import import_module
from typing import Any, Final

_TAGS: Final = {
    "p": "p", "blockquote": "quote", "li": "item", "dt": "item", "dd": "item", "tr": "row", "td": "cell",
    "pre": "code", "code": "code", "br": "lb", "s": "del", "summary": "p", "figcaption": "p", "caption": "p",
}  # fmt: skip
_LISTS: Final = ("ul", "ol", "dl")
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_REND: Final = {"strong": "#b", "em": "#i", "sub": "#sub", "sup": "#sup"}
_VOID: Final = frozenset(("br", "img", "hr", "input"))


def elements() -> Any:
    """Return the module that makes elements: `lxml.etree`, or `xml.etree.ElementTree` where there is no lxml.

    >>> elements().Element("body").tag
    'body'
    """
    try:
        return import_module("lxml.etree")
    except ImportError:
        return import_module("xml.etree.ElementTree")


def tree_of(html: str, root: str, formatting: bool, etree: Any = None) -> Any:
    """Return an element named `root` with the content of the HTML that we write.

    >>> from xml.etree import ElementTree
    >>> html = '<article><h2>Tea</h2><p>Made of <strong>leaves</strong>.</p></article>'
    >>> ElementTree.tostring(tree_of(html, "main", False, ElementTree))
    b'<main><head rend="h2">Tea</head><p>Made of leaves.</p></main>'
    """
    parser = _Tree(root, formatting, etree or elements())
    parser.feed(html)
    parser.close()
    return parser.finished()


class _Tree(HTMLParser):
    """Builds the tree; formulas are their LaTeX."""

    def __init__(self, root: str, formatting: bool, etree: Any) -> None:
        super().__init__(convert_charrefs=True)
        self._builder = etree.TreeBuilder()
        self._builder.start(root, {})
        self._root, self._formatting = root, formatting
        self._open: list[str] = []
        """The elements of the tree that the open tags made; empty strings for tags that make none."""
        self._inside: list[str] = []
        """The open tags."""

    def finished(self) -> Any:
        self._builder.end(self._root)
        return self._builder.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, attributes = self._element(tag, given)
        if name:
            self._builder.start(name, attributes)
        if tag in _VOID:
            if name:
                self._builder.end(name)
            return
        self._open.append(name)
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        self._inside.pop()
        if name := self._open.pop():
            self._builder.end(name)

    def handle_data(self, data: str) -> None:
        in_formula = "math" in self._inside and self._inside[-1] != "annotation"
        between = not data.strip() and not any(self._open)
        if not in_formula and not between:
            self._builder.data(data)

    def _element(self, tag: str, given: dict[str, str]) -> tuple[str, dict[str, str]]:
        """The element for a tag, with its attributes; an empty name for a tag that makes none."""
        if tag in _HEADINGS:
            return "head", {"rend": tag}
        if tag in _LISTS:
            return "list", {"rend": tag}
        if tag == "table":
            return "table", {}
        if tag == "th":
            return "cell", {"role": "head"}
        if tag == "a":
            return "ref", {"target": given.get("href", "")}
        if tag == "img":
            return "graphic", {name: given[name] for name in ("src", "alt") if given.get(name)}
        if tag == "code" and "pre" in self._inside:
            return "", {}
        if tag in _REND:
            return ("hi", {"rend": _REND[tag]}) if self._formatting else ("", {})
        return _TAGS.get(tag, ""), {}
