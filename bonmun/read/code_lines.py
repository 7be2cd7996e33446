"""Lines of code that the texts of the page do not show: ended by a style sheet, or indented by a text of its own."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TEXT, UNRENDERED, tag_set

_NAMES: Final = frozenset("line code-line code_line codeline token-line gatsby-highlight-code-line".split())
"""Class names of inline elements that are shown as blocks: Shiki, Prism, Gatsby."""
_IN_NAMES: Final = "line"
"""A part of each of these names."""
_HOLDERS = tag_set("span code")
_BREAK = TAG_ID["br"]


def with_code_lines(nodes: Nodes) -> Nodes:
    r"""Return a page whose code has a line break after every line, and the indentation of its first line.

    Lines of `div` need no line break. A block begins with its first text that is not white space: the indentation moves
    there if it is a text of its own.

    >>> from bonmun.read.parse import parse
    >>> nodes = with_code_lines(parse("<pre><span class=line>  <b>a</b></span><span class=line>b</span></pre>"))
    >>> [nodes.text(row) for row in nodes.rows_of("#text")]
    ['', '  a\n', 'b']
    """
    code = nodes.rows_of("pre")
    if not code:
        return nodes
    texts: dict[int, str] = {}
    named = nodes.rows_having("class", _IN_NAMES)
    end = 0
    for pre in code:
        if pre < end:
            continue  # inside another
        end = nodes.end[pre]
        texts |= _indented(nodes, pre)
        lines = frozenset(named[bisect_left(named, pre) : bisect_left(named, end)])
        for row in _without_break(nodes, pre, lines) if lines else ():
            texts[row] = texts.get(row, nodes.text(row)) + "\n"
    return _with_texts(nodes, texts) if texts else nodes


def _with_texts(nodes: Nodes, texts: dict[int, str]) -> Nodes:
    start, stop, spill = copied(nodes.start), copied(nodes.stop), bytearray(nodes.spill)
    for row, text in texts.items():
        start[row] = len(nodes.buffer) + len(spill)
        spill += text.encode("utf-8", "replace")
        stop[row] = len(nodes.buffer) + len(spill)
    return replace(nodes, start=memoryview(start).toreadonly(), stop=memoryview(stop).toreadonly(), spill=bytes(spill))


def _indented(nodes: Nodes, pre: int) -> dict[int, str]:
    """The first text of code that is not white space, indented by the texts before it, which become empty."""
    before: dict[int, str] = {}
    for row in range(pre + 1, nodes.end[pre]):
        if nodes.tag[row] in BLOCK_LEVEL:  # a line of its own
            before = {}
        elif nodes.tag[row] == TEXT and not nodes.flags[row] & UNRENDERED:
            if nodes.chars[row]:
                indentation = "".join(before.values()).rpartition("\n")[2]
                return {**dict.fromkeys(before, ""), row: indentation + nodes.text(row)} if indentation else {}
            before[row] = nodes.text(row)
    return {}


def _without_break(nodes: Nodes, pre: int, lines: frozenset[int]) -> Iterator[int]:
    """The last texts of the lines in a `pre` that no line break ends; for an empty line, the text before it.

    `lines`: the rows that may be lines, by their names.
    """
    tags, flags = nodes.tag, nodes.flags
    latest, broken = -1, False  # the row of the latest text; whether a `<br>` follows it
    opened: list[tuple[int, bool]] = []  # the end of each open line, and whether no other line is in it
    closed = 0  # lines that were closed after the latest text
    for row in range(pre + 1, nodes.end[pre]):
        if flags[row] & UNRENDERED:
            continue
        while opened and opened[-1][0] <= row:
            closed += opened.pop()[1]
        tag = tags[row]
        if tag == TEXT:
            if closed and latest >= 0 and not (broken or _parted(nodes.text(latest), nodes.text(row))):
                yield from [latest] * closed
            latest, broken, closed = row, False, 0
        elif tag == _BREAK:
            broken = True
        elif row in lines and tag in _HOLDERS and not _NAMES.isdisjoint((nodes.attr(row, "class") or "").split()):
            opened[-1:] = [(end, False) for end, _ in opened[-1:]]
            opened.append((nodes.end[row], True))


def _parted(text: str, following: str) -> bool:
    """Whether a line break is between two texts."""
    return text.endswith(("\n", "\r")) or following.startswith(("\n", "\r"))
