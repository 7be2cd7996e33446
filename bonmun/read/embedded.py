"""Text embedded for scripts: JSON-LD's `articleBody`, and the data of client-side frameworks.

A fallback for pages with almost no visible text. No script is run: its data is parsed, and the main text chosen.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import TextSource
from bonmun.read.react_flight import SOURCE as FLIGHT
from bonmun.read.react_flight import flight_rows, flight_text
from bonmun.read.script_data import script_data
from bonmun.read.state_text import marked_up, state_markup
from bonmun.read.structured import is_json_ld, json_values

_MIN_RATIO = 2  # of embedded to visible text
_MIN_CHARS = 200  # of embedded text
_MAX_VISIBLE = 200  # characters for which script data is read: the last resort, it has texts that are not content
_MAX_MARKUP = 500_000
_BODY = frozenset(("articleBody", "reviewBody"))


class Embedded(NamedTuple):
    """Text that a page holds for scripts."""

    kind: TextSource
    source: str
    """Its place, in words."""
    markup: str


def embedded_markup(nodes: Nodes, blocks: Blocks) -> Embedded | None:
    """Return the embedded text as markup, if it is much more than the visible text; else `None`.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse('<script type="application/ld+json">{"articleBody": "%s"}</script>' % ("The sea was calm. " * 20))
    >>> embedded_markup(nodes, segment(nodes)).source
    'JSON-LD'
    """
    visible = sum(blocks.chars)
    least = max(_MIN_CHARS, _MIN_RATIO * visible)
    bodies = dict.fromkeys(text for row in nodes.rows_of("script") for text in _bodies(nodes, row))
    if sum(map(len, bodies)) > least:
        return Embedded("json-ld", "JSON-LD", "".join(map(marked_up, bodies))[:_MAX_MARKUP])
    if visible > _MAX_VISIBLE:
        return None
    source, markup, weight = max(_states(nodes), key=lambda state: state[2], default=("", "", 0.0))
    return Embedded("script", source, markup[:_MAX_MARKUP]) if weight > least else None


def _states(nodes: Nodes) -> Iterator[tuple[str, str, float]]:
    """Yield the sources, markup and weight of the texts in script data."""
    rows = flight_rows(nodes)
    if rows:
        yield FLIGHT, *flight_text(rows)
    for data in script_data(nodes):
        markup, weight = state_markup(data.value)
        yield data.source, markup, weight * data.trust


def _bodies(nodes: Nodes, row: int) -> Iterator[str]:
    if is_json_ld(nodes, row):
        yield from (text for name, text in _strings(json_values(nodes.content(row))) if name in _BODY)


def _strings(data: object) -> Iterator[tuple[str, str]]:
    """Yield every string in JSON with its key, in document order."""
    waiting = [("", data)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += list(value.items())[::-1]
        elif isinstance(value, list):
            waiting += [(name, item) for item in reversed(value)]
        elif isinstance(value, str):
            yield name, value
