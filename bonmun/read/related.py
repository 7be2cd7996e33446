"""Teasers of other articles, whose authors and dates are not the page's."""

import re

from bonmun.core import core
from bonmun.model.nodes import Nodes

_LEVELS = 8  # ancestors to look at; bounded, since a page can be very deep
_MAX_CHARS = 2_000  # of a class or id
_NAMED = re.compile(
    r"(?<![a-z])(?<!--)(?:related|recommend(?:ed|ations?)?|trending|teasers?|popular|most-?read|more-?(?:stories|articles|news"
    r"|posts)|also-?like|read-?(?:more|next|also)|latest-?(?:news|posts|stories))(?![a-z])",
    re.IGNORECASE | re.ASCII,
)
"""Words in names of such boxes; behind two hyphens, they qualify another name (`author--related`)."""
_PARTS = b"related\0recommend\0trending\0teaser\0popular\0most\0more\0also\0read\0latest\0"
"""Words of which each such name has one."""


def is_related(nodes: Nodes, row: int, headline: int) -> bool:
    """Whether a row is in a box of other articles, by the class or id of an element that the headline is not in.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse('<h1>Tea</h1><div class="related-posts"><i>Ann Lee</i></div>')
    >>> is_related(nodes, 6, headline=3), is_related(nodes, 6, headline=6)
    (True, False)
    """
    compiled = core()
    if compiled is None:
        return is_related_by_reference(nodes, row, headline)
    names = nodes.attr_number("class"), nodes.attr_number("id")
    return any(map(_is_named, compiled.values_above(nodes.held, row, headline, _LEVELS, names, _PARTS)))


def is_related_by_reference(nodes: Nodes, row: int, headline: int) -> bool:
    """The same in Python, where the compiled twin could not be built."""
    parent, end = nodes.parent, nodes.end
    for _ in range(_LEVELS):
        row = parent[row]
        if row < 0 or row <= headline < end[row]:
            return False
        if _is_named(nodes.attr(row, "class")) or _is_named(nodes.attr(row, "id")):
            return True
    return False


def _is_named(name: str | None) -> bool:
    """Whether a class or id is that of such a box."""
    return name is not None and _NAMED.search(name[:_MAX_CHARS]) is not None
