"""Fields beside the body: title, date and author, each the first element that a selector names."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.byline import clean_name
from bonmun.read.dates import published_in
from bonmun.read.metadata import read_metadata
from bonmun.sites.evidence import Evidence, Text
from bonmun.sites.parameters import Parameters
from bonmun.sites.selectors import find, parse_selector
from bonmun.sites.slot_selectors import selector_of

FIELDS = ("title", "date", "author")
_MOST_PAGES = 6
"""Pages that fields are learned from: reading all that a page says of itself is dear."""
_LONGEST = {"title": 300, "date": 100, "author": 120}


@dataclass(frozen=True, slots=True)
class _Shown:
    """What one page shows: its metadata and its blocks by slot, the first of each slot only."""

    metadata: Metadata
    first: Mapping[int, Text]


def learn_fields(evidence: Evidence, parameters: Parameters) -> dict[str, str]:
    """The selectors of the fields that stand in the same slot on most pages that show them."""
    shown = [_Shown(placed.judged.metadata, _firsts(placed.slots, placed.judged.texts)) for placed in evidence.pages]
    found: dict[str, str] = {}
    for name in FIELDS:
        slot = _slot_of(_hits(name, shown, evidence.repeated), parameters)
        if slot > 0:
            found[name] = str(selector_of(evidence.tree, slot))
    return found


def _firsts(slots: Sequence[int], texts: Sequence[Text]) -> dict[int, Text]:
    first: dict[int, Text] = {}
    for slot, text in zip(slots, texts, strict=True):
        if text and slot not in first:
            first[slot] = text
    return first


def _hits(name: str, shown: Sequence[_Shown], repeated: frozenset[Text]) -> list[frozenset[int]]:
    """For each page that shows the field, the slots that show it; what recurs is a menu's entry."""
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
    """What a text that shows a value has in it: most texts need no closer look."""
    return str(wanted.year if isinstance(wanted, date) else wanted.partition(",")[0]).encode()


def _slot_of(hits: Sequence[frozenset[int]], parameters: Parameters) -> int:
    """The slot that shows a field on most of the pages that show it at all, and on two at least; -1: none."""
    counted = Counter(slot for slots in hits for slot in slots)
    slot, count = max(counted.items(), key=lambda item: (item[1], -item[0]), default=(-1, 0))
    return slot if count >= max(2.0, parameters.field_share * len(hits)) else -1


def _read(name: str, text: str) -> str | date | None:
    """The value of a field as its element shows it; `None` where the text is none."""
    if len(text) > _LONGEST[name]:
        return None
    return _READERS[name](text)


_READERS: Mapping[str, Callable[[str], str | date | None]] = {
    "title": lambda text: " ".join(text.split()) or None,
    "date": published_in,
    "author": clean_name,
}


def read_fields(page: Page, rules: Mapping[str, str]) -> dict[str, str | date]:
    """What a page shows in the elements that the rules name."""
    names = [name for name in FIELDS if name in rules]
    found: dict[str, str | date] = {}
    for name, rows in zip(names, find(page.nodes, [parse_selector(rules[name]) for name in names]), strict=True):
        for row in rows[:1]:
            value = _read(name, page.nodes.content(row))
            if value is not None:
                found[name] = value
    return found


def metadata_with(page: Page, rules: Mapping[str, str]) -> Metadata:
    """A page's metadata with what the rules find: the title, and date and author where the page does not say."""
    said, found = read_metadata(page), read_fields(page, rules)
    title, day, author = (found.get(name) for name in FIELDS)
    return replace(
        said,
        title=title if isinstance(title, str) else said.title,
        date=said.date or (day if isinstance(day, date) else None),
        author=said.author or (author if isinstance(author, str) else None),
    )
