"""Visible gaps between words that the markup does not spell out.

Adjacent elements such as `<span>amount</span><span>integer</span>` are mostly separated by a style sheet; joined, their
words become one. At fourteen in fifteen such borders on pages of `wcxb_dev` the gold text has a space. No gap is added
next to a single letter (often the other word's initial), between emphasis (which may begin inside a word), in code, and
in scripts without spaces.
"""

import re
from itertools import chain, islice, takewhile

from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, tag_set

_LETTERS = "[0-9A-Za-z\u00c0-\u07ff]{2}"
_ENDS, _STARTS = re.compile(_LETTERS + r"\Z"), re.compile(_LETTERS)
_VERBATIM = tag_set("code kbd samp tt var sub sup")
_EMPHASIS = tag_set("b strong i em u s del ins mark small")
_WORD_BREAK = TAG_ID["wbr"]
_NEAR = 8  # ancestors to look at; bounded, since a page can be very deep
_ON_ITS_OWN_LINE = re.compile(r"display: ?block", re.IGNORECASE)


def is_gap(nodes: Nodes, before: int, row: int, heading: bool) -> bool:
    """Whether a space is missing between two consecutive texts of a block; lines of a heading are words apart too."""
    return parted(nodes, before, row) or (heading and on_separate_lines(nodes, before, row))


def parted(nodes: Nodes, before: int, row: int) -> bool:
    """Whether two consecutive texts are words of adjacent elements.

    >>> from bonmun.read.parse import parse
    >>> side_by_side = parse("<p><span>amount</span><span>integer</span>")
    >>> parted(side_by_side, 5, 7), parted(parse("<p><b>amount</b>s"), 5, 6)
    (True, False)
    """
    parent = nodes.parent
    if nodes.end[parent[before]] > row or parent[row] <= before:
        return False
    if nodes.tag[parent[before]] in _EMPHASIS and nodes.tag[parent[row]] in _EMPHASIS:
        return False
    if not (_ENDS.search(nodes.text(before)[-2:]) and _STARTS.match(nodes.text(row))):
        return False
    if _WORD_BREAK in nodes.tag[before + 1 : row]:
        return False
    ancestors = chain(islice(nodes.ancestors(before), _NEAR), islice(nodes.ancestors(row), _NEAR))
    return not any(nodes.tag[ancestor] in _VERBATIM for ancestor in ancestors)


def on_separate_lines(nodes: Nodes, before: int, row: int) -> bool:
    """Whether an element that is displayed as a block starts or ends between two consecutive texts of a heading.

    >>> from bonmun.read.parse import parse
    >>> on_separate_lines(parse('<h1>Tea!<span style="display:block">A history'), 4, 6)
    True
    """
    ended = takewhile(lambda ancestor: nodes.end[ancestor] <= row, islice(nodes.ancestors(before), _NEAR))
    started = takewhile(lambda ancestor: ancestor > before, islice(nodes.ancestors(row), _NEAR))
    return any(_is_displayed_as_block(nodes, element) for element in chain(ended, started))


def _is_displayed_as_block(nodes: Nodes, element: int) -> bool:
    if nodes.tag[element] in BLOCK_LEVEL:
        return True
    return _ON_ITS_OWN_LINE.search(nodes.attr(element, "style") or "") is not None
