"""Pages with their text in `<noscript>`, such as forums that provide it for search engines."""

from dataclasses import replace

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import FLAGS_OF_TAG, TAG_ID, UNRENDERED

_NOSCRIPT = TAG_ID["noscript"]
_MIN_RATIO = 2  # of the text in noscript to the visible text
_LONGEST_NOTICE = 200  # characters of a noscript that asks for scripts, and has no text of the page


def with_noscript(nodes: Nodes, blocks: Blocks) -> Nodes | None:
    """Return the page as a browser without scripts renders it, `None` if that adds little text.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse("<p>Loading</p><noscript><p>The sea was calm, and nobody spoke.</p></noscript>")
    >>> segment(with_noscript(nodes, segment(nodes))).text
    ('Loading', 'The sea was calm, and nobody spoke.')
    """
    visible = sum(blocks.chars)
    rows = [row for row in nodes.rows_of("noscript") if not nodes.flags[nodes.parent[row]] & UNRENDERED]
    if not rows:
        return None
    flags, tags, parents = copied(nodes.flags), nodes.tag, nodes.parent
    for top in rows:
        for row in range(top, nodes.end[top]):
            inherited, tag = flags[parents[row]] & UNRENDERED, tags[row]
            own = 0 if tag == _NOSCRIPT else FLAGS_OF_TAG.get(tag, 0) & UNRENDERED
            flags[row] = flags[row] & ~UNRENDERED | own | inherited
    shown = [
        row for top in rows for row in range(top, nodes.end[top]) if nodes.chars[row] and not flags[row] & UNRENDERED
    ]
    gained = sum(nodes.chars[row] for row in shown)
    if gained <= _MIN_RATIO * visible or (gained <= _LONGEST_NOTICE and _asks_for_scripts(nodes, shown)):
        return None
    return replace(nodes, flags=memoryview(flags).toreadonly())


def _asks_for_scripts(nodes: Nodes, rows: list[int]) -> bool:
    """Whether a text names what the browser lacks; the word is the same in every language."""
    return any("javascript" in nodes.text(row).lower() for row in rows)
