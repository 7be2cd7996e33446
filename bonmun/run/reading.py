"""Read frozen dataclasses from a TOML file: their fields are the keys, and an error names the line."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from bonmun.errors import ConfigError, SourceError
from bonmun.run import toml_lines
from bonmun.run.durations import seconds_of

T = TypeVar("T")
Duration = NewType("Duration", float)
"""Seconds, written as a duration such as `"15m"`."""

_LARGEST_FILE = 1 << 20
"""The maximum size of a configuration in bytes."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """A file that was read, and the lines of its keys."""

    value: T
    name: str
    """The name of the file in errors."""
    lines: Mapping[toml_lines.KeyPath, int]

    def error(self, path: toml_lines.KeyPath, what: str) -> ConfigError:
        """Return an error at a key, or at the nearest one around it that the file has."""
        while path and path not in self.lines:
            path = path[:-1]
        return ConfigError(self.name, self.lines.get(path, 1), what)

    def converted(self, kind: Any, value: Any, path: toml_lines.KeyPath) -> Any:
        """Return a value of the file as a type."""
        return _Reader(self).value(kind, value, path)


def read_file(path: Path, kind: type[T]) -> Reading[T]:
    """Read a TOML file as a dataclass; `ConfigError` names the line, `SourceError` a file that cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > _LARGEST_FILE:
        raise SourceError(f"cannot read {path}: larger than {_LARGEST_FILE:,} bytes, no configuration is")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(str(path), content.count(b"\n", 0, error.start) + 1, "not UTF-8") from error
    return read_text(text, str(path), kind)


def read_text(text: str, name: str, kind: type[T]) -> Reading[T]:
    """Read a TOML document as a dataclass.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Rest:
    ...     every: Duration
    >>> read_text('every = "15m"', "rest.toml", Rest).value
    Rest(every=900.0)
    >>> read_text('every = "often"', "rest.toml", Rest)
    Traceback (most recent call last):
    bonmun.errors.ConfigError: rest.toml, line 1: 'every' must be a duration such as "15m", not "often"
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(text, name, error) from error
    origin = Reading(values, name, toml_lines.line_numbers(text))
    return Reading(_Reader(origin).record(kind, values, ()), name, origin.lines)


class _Reader:
    """Reads values by the types of fields; `path` is where a value stands in the document."""

    def __init__(self, origin: Reading[Any]) -> None:
        self._error = origin.error

    def record(self, kind: type[Any], values: Mapping[str, Any], path: toml_lines.KeyPath) -> Any:
        """Read a table as a dataclass."""
        hints = get_type_hints(kind)
        known = {field.name: field for field in fields(kind) if _is_readable(hints[field.name])}
        for key in values:
            if key not in known:
                raise self._error((*path, key), _unknown(key, known))
        read = {key: self.value(hints[key], value, (*path, key)) for key, value in values.items()}
        missing = [field.name for field in known.values() if field.name not in read and _is_required(field)]
        if missing:
            raise self._error(path, f"{_shown_path(path)} has no {missing[0]!r}")
        try:
            return kind(**read)
        except (TypeError, ValueError) as error:  # the dataclass checks its own values
            named = [key for key in values if key in str(error)]
            raise self._error((*path, *named[:1]), str(error)) from error

    def value(self, kind: Any, value: Any, path: toml_lines.KeyPath) -> Any:
        """Read a value of a type."""
        kind, origin = _without_none(kind), get_origin(_without_none(kind))
        if is_dataclass(kind):
            return self._table(kind, value, path)
        if origin is tuple:
            self._check(isinstance(value, list), "an array", value, path)
            return tuple(self.value(get_args(kind)[0], item, (*path, index)) for index, item in enumerate(value))
        if origin in (dict, Mapping):
            self._check(isinstance(value, dict), "a table", value, path)
            return {key: self.value(get_args(kind)[1], item, (*path, key)) for key, item in value.items()}
        if origin is Literal:
            self._check(value in get_args(kind), " or ".join(map(_shown, get_args(kind))), value, path)
            return value
        return self._scalar(kind, value, path)

    def _table(self, kind: Any, value: Any, path: toml_lines.KeyPath) -> Any:
        """Read a table; a string stands for a table with the first field only."""
        first = fields(kind)[0]
        if isinstance(value, str) and get_type_hints(kind)[first.name] is str and isinstance(path[-1], int):
            value = {first.name: value}
        self._check(isinstance(value, dict), "a table", value, path)
        return self.record(kind, value, path)

    def _scalar(self, kind: Any, value: Any, path: toml_lines.KeyPath) -> Any:
        if kind is Any:
            return value
        what, is_valid = _SCALARS[kind]
        self._check(is_valid(value), what, value, path)
        if kind in (Duration, float):
            return seconds_of(value) if isinstance(value, str) else float(value)
        return Path(value) if kind is Path else value

    def _check(self, valid: bool, what: str, value: Any, path: toml_lines.KeyPath) -> None:
        if not valid:
            raise self._error(path, f"{_shown_path(path)} must be {what}, not {_shown(value)}")


def _is_duration(value: Any) -> bool:
    try:
        return isinstance(value, str) and seconds_of(value) >= 0
    except ValueError:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


_SCALARS: Mapping[Any, tuple[str, Callable[[Any], bool]]] = {
    str: ("a string", lambda value: isinstance(value, str)),
    Path: ("a path as a string", lambda value: isinstance(value, str) and bool(value)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("an integer", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    float: ('a number, or a duration such as "2s"', lambda value: _is_number(value) or _is_duration(value)),
    Duration: ('a duration such as "15m"', _is_duration),
    datetime: (
        "a date and time such as 2026-01-31T00:00:00Z",
        lambda value: isinstance(value, datetime) and value.tzinfo is not None,
    ),
}


def _is_readable(kind: Any) -> bool:
    """Whether values of a type can stand in a file; a field of another type is set in Python only."""
    kind, origin = _without_none(kind), get_origin(_without_none(kind))
    if origin in (tuple, dict, Mapping):
        return all(_is_readable(inner) for inner in get_args(kind) if inner is not Ellipsis)
    return origin is Literal or kind is Any or kind in _SCALARS or is_dataclass(kind)


def _without_none(kind: Any) -> Any:
    """Return the type of a value that is there; of several, the first that a file can have."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    inner = [one for one in get_args(kind) if one is not NoneType]
    return next(filter(_is_readable, inner), inner[0])


def _is_required(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(known))}"
    return f"unknown key {key!r}; {hint}"


def _shown(value: Any) -> str:
    """Return a value as the file has it, shortened."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "an array"
    if isinstance(value, date | time):
        return value.isoformat()
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def _shown_path(path: toml_lines.KeyPath) -> str:
    """Return how to refer to a value: by its key, or by its place in an array."""
    if not path:
        return "the configuration"
    if isinstance(path[-1], int):
        return f"item {path[-1] + 1} of {str(path[-2])!r}"
    return repr(path[-1])


def _syntax_error(text: str, name: str, error: tomllib.TOMLDecodeError) -> ConfigError:
    what, _, place = str(error).partition(" (at ")
    number = place.removeprefix("line ").partition(",")[0]
    line = int(number) if number.isdigit() else text.rstrip().count("\n") + 1
    return ConfigError(name, line, f"not valid TOML: {what[:1].lower()}{what[1:]}")
