"""Rules for the body: which elements hold it, and what inside them does not belong to it.

A rule is a few selectors, some to keep and some to drop. For every block the innermost element that a selector names
decides; outside all of them nothing is kept. Learning picks the cheapest such rule: each selector has a price, and so
has every character that the rule gets wrong by the evidence pooled over a template's pages.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN
from bonmun.sites.evidence import Evidence, Placed
from bonmun.sites.naming import positional, selector_of, short_steps, stands_alone
from bonmun.sites.parameters import Parameters
from bonmun.sites.selectors import Selector, find, parse_selector
from bonmun.sites.slots import SlotTree

_FLOW = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre figure figcaption span b i em strong a font center tbody tr"
    .split()
)  # fmt: skip
_SURE = 5
"""Pages on which a slot has to be seen to count as always there."""
UNSAID = -1
"""No selector names an element around the block."""


@dataclass(frozen=True)
class BodyRule:
    """What is kept of a page."""

    keep: Mapping[str, float] = field(default_factory=dict)
    """Selectors of what holds the body, each with the share of the body text that it held on the pages learned from."""
    drop: tuple[str, ...] = ()
    """Selectors of what does not belong to it."""
    texts: tuple[str, ...] = ()
    """Texts that recur on the template's pages inside what is kept."""

    @cached_property
    def selectors(self) -> tuple[Selector, ...]:
        """All selectors, those to keep first."""
        return tuple(map(parse_selector, (*self.keep, *self.drop)))

    @cached_property
    def recurring(self) -> frozenset[bytes]:
        """The recurring texts as pages hold them."""
        return frozenset(text.encode() for text in self.texts)

    def rows(self, page: Page) -> list[list[int]]:
        """The elements that each selector names."""
        return find(page.nodes, self.selectors)

    def deciders(self, page: Page, rows: Sequence[Sequence[int]]) -> list[int]:
        """For every block the number of the selector that decides about it, or `UNSAID`."""
        parents, named = page.nodes.parent, dict[int, int]()
        for number, found_rows in enumerate(rows):
            named.update(dict.fromkeys(found_rows, number))  # the later one wins: to drop goes before to keep
        decided: dict[int, int] = {-1: UNSAID}
        found = []
        for row in page.blocks.element:
            passed = []
            while row not in decided and row not in named:
                passed.append(row)
                row = parents[row]
            number = named[row] if row in named else decided[row]
            decided.update(dict.fromkeys(passed, number))
            found.append(number)
        return found

    def states(self, page: Page, deciders: Sequence[int]) -> bytearray:
        """1 for every block that the rule keeps."""
        blocks, kept, texts = page.blocks, len(self.keep), self.recurring
        ranges = zip(deciders, blocks.flags, blocks.text_start, blocks.text_stop, strict=True)
        return bytearray(
            0 <= number < kept
            and not flags & (HIDDEN | CONTROL)
            and (not texts or blocks.text_buffer[start:stop] not in texts)
            for number, flags, start, stop in ranges
        )

    def mains(self, share: float) -> frozenset[int]:
        """The numbers of the selectors that hold so much of the body that a page has to have one of them."""
        return frozenset(number for number, held in enumerate(self.keep.values()) if held >= share)


@dataclass(frozen=True, slots=True)
class Choice:
    """The cheapest way to keep and drop slots."""

    kept: Sequence[bool]
    """For each slot."""
    turns: Sequence[int]
    """The slots at which keeping starts or ends: each will be a selector."""
    turned: Sequence[int]
    """For each slot the nearest turn around it, itself included; 0: none."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A rule with what it keeps on the pages that it was learned from."""

    rule: BodyRule
    kept: Sequence[bytearray]
    """For each page, 1 for every block that is kept."""


def learn_rule(evidence: Evidence, parameters: Parameters, *, mixed: bool = False) -> Learned:
    """The cheapest rule for what was seen; one that keeps nothing where nothing is worth a selector.

    `mixed`: the pages are of several makes, so that only names can be relied on, not places.
    """
    choice = choose(evidence, parameters, mixed=mixed)
    kept = [_kept(placed, choice, evidence.repeated) for placed in evidence.pages]
    named = {slot: str(selector_of(evidence.tree, slot, choice.kept)) for slot in choice.turns}
    texts = {
        text.decode()
        for placed in evidence.pages
        for text, slot in zip(placed.judged.texts, placed.slots, strict=True)
        if choice.kept[slot] and text in evidence.repeated
    }
    drop = dict.fromkeys(named[slot] for slot in choice.turns if not choice.kept[slot])
    return Learned(BodyRule(_shares(evidence, choice, kept, named), tuple(drop), tuple(sorted(texts))), kept)


def _kept(placed: Placed, choice: Choice, repeated: frozenset[bytes]) -> bytearray:
    flags, texts = placed.judged.page.blocks.flags, placed.judged.texts
    return bytearray(
        choice.kept[slot] and not flag & (HIDDEN | CONTROL) and text not in repeated
        for slot, flag, text in zip(placed.slots, flags, texts, strict=True)
    )


def _shares(
    evidence: Evidence, choice: Choice, kept: Sequence[bytearray], named: Mapping[int, str]
) -> Mapping[str, float]:
    """The selectors to keep, the one that holds most first; those that hold nothing are left out."""
    held = Counter[str]()
    for placed, states in zip(evidence.pages, kept, strict=True):
        for slot, keep, chars in zip(placed.slots, states, placed.judged.page.blocks.chars, strict=True):
            if keep:
                held[named[choice.turned[slot]]] += chars
    total = max(1, held.total())
    return {selector: round(chars / total, 2) for selector, chars in held.most_common() if chars}


def choose(evidence: Evidence, parameters: Parameters, *, mixed: bool = False) -> Choice:
    """The states of all slots that cost least.

    A turn at a slot of one page only is weighed, so that an oddity does not spoil the slot around it, and then
    forgotten. Where the element around costs hardly more and has a better name, it is named instead.
    """
    total = sum(evidence.content)
    costs = _costs(evidence, parameters.selector_price * total)
    least_pages = 2 if len(evidence.pages) > 2 else 1
    unsure = positional(evidence.tree) if mixed else [False] * len(evidence.tree)
    for slot, pages in enumerate(evidence.counts):
        if pages < least_pages:
            costs.starts[slot] = costs.ends[slot] = 0
    choice = _turned(evidence.tree, costs)
    for slot in choice.turns:
        if choice.kept[slot]:
            costs.starts[slot] = 0
            for better in _better_named(evidence, costs, slot, parameters.lift * total):
                costs.starts[better] = not unsure[better]
    return _turned(evidence.tree, costs)


@dataclass(frozen=True, slots=True)
class _Costs:
    """For each slot with all that stands in it, the cost of either state, and whether to turn to the other."""

    kept: list[float]
    dropped: list[float]
    starts: bytearray
    """1 where keeping should start, if what is around is dropped."""
    ends: bytearray


def _costs(evidence: Evidence, price: float) -> _Costs:
    kept, dropped, parent = list(evidence.noise), list(evidence.content), evidence.tree.parent
    starts, ends = bytearray(len(kept)), bytearray(len(kept))
    for slot in range(len(kept) - 1, 0, -1):  # a slot stands after the one it is in
        around, if_kept, if_dropped = parent[slot], kept[slot], dropped[slot]
        if if_kept + price < if_dropped:
            starts[slot] = 1
            if_dropped = if_kept + price
        elif if_dropped + price < if_kept:
            ends[slot] = 1
            if_kept = if_dropped + price
        kept[around] += if_kept
        dropped[around] += if_dropped
    return _Costs(kept, dropped, starts, ends)


def _turned(tree: SlotTree, costs: _Costs) -> Choice:
    states, turned, turns = [False] * len(tree), [0] * len(tree), list[int]()
    for slot in range(1, len(tree)):
        parent = tree.parent[slot]
        around = states[parent]
        if costs.ends[slot] if around else costs.starts[slot]:
            states[slot], turned[slot] = not around, slot
            turns.append(slot)
        else:
            states[slot], turned[slot] = around, turned[parent]
    return Choice(states, turns, turned)


def _better_named(evidence: Evidence, costs: _Costs, slot: int, most: float) -> list[int]:
    """The slots to keep in the place of one: those of a name that says it more surely and costs at most so much more.

    That is the container rather than its paragraphs; and where the slot was not seen on enough pages to be sure that
    it is always there, the nearest around it with a name of which every bearer is as cheap to keep.
    """
    tree, counts = evidence.tree, evidence.counts

    def cheap(at: int) -> bool:
        return at > 0 and costs.kept[at] - costs.dropped[at] <= most

    while tree.steps[slot].tag in _FLOW and cheap(tree.parent[slot]):
        slot = tree.parent[slot]
    sure = stands_alone(tree, slot) is not None or counts[slot] >= _SURE
    at = slot
    while not sure and (at == slot or cheap(at)):
        for short in short_steps(tree.steps[at]):
            bearers = tree.matching(short)
            if all(map(cheap, bearers)):
                return bearers
        at = tree.parent[at]
    return [slot]
