"""JavaScript literals: objects, arrays and strings as data. Nothing is run; an expression is no value.

JSON is a subset. Beyond it there are unquoted keys, single quotes, `undefined`, `!0`, `void 0`, and the names of
parameters, whose values the caller knows.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

_MAX_DEPTH = 200
_TOKEN: Final = re.compile(
    r"""\s*+(?:
    (?P<string>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|`(?:[^`\\$]|\\.|\$(?!\{))*+`)
    |(?P<open>[{[])|(?P<close>[}\]])|(?P<colon>:)|(?P<comma>,)
    |(?P<call>(?:new\s+)?[A-Za-z_$][\w$.]*\()
    |(?P<name>void\s+0|[A-Za-z_$][\w$]*)
    |(?P<boolean>![01])
    |(?P<number>[-+]?(?:\d[\w.]*(?:(?<=[eE])[-+]\d+)?|\.\d+\w*|Infinity))
    )""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS: Final[dict[str, object]] = {"true": True, "false": False, "!0": True, "!1": False}
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_NO_NAMES: Final[Mapping[str, object]] = {}
_DECODER = json.JSONDecoder(strict=False)


class NotALiteral(ValueError):
    """The text is not a literal; `position` is that of the first character that does not fit."""

    def __init__(self, position: int) -> None:
        super().__init__(f"no JavaScript literal: unexpected character {position}")
        self.position = position


def literal(text: str, start: int = 0, names: Mapping[str, object] = _NO_NAMES) -> tuple[object, int]:
    """Return the literal that starts at `start`, and its end; raise `NotALiteral` if there is none.

    >>> literal("x = {a: 'Tea', b: [!0, b], 'c': void 0};", 4, {"b": 2})
    ({'a': 'Tea', 'b': [True, 2], 'c': None}, 39)
    """
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):  # neither tells whether the rest is JavaScript
        return _Parser(text, start, names).value()


class _Parser:
    """One pass over the tokens with a stack of open containers, so that no depth of nesting can overflow it."""

    def __init__(self, text: str, start: int, names: Mapping[str, object]) -> None:
        self._text, self._position, self._names = text, start, names
        self._open: list[list[object] | dict[str, object]] = []
        self._keys: list[str | None] = []

    def value(self) -> tuple[object, int]:
        while True:
            token, kind = self._next()
            if kind == "open":
                self._enter(token)
                continue
            if kind == "close" and self._closes(token):
                value: object = self._open.pop()
                self._keys.pop()
            elif kind == "comma" and self._open:
                continue
            elif kind in ("string", "name", "number") and self._is_key():
                self._keys[-1] = unquoted(token) if kind == "string" else token
                self._expect("colon")
                continue
            else:
                value = self._scalar(token, kind)
            if not self._open:
                return value, self._position
            self._add(value)

    def _next(self) -> tuple[str, str]:
        match = _TOKEN.match(self._text, self._position)
        if match is None or match.lastgroup is None:
            raise NotALiteral(self._position)
        self._position = match.end()
        return match[match.lastgroup], match.lastgroup

    def _expect(self, kind: str) -> None:
        start = self._position
        if self._next()[1] != kind:
            raise NotALiteral(start)

    def _enter(self, token: str) -> None:
        if len(self._open) >= _MAX_DEPTH or self._is_key():
            raise NotALiteral(self._position)
        self._open.append({} if token == "{" else [])
        self._keys.append(None)

    def _closes(self, token: str) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) == (token == "}") and self._keys[-1] is None

    def _is_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) and self._keys[-1] is None

    def _add(self, value: object) -> None:
        holder, key = self._open[-1], self._keys[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif key is not None:
            holder[key] = value
            self._keys[-1] = None
        else:
            raise NotALiteral(self._position)

    def _scalar(self, token: str, kind: str) -> object:
        if kind == "string":
            return unquoted(token)
        if kind == "name":
            return _CONSTANTS[token] if token in _CONSTANTS else self._names.get(token)
        if kind == "call":
            self._skip_arguments()
            return None
        if kind == "boolean":
            return _CONSTANTS[token]
        if kind == "number":
            return _number(token)
        raise NotALiteral(self._position)

    def _skip_arguments(self) -> None:
        """Skip the arguments of a call such as `new Date(0)`; only one without nested calls."""
        while True:
            start = self._position
            if self._text.startswith(")", start):
                self._position += 1
                return
            if self._next()[1] == "call":
                raise NotALiteral(start)


def unquoted(token: str) -> str:
    r"""Return the value of a string literal.

    >>> unquoted(r"'It\'s \x74ea, \u{1f375}\u0021'")
    "It's tea, 🍵!"
    """
    return _ESCAPE.sub(_character, token[1:-1]) if "\\" in token else token[1:-1]


def _character(match: re.Match[str]) -> str:
    braced, four, two, other = match.groups()
    if other is not None:
        return _ESCAPED.get(other, other)
    code = int(braced or four or two, 16)
    return chr(code) if code <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"


def _number(token: str) -> float | None:
    try:
        return int(token) if len(token) < 20 else float(token)
    except ValueError:
        try:
            return float(token)
        except ValueError:
            return None
