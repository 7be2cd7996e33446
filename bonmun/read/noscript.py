"""Pages that show their text only where scripts do not run: forums that keep it in `<noscript>` for search engines."""

from array import array
from dataclasses import replace

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.tags import FLAGS_OF_TAG, TAG_ID, UNRENDERED

_NOSCRIPT = TAG_ID["noscript"]
_RICHER = 2  # times the text that is shown


def with_noscript(nodes: Nodes, blocks: Blocks) -> Nodes | None:
    """The page as a browser without scripts shows it, where that is much more; `None` where it is not.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse("<p>Loading</p><noscript><p>The sea was calm, and nobody spoke.</p></noscript>")
    >>> segment(with_noscript(nodes, segment(nodes))).text
    ('Loading', 'The sea was calm, and nobody spoke.')
    """
    shown = sum(blocks.chars)
    rows = [row for row in nodes.rows_of("noscript") if not nodes.flags[nodes.parent[row]] & UNRENDERED]
    flags = array("i", nodes.flags)
    for top in rows:
        for row in range(top, nodes.end[top]):
            inherited = flags[nodes.parent[row]] & UNRENDERED
            own = 0 if nodes.tag[row] == _NOSCRIPT else FLAGS_OF_TAG.get(nodes.tag[row], 0) & UNRENDERED
            flags[row] = flags[row] & ~UNRENDERED | own | inherited
    gained = sum(nodes.chars[row] for top in rows for row in range(top, nodes.end[top]) if not flags[row] & UNRENDERED)
    return replace(nodes, flags=memoryview(flags).toreadonly()) if gained > _RICHER * shown else None
