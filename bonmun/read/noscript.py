"""Pages with their text in `<noscript>`, such as forums that provide it for search engines."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import compress

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import FLAGS_OF_TAG, TAG_ID, UNRENDERED

_UNRENDERED = frozenset(tag for tag, flags in FLAGS_OF_TAG.items() if flags & UNRENDERED) - {TAG_ID["noscript"]}
_AS_RENDERED = bytes(flags & ~UNRENDERED & 255 for flags in range(256))  # table of `bytes.translate`: flags fit a byte
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
    runs = [run for row in rows for run in _rendered(nodes, row)]
    shown = [row for run in runs for row in compress(run, nodes.chars[run.start : run.stop])]
    gained = sum(nodes.chars[row] for row in shown)
    if gained <= _MIN_RATIO * visible or (gained <= _LONGEST_NOTICE and _asks_for_scripts(nodes, shown)):
        return None
    flags = copied(nodes.flags)
    size, packed = flags.itemsize, memoryview(flags).cast("B")
    for run in runs:
        place = slice(size * run.start, size * run.stop)
        packed[place] = bytes(packed[place]).translate(_AS_RENDERED)
    return replace(nodes, flags=memoryview(flags).toreadonly())


def _rendered(nodes: Nodes, noscript: int) -> Iterator[range]:
    """The rows of a `noscript` that a browser without scripts renders."""
    start, stop = noscript, nodes.end[noscript]
    inside = range(noscript, stop)
    for row in compress(inside, map(_UNRENDERED.__contains__, nodes.tag[noscript:stop].tolist())):
        if row >= start:
            yield range(start, row)
            start = nodes.end[row]
    yield range(start, stop)


def _asks_for_scripts(nodes: Nodes, rows: list[int]) -> bool:
    """Whether a text names what the browser lacks; the word is the same in every language."""
    return any("javascript" in nodes.text(row).lower() for row in rows)
