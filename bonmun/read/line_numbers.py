"""Line numbers beside code, which are not part of it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import TAG_ID, TEXT, UNRENDERED, tag_set
from bonmun.read.compiled import with_facts

NAMES: Final = frozenset(
    "lineno linenos linenodiv line-number line-numbers lines-numbers gutter rouge-gutter blob-num hljs-ln-numbers"
    " hljs-ln-n lnt lntd ln gl".split()
)
"""Class names of Pygments, Rouge, Hexo, Hugo, highlight.js and GitHub."""
ATTRIBUTE: Final = "data-line-number"
_PARTS: Final = ("lineno", "gutter", "blob-num", "hljs-ln", "line-number", "lines-number", "ln", "gl")
"""Parts of these names: each name has one."""
_HOLDERS = tag_set("td th span div pre a li")
_CODE: Final = ("pre", "listing", "plaintext", "xmp")
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
    return with_facts(replace(nodes, flags=memoryview(flags).toreadonly()), nodes)


def _line_numbers(nodes: Nodes) -> Iterator[int]:
    """Elements with the name of line numbers and no other text, in code or in a table with code."""
    near = list(_near_code(nodes))
    stop, numbered = 0, nodes.attr_number(ATTRIBUTE) >= 0
    within, index = range(near[0].start, near[-1].stop), 0
    candidates = {*nodes.rows_having("class", *_PARTS, within=within)}
    if numbered:
        candidates.update(nodes.rows_having(ATTRIBUTE, *"0123456789", within=within))
    for row in sorted(candidates):
        while row >= near[index].stop:
            index += 1
        if row < stop or row < near[index].start or nodes.tag[row] not in _HOLDERS:
            continue
        named = not NAMES.isdisjoint((nodes.attr(row, "class") or "").split())
        if (named and _counts(nodes, row)) or (numbered and _shows_its_number(nodes, row)):
            stop = nodes.end[row]
            yield row


def _counts(nodes: Nodes, element: int) -> bool:
    """Whether the text is numbers alone."""
    content = nodes.content(element)
    if not content or content.replace(" ", "").isdecimal():  # nearly always
        return True
    rows = range(element, nodes.end[element])
    return all("".join(nodes.text(row).split()).isdecimal() for row in rows if _has_text(nodes, row))


def _shows_its_number(nodes: Nodes, element: int) -> bool:
    """Whether the text is the number that an attribute gives; lines of code may have the attribute too."""
    number = nodes.attr(element, ATTRIBUTE)
    rows = range(element, nodes.end[element])
    return bool(number) and "".join(nodes.text(row) for row in rows if _has_text(nodes, row)).strip() == number


def _has_text(nodes: Nodes, row: int) -> bool:
    return nodes.tag[row] == TEXT and bool(nodes.chars[row])


def _near_code(nodes: Nodes) -> Iterator[range]:
    """The rows inside code or inside tables with code, in order; the page has code."""
    outermost, has_code = range(0), False
    for row in nodes.rows_of("table", *_CODE):
        if row >= outermost.stop:
            if has_code:
                yield outermost
            outermost, has_code = range(row + 1, nodes.end[row]), False
        has_code = has_code or nodes.tag[row] != _TABLE
    if has_code:
        yield outermost
