"""Learned fields: title, date and author, each the first match of a selector."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.dates import published_in
from bonmun.read.metadata import read_metadata
from bonmun.read.names import clean_name, split_names
from bonmun.sites.evidence import Evidence, Text
from bonmun.sites.parameters import Parameters
from bonmun.sites.selectors import find, parse_selector
from bonmun.sites.slot_selectors import selector_of

FIELDS = ("title", "date", "author")
_MAX_CHARS = {"title": 300, "date": 100, "author": 120}


@dataclass(frozen=True, slots=True)
class _Shown:
    """A page's metadata, and the first text of each slot."""

    metadata: Metadata
    first: Mapping[int, Text]


def learn_fields(evidence: Evidence, parameters: Parameters) -> dict[str, str]:
    """Return selectors of the fields that are in the same slot on most pages that show them."""
    shown = [_Shown(placed.judged.metadata, _firsts(placed.slots, placed.judged.texts)) for placed in evidence.pages]
    selectors: dict[str, str] = {}
    for name in FIELDS:
        slot = _slot_of(_hits(name, shown, evidence.repeated), parameters)
        if slot > 0:
            selectors[name] = str(selector_of(evidence.tree, slot))
    return selectors


def _firsts(slots: Sequence[int], texts: Sequence[Text]) -> dict[int, Text]:
    first: dict[int, Text] = {}
    for slot, text in zip(slots, texts, strict=True):
        if text and slot not in first:
            first[slot] = text
    return first


def _hits(name: str, shown: Sequence[_Shown], repeated: frozenset[Text]) -> list[frozenset[int]]:
    """Return, for each page that shows the field, the slots that show it; recurring texts are menu entries."""
    titles = Counter(page.metadata.title for page in shown)
    hits = []
    for page in shown:
        wanted = getattr(page.metadata, name)
        if wanted is None or (name == "title" and len(shown) > 2 and titles[wanted] > len(shown) / 2):
            continue  # a title that most pages share is the site's name
        mark = _mark(wanted)
        showing = (slot for slot, text in page.first.items() if mark in text and text not in repeated)
        hits.append(frozenset(slot for slot in showing if _read(name, page.first[slot].decode()) == wanted))
    return [slots for slots in hits if slots]


def _mark(wanted: str | date) -> Text:
    """Return a part of every text that shows the value: a cheap filter."""
    return str(wanted.year if isinstance(wanted, date) else wanted.partition(",")[0]).encode()


def _slot_of(hits: Sequence[frozenset[int]], parameters: Parameters) -> int:
    """Return the slot that shows a field on most of the pages that show it, and on at least two; -1 if none."""
    counted = Counter(slot for slots in hits for slot in slots)
    slot, count = max(counted.items(), key=lambda item: (item[1], -item[0]), default=(-1, 0))
    return slot if count >= max(2.0, parameters.field_share * len(hits)) else -1


def _read(name: str, text: str) -> str | date | None:
    """Parse the value of a field from its element's text; `None` if it has none."""
    if len(text) > _MAX_CHARS[name]:
        return None
    return _READERS[name](text)


_READERS: Mapping[str, Callable[[str], str | date | None]] = {
    "title": lambda text: " ".join(text.split()) or None,
    "date": published_in,
    "author": clean_name,
}


def read_fields(page: Page, rules: Mapping[str, str]) -> dict[str, str | date]:
    """Return the fields that the rules find on a page."""
    names = [name for name in FIELDS if name in rules]
    fields: dict[str, str | date] = {}
    for name, rows in zip(names, find(page.nodes, [parse_selector(rules[name]) for name in names]), strict=True):
        for row in rows[:1]:
            value = _read(name, page.nodes.content(row))
            if value is not None:
                fields[name] = value
    return fields


def metadata_with(page: Page, rules: Mapping[str, str]) -> Metadata:
    """Return a page's metadata with the title of the rules, and their date and author if the page declares none."""
    metadata, fields = read_metadata(page), read_fields(page, rules)
    title, day, author = (fields.get(name) for name in FIELDS)
    if isinstance(title, str):
        metadata = replace(metadata, title=title)
    if isinstance(day, date) and not metadata.date:
        metadata = replace(metadata, date=day, published=datetime.combine(day, time()))
    if isinstance(author, str) and not metadata.author:
        metadata = replace(metadata, author=author, authors=tuple(split_names([author])))
    return metadata
