"""A site as a file: JSON that a person can read, edit and compare; a wrong edit is answered with its line."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from bonmun.errors import SiteFileError
from bonmun.sites.body_rule import BodyRule
from bonmun.sites.health import Condition, Health
from bonmun.sites.lines import lines_of
from bonmun.sites.page_template import Template
from bonmun.sites.selectors import BadSelector, parse_selector
from bonmun.sites.shape import Sketch

FORMAT, VERSION = "bonmun/site", 1
_PER_LINE = 12
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SiteData:
    """What a file holds."""

    host: str
    templates: tuple[Template, ...]
    recent: Mapping[str, tuple[Health, ...]] = field(default_factory=dict)
    """The last signals of each template."""


def write_site(site: SiteData) -> str:
    """The site as JSON, keys always in the same order, a selector a line."""
    templates = [_written(template, site.recent.get(template.name, ())) for template in site.templates]
    data = {"format": FORMAT, "version": VERSION, "host": site.host, "templates": templates}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _written(template: Template, recent: tuple[Health, ...]) -> dict[str, Any]:
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
        "shape": _written_shape(template.shape) if template.shape else None,
    }


def _written_shape(shape: Sketch) -> dict[str, Any]:
    sample = [f"{path:08x}" for path in sorted(shape.sample)]
    lines = [" ".join(sample[at : at + _PER_LINE]) for at in range(0, len(sample), _PER_LINE)]
    return {"paths": shape.size, "sample": lines}


def read_site(text: str, name: str = "site") -> SiteData:
    """The site that a file holds; `SiteFileError` with the line where something is wrong.

    >>> read_site('{"format": "bonmun/site",\\n "version": 2}')
    Traceback (most recent call last):
    bonmun.errors.SiteFileError: site, line 2: version: this program reads version 1
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise SiteFileError(name, line, f"no JSON: {getattr(error, 'msg', error)}") from error
    top = _At(data, (), name, text)
    if top.text("format") != FORMAT:
        raise top.at("format").wrong(f"not {FORMAT!r}")
    if top.number("version") != VERSION:
        raise top.at("version").wrong(f"this program reads version {VERSION}")
    entries = top.at("templates").items()
    templates = [_template(entry) for entry in entries]
    names = [template.name for template in templates]
    for at, entry in enumerate(entries):
        if names[at] in names[:at]:
            raise entry.at("name").wrong(f"another template has the name {names[at]!r}")
    recent = {
        template.name: tuple(map(_health, entry.at("recent", optional=True).items()))
        for template, entry in zip(templates, entries, strict=True)
    }
    return SiteData(top.text("host"), tuple(templates), recent)


@dataclass(frozen=True, slots=True)
class _At:
    """A place in the file: reads what should be there, or says what is wrong and on which line."""

    value: Any
    path: tuple[str | int, ...]
    name: str
    source: str

    def wrong(self, what: str) -> SiteFileError:
        lines = lines_of(self.source)
        path = self.path
        while path not in lines and path:
            path = path[:-1]
        spelled = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path).lstrip(".")
        return SiteFileError(self.name, lines.get(path, 1), f"{spelled}: {what}" if spelled else what)

    def at(self, key: str, *, optional: bool = False) -> "_At":
        if not isinstance(self.value, dict):
            raise self.wrong("not an object")
        if key not in self.value and not optional:
            raise self.wrong(f"{key!r} is missing")
        return _At(self.value.get(key), (*self.path, key), self.name, self.source)

    def items(self) -> list["_At"]:
        if self.value is None and self.path[-1] != "templates":
            return []
        if not isinstance(self.value, list):
            raise self.wrong("not a list")
        return [_At(item, (*self.path, at), self.name, self.source) for at, item in enumerate(self.value)]

    def entries(self) -> list[tuple[str, "_At"]]:
        if not isinstance(self.value, dict):
            raise self.wrong("not an object")
        return [(key, _At(value, (*self.path, key), self.name, self.source)) for key, value in self.value.items()]

    def known(self, *keys: str) -> None:
        """Refuse a key that means nothing: it may be a misspelled one."""
        for key, entry in self.entries():
            if key not in keys:
                raise entry.wrong(f"unknown; there are: {', '.join(keys)}")

    def text(self, key: str) -> str:
        return self.at(key).string()

    def string(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("not a text")
        return self.value

    def number(self, key: str) -> float:
        found = self.at(key)
        return found.amount()

    def amount(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self.wrong("not a number")
        return self.value

    def share(self) -> float:
        if not 0 <= self.amount() <= 1:
            raise self.wrong("not a share between 0 and 1")
        return self.amount()

    def selector(self, text: str | None = None) -> str:
        chosen = self.string() if text is None else text
        try:
            return str(parse_selector(chosen))
        except BadSelector as error:
            raise self.wrong(str(error)) from error

    def parsed(self, read: Callable[[str], T], what: str) -> T | None:
        if self.value is None:
            return None
        try:
            return read(self.string())
        except ValueError as error:
            raise self.wrong(what) from error


def _template(entry: _At) -> Template:
    keys = "name pages agreement valid stale examples body fields share recent shape".split()
    entry.known(*keys)
    valid, stale, share = entry.at("valid"), entry.at("stale", optional=True), entry.at("share")
    low, high = share.at("least"), share.at("most")
    if low.share() > high.share():
        raise low.wrong("more than 'most'")
    return Template(
        name=entry.text("name"),
        body=_body(entry.at("body")),
        fields=_fields(entry.at("fields")),
        shape=_shape(entry.at("shape")),
        pages=int(entry.number("pages")),
        agreement=entry.at("agreement").share(),
        share=(low.share(), high.share()),
        valid_from=_day(valid.at("from")),
        valid_until=_day(valid.at("until")),
        stale=None if stale.value is None else stale.string(),
        examples=tuple(item.string() for item in entry.at("examples", optional=True).items()),
    )


def _body(entry: _At) -> BodyRule:
    entry.known("keep", "drop", "texts")
    kept = entry.at("keep")
    if not kept.entries():
        raise kept.wrong("a rule that keeps nothing")
    return BodyRule(
        keep={at.selector(selector): at.share() for selector, at in kept.entries()},
        drop=tuple(item.selector() for item in entry.at("drop", optional=True).items()),
        texts=tuple(item.string() for item in entry.at("texts", optional=True).items()),
    )


def _fields(entry: _At) -> dict[str, str]:
    entry.known("title", "date", "author")
    return {name: at.selector() for name, at in entry.entries()}


def _shape(entry: _At) -> Sketch | None:
    if entry.value is None:
        return None
    entry.known("paths", "sample")
    sample: set[int] = set()
    for line in entry.at("sample").items():
        words = line.string().split()
        if not all(len(word) == 8 and set(word) <= set("0123456789abcdef") for word in words):
            raise line.wrong("not numbers of eight hexadecimal digits; this part is not to be edited")
        sample.update(int(word, 16) for word in words)
    size = int(entry.number("paths"))
    if not 0 < len(sample) <= size:
        raise entry.at("paths").wrong(f"fewer than the {len(sample)} of the sample, or none")
    return Sketch(size, frozenset(sample))


def _day(entry: _At) -> date | None:
    return entry.parsed(date.fromisoformat, "not a date such as 2026-11-15")


def _health(entry: _At) -> Health:
    condition, _, reason = entry.string().partition(": ")
    if condition not in list(Condition):
        raise entry.wrong(f"not one of {', '.join(Condition)}")
    return Health(Condition(condition), reason)
