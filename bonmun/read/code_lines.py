"""Lines of code that the texts of the page do not show: ended by a style sheet, or indented by a text of its own."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TEXT, UNRENDERED, tag_set
from bonmun.read.compiled import with_facts

NAMES: Final = frozenset("line code-line code_line codeline token-line gatsby-highlight-code-line".split())
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
    named = nodes.rows_having("class", _IN_NAMES, within=range(code[0] + 1, max(nodes.end[pre] for pre in code)))
    end = 0
    for pre in code:
        if pre < end:
            continue  # inside another
        end = nodes.end[pre]
        texts |= _indented(nodes, pre)
        lines = named[bisect_left(named, pre + 1) : bisect_left(named, end)]
        for row in _without_break(nodes, pre, lines) if len(lines) else ():
            texts[row] = texts.get(row, nodes.text(row)) + "\n"
    return _with_texts(nodes, texts) if texts else nodes


def _with_texts(nodes: Nodes, texts: dict[int, str]) -> Nodes:
    start, stop, spill = copied(nodes.start), copied(nodes.stop), bytearray(nodes.spill)
    for row, text in texts.items():
        start[row] = len(nodes.buffer) + len(spill)
        spill += text.encode("utf-8", "replace")
        stop[row] = len(nodes.buffer) + len(spill)
    starts, stops = memoryview(start).toreadonly(), memoryview(stop).toreadonly()
    return with_facts(replace(nodes, start=starts, stop=stops, spill=bytes(spill)), nodes)


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


def _without_break(nodes: Nodes, pre: int, lines: Sequence[int]) -> Iterator[int]:
    """The last texts of the lines in a `pre` that no line break ends; for an empty line, the text before it.

    `lines`: the rows that may be lines, by their names.
    """
    stop, latest, following = nodes.end[pre], -1, pre  # rows: the texts before and behind the end of a line
    is_open = False  # whether no line break is between them
    for end in sorted(_ends(nodes, lines)):
        if end > following:
            latest = next(_shown(nodes, TEXT, range(end - 1, following - 1, -1)), -1)
            following = next(_shown(nodes, TEXT, range(end, stop)), stop)
            is_open = 0 <= latest < following < stop and not _parted(nodes, latest, following)
        if is_open:
            yield latest


def _shown(nodes: Nodes, tag: int, rows: range) -> Iterator[int]:
    """Those of some rows that have a tag and are rendered."""
    return (row for row in rows if nodes.tag[row] == tag and not nodes.flags[row] & UNRENDERED)


def _ends(nodes: Nodes, rows: Sequence[int]) -> Iterator[int]:
    """The ends of the lines among some rows, in no order, but of those that hold other lines."""
    following = -1
    for row in reversed(rows):
        if _is_line(nodes, row):
            if not row < following < nodes.end[row]:  # the next line is not in it
                yield nodes.end[row]
            following = row


def _is_line(nodes: Nodes, row: int) -> bool:
    is_shown = nodes.tag[row] in _HOLDERS and not nodes.flags[row] & UNRENDERED
    return is_shown and not NAMES.isdisjoint((nodes.attr(row, "class") or "").split())


def _parted(nodes: Nodes, row: int, following: int) -> bool:
    """Whether a line break is between two texts."""
    if nodes.text(row).endswith(("\n", "\r")) or nodes.text(following).startswith(("\n", "\r")):
        return True
    return any(_shown(nodes, _BREAK, range(row + 1, following)))
