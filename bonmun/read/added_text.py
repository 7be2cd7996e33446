"""Text that browsers show and the page's text nodes do not have: quotation marks, gaps around buttons."""

from collections.abc import Mapping
from dataclasses import replace

from bonmun.model.nodes import Nodes, copied
from bonmun.read.compiled import with_facts

Added = tuple[str, str]
"""Characters before and after the words of a text."""


def with_added_text(nodes: Nodes, added: Mapping[int, Added]) -> Nodes:
    """The page with further characters in some texts, given by their rows: none of them is blank."""
    start, stop, chars = map(copied, (nodes.start, nodes.stop, nodes.chars))
    spill = bytearray(nodes.spill)
    for row, (before, after) in added.items():
        text = nodes.text(row)
        words = text.strip()
        start[row] = len(nodes.buffer) + len(spill)
        spill += text.replace(words, f"{before}{words}{after}", 1).encode("utf-8", "replace")
        stop[row] = len(nodes.buffer) + len(spill)
        chars[row] += len((before + after).strip())
    starts, stops, sizes = (memoryview(column).toreadonly() for column in (start, stop, chars))
    return with_facts(replace(nodes, start=starts, stop=stops, chars=sizes, spill=bytes(spill)), nodes)
