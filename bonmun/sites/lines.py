"""Line numbers of JSON values, which the standard library does not report."""

import json
import re

Place = tuple[str | int, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def lines_of(text: str) -> dict[Place, int]:
    """Return the line of every value of a valid JSON text, from 1; for a member of an object, the line of its key.

    >>> lines_of('{"a": 1,\\n "b": [2,\\n 3]}')
    {(): 1, ('a',): 1, ('b',): 2, ('b', 0): 2, ('b', 1): 3}
    """
    lines: dict[Place, int] = {}
    stack: list[str | int | None] = []  # a key or index for each open object or list; None: a key follows
    line, seen = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        word = token[0]
        if word in "]}":
            stack.pop()
        elif word == ",":
            last = stack[-1]
            stack[-1] = last + 1 if isinstance(last, int) else None
        elif word != ":":
            if stack and stack[-1] is None:
                stack[-1] = _decoded(word)
                lines[_place(stack)] = line
                continue
            lines.setdefault(_place(stack), line)
            if word in "[{":
                stack.append(0 if word == "[" else None)
    return lines


def _place(stack: list[str | int | None]) -> Place:
    return tuple(part for part in stack if part is not None)


def _decoded(word: str) -> str:
    return str(json.loads(word))
