"""Text inside drawings (`<svg>`): a fallback for pages that show next to nothing else."""

from collections.abc import Iterator
from html import escape

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT

_PARAGRAPHS = frozenset(("text", "p", "div"))
_MIN_RATIO = 2  # of drawn to visible text
_MIN_CHARS = 200  # of drawn text
_MIN_LABEL = 12  # mean characters of a text; the labels of axes and icons are shorter


def drawn_markup(nodes: Nodes, blocks: Blocks) -> str | None:
    """Return the texts of drawings as paragraphs, if they are much more than the visible text; else `None`.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse("<svg>" + "<text>The sea was <tspan>calm</tspan>.</text>" * 20 + "</svg>")
    >>> drawn_markup(nodes, segment(nodes))[:34]
    '<p>The sea was calm.</p><p>The sea'
    """
    texts = [text for text in _texts(nodes) if text]
    drawn = sum(map(len, texts))
    if drawn <= max(_MIN_CHARS, _MIN_RATIO * sum(blocks.chars)) or drawn < _MIN_LABEL * len(texts):
        return None
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def _texts(nodes: Nodes) -> Iterator[str]:
    """Yield the texts of drawings: one for each `text` element, and for each paragraph in foreign content."""
    row = end = 0
    for top in nodes.rows_of("svg"):
        end = max(end, nodes.end[top])
        row = max(row, top)
        while row < end:
            if nodes.tag[row] != TEXT and nodes.name(row) in _PARAGRAPHS:
                yield _text(nodes, row)
                row = nodes.end[row]
            else:
                row += 1


def _text(nodes: Nodes, row: int) -> str:
    """The text inside an element without code."""
    inside = (child for child in range(row, nodes.end[row]) if nodes.tag[child] == TEXT and nodes.chars[child])
    return " ".join("".join(map(nodes.text, inside)).split())
