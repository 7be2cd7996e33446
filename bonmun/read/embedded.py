"""Text embedded for scripts: JSON-LD's `articleBody`, and the JSON state of client-side frameworks.

A fallback for pages with almost no visible text. No script is run: JSON is parsed and its long texts are read.
"""

import json
import re
from collections.abc import Iterator
from html import escape

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.read.structured import is_json_ld, json_values

_MIN_RATIO = 2  # of embedded to visible text
_MIN_CHARS = 200  # of embedded text
_MAX_VISIBLE = 200  # characters for which script state is read: the last resort, it has texts that are not content
_MAX_MARKUP = 500_000
_BODY = frozenset(("articleBody", "reviewBody"))
_MIN_PROSE = 80  # characters; shorter texts of a script state are not prose
_SENTENCE_END = re.compile(r"[.!?…][\s\"'”’)<]|[。！？]")
_MARKUP = re.compile(r"<(?:p|div|br|li|h[1-6])\b", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"^\s*(?:window|self|globalThis)[\w.\[\]\"' ]*=\s*(?=[{\[])")


def embedded_markup(nodes: Nodes, blocks: Blocks) -> tuple[str, str] | None:
    """Return the source and markup of embedded text, if it is much more than the visible text; else `None`.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse('<script type="application/ld+json">{"articleBody": "%s"}</script>' % ("The sea was calm. " * 20))
    >>> embedded_markup(nodes, segment(nodes))[0]
    'JSON-LD'
    """
    visible = sum(blocks.chars)
    least = max(_MIN_CHARS, _MIN_RATIO * visible)
    sources: dict[str, dict[str, None]] = {"JSON-LD": {}, "the state of a script": {}}
    for row in nodes.rows_of("script"):
        if is_json_ld(nodes, row):
            sources["JSON-LD"] |= dict.fromkeys(_bodies(json_values(nodes.content(row))))
        elif visible <= _MAX_VISIBLE:
            sources["the state of a script"] |= dict.fromkeys(_prose(_state(nodes.content(row))))
    for source, texts in sources.items():
        if sum(map(len, texts)) > least:
            return source, "".join(map(_marked_up, texts))[:_MAX_MARKUP]
    return None


def _state(script: str) -> object:
    """Return the JSON that a script consists of or assigns; `None` for other scripts."""
    assignment = _ASSIGNMENT.match(script)
    text = script[assignment.end() :].rstrip("; \n") if assignment else script
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _bodies(things: object) -> Iterator[str]:
    return (text for name, text in _texts(things) if name in _BODY)


def _prose(state: object) -> Iterator[str]:
    return (text for _, text in _texts(state) if len(text) >= _MIN_PROSE and _SENTENCE_END.search(text))


def _texts(data: object) -> Iterator[tuple[str, str]]:
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


def _marked_up(text: str) -> str:
    if _MARKUP.search(text):
        return f"<div>{text}</div>"
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
