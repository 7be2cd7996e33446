"""Text that a page carries for its scripts: JSON-LD's `articleBody`, and the state that a framework renders from.

Used only where the page shows next to nothing by itself. Nothing is run: JSON is parsed, and its long texts are read.
"""

import json
import re
from collections.abc import Iterator
from html import escape

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes

_RICHER = 2  # times the text that is shown
_LEAST = 200  # characters of embedded text that are worth it
_NEXT_TO_NOTHING = 200  # characters shown; a state also holds what is not for reading, so it is the last resort
_MOST = 500_000
_BODY = frozenset(("articleBody", "reviewBody"))
_SENTENCES = 80  # characters from which on a text of a state may be prose
_PROSE = re.compile(r"[.!?…][\s\"'”’)<]|[。！？]")
_MARKUP = re.compile(r"<(?:p|div|br|li|h[1-6])\b", re.IGNORECASE)
_STATE = re.compile(r"^\s*(?:window|self|globalThis)[\w.\[\]\"' ]*=\s*(?=[{\[])")


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
        kind = (nodes.attr(row, "type") or "").lower()
        linked = "ld+json" in kind
        if not linked and shown > _NEXT_TO_NOTHING:
            continue
        texts = found["JSON-LD" if linked else "the state of a script"]
        texts |= dict.fromkeys(_texts(_loaded(nodes.content(row)), linked))
    for source, texts in found.items():
        if sum(map(len, texts)) > enough:
            return source, "".join(map(_marked_up, texts))[:_MOST]
    return None


def _loaded(script: str) -> object:
    """A script's JSON; `None` where it is anything else."""
    assigned = _STATE.match(script)
    text = script[assigned.end() :].rstrip("; \n") if assigned else script
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _texts(data: object, linked: bool) -> Iterator[str]:
    """Yield the texts that are a body (JSON-LD), or read like prose (any other state), in order."""
    waiting = [("", data)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += list(value.items())[::-1]
        elif isinstance(value, list):
            waiting += [(name, item) for item in reversed(value)]
        elif isinstance(value, str) and (name in _BODY if linked else _is_prose(value)):
            yield value


def _is_prose(text: str) -> bool:
    return len(text) >= _SENTENCES and bool(_PROSE.search(text))


def _marked_up(text: str) -> str:
    if _MARKUP.search(text):
        return f"<div>{text}</div>"
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
