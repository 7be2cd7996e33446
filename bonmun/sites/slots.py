"""Slots: the tree of element positions that the pages of a site share.

A slot is a step below another slot: a tag with its id and classes; a layout element without both has its position
instead. All pages of a site share one tree of slots. An element with an id has the same slot anywhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bonmun.deadline import check
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID, tag_set
from bonmun.sites.selectors import NAMELESS, Names, Step, names_of_rows

_LAYOUT = tag_set("div table tr td th section article aside header footer main form center ul ol dl nav span")
_BODY = TAG_ID["body"]
_DIGITS = re.compile(r"\d")
_MAX_DIGITS = 2
"""A name with more digits is generated, per page (post-48213) or per build (css-1x2f3c)."""
_MAX_NAME = 48


@dataclass(slots=True)
class SlotTree:
    """The slots of a site, each after its parent; slot 0 is the root."""

    steps: list[Step] = field(default_factory=lambda: [Step("html")])
    parent: list[int] = field(default_factory=lambda: [-1])
    _known: dict[tuple[int, int, Names, int], int] = field(default_factory=dict)
    _by_id: dict[str, int] = field(default_factory=dict)
    _named: dict[str, list[int]] = field(default_factory=dict)
    _matching: dict[Step, list[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.steps)

    def add(self, page: Page, names: Mapping[int, Names]) -> dict[int, int]:
        """Add the ancestors of a page's blocks, and return the slot of each row."""
        parents, unique, known = page.nodes.parent, _unique_ids(names), self._known
        needed = frozenset(around(page))
        slots, places = {-1: 0, 0: 0}, dict[int, int]()
        for row, tag in enumerate(page.nodes.tag.tolist()):
            is_layout = tag in _LAYOUT
            if is_layout:
                beside = parents[row] << 16 | tag
                places[beside] = places.get(beside, 0) + 1
            if row not in needed:
                continue
            check()
            above = slots[parents[row]]
            named = (
                names.get(row, NAMELESS) if tag != _BODY else NAMELESS
            )  # the classes of body vary with the page's topic
            place = places[beside] if is_layout and named is NAMELESS else 0
            slot = known.get((above, tag, named, place))
            if slot is None:
                slot = self._slot(page.nodes, above, tag, named if named[0] in unique else (None, named[1]), place)
                known[above, tag, named, place] = slot
            slots[row] = slot
        return slots

    def matching(self, step: Step) -> Sequence[int]:
        """Return the slots that a step matches, regardless of its position."""
        slots = self._matching.get(step)
        if slots is None:
            slots = self._matching[step] = self._matches(step)
        return slots

    def _matches(self, step: Step) -> list[int]:
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
        self._matching.clear()
        self.steps.append(Step(nodes.tag_names[tag], names[0], tuple(sorted(names[1])), place))
        self.parent.append(above)
        if names[0] is not None:
            self._by_id[names[0]] = slot
            self._named.setdefault(f"#{names[0]}", []).append(slot)
        for name in names[1]:
            self._named.setdefault(name, []).append(slot)
        return slot


def around(page: Page) -> list[int]:
    """Return the rows of all ancestors of blocks, without the root."""
    parents, seen, rows = page.nodes.parent, bytearray(len(page.nodes)), list[int]()
    for row in page.blocks.element:
        while row > 0 and not seen[row]:
            seen[row] = 1
            rows.append(row)
            row = parents[row]
    return rows


def stable_names(pages: Sequence[Page]) -> list[dict[int, Names]]:
    """Return the ids and classes of each page's elements, without generated names and names of a single page."""
    values: dict[bytes, frozenset[str]] = {}
    all_names = [names_of_rows(page.nodes, around(page), values) for page in pages]
    counted = Counter[str]()
    for names in all_names:
        counted.update({name for id, classes in names.values() for name in (f"#{id}", *classes)})
    least = 2 if len(pages) > 1 else 1
    stable = {name for name, count in counted.items() if count >= least and _is_stable(name)}
    parts: dict[Names, Names] = {}
    return [{row: _stable_part(named, stable, parts) for row, named in names.items()} for names in all_names]


def _is_stable(name: str) -> bool:
    return len(name) <= _MAX_NAME and len(_DIGITS.findall(name)) <= _MAX_DIGITS


def _stable_part(names: Names, stable: set[str], parts: dict[Names, Names]) -> Names:
    if names not in parts:
        id = names[0] if f"#{names[0]}" in stable else None
        part = (id, names[1] & stable)
        parts[names] = part if part != NAMELESS else NAMELESS
    return parts[names]


def _unique_ids(names: Mapping[int, Names]) -> set[str | None]:
    """Return the ids that are unique on the page, as ids should be."""
    counted = Counter(id for id, _ in names.values() if id is not None)
    return {id for id, count in counted.items() if count == 1}
