"""The data that a page hands to its scripts: JSON elements, assigned states, and the formats of Nuxt and Next.js.

Nothing is run. The data of a script is read as literals (`javascript`); code around them is skipped.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from bonmun.model.nodes import Nodes
from bonmun.read.javascript import NotALiteral, literal
from bonmun.read.structured import is_json_ld

MAX_CHARS: Final = 4_000_000
"""Characters of scripts that are searched; the largest state of the development pages has 3 million."""
MAX_FAILURES: Final = 500
"""Values of one script that are not literals, before it is taken for code: each costs a search for line breaks."""
_STATES: Final = {
    "__NEXT_DATA__": "the Next.js data of the page",
    "__NUXT__": "the Nuxt data of the page",
    "__NUXT_DATA__": "the Nuxt data of the page",
    "__APOLLO_STATE__": "the Apollo state of the page",
    "__PRELOADED_STATE__": "the Redux state of the page",
    "__REDUX_STATE__": "the Redux state of the page",
    "__INITIAL_STATE__": "the initial state of the page",
    "pageData": "the Gatsby data of the page",
    "__remixContext": "the Remix data of the page",
}
KNOWN_TRUST: Final = 2.0
"""The trust in the state of a known framework."""
_ASSIGNMENT: Final = re.compile(
    r"""(?:\b(?:window|self|globalThis)(?:\.([\w$]{1,64})|\[["']([\w$:.-]{1,64})["']\]){1,4}"""
    r"""|\b(?:var|let|const)\s+(__\w{1,64}))\s*+=\s*+(?=[{["'(J])"""  # bounded, so that each try is short
)
_PARSED: Final = re.compile(r"""JSON\.parse\(\s*(?:decodeURIComponent\(\s*)?(?=["'`])""")
_FUNCTION: Final = re.compile(r"\(\s*function\s*\(([\w$,\s]*)\)\s*\{")
_STATEMENT: Final = re.compile(r"""\s*([\w$]+)(?:\.([\w$]+)|\[(?:"([^"]*)"|(\d+))\])=""")
_RETURN: Final = re.compile(r"[\s;]*return\s*(?=\{)")
_CALL: Final = re.compile(r"[\s;]*\}\s*\)?\s*\(")
_NAME: Final = re.compile(r"[\w$.:-]{1,64}")  # other ids of elements do not get into warnings
_NESTED: Final = ('{"', '[{"', '[["')
_MIN_NESTED = 200  # characters of JSON in a string that is parsed


class ScriptData(NamedTuple):
    """The data of a script, and its name for people."""

    source: str
    value: object
    trust: float = 1.0
    """A factor for its texts: higher for the states of known frameworks than for settings of unknown scripts."""


def script_data(nodes: Nodes) -> Iterator[ScriptData]:
    """Yield the data of all scripts but JSON-LD and the chunks of Next.js, in document order.

    >>> from bonmun.read.parse import parse
    >>> list(script_data(parse("<script>window.__INITIAL_STATE__ = {'tea': 'green'}; run()</script>")))
    [ScriptData(source='the initial state of the page (__INITIAL_STATE__)', value={'tea': 'green'}, trust=2.0)]
    """
    room = MAX_CHARS
    for row in nodes.rows_of("script"):
        if is_json_ld(nodes, row):
            continue
        script = nodes.content(row)[:room]
        room -= len(script)
        element = nodes.attr(row, "id") or ("__NUXT_DATA__" if nodes.attr(row, "data-nuxt-data") is not None else "")
        if script.lstrip()[:1] in ("{", "["):
            yield from _element_data(script.strip(), element)
        else:
            yield from _assigned(script)


def _named(name: str, value: object) -> ScriptData:
    value, kind = _with_parsed_strings(value), _STATES.get(name)
    if kind:
        return ScriptData(f"{kind} ({name})", value, KNOWN_TRUST)
    return ScriptData(f"the data of a script ({name})" if _NAME.fullmatch(name) else "the data of a script", value)


def _with_parsed_strings(state: object) -> object:
    """The state with strings of JSON parsed, in place: urql and SvelteKit keep responses as strings."""
    seen, waiting = set[int](), [state]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            if isinstance(item, str) and len(item) >= _MIN_NESTED and item.startswith(_NESTED):
                try:
                    value[key] = json.loads(item)  # type: ignore[index]
                except (ValueError, RecursionError):
                    continue
            elif isinstance(item, (dict, list)):
                waiting.append(item)
    return state


def _element_data(script: str, element: str) -> Iterator[ScriptData]:
    """The data of an element that holds nothing else, such as `<script type="application/json">`."""
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(script)
    except (ValueError, RecursionError):
        return
    is_table = isinstance(value, list) and element == "__NUXT_DATA__"
    yield _named(element, unflattened(value) if is_table else value)


def _assigned(script: str) -> Iterator[ScriptData]:
    """The values that a script assigns to global names.

    The search goes on where the last value ended or became unreadable: no character is read more than a few times.
    """
    failures = 0
    assignment = _ASSIGNMENT.search(script)
    while assignment and failures < MAX_FAILURES:
        end = assignment.end()
        try:
            value, end = _value(script, end)
        except NotALiteral as error:
            end = max(end, error.position)
            failures += 1
        else:
            if isinstance(value, (dict, list)):
                yield _named(assignment[1] or assignment[2] or assignment[3], value)
        assignment = _ASSIGNMENT.search(script, end)


def _value(script: str, start: int) -> tuple[object, int]:
    """A literal, the text given to `JSON.parse`, or the object returned by a function that is called at once."""
    parsed = _PARSED.match(script, start)
    function = None if parsed else _FUNCTION.match(script, start)
    if function:
        return _returned(script, function)
    value, end = literal(script, parsed.end() if parsed else start)
    if isinstance(value, str) and value.startswith(("%7B", "%5B", "%7b", "%5b")):  # given to decodeURIComponent
        value = unquote(value)
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value, _ = literal(value.lstrip())
    return value, end


def _returned(script: str, function: re.Match[str]) -> tuple[object, int]:
    """The object that a function returns, as Nuxt 2 writes it: repeated values are parameters.

    `(function(a,b){b.title="Tea";return {text:a,more:b}}("green",{}))`
    """
    parameters = [name.strip() for name in function[1].split(",")]
    statements, position = [], function.end()
    while statement := _STATEMENT.match(script, position):
        value_start = statement.end()
        _, position = literal(script, value_start)
        statements.append((statement, value_start))
        position += script.startswith(";", position)
    start = _RETURN.match(script, position)
    if start is None:
        raise NotALiteral(position)
    _, position = literal(script, start.end())  # the parameters' values follow: read for its end only
    names = _arguments(script, position, parameters)
    for statement, value_start in statements:
        holder, key = names.get(statement[1]), statement[2] or statement[3] or statement[4]
        if isinstance(holder, dict):
            holder[key] = literal(script, value_start, names)[0]
        elif isinstance(holder, list):
            holder.append(literal(script, value_start, names)[0])
    return literal(script, start.end(), names)[0], position


def _arguments(script: str, position: int, parameters: list[str]) -> dict[str, object]:
    """The values of a function's parameters in the call behind it; a call without end gives those before it."""
    call = _CALL.match(script, position)
    names: dict[str, object] = {}
    if call is None:
        return names
    position = call.end()
    for parameter in parameters:
        try:
            value, position = literal(script, position)
        except NotALiteral:
            return names
        names[parameter] = value
        position += script.startswith(",", position)
    return names


def unflattened(table: list[object]) -> object:
    """Return the data of Nuxt 3, a table in which all values are numbers of other entries.

    Every entry becomes one object, filled by reference: shared entries are not copied, and cycles stay cycles.

    >>> unflattened([["Reactive", 1], {"tea": 2, "cups": 3}, "green", [4, 4], 2])
    {'tea': 'green', 'cups': [2, 2]}
    """
    entries = [type(entry)() if isinstance(entry, (dict, list)) else entry for entry in table]

    def entry(index: object) -> object:
        return entries[index] if isinstance(index, int) and 0 <= index < len(entries) else None

    for number, stored in enumerate(table):
        if isinstance(stored, list) and _is_wrapper(stored):
            entries[number] = entry(stored[1]) if isinstance(stored[1], int) else stored[1]
    for shell, stored in zip(entries, table, strict=True):
        if isinstance(stored, dict) and isinstance(shell, dict):
            shell.update((key, entry(index)) for key, index in stored.items())
        elif isinstance(stored, list) and isinstance(shell, list) and not _is_wrapper(stored):
            shell.extend(entry(index) for index in stored)
    return entries[0] if entries else None


def _is_wrapper(stored: list[object]) -> bool:
    """Whether an entry is another one with its type, such as `["Reactive", 7]` or `["Date", "2026-11-16"]`."""
    return len(stored) == 2 and isinstance(stored[0], str)
