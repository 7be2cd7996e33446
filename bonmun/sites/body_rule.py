"""Body rules: selectors of elements to keep, and of elements inside them to drop.

For every block the innermost matching selector decides; a block without one is not kept. Learning finds the rule of
least cost: each selector has a price, and so has every character on the wrong side by the pooled evidence of a
template's pages.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN
from bonmun.sites.evidence import Evidence, PlacedPage
from bonmun.sites.parameters import Parameters
from bonmun.sites.selectors import Selector, find, parse_selector
from bonmun.sites.slot_selectors import SlotStates, positional, selector_of, short_steps, unique_step
from bonmun.sites.slots import SlotTree

_FLOW = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre figure figcaption span b i em strong a font center tbody tr"
    .split()
)  # fmt: skip
_ALWAYS_PRESENT = 5
"""Minimum number of pages with a slot for it to count as always present."""
NO_SELECTOR = -1
"""Sentinel: no selector matches an element around the block."""


@dataclass(frozen=True)
class BodyRule:
    """The selectors that determine the kept part of a page."""

    keep: Mapping[str, float] = field(default_factory=dict)
    """Selectors to keep, each with its share of the body text on the training pages."""
    drop: tuple[str, ...] = ()
    """Selectors to drop."""
    texts: tuple[str, ...] = ()
    """Recurring texts inside kept elements, to drop."""

    @cached_property
    def selectors(self) -> tuple[Selector, ...]:
        """All selectors, those to keep first."""
        return tuple(map(parse_selector, (*self.keep, *self.drop)))

    @cached_property
    def recurring(self) -> frozenset[bytes]:
        """`texts` in UTF-8, as in the pages' buffers."""
        return frozenset(text.encode() for text in self.texts)

    def rows(self, page: Page) -> list[list[int]]:
        """The rows that each selector matches."""
        return find(page.nodes, self.selectors)

    def deciders(self, page: Page, rows: Sequence[Sequence[int]]) -> list[int]:
        """Return, for every block, the number of the deciding selector, or `NO_SELECTOR`."""
        parents, matched = page.nodes.parent, dict[int, int]()
        for number, selected in enumerate(rows):
            matched.update(dict.fromkeys(selected, number))  # the last one wins: drop takes precedence over keep
        decided: dict[int, int] = {-1: NO_SELECTOR}
        deciders = []
        for row in page.blocks.element:
            passed = []
            while row not in decided and row not in matched:
                passed.append(row)
                row = parents[row]
            number = matched[row] if row in matched else decided[row]
            decided.update(dict.fromkeys(passed, number))
            deciders.append(number)
        return deciders

    def states(self, page: Page, deciders: Sequence[int]) -> bytearray:
        """Return 1 for every block that the rule keeps, else 0."""
        blocks, kept, texts = page.blocks, len(self.keep), self.recurring
        ranges = zip(deciders, blocks.flags, blocks.text_start, blocks.text_stop, strict=True)
        return bytearray(
            0 <= number < kept
            and not flags & (HIDDEN | CONTROL)
            and (not texts or blocks.text_buffer[start:stop] not in texts)
            for number, flags, start, stop in ranges
        )

    def mains(self, share: float) -> frozenset[int]:
        """Return the numbers of the main selectors, those with at least `share` of the body text."""
        return frozenset(number for number, held in enumerate(self.keep.values()) if held >= share)


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """The least-cost assignment of slots to kept and dropped."""

    kept: Sequence[bool]
    """For each slot."""
    turns: Sequence[int]
    """The slots at which the state changes: each becomes a selector."""
    turned: Sequence[int]
    """For each slot the nearest turn among itself and its ancestors; 0: none."""


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """A rule with the blocks that it keeps on its training pages."""

    rule: BodyRule
    kept: Sequence[bytearray]
    """For each page, 1 for every block that is kept."""


def learn_rule(evidence: Evidence, parameters: Parameters, *, mixed: bool = False) -> LearnedRule:
    """Return the least-cost rule for the evidence; it is empty if no selector is worth its price.

    `mixed`: the pages have several templates, so that names are reliable but positions are not.
    """
    choice = choose(evidence, parameters, mixed=mixed)
    kept = [_kept(placed, choice, evidence.repeated) for placed in evidence.pages]
    states = SlotStates(evidence.tree, choice.kept)
    named = {slot: str(selector_of(evidence.tree, slot, states)) for slot in choice.turns}
    texts = {
        text.decode()
        for placed in evidence.pages
        for text, slot in zip(placed.judged.texts, placed.slots, strict=True)
        if choice.kept[slot] and text in evidence.repeated
    }
    drop = dict.fromkeys(named[slot] for slot in choice.turns if not choice.kept[slot])
    return LearnedRule(BodyRule(_shares(evidence, choice, kept, named), tuple(drop), tuple(sorted(texts))), kept)


def _kept(placed: PlacedPage, choice: SlotChoice, repeated: frozenset[bytes]) -> bytearray:
    flags, texts = placed.judged.page.blocks.flags, placed.judged.texts
    return bytearray(
        choice.kept[slot] and not flag & (HIDDEN | CONTROL) and text not in repeated
        for slot, flag, text in zip(placed.slots, flags, texts, strict=True)
    )


def _shares(
    evidence: Evidence, choice: SlotChoice, kept: Sequence[bytearray], named: Mapping[int, str]
) -> Mapping[str, float]:
    """Return the non-empty selectors to keep, with their shares of the body text, the largest first."""
    held = Counter[str]()
    for placed, states in zip(evidence.pages, kept, strict=True):
        for slot, keep, chars in zip(placed.slots, states, placed.judged.page.blocks.chars, strict=True):
            if keep:
                held[named[choice.turned[slot]]] += chars
    total = max(1, held.total())
    return {selector: round(chars / total, 2) for selector, chars in held.most_common() if chars}


def choose(evidence: Evidence, parameters: Parameters, *, mixed: bool = False) -> SlotChoice:
    """Return the least-cost states of all slots.

    A turn at a slot of a single page counts in the costs, so that an exception does not distort its ancestors, but
    becomes no selector. A better-named ancestor of nearly the same cost replaces a slot.
    """
    total = sum(evidence.content)
    costs = _costs(evidence, parameters.selector_price * total)
    least_pages = 2 if len(evidence.pages) > 2 else 1
    unreliable = positional(evidence.tree) if mixed else [False] * len(evidence.tree)
    for slot, pages in enumerate(evidence.counts):
        if pages < least_pages:
            costs.starts[slot] = costs.ends[slot] = 0
    choice = _turned(evidence.tree, costs)
    for slot in choice.turns:
        if choice.kept[slot]:
            costs.starts[slot] = 0
            for better in _better_named(evidence, costs, slot, parameters.lift * total):
                costs.starts[better] = not unreliable[better]
    return _turned(evidence.tree, costs)


@dataclass(frozen=True, slots=True)
class _Costs:
    """For each slot with its descendants, the cost of both states, and whether to turn to the other."""

    kept: list[float]
    dropped: list[float]
    starts: bytearray
    """1 where keeping starts if the parent is dropped."""
    ends: bytearray
    """1 where keeping ends if the parent is kept."""


def _costs(evidence: Evidence, price: float) -> _Costs:
    kept, dropped, parent = list(evidence.noise), list(evidence.content), evidence.tree.parent
    starts, ends = bytearray(len(kept)), bytearray(len(kept))
    for slot in range(len(kept) - 1, 0, -1):  # parents come before their children
        above, if_kept, if_dropped = parent[slot], kept[slot], dropped[slot]
        if if_kept + price < if_dropped:
            starts[slot] = 1
            if_dropped = if_kept + price
        elif if_dropped + price < if_kept:
            ends[slot] = 1
            if_kept = if_dropped + price
        kept[above] += if_kept
        dropped[above] += if_dropped
    return _Costs(kept, dropped, starts, ends)


def _turned(tree: SlotTree, costs: _Costs) -> SlotChoice:
    states, turned, turns = [False] * len(tree), [0] * len(tree), list[int]()
    for slot in range(1, len(tree)):
        parent = tree.parent[slot]
        inherited = states[parent]
        if costs.ends[slot] if inherited else costs.starts[slot]:
            states[slot], turned[slot] = not inherited, slot
            turns.append(slot)
        else:
            states[slot], turned[slot] = inherited, turned[parent]
    return SlotChoice(states, turns, turned)


def _better_named(evidence: Evidence, costs: _Costs, slot: int, max_cost: float) -> Sequence[int]:
    """Return the slots to keep instead of one: with a more reliable name, for at most `max_cost` more.

    A container replaces its paragraphs. For a slot on too few pages, the nearest ancestor with a name replaces it, if
    all slots of that name are as cheap to keep.
    """
    tree, counts = evidence.tree, evidence.counts

    def cheap(other: int) -> bool:
        return other > 0 and costs.kept[other] - costs.dropped[other] <= max_cost

    while tree.steps[slot].tag in _FLOW and cheap(tree.parent[slot]):
        slot = tree.parent[slot]
    reliable = unique_step(tree, slot) is not None or counts[slot] >= _ALWAYS_PRESENT
    ancestor = slot
    while not reliable and (ancestor == slot or cheap(ancestor)):
        for short in short_steps(tree.steps[ancestor]):
            namesakes = tree.matching(short)
            if all(map(cheap, namesakes)):
                return namesakes
        ancestor = tree.parent[ancestor]
    return [slot]
