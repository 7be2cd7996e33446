"""Text embedded for scripts: JSON-LD's `articleBody`, and the data of client-side frameworks.

A fallback for pages with almost no visible text. No script is run: its data is parsed, and the main text chosen.
"""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import TextSource
from bonmun.read.react_flight import SOURCE as FLIGHT
from bonmun.read.react_flight import flight_rows, flight_text
from bonmun.read.script_data import KNOWN_TRUST, script_data
from bonmun.read.state_text import marked_up, state_markup
from bonmun.read.structured import is_json_ld, json_values, plain_text

_MIN_RATIO = 2  # of embedded to visible text
_MIN_CHARS = 200  # of embedded text
_MAX_VISIBLE = 200
"""Characters for which script data is read: the last resort, it has texts that are not content. Of the development
pages that show 200 to 1,500 characters, six have much text in script data; read from there, all six get worse."""
_MAX_MARKUP = 500_000
_BODY = ("articleBody", "reviewBody")


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
    bodies: dict[str, str] = {}
    for row in nodes.rows_of("script"):
        for title, text in _bodies(nodes, row):
            bodies[text] = bodies.get(text) or title
    if sum(map(len, bodies)) > least:
        shown = frozenset(blocks.text)
        markup = "".join(_headed(title, text, shown) for text, title in bodies.items())
        return Embedded("json-ld", "JSON-LD", markup[:_MAX_MARKUP])
    if visible > _MAX_VISIBLE:
        return None
    state, weight, _ = max(_states(nodes), key=lambda state: state[1] * state[2], default=(None, 0.0, 0.0))
    return state if weight > least else None


def _headed(title: str, text: str, shown: frozenset[str]) -> str:
    """The markup of a text and its title, unless the title is one of the texts that the page shows."""
    return (f"<h1>{escape(title)}</h1>" if title and title not in shown else "") + marked_up(text)


def _states(nodes: Nodes) -> Iterator[tuple[Embedded, float, float]]:
    """Yield the texts in script data, their weights, and the trust in their source."""
    rows = flight_rows(nodes)
    if rows:
        markup, weight = flight_text(rows)
        yield Embedded("script", FLIGHT, markup[:_MAX_MARKUP]), weight, KNOWN_TRUST
    for data in script_data(nodes):
        markup, weight = state_markup(data.value)
        yield Embedded("script", data.source, markup[:_MAX_MARKUP]), weight, data.trust


def _bodies(nodes: Nodes, row: int) -> Iterator[tuple[str, str]]:
    """Yield the titles and texts of the things in JSON-LD, in document order."""
    waiting: list[object] = [json_values(nodes.content(row))] if is_json_ld(nodes, row) else []
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            title = plain_text(value.get("headline")) or ""
            yield from ((title, text) for name in _BODY for text in _strings(value.get(name)))
            waiting += list(value.values())[::-1]
        elif isinstance(value, list):
            waiting += value[::-1]


def _strings(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]
