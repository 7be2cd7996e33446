"""Teasers of other articles, whose authors and dates are not the page's."""

import re
from itertools import islice

from bonmun.model.nodes import Nodes

_LEVELS = 8  # ancestors to look at; bounded, since a page can be very deep
_MAX_CHARS = 2_000  # of a class or id
_NAMED = re.compile(
    r"(?<![a-z])(?<!--)(?:related|recommend(?:ed|ations?)?|trending|teasers?|popular|most-?read|more-?(?:stories|articles|news"
    r"|posts)|also-?like|read-?(?:more|next|also)|latest-?(?:news|posts|stories))(?![a-z])",
    re.IGNORECASE,
)
"""Words in names of such boxes; behind two hyphens, they qualify another name (`author--related`)."""


def is_related(nodes: Nodes, row: int, headline: int) -> bool:
    """Whether a row is in a box of other articles, by the class or id of an element that the headline is not in.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse('<h1>Tea</h1><div class="related-posts"><i>Ann Lee</i></div>')
    >>> is_related(nodes, 6, headline=3), is_related(nodes, 6, headline=6)
    (True, False)
    """
    for ancestor in islice(nodes.ancestors(row), _LEVELS):
        if ancestor <= headline < nodes.end[ancestor]:
            return False
        if _is_named(nodes.attr(ancestor, "class")) or _is_named(nodes.attr(ancestor, "id")):
            return True
    return False


def _is_named(name: str | None) -> bool:
    """Whether a class or id is that of such a box."""
    return name is not None and _NAMED.search(name[:_MAX_CHARS]) is not None
