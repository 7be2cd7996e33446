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
_WORDS = (*"related recommend trending teaser popular read more also latest".split(),)
"""Of which one is in each such name: a quick test of names in ASCII."""


def is_related(nodes: Nodes, row: int, headline: int) -> bool:
    """Whether a row is in a box of other articles, by the class or id of an element that the headline is not in.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse('<h1>Tea</h1><div class="related-posts"><i>Ann Lee</i></div>')
    >>> is_related(nodes, 6, headline=3), is_related(nodes, 6, headline=6)
    (True, False)
    """
    names, first = nodes.attr_name, nodes.attr_first
    naming = nodes.attr_id.get("class", -1), nodes.attr_id.get("id", -1)
    for ancestor in islice(nodes.ancestors(row), _LEVELS):
        if ancestor <= headline < nodes.end[ancestor]:
            return False
        for at in range(first[ancestor], first[ancestor + 1]):
            if names[at] in naming and _is_named(nodes.attr_bytes(at).decode("utf-8", "replace")[:_MAX_CHARS]):
                return True
    return False


def _is_named(name: str) -> bool:
    """Whether a class or id is that of such a box."""
    lowered = name.lower()
    may_be = not name.isascii() or any(word in lowered for word in _WORDS)
    return may_be and _NAMED.search(name) is not None
