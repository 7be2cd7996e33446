"""Site files: JSON for people to read, edit and diff. Errors name the line and key."""

import json
import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bonmun.errors import SiteFileError
from bonmun.sites.body_rule import BodyRule
from bonmun.sites.health import Condition, Health
from bonmun.sites.lines import lines_of
from bonmun.sites.page_template import Template
from bonmun.sites.selectors import BadSelector, parse_selector
from bonmun.sites.shape import Sketch

FORMAT, VERSION = "bonmun/site", 1
_PER_LINE = 12
_LARGEST_NUMBER = 10**9
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SiteData:
    """The contents of a site file."""

    host: str
    templates: tuple[Template, ...]
    recent: Mapping[str, tuple[Health, ...]] = field(default_factory=dict)
    """The last health signals of each template."""


def write_site(site: SiteData) -> str:
    """Return a site as JSON, with a fixed order of keys and one selector per line."""
    templates = [_template_dict(template, site.recent.get(template.name, ())) for template in site.templates]
    data = {"format": FORMAT, "version": VERSION, "host": site.host, "templates": templates}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _template_dict(template: Template, recent: tuple[Health, ...]) -> dict[str, Any]:
    body: dict[str, Any] = {"keep": dict(template.body.keep), "drop": list(template.body.drop)}
    body["texts"] = list(template.body.texts)
    return {
        "name": template.name,
        "pages": template.pages,
        "agreement": template.agreement,
        "valid": {
            "from": template.valid_from.isoformat() if template.valid_from else None,
            "until": template.valid_until.isoformat() if template.valid_until else None,
        },
        "stale": template.stale,
        "examples": list(template.examples),
        "body": body,
        "fields": dict(template.fields),
        "share": {"least": template.share[0], "most": template.share[1]},
        "recent": [str(health) for health in recent],
        "shape": _shape_dict(template.shape) if template.shape else None,
    }


def _shape_dict(shape: Sketch) -> dict[str, Any]:
    sample = [f"{path:08x}" for path in sorted(shape.sample)]
    lines = [" ".join(sample[start : start + _PER_LINE]) for start in range(0, len(sample), _PER_LINE)]
    return {"paths": shape.size, "sample": lines}


def read_site(text: str, name: str = "site") -> SiteData:
    """Parse a site file; raise `SiteFileError` with the line and key of the first error.

    >>> read_site('{"format": "bonmun/site",\\n "version": 2}', "example.json")
    Traceback (most recent call last):
    bonmun.errors.SiteFileError: site file example.json, line 2: 'version' must be 1, not 2
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise SiteFileError(name, line, f"invalid JSON: {getattr(error, 'msg', error)}") from error
    top = _Entry(data, (), name, text)
    file_format, version = top.get("format"), top.get("version")
    if file_format.string() != FORMAT:
        raise file_format.wrong_value(repr(FORMAT))
    if version.number() != VERSION:
        raise version.wrong_value(str(VERSION))
    entries = top.get("templates").items("templates")
    templates = [_template(entry) for entry in entries]
    names = [template.name for template in templates]
    for index, entry in enumerate(entries):
        if names[index] in names[:index]:
            raise entry.get("name").error(f"must be unique, but another template is named {names[index]!r}")
    recent = {
        template.name: tuple(map(_health, entry.get("recent", optional=True).items("strings")))
        for template, entry in zip(templates, entries, strict=True)
    }
    return SiteData(top.get("host").string(), tuple(templates), recent)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A value of the file, with its path for error messages."""

    value: Any
    path: tuple[str | int, ...]
    file: str
    source: str

    def error(self, problem: str, *, of_parent: bool = False) -> SiteFileError:
        """The error for this value, or for its parent if the value's key is wrong."""
        lines, path = lines_of(self.source), self.path
        while path not in lines and path:
            path = path[:-1]
        keys = self.path[:-1] if of_parent else self.path
        spelled = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
        subject = f"'{spelled}'" if spelled else "the file"
        return SiteFileError(self.file, lines.get(path, 1), f"{subject} {problem}")

    def wrong_type(self, expected: str) -> SiteFileError:
        types = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
        return self.error(f"must be {expected}, not {types.get(type(self.value), 'a number')}")

    def wrong_value(self, expected: str) -> SiteFileError:
        return self.error(f"must be {expected}, not {reprlib.repr(self.value)}")

    def get(self, key: str, *, optional: bool = False) -> "_Entry":
        if not isinstance(self.value, dict):
            raise self.wrong_type("an object")
        if key not in self.value and not optional:
            raise self.error(f"must have the key {key!r}")
        return self._inner(key, self.value.get(key))

    def items(self, kind: str) -> list["_Entry"]:
        """The items of a list of `kind`, empty for null; `templates` may not be null."""
        if self.value is None and self.path[-1] != "templates":
            return []
        if not isinstance(self.value, list):
            raise self.wrong_type(f"a list of {kind}")
        return [self._inner(index, item) for index, item in enumerate(self.value)]

    def entries(self) -> list[tuple[str, "_Entry"]]:
        if not isinstance(self.value, dict):
            raise self.wrong_type("an object")
        return [(key, self._inner(key, value)) for key, value in self.value.items()]

    def check_keys(self, *keys: str) -> None:
        """Refuse unknown keys: they may be misspelled."""
        for key, entry in self.entries():
            if key not in keys:
                raise entry.error(f"has the unknown key {key!r}; expected {', '.join(keys)}", of_parent=True)

    def string(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong_type("a string")
        if not self.value.isascii() and _SURROGATE.search(self.value):
            raise self.error("must be valid Unicode, without lone surrogates")
        return self.value

    def number(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self.wrong_type("a number")
        if not abs(self.value) <= _LARGEST_NUMBER:  # nor is NaN
            raise self.wrong_value(f"at most {_LARGEST_NUMBER:,}")
        return self.value

    def share(self) -> float:
        if not 0 <= self.number() <= 1:
            raise self.wrong_value("a number between 0 and 1")
        return self.number()

    def selector(self, key: str | None = None) -> str:
        """The value as a selector, or its key if given."""
        try:
            return str(parse_selector(self.string() if key is None else key))
        except BadSelector as error:
            raise self.error(f"has an {error}", of_parent=key is not None) from error

    def day(self) -> date | None:
        if self.value is None:
            return None
        try:
            return date.fromisoformat(self.string())
        except ValueError as error:
            raise self.wrong_value("a date such as 2026-11-15") from error

    def _inner(self, key: str | int, value: Any) -> "_Entry":
        return _Entry(value, (*self.path, key), self.file, self.source)


def _template(entry: _Entry) -> Template:
    entry.check_keys(*"name pages agreement valid stale examples body fields share recent shape".split())
    valid, stale, share = entry.get("valid"), entry.get("stale", optional=True), entry.get("share")
    low, high = share.get("least"), share.get("most")
    if low.share() > high.share():
        raise low.error("must not be more than 'most'")
    return Template(
        name=entry.get("name").string(),
        body=_body(entry.get("body")),
        fields=_fields(entry.get("fields")),
        shape=_shape(entry.get("shape")),
        pages=int(entry.get("pages").number()),
        agreement=entry.get("agreement").share(),
        share=(low.share(), high.share()),
        valid_from=valid.get("from").day(),
        valid_until=valid.get("until").day(),
        stale=None if stale.value is None else stale.string(),
        examples=tuple(item.string() for item in entry.get("examples", optional=True).items("URLs")),
    )


def _body(entry: _Entry) -> BodyRule:
    entry.check_keys("keep", "drop", "texts")
    keep = entry.get("keep")
    if not keep.entries():
        raise keep.error("must have at least one selector")
    return BodyRule(
        keep={share.selector(key): share.share() for key, share in keep.entries()},
        drop=tuple(item.selector() for item in entry.get("drop", optional=True).items("selectors")),
        texts=tuple(item.string() for item in entry.get("texts", optional=True).items("strings")),
    )


def _fields(entry: _Entry) -> dict[str, str]:
    entry.check_keys("title", "date", "author")
    return {name: selector.selector() for name, selector in entry.entries()}


def _shape(entry: _Entry) -> Sketch | None:
    if entry.value is None:
        return None
    entry.check_keys("paths", "sample")
    sample: set[int] = set()
    for line in entry.get("sample").items("strings"):
        words = line.string().split()
        if not all(len(word) == 8 and set(word) <= set("0123456789abcdef") for word in words):
            raise line.error("must be numbers of eight hexadecimal digits; 'shape' is not meant to be edited")
        sample.update(int(word, 16) for word in words)
    if not sample:
        raise entry.get("sample").error("must not be empty")
    paths = entry.get("paths")
    if paths.number() < len(sample):
        raise paths.wrong_value(f"at least {len(sample)}, the size of 'sample'")
    return Sketch(int(paths.number()), frozenset(sample))


def _health(entry: _Entry) -> Health:
    condition, _, reason = entry.string().partition(": ")
    if condition not in list(Condition):
        raise entry.wrong_value(f"one of {', '.join(Condition)}, with or without ': ' and a reason")
    return Health(Condition(condition), reason)
