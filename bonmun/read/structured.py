"""Structured data of a page: JSON-LD, microdata, `meta` and `link` elements, as one normalised view.

JSON-LD and microdata describe *things* in the same vocabulary (schema.org): both become `Thing`s. Pages get every part
of this wrong: nothing here raises, and a value of the wrong type counts as absent.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from typing import NamedTuple

from bonmun.core import core
from bonmun.model.attributes import ITEMS
from bonmun.model.gaps import parted
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TEXT
from bonmun.read.elements import contents_by_name, elements

Fields = dict[str, object]

_MAX_THINGS = 500  # a page with more is a catalogue of other pages; also the scripts read, and the values of one name
_MAX_TEXT = 2_000  # characters of one value
_MAX_PROPERTIES = 5_000
_MAX_ROWS = 200  # of one element
_GAPS = BLOCK_LEVEL | {TAG_ID["br"], TEXT}  # a text without characters is white space, or code
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage")
"""Properties whose values are things about the same page."""
_INSIDE_LAST_FIRST, _INSIDE_SET, _CONTAINERS = _INSIDE[::-1], frozenset(_INSIDE), (dict, list)
_BOOKKEEPING = frozenset(("@context", "@graph", "@id", "@type"))
_READ_PROPERTIES = frozenset(
    "headline name author creator publisher datePublished dateCreated dateModified uploadDate image url"
    " mainEntityOfPage mainEntity keywords description inLanguage".split()
)
_TARGETS = ITEMS[3:]
_CONTENT, _HREF = _TARGETS.index("content"), _TARGETS.index("href")
_TARGET_OF_TAG = {TAG_ID[tag]: at for at, tag in enumerate(("meta", "img", "link", "data", "time"))}
"""The attribute with the value of a property, by its place in `_TARGETS`; that of most elements is their content."""
_SCRIPT, _LINK, _A = TAG_ID["script"], TAG_ID["link"], TAG_ID["a"]
_RELATIONS = ("canonical", "image_src")
_URL_PROPERTIES = frozenset(("url", "image", "mainEntityOfPage"))

_OPENING = re.compile(r"[{\[]")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_ESCAPE = re.compile(r'(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\')
_FIELD = r"(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{%[^{}]*%\}|<%[^<>]*%>|%%?[a-zA-Z_]\w+%%?|\[\[[a-zA-Z_][^\[\]]*\]\])"
_PLACEHOLDER = re.compile(rf"^{_FIELD}|{_FIELD}$")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_VOCABULARY = re.compile(r"[/:#]")
_DECODER = json.JSONDecoder(strict=False)


class Thing(NamedTuple):
    """An article, a product, a site …, described by JSON-LD or microdata."""

    types: frozenset[str]
    """Its types in lower case, without their vocabulary: `newsarticle`."""
    fields: Mapping[str, object]
    known: Mapping[str, Fields]
    """The other things of the page, by `@id`."""

    def values(self, *names: str) -> Iterator[object]:
        """Yield the values of some properties, with references resolved."""
        for name in names:
            if name not in self.fields:  # most are not
                continue
            listed = self.fields[name]
            for value in listed[:_MAX_THINGS] if isinstance(listed, list) else (listed,):
                if isinstance(value, dict) and "name" not in value and isinstance(value.get("@id"), str):
                    yield self.known.get(value["@id"], value)
                elif value is not None:
                    yield value

    def texts(self, *names: str) -> list[str]:
        """Return the values of some properties as plain text; for a thing, its name."""
        found, fields = list[str](), self.fields
        for name in names:
            if name in fields:
                value = fields[name]
                texts = (value,) if isinstance(value, str) else map(_name_of, self.values(name))  # most are one text
                found += [text for each in texts if (text := plain_text(each))]
        return found

    def text(self, *names: str) -> str | None:
        """Return the first of `texts`, `None` if there is none."""
        return next(iter(self.texts(*names)), None)

    def urls(self, *names: str) -> list[str]:
        """Return the values of some properties as URLs; for a thing, its URL."""
        return [url for value in self.values(*names) if (url := _url_of(value))]

    def people(self, *names: str) -> tuple[list[str], list[str]]:
        """Return the names in some properties: of persons and unknown types, and of organizations."""
        persons, organizations = list[str](), list[str]()
        for value in self.values(*names):
            if text := plain_text(_name_of(value)):
                is_body = isinstance(value, dict) and any(kind.endswith("organization") for kind in _types(value))
                (organizations if is_body else persons).append(text)
        return persons, organizations


@dataclass(frozen=True, slots=True)
class Structured:
    """The structured data of a page."""

    things: tuple[Thing, ...]
    """Those of JSON-LD first, then those of microdata."""
    meta: Mapping[str, list[str]]
    """The raw contents of `meta` elements by lower-cased name or property."""
    links: Mapping[str, list[str]]
    """The URLs of `link` elements by relation: canonical, image_src."""
    _texts: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The contents of the names that were asked for as plain text: several fields ask for the same ones."""

    def first(self, *names: str) -> str | None:
        """Return the first content of some `meta` names, in the order given, `None` if there is none."""
        meta = self.meta
        for name in names:
            if name in meta and (texts := self._texts_of(name)):
                return texts[0]
        return None

    def firsts(self, *names: str) -> list[str]:
        """Return the first content of each of some `meta` names that has one."""
        meta = self.meta
        return [texts[0] for name in names if name in meta and (texts := self._texts_of(name))]

    def all(self, *names: str) -> list[str]:
        """Return all contents of some `meta` names."""
        meta = self.meta
        if meta.keys().isdisjoint(names):  # as most
            return []
        return [text for name in names if name in meta for text in self._texts_of(name)]

    def _texts_of(self, name: str) -> list[str]:
        texts = self._texts.get(name)
        if texts is None:
            texts = self._texts[name] = [text for value in self.meta[name][:_MAX_THINGS] if (text := plain_text(value))]
        return texts


def rows_by_tag(nodes: Nodes, names: Iterable[str]) -> dict[str, list[int]]:
    """Return the rows of several kinds of element, found in one pass.

    >>> from bonmun.read.parse import parse
    >>> rows_by_tag(parse("<p>a<p>b<hr>"), ("p", "hr", "h1"))
    {'p': [3, 5], 'hr': [7], 'h1': []}
    """
    return {name: nodes.rows_of(name) for name in names}


def read_structured(nodes: Nodes) -> Structured:
    """Read a page's structured data.

    >>> from bonmun.read.parse import parse
    >>> read_structured(parse('<meta property="og:title" content="Tea">')).first("og:title")
    'Tea'
    """
    scripts = _json_ld_rows(nodes)[:_MAX_THINGS]
    linked = list(islice((item for row in scripts for item in json_values(nodes.content(row))), _MAX_THINGS))
    things = _things(linked) + _things(_microdata(nodes))
    return Structured(tuple(things), contents_by_name(nodes, _MAX_PROPERTIES), _links(nodes))


def plain_text(value: object) -> str | None:
    """Return a value as text without markup and entities; `None` if it is empty or not a string.

    >>> plain_text(" Tea &amp;amp;\\n <b>cake</b> "), plain_text(7), plain_text({})
    ('Tea & cake', None, None)
    """
    if not isinstance(value, str):
        return None
    compiled = core()
    plain = compiled.plain(value) if compiled else None  # most need no look at their markup
    return plain_text_by_reference(value) if plain is None else plain


def plain_text_by_reference(value: str) -> str | None:
    """The same in Python, where the compiled twin could not be built, and for texts that may have markup."""
    text = value[:_MAX_TEXT]
    for _ in range(2):  # double escaping is common
        if "&" in text:
            text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    text = " ".join(text.split())
    return None if not text or is_placeholder(text) else text


def is_placeholder(text: str) -> bool:
    """Whether a text begins or ends with a template's placeholder that was never filled in.

    >>> [is_placeholder(text) for text in ("{{ page.title }} | Tea", "${title}", "%%sitename%%", "100% Tea [[1]]")]
    [True, True, True, False]
    """
    return ("{" in text or "%" in text or "[[" in text) and _PLACEHOLDER.search(text) is not None


def short_text(nodes: Nodes, row: int, skip: int = 0) -> str:
    """Return the text of a small element, or the start of a large one's, with white space collapsed.

    Text with a flag of `skip` is left out.
    """
    stop, chars = nodes.end[row], nodes.chars
    if stop == row + 2 and not chars[row] and chars[row + 1] and not nodes.flags[row + 1] & skip:  # one text, as most
        text = nodes.text(row + 1)
        if len(text) < _MAX_TEXT:
            return " ".join(text.replace("\xad", "").split())
    parts = []
    previous = -1
    for inner in range(row, min(stop, row + _MAX_ROWS)):
        if chars[inner] and not nodes.flags[inner] & skip:
            if previous >= 0 and parted(nodes, previous, inner):
                parts.append(" ")
            parts.append(nodes.text(inner))
            previous = inner
        elif nodes.tag[inner] in _GAPS:
            parts.append(" ")
    return " ".join("".join(parts)[:_MAX_TEXT].replace("\xad", "").split())


def _links(nodes: Nodes) -> dict[str, list[str]]:
    """Return the targets of few relations: pages have many links of others."""
    urls: dict[str, list[str]] = {}
    links = nodes.rows_of("link")[:_MAX_PROPERTIES]
    for row in nodes.rows_having("rel", *_RELATIONS, within=range(links[0], links[-1] + 1)) if links else ():
        if nodes.tag[row] == _LINK and (href := (nodes.attr(row, "href") or "").strip()):
            relations = (nodes.attr(row, "rel") or "").lower().split()
            for relation in _RELATIONS:
                if relation in relations:
                    urls.setdefault(relation, []).append(href)
    return urls


def is_json_ld(nodes: Nodes, row: int) -> bool:
    """Whether a script is JSON-LD."""
    return "ld+json" in (nodes.attr(row, "type") or "").lower()


def _json_ld_rows(nodes: Nodes) -> list[int]:
    """Return the scripts that are JSON-LD; ``application/ld&#43;json`` is a type of theirs too."""
    return [row for row in nodes.rows_having("type", "ld+json") if nodes.tag[row] == _SCRIPT]


def json_values(text: str) -> list[object]:
    """Return the JSON values of a script, with common syntax errors repaired; empty if it is not JSON."""
    text = text.replace("<![CDATA[", "")
    opening = _OPENING.search(text)
    if opening is None:
        return []
    text = text[opening.start() :]
    try:
        return _all_values(text)
    except (ValueError, RecursionError):
        pass
    try:
        return _all_values(_repaired(text))
    except (ValueError, RecursionError):
        return []


def _repaired(text: str) -> str:
    if '"' not in text:
        text = unescape(text)
    text = _ESCAPE.sub(lambda match: match[1] or "\\\\", text)
    return _TRAILING_COMMA.sub(r"\1", text)


def _all_values(text: str) -> list[object]:
    """Parse one or several concatenated values; everything after the first syntax error is dropped."""
    values, position = list[object](), 0
    while position < len(text) and len(values) < _MAX_THINGS:
        try:
            value, position = _DECODER.raw_decode(text, position)
        except ValueError:
            if values:
                break
            raise
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1
    return values


def _things(items: list[object]) -> list[Thing]:
    """Return the top-level things, those in `@graph`s, and main entities; not their parts."""
    if not items:
        return []
    things: list[tuple[frozenset[str], Fields]] = []
    known: dict[str, Fields] = {}
    waiting = items[::-1]
    while waiting and len(things) < _MAX_THINGS:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            types = _types(item)
            if not _BOOKKEEPING.issuperset(item):
                things.append((types, item))
            if isinstance(item.get("@id"), str) and len(item) > 1:
                known.setdefault(item["@id"], item)
            if not _INSIDE_SET.isdisjoint(item) and "faqpage" not in types:
                waiting += [item[name] for name in _INSIDE_LAST_FIRST if isinstance(item.get(name), _CONTAINERS)]
    return [Thing(types, item, known) for types, item in things]


def _types(item: Fields) -> frozenset[str]:
    kinds = item.get("@type")
    if isinstance(kinds, str):  # most are
        return frozenset((kinds.lower() if kinds.isalnum() else _type_name(kinds),))
    listed = kinds[:_MAX_THINGS] if isinstance(kinds, list) else [kinds]
    return frozenset(_type_name(kind) for kind in listed if isinstance(kind, str))


def _type_name(kind: str) -> str:
    return (kind if kind.isalnum() else _VOCABULARY.split(kind.rstrip("/"))[-1]).lower()


def _name_of(value: object) -> object:
    while isinstance(value, dict):
        value = value.get("@value") or value.get("name")
        if isinstance(value, list):
            value = value[0] if value else None
    return str(value) if type(value) is int else value


def _url_of(value: object) -> str | None:
    for name in ("url", "contentUrl", "@id"):
        if isinstance(value, dict):
            inside = value.get(name)
            value = inside if isinstance(inside, str) else value
    return (value.strip() or None) if isinstance(value, str) else None


def _microdata(nodes: Nodes) -> list[object]:
    """Return the top items of a page's microdata in the form of JSON-LD; properties outside items form another."""
    loose: Fields = {}
    top: list[object] = []
    around: list[tuple[int, Fields]] = []
    for element in elements(nodes, None, ITEMS, _MAX_PROPERTIES, needed=2):
        row, properties, scope, types = element[:4]
        single = properties in _READ_PROPERTIES  # as most that are read
        if scope is None and not single and (not properties or properties.isalnum()):
            continue  # one that is not read
        while around and row >= nodes.end[around[-1][0]]:
            around.pop()
        holder = around[-1][1] if around else loose
        item: Fields | None = None
        if scope is not None:
            item = {"@type": (types or "").split()}
            around.append((row, item))
            if properties is None:
                top.append(item)
        if not properties:
            continue
        for name in (properties,) if single else _READ_PROPERTIES.intersection(properties.split()):
            listed = holder.setdefault(name, [])
            if isinstance(listed, list):
                listed.append(item or _property_value(nodes, row, name, element[4:]))
    return [*top, loose] if loose else top


def _property_value(nodes: Nodes, row: int, name: str, targets: Sequence[str | None]) -> str:
    tag = nodes.tag[row]
    at = _HREF if tag == _A and name in _URL_PROPERTIES else _TARGET_OF_TAG.get(tag, _CONTENT)
    return targets[at] or short_text(nodes, row)
