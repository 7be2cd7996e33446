"""Where a reader sees a gap that the markup does not spell out.

Elements that stand side by side, `<span>amount</span><span>integer</span>`, are mostly set apart by a style sheet:
joined, their words make one that nobody wrote. Of such borders on pages of `wcxb_dev`, fourteen in fifteen have the
words apart in the gold. One letter is more often the initial of the other word, emphasis may begin inside a word, code
is as it is, and letters of scripts without spaces need none.
"""

import re
from itertools import chain, islice

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID, tag_set

_LETTERS = "[0-9A-Za-z\u00c0-\u07ff]{2}"
_ENDS, _STARTS = re.compile(_LETTERS + r"\Z"), re.compile(_LETTERS)
_AS_IT_IS = tag_set("code kbd samp tt var sub sup")
_EMPHASIS = tag_set("b strong i em u s del ins mark small")
_MAY_BREAK = TAG_ID["wbr"]
_NEAR = 8  # elements above; a page may be deeper than it is long


def parted(nodes: Nodes, before: int, row: int) -> bool:
    """Whether two texts, one right behind the other, are words of elements side by side.

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
    if _MAY_BREAK in nodes.tag[before + 1 : row]:
        return False
    around = chain(islice(nodes.ancestors(before), _NEAR), islice(nodes.ancestors(row), _NEAR))
    return not any(nodes.tag[at] in _AS_IT_IS for at in around)
