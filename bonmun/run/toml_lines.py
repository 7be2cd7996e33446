"""Line numbers of a TOML document's keys and values, which `tomllib` does not give.

The document must be valid: `tomllib` has read it before. So the scanner only has to know where keys, strings, arrays
and inline tables begin and end.
"""

import re
from collections.abc import Mapping

KeyPath = tuple[str | int, ...]
"""Keys and indexes from the root: `("sources", 1, "every")`."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}' r"|'''(?:[^']|'(?!''))*'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def line_numbers(text: str) -> Mapping[KeyPath, int]:
    """Return the line of every key, table header and array item of a valid document, counted from 1.

    >>> line_numbers('[[sources]]\\nurl = "a"\\n\\n[[sources]]\\nurl = "b"')[("sources", 1, "url")]
    5
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self._tables: dict[KeyPath, int] = {}
        """The index of the last table of each array of tables."""
        self._counted = (0, 1)
        """A position and its line."""

    def document(self) -> None:
        prefix: KeyPath = ()
        while self._skip(_BLANK) and self.at < len(self.text):
            if self.text.startswith("[", self.at):
                prefix = self._header()
            else:
                self._pair(prefix)

    def _header(self) -> KeyPath:
        line = self._line()
        array = self.text.startswith("[[", self.at)
        self.at += 1 + array
        keys = self._keys()
        self.at += 1 + array
        path = (*self._resolved(keys[:-1]), keys[-1])
        if not array:
            path = self._resolved(keys)
            self._note(path, line)
            return path
        self._tables[path] = self._tables.get(path, -1) + 1
        table = (*path, self._tables[path])
        self._note(table, line)
        return table

    def _resolved(self, keys: KeyPath) -> KeyPath:
        """Return the path of keys; the name of an array of tables stands for its last table."""
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            if path in self._tables:
                path = (*path, self._tables[path])
        return path

    def _pair(self, prefix: KeyPath) -> None:
        line = self._line()
        keys = self._keys()
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._note((*prefix, *keys), line)
        self._value((*prefix, *keys))

    def _keys(self) -> KeyPath:
        keys = []
        while True:
            self._skip(_SPACE)
            quoted = self.text[self.at] in "\"'"
            found = (_STRING if quoted else _BARE).match(self.text, self.at)
            assert found is not None, "the document is valid"
            self.at = found.end()
            keys.append(_unquoted(found[0]) if quoted else found[0])
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return tuple(keys)
            self.at += 1

    def _value(self, path: KeyPath) -> None:
        first = self.text[self.at]
        if first in "[{":
            self._items(path, "]" if first == "[" else "}")
        else:
            found = (_STRING if first in "\"'" else _SCALAR).match(self.text, self.at)
            assert found is not None, "the document is valid"
            self.at = found.end()

    def _items(self, path: KeyPath, end: str) -> None:
        """Read the items of an array or of an inline table."""
        self.at += 1
        index = 0
        while True:
            self._skip(_BLANK)
            if self.text[self.at] == end:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
                continue
            if end == "}":
                self._pair(path)
            else:
                self._note((*path, index), self._line())
                self._value((*path, index))
            index += 1

    def _note(self, path: KeyPath, line: int) -> None:
        self.lines[path] = line
        for end in range(1, len(path)):
            self.lines.setdefault(path[:end], line)

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return True

    def _line(self) -> int:
        at, line = self._counted
        line += self.text.count("\n", at, self.at)
        self._counted = (self.at, line)
        return line


def _unquoted(key: str) -> str:
    inside = key[1:-1]
    return inside if key[0] == "'" else _ESCAPE.sub(_unescaped, inside)


def _unescaped(found: re.Match[str]) -> str:
    number = found[1] or found[2]
    return chr(int(number, 16)) if number else _ESCAPED.get(found[3], found[3])
