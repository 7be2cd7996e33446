"""The data of the Next.js app router: the elements of a page in the wire format of React ("flight").

A page pushes chunks, `self.__next_f.push([1,"…"])`. Joined, they are rows: `id:json`, or `id:Tlength,text`. An
element is a list `["$", "p", key, {"children": …}]`; a string `$L1f` is a reference to the row `1f`.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.read.javascript import NotALiteral, literal
from bonmun.read.script_data import MAX_CHARS, MAX_FAILURES
from bonmun.read.state_text import state_markup

SOURCE: Final = "the Next.js data of the page (self.__next_f)"
Rows = dict[str, object]

_PUSH: Final = re.compile(r"\b__next_f\s*(?:=[^(;]{0,60})?\)?\.push\(\s*(?=\[)")
_ROW: Final = re.compile(rb"\s*([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),|(?=[\[{\"]))")
_ROW_START: Final = re.compile(rb"[0-9a-f]{1,8}:(?:T[0-9a-f]{1,8},|[A-Z]{0,2}[\[{\"])")
_SLACK = 200  # bytes that a text may be shorter or longer than announced, as archives change white space
_REFERENCE: Final = re.compile(r"\$[L@]?([0-9a-f]{1,8})((?::[\w-]{1,40}){0,12})")
_SHOWN_SHARE = 0.55
"""Share of the prose in elements, below which the data is read. On 54 development pages without their visible text,
word F1 is .60 by this rule, .55 by the larger of both, and .63 by the better of both."""
_SHOWN = 5000  # characters of prose in elements, with which the data is never read: it has more than the page shows
_MIN_PROSE = 40  # characters of a text that counts as prose
_MAX_STEPS = 1_000_000
_MAX_MARKUP = 2_000_000  # characters
_VOID: Final = frozenset("br hr img wbr".split())
_LEFT_OUT: Final = frozenset("script style meta link title head svg template noscript iframe base".split())
_SLOTS: Final = frozenset("notFound forbidden unauthorized error loading errorStyles templateStyles fallback".split())
"""Properties with elements that are shown instead of the page."""
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
_ATTRIBUTES: Final = {
    name.lower().replace("classname", "class"): name
    for name in "className id role href src alt lang dir dateTime colSpan rowSpan start hidden".split()
}


def flight_rows(nodes: Nodes) -> Rows:
    """Return the rows of a page; empty for a page of another kind.

    >>> from bonmun.read.parse import parse
    >>> html = r'<script>self.__next_f.push([1,"0:[\\"$\\",\\"p\\",null,{\\"children\\":\\"Tea\\"}]\\n"])</script>'
    >>> flight_rows(parse(html))
    {'0': ['$', 'p', None, {'children': 'Tea'}]}
    """
    chunks: list[str] = []
    room = MAX_CHARS
    for row in nodes.rows_of("script"):
        script = nodes.content(row)[:room]
        if "__next_f" in script:
            room -= len(script)
            chunks += _chunks(script)
    stream = "".join(chunks).encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins pairs of surrogates
    return dict(_rows(stream.encode()))


def _chunks(script: str) -> Iterator[str]:
    failures = 0
    push = _PUSH.search(script)
    while push and failures < MAX_FAILURES:
        try:
            value, end = literal(script, push.end())
        except NotALiteral as error:
            end = max(push.end(), error.position)
            failures += 1
        else:
            if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
                yield value[1]
        push = _PUSH.search(script, end)


def _rows(stream: bytes) -> Iterator[tuple[str, object]]:
    position = 0
    while position < len(stream):
        row = _ROW.match(stream, position)
        if row and row[2]:  # a text, whose length is in bytes
            end = _text_end(stream, row.end(), row.end() + int(row[2], 16))
            yield row[1].decode(), stream[row.end() : end].decode("utf-8", "replace")
        else:
            newline = stream.find(b"\n", row.end() if row else position)
            end = len(stream) if newline < 0 else newline + 1
            if row:
                with suppress(NotALiteral):  # a row that was cut
                    yield row[1].decode(), literal(stream[row.end() : end].decode("utf-8", "replace"))[0]
        position = end


def _text_end(stream: bytes, start: int, announced: int) -> int:
    """The end of a text: where it was announced, or the start of a row near it."""
    if announced >= len(stream) or _ROW_START.match(stream, announced):
        return announced
    around = _ROW_START.finditer(stream, max(start, announced - _SLACK), announced + _SLACK)
    return min((row.start() for row in around), key=lambda end: abs(end - announced), default=announced)


def with_texts(rows: Rows) -> list[object]:
    """Return the values of all rows, with references to texts replaced by them. Changes the rows in place."""
    waiting: list[object] = list(rows.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, item in value.items():
                value[key] = _text_of(item, rows)
                waiting.append(item)
        elif isinstance(value, list):
            value[:] = [_text_of(item, rows) for item in value]
            waiting += [item for item in value if isinstance(item, (dict, list))]
    return [value for value in rows.values() if isinstance(value, (dict, list))]


def _text_of(value: object, rows: Rows) -> object:
    if isinstance(value, str) and value.startswith("$"):
        reference = _REFERENCE.fullmatch(value)
        target = rows.get(reference[1]) if reference and not reference[2] else None
        return target if isinstance(target, str) else value
    return value


def flight_text(rows: Rows) -> tuple[str, float]:
    """Return the text of a page as markup, and its weight: of its elements, or of data for components if that is more.

    >>> flight_text({"0": ["$", "p", None, {"children": "The sea was calm that morning, and nobody spoke at all."}]})
    ('<p>The sea was calm that morning, and nobody spoke at all.</p>', 55.0)
    """
    writer = _Writer(rows)
    markup = writer.markup()
    if writer.prose >= _SHOWN:
        return markup, float(writer.prose)
    data, weight = state_markup(with_texts(rows))
    return (markup, max(float(writer.prose), weight)) if writer.prose >= _SHOWN_SHARE * weight else (data, weight)


class _Markup(str):
    """Finished markup among values that are still to be written."""


class _Writer:
    """Writes the elements of all rows, each row once, where it is first referred to.

    The values wait on a stack: no depth of nesting can overflow it.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows, self._written = rows, set[str]()
        self.prose = 0  # characters
        self._out: list[str] = []
        self._size = 0  # characters of the output
        self._waiting: list[tuple[object, bool]] = []  # values, and whether a string among them is text

    def markup(self) -> str:
        steps = 0
        for name, row in self._rows.items():
            if name in self._written or isinstance(row, str):  # a text without an element is data
                continue
            self._written.add(name)
            self._waiting.append((row, False))
            while self._waiting and steps < _MAX_STEPS and self._size < _MAX_MARKUP:
                self._write(*self._waiting.pop())
                steps += 1
        return "".join(self._out)

    def _emit(self, markup: str) -> None:
        self._out.append(markup)
        self._size += len(markup)

    def _write(self, value: object, is_text: bool) -> None:
        if isinstance(value, _Markup):
            self._emit(value)
        elif isinstance(value, str):
            self._write_string(value, is_text)
        elif isinstance(value, list):
            if len(value) > 3 and value[0] == "$" and isinstance(value[1], str) and isinstance(value[3], dict):
                self._write_element(value[1], value[3])
            else:
                self._waiting += [(item, is_text) for item in reversed(value)]
        elif isinstance(value, dict):
            items = [(item, name == "children") for name, item in value.items() if name not in _SLOTS]
            self._waiting += items[::-1]
        elif is_text and isinstance(value, (int, float)) and not isinstance(value, bool):
            self._emit(str(value))

    def _write_string(self, value: str, is_text: bool) -> None:
        if not value.startswith("$") or value.startswith("$$"):
            if is_text:
                self._emit(escape(value.removeprefix("$"), quote=False))
                self.prose += len(value) if len(value) >= _MIN_PROSE else 0
        elif (reference := _REFERENCE.fullmatch(value)) and (target := self._target(reference)) is not None:
            self._waiting.append((target, is_text))

    def _target(self, reference: re.Match[str]) -> object:
        """The value of a reference; rows are written once, so that a cycle ends."""
        if not reference[2]:
            if reference[1] in self._written:
                return None
            self._written.add(reference[1])
            target = self._rows.get(reference[1])
            return f"${target}" if isinstance(target, str) and target.startswith("$") else target
        target = self._rows.get(reference[1])
        for step in reference[2][1:].split(":"):
            if isinstance(target, dict):
                target = target.get(step)
            elif isinstance(target, list):
                index = 3 if step == "props" else int(step) if step.isdecimal() else len(target)
                target = target[index] if index < len(target) else None
        return target if isinstance(target, str) and not target.startswith("$") else None

    def _write_element(self, name: str, properties: dict[str, object]) -> None:
        if name.startswith("$"):  # a component: its elements are among its properties
            self._waiting.append((properties, False))
            return
        if name in _LEFT_OUT or not _NAME.fullmatch(name):
            return
        attributes = ((html, properties.get(react)) for html, react in _ATTRIBUTES.items())
        written = "".join(
            f' {html}="{escape(str(value))}"'
            for html, value in attributes
            if (isinstance(value, str) and not value.startswith("$")) or type(value) is int
        )
        self._emit(f"<{name}{written}>")
        if name in _VOID:
            return
        self._waiting.append((_Markup(f"</{name}>"), False))
        inner = properties.get("dangerouslySetInnerHTML")
        html = inner.get("__html") if isinstance(inner, dict) else None
        if isinstance(html, str):
            text = str(_text_of(html, self._rows))
            self.prose += len(text) if text.startswith("<") else 0
            self._waiting.append((_Markup(text), False))
        else:
            self._waiting.append((properties.get("children"), True))
