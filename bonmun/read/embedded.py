"""Text that a page carries for its scripts: JSON-LD's `articleBody`, and the state that a framework renders from.

Used only where the page shows next to nothing by itself. Nothing is run: JSON is parsed, and its long texts are read.
"""

import json
import re
from collections.abc import Iterator
from html import escape

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.read.structured import is_json_ld, json_values

_RICHER = 2  # times the text that is shown
_LEAST = 200  # characters of embedded text that are worth it
_NEXT_TO_NOTHING = 200  # characters shown; a state also holds what is not for reading, so it is the last resort
_MOST = 500_000
_BODY = frozenset(("articleBody", "reviewBody"))
_SENTENCES = 80  # characters from which on a text of a state may be prose
_SENTENCE_END = re.compile(r"[.!?…][\s\"'”’)<]|[。！？]")
_MARKUP = re.compile(r"<(?:p|div|br|li|h[1-6])\b", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"^\s*(?:window|self|globalThis)[\w.\[\]\"' ]*=\s*(?=[{\[])")


def embedded_markup(nodes: Nodes, blocks: Blocks) -> tuple[str, str] | None:
    """Return where the text of a page stands that shows none, and the text as markup; `None` where it shows its own.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse('<script type="application/ld+json">{"articleBody": "%s"}</script>' % ("The sea was calm. " * 20))
    >>> embedded_markup(nodes, segment(nodes))[0]
    'JSON-LD'
    """
    shown = sum(blocks.chars)
    enough = max(_LEAST, _RICHER * shown)
    found: dict[str, dict[str, None]] = {"JSON-LD": {}, "the state of a script": {}}
    for row in nodes.rows_of("script"):
        if is_json_ld(nodes, row):
            found["JSON-LD"] |= dict.fromkeys(_bodies(json_values(nodes.content(row))))
        elif shown <= _NEXT_TO_NOTHING:
            found["the state of a script"] |= dict.fromkeys(_prose(_state(nodes.content(row))))
    for source, texts in found.items():
        if sum(map(len, texts)) > enough:
            return source, "".join(map(_marked_up, texts))[:_MOST]
    return None


def _state(script: str) -> object:
    """The JSON that a script is, or assigns; `None` where it is anything else."""
    assigned = _ASSIGNMENT.match(script)
    text = script[assigned.end() :].rstrip("; \n") if assigned else script
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _bodies(things: object) -> Iterator[str]:
    return (text for name, text in _texts(things) if name in _BODY)


def _prose(state: object) -> Iterator[str]:
    return (text for _, text in _texts(state) if len(text) >= _SENTENCES and _SENTENCE_END.search(text))


def _texts(data: object) -> Iterator[tuple[str, str]]:
    """Yield every text in JSON, in order, with the name of what it is the value of."""
    waiting = [("", data)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += list(value.items())[::-1]
        elif isinstance(value, list):
            waiting += [(name, item) for item in reversed(value)]
        elif isinstance(value, str):
            yield name, value


def _marked_up(text: str) -> str:
    if _MARKUP.search(text):
        return f"<div>{text}</div>"
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
