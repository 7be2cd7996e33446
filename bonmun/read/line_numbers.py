"""Line numbers beside code, which are not part of it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import PREFORMATTED, TAG_ID, TEXT, UNRENDERED, tag_set

_NAMES: Final = frozenset(
    "lineno linenos linenodiv line-number line-numbers lines-numbers gutter rouge-gutter blob-num hljs-ln-numbers"
    " hljs-ln-n lnt lntd ln gl".split()
)
"""Class names of Pygments, Rouge, Hexo, Hugo, highlight.js and GitHub."""
_ATTRIBUTE: Final = "data-line-number"
_PARTS: Final = ("lineno", "gutter", "blob-num", "hljs-ln", "line-number", "lines-number", "ln", "gl")
"""Parts of these names: each name has one."""
_HOLDERS = tag_set("td th span div pre a li")
_TABLE = TAG_ID["table"]


def without_line_numbers(nodes: Nodes) -> Nodes:
    """Return the page with the line numbers of its code marked as not rendered.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> segment(without_line_numbers(parse('<pre><span class="lineno">1 </span>x = 1</pre>'))).text
    ('x = 1',)
    """
    elements = list(_line_numbers(nodes)) if nodes.rows_of("pre") else []
    if not elements:
        return nodes
    flags = copied(nodes.flags)
    for element in elements:
        for row in range(element, nodes.end[element]):
            flags[row] |= UNRENDERED
    return replace(nodes, flags=memoryview(flags).toreadonly())


def _line_numbers(nodes: Nodes) -> Iterator[int]:
    """Elements with the name of line numbers and no other text, in code or in a table with code."""
    stop, numbered = 0, nodes.attr_number(_ATTRIBUTE) >= 0
    candidates = {*nodes.rows_having("class", *_PARTS), *nodes.rows_having(_ATTRIBUTE, *"0123456789")}
    for row in sorted(candidates):
        if row < stop or nodes.tag[row] not in _HOLDERS:
            continue
        named = not _NAMES.isdisjoint((nodes.attr(row, "class") or "").split())
        shows = (named and _counts(nodes, row)) or (numbered and _shows_its_number(nodes, row))
        if shows and _near_code(nodes, row):
            stop = nodes.end[row]
            yield row


def _counts(nodes: Nodes, element: int) -> bool:
    """Whether the text is numbers alone."""
    rows = range(element, nodes.end[element])
    return all("".join(nodes.text(row).split()).isdecimal() for row in rows if _has_text(nodes, row))


def _shows_its_number(nodes: Nodes, element: int) -> bool:
    """Whether the text is the number that an attribute gives; lines of code may have the attribute too."""
    number = nodes.attr(element, _ATTRIBUTE)
    rows = range(element, nodes.end[element])
    return bool(number) and "".join(nodes.text(row) for row in rows if _has_text(nodes, row)).strip() == number


def _has_text(nodes: Nodes, row: int) -> bool:
    return nodes.tag[row] == TEXT and bool(nodes.chars[row])


def _near_code(nodes: Nodes, row: int) -> bool:
    for ancestor in nodes.ancestors(row):
        if nodes.tag[ancestor] in PREFORMATTED:
            return True
        if nodes.tag[ancestor] == _TABLE and not PREFORMATTED.isdisjoint(nodes.tag[ancestor : nodes.end[ancestor]]):
            return True
    return False
