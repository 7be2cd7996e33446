"""The entries of a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed; told apart by their content."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urljoin

from bonmun.errors import SourceError
from bonmun.middleware.sources.url_rules import clean_url
from bonmun.middleware.sources.xml_stream import Element, elements
from bonmun.read.decode import decode

ROOTS: Final = frozenset({"rss", "feed", "rdf"})
"""The root elements of feeds, in lower case and without prefix."""
_HEAD: Final = 64 * 1024
# Atomic groups: a pattern that could match a comment in two ways would take exponential time on a hostile head.
_ROOT: Final = re.compile(
    r"\s*(?>(?>(?s:<\?.*?\?>)|(?s:<!--.*?-->)|<!(?i:doctype)[^>\[]*(?:\[[^\]]*\])?\s*>)\s*)*<([\w:.-]+)"
)
_CDATA: Final = "<![CDATA["
_INVALID: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&(?!#\d{1,7};|#x[\da-fA-F]{1,6};|\w{1,32};)")
_SLICE: Final = 64 * 1024


def root_of(text: str) -> str:
    """Return the name of the first element, in lower case and without prefix; empty if there is none.

    >>> root_of("<?xml version='1.0'?><!-- Tea --><rdf:RDF>"), root_of('{"version": ""}')
    ('rdf', '')
    """
    match = _ROOT.match(text[:_HEAD].removeprefix("\ufeff"))
    return match[1].rpartition(":")[2].lower() if match else ""


def entry_links(content: bytes, url: str, content_type: str | None = None) -> Iterator[str]:
    """Yield the URL of each entry of a feed, cleaned; `url` is the feed's own.

    Raise `SourceError` if it is no feed, or malformed: then after the entries before the error.

    >>> list(entry_links(b"<rss><channel><item><link>/tea</link></item></channel></rss>", "https://example.org/feed"))
    ['https://example.org/tea']
    """
    text = decode(content, content_type).text.lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        yield from _json_links(text, url)
    elif root_of(text) in ROOTS:
        yield from _xml_links(text, url)
    else:
        raise SourceError(f"not a feed: {_found(text)} instead of RSS, Atom or JSON Feed")


def _found(text: str) -> str:
    if not text:
        return "an empty response"
    root = root_of(text)
    return f"<{root}>" if root else "plain text"


def _json_links(text: str, url: str) -> Iterator[str]:
    try:
        feed: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"malformed JSON Feed: {error}") from None
    items = feed.get("items")
    if not isinstance(items, list) or "jsonfeed.org" not in str(feed.get("version")):
        raise SourceError("not a feed: JSON, but not a JSON Feed (no version of jsonfeed.org, or no items)")
    for item in items:
        fields = item if isinstance(item, dict) else {}
        link = next((value for name in ("url", "id") if _is_link(value := fields.get(name), name)), None)
        if link and (cleaned := clean_url(link, url)):
            yield cleaned


def _is_link(value: object, name: str) -> bool:
    return isinstance(value, str) and (name == "url" or value.startswith(("http://", "https://")))


def _xml_links(text: str, url: str) -> Iterator[str]:
    fields: list[Element] = []
    for element in elements(_repaired(text)):
        parent = element.parent
        if element.local in ("item", "entry"):
            if link := _entry_link(element, fields, url):
                yield link
            fields.clear()
        elif parent is not None and parent.local in ("item", "entry"):
            fields.append(element)


def _entry_link(entry: Element, fields: list[Element], url: str) -> str | None:
    for value, element in _candidates(entry, fields):
        cleaned = clean_url(value.strip(), _base(element, url)) if value.strip() else None
        if cleaned:
            return cleaned
    return None


def _candidates(entry: Element, fields: list[Element]) -> Iterator[tuple[str, Element]]:
    """The texts that may be an entry's URL, the most certain first."""
    yield from ((field.text, field) for field in fields if field.local == "origLink")  # before FeedBurner's redirect
    links = [
        field for field in fields if field.local == "link" and field.attributes.get("rel", "alternate") == "alternate"
    ]
    links.sort(key=lambda field: (field.prefix != entry.prefix, "html" not in field.attributes.get("type", "html")))
    yield from ((field.attributes.get("href") or field.text, field) for field in links)
    for field in fields:
        permanent = field.attributes.get("isPermaLink", "true").lower() == "true"
        if field.local in ("guid", "id") and permanent and field.text.strip().startswith(("http://", "https://")):
            yield field.text, field
    yield entry.attributes.get("rdf:about", ""), entry


def _base(element: Element, url: str) -> str:
    """The URL that an element's relative links refer to: `xml:base` of its ancestors, from the outside in."""
    bases = []
    here: Element | None = element
    while here is not None:
        bases.append(here.attributes.get("xml:base", ""))
        here = here.parent
    for base in reversed(bases):
        try:
            url = urljoin(url, base)
        except ValueError:  # such as an invalid IPv6 address
            continue
    return url


def _repaired(text: str) -> Iterator[str]:
    """The text in pieces, without the mistakes of most invalid feeds: bare ampersands and control characters.

    Split by hand: a pattern for CDATA sections takes quadratic time where none of them ends.
    """
    for number, part in enumerate(text.split(_CDATA)):
        section, closing, rest = part.partition("]]>") if number else ("", "", part)
        if number and not closing:
            section, rest = part, ""
        opening = _CDATA if number else ""
        piece = f"{opening}{_without_controls(section)}{closing}{_INVALID.sub(_mended, rest)}"
        yield from (piece[start : start + _SLICE] for start in range(0, len(piece), _SLICE))


def _mended(match: re.Match[str]) -> str:
    return "&amp;" if match[0] == "&" else ""


def _without_controls(text: str) -> str:
    return _INVALID.sub(lambda match: match[0] if match[0] == "&" else "", text)
