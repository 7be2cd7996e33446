"""Slots: the places that the pages of a site have for their elements.

A slot is a step below another slot: a tag with its id and classes, or with its place where it has neither and is one of
those elements that pages are laid out by. All pages of a site fill one tree of slots. An element with an id is the same
slot wherever it stands.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID, tag_set
from bonmun.sites.selectors import NAMELESS, Names, Step, names_of_rows

_LAID_OUT = tag_set("div table tr td th section article aside header footer main form center ul ol dl nav span")
_BODY = TAG_ID["body"]
_DIGITS = re.compile(r"\d")
_MOST_DIGITS = 2
"""A name with more is a number of the page (post-48213) or of a build (css-1x2f3c)."""
_LONGEST_NAME = 48


@dataclass(slots=True)
class SlotTree:
    """The slots of a site, each after the one it stands in; slot 0 is the page."""

    steps: list[Step] = field(default_factory=lambda: [Step("html")])
    parent: list[int] = field(default_factory=lambda: [-1])
    _known: dict[tuple[int, int, Names, int], int] = field(default_factory=dict)
    _by_id: dict[str, int] = field(default_factory=dict)
    _named: dict[str, list[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.steps)

    def add(self, page: Page, names: Mapping[int, Names]) -> dict[int, int]:
        """Take in the elements around a page's blocks, and return the slot of each row."""
        parents, once, known = page.nodes.parent, _once(names), self._known
        needed = set(around(page))
        slots, places = {-1: 0, 0: 0}, dict[int, int]()
        for row, tag in enumerate(page.nodes.tag.tolist()):
            laid_out = tag in _LAID_OUT
            if laid_out:
                beside = parents[row] << 16 | tag
                places[beside] = places.get(beside, 0) + 1
            if row not in needed:
                continue
            above = slots[parents[row]]
            named = names.get(row, NAMELESS) if tag != _BODY else NAMELESS  # its classes say what the page is about
            place = places[beside] if laid_out and named is NAMELESS else 0
            slot = known.get((above, tag, named, place))
            if slot is None:
                slot = self._slot(page.nodes, above, tag, named if named[0] in once else (None, named[1]), place)
                known[above, tag, named, place] = slot
            slots[row] = slot
        return slots

    def matching(self, step: Step) -> list[int]:
        """The slots whose elements a step would match, its place aside."""
        if step.id is not None:
            candidates: Iterable[int] = self._named.get(f"#{step.id}", ())
        else:
            candidates = self._named.get(step.classes[0], ()) if step.classes else range(len(self.steps))
        wanted = set(step.classes)
        return [
            slot
            for slot in candidates
            if step.tag in ("*", self.steps[slot].tag) and wanted.issubset(self.steps[slot].classes)
        ]

    def _slot(self, nodes: Nodes, above: int, tag: int, names: Names, place: int) -> int:
        if names[0] is not None and names[0] in self._by_id:
            return self._by_id[names[0]]
        slot = len(self.steps)
        self.steps.append(Step(nodes.tag_names[tag], names[0], tuple(sorted(names[1])), place))
        self.parent.append(above)
        if names[0] is not None:
            self._by_id[names[0]] = slot
            self._named.setdefault(f"#{names[0]}", []).append(slot)
        for name in names[1]:
            self._named.setdefault(name, []).append(slot)
        return slot


def around(page: Page) -> list[int]:
    """The rows of all elements that hold a block, the root aside."""
    parents, seen, found = page.nodes.parent, bytearray(len(page.nodes)), list[int]()
    for row in page.blocks.element:
        while row > 0 and not seen[row]:
            seen[row] = 1
            found.append(row)
            row = parents[row]
    return found


def stable_names(pages: Sequence[Page]) -> list[dict[int, Names]]:
    """The ids and classes of each page's elements, less those that are of one page only, or numbers."""
    values: dict[bytes, frozenset[str]] = {}
    all_names = [names_of_rows(page.nodes, around(page), values) for page in pages]
    counted = Counter[str]()
    for names in all_names:
        counted.update({name for id, classes in names.values() for name in (f"#{id}", *classes)})
    least = 2 if len(pages) > 1 else 1
    good = {name for name, count in counted.items() if count >= least and _is_stable(name)}
    kept: dict[Names, Names] = {}
    return [{row: _kept(named, good, kept) for row, named in names.items()} for names in all_names]


def _is_stable(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and len(_DIGITS.findall(name)) <= _MOST_DIGITS


def _kept(names: Names, good: set[str], kept: dict[Names, Names]) -> Names:
    if names not in kept:
        id = names[0] if f"#{names[0]}" in good else None
        left = (id, names[1] & good)
        kept[names] = left if left != NAMELESS else NAMELESS
    return kept[names]


def _once(names: Mapping[int, Names]) -> set[str | None]:
    """The ids that one element of the page has, as it should be."""
    counted = Counter(id for id, _ in names.values() if id is not None)
    return {id for id, count in counted.items() if count == 1}
