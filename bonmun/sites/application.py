"""Apply a template's rule to a page: verdicts with reasons, and the rule's health."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from types import MappingProxyType

from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN
from bonmun.model.verdict import Later, Reason, Verdicts
from bonmun.sites.body_rule import NO_SELECTOR
from bonmun.sites.health import Condition, Health, RuleMetrics, health_of
from bonmun.sites.page_template import Overlap, Template
from bonmun.sites.parameters import Parameters

_NOTHING: Mapping[bytes, str] = MappingProxyType({})
_MIN_FINGERPRINTED = 80
"""Characters; a shorter text may be the same on two pages by chance."""


@dataclass(frozen=True, eq=False)
class Application:
    """The result of a rule on a page: the `analysis` of the verdicts."""

    page: Page
    template: Template
    similarity: float
    deciders: Sequence[int]
    """For every block the number of the deciding selector, or `NO_SELECTOR`."""
    overlap: Overlap
    health: Health
    fingerprint: bytes
    """A hash of the kept text; empty if that is very short."""

    @property
    def rules(self) -> bool:
        """Whether the rule extracted the page, not `auto`."""
        return self.template.in_use and self.health.condition is Condition.OK

    @cached_property
    def held(self) -> dict[str, int]:
        """The characters decided by each selector that matches something on the page."""
        names, held = (*self.template.body.keep, *self.template.body.drop), dict[str, int]()
        for number, chars in zip(self.deciders, self.page.blocks.chars, strict=True):
            if number != NO_SELECTOR:
                held[names[number]] = held.get(names[number], 0) + chars
        return held

    def to_dict(self) -> dict[str, object]:
        """The application as plain data."""
        return {
            "template": self.template.name,
            "similarity": round(self.similarity, 3),
            "selectors": self.held,
            "share": round(self.overlap.share, 3),
            "agreement": round(self.overlap.agreement, 3),
            "health": str(self.health),
        }


def apply(
    page: Page,
    template: Template,
    similarity: float,
    auto: Verdicts,
    parameters: Parameters,
    earlier: Mapping[bytes, str] = _NOTHING,
) -> Verdicts:
    """Return verdicts by a template's rule; those of `auto`, with a note, if the rule does not hold on the page.

    `earlier`: fingerprints of earlier pages, with their titles.
    """
    rows = template.body.rows(page)
    deciders = template.body.deciders(page, rows)
    kept = template.body.states(page, deciders)
    overlap = Overlap.of(page, kept, auto)
    matched = [number for number in template.body.mains(parameters.main_share) if rows[number]]
    by_name = any(not any(step.place for step in template.body.selectors[number].steps) for number in matched)
    fingerprint = _fingerprint(page, kept, overlap)
    seen_before = fingerprint in earlier and earlier[fingerprint] != title_of(page)
    metrics = RuleMetrics(bool(matched), overlap.share, overlap.agreement, similarity, by_name, seen_before)
    health = health_of(metrics, template.share, parameters)
    application = Application(page, template, similarity, deciders, overlap, health, fingerprint)
    if not application.rules:
        note = (
            Reason("stale-template", f"{template.name}: {template.stale}; not used")
            if template.stale
            else Reason(health.reason, f"{template.name}; not used")
        )
        return replace(auto, notes=(*auto.notes, note), analysis=application)
    overruled = _overruled(application, kept, auto, parameters)
    return _verdicts(application, kept, overruled, auto, parameters)


def title_of(page: Page) -> str:
    """The page's `title`, else its URL."""
    titles = page.nodes.rows_of("title")
    return (page.nodes.content(titles[0]) if titles else "") or page.url or ""


def _fingerprint(page: Page, kept: bytearray, overlap: Overlap) -> bytes:
    if overlap.rule < _MIN_FINGERPRINTED:
        return b""
    blocks, digest = page.blocks, blake2b(digest_size=12)
    for keep, start, stop in zip(kept, blocks.text_start, blocks.text_stop, strict=True):
        if keep:
            digest.update(blocks.text_buffer[start:stop])
    return digest.digest()


def _overruled(application: Application, kept: bytearray, auto: Verdicts, parameters: Parameters) -> frozenset[int]:
    """Return the blocks on which `auto` overrules the rule: few, and only if the two mostly agree.

    It may drop kept blocks, such as a notice at the end, and add blocks without a selector: those in the smallest
    element around the kept blocks, such as code between paragraphs, and a few elsewhere, such as the headline. If it
    would add much more, the page misleads `auto`.
    """
    overlap, chars = application.overlap, application.page.blocks.chars
    if overlap.agreement < parameters.trust:
        return frozenset()
    blocks: list[int] = []
    if overlap.rule - overlap.both <= parameters.most_dropped * overlap.rule:
        blocks += [block for block, keep in enumerate(kept) if keep and not auto.keep[block]]
    added = [block for block, number in enumerate(application.deciders) if number == NO_SELECTOR and auto.keep[block]]
    first, stop = _region(application.page, [block for block, keep in enumerate(kept) if keep])
    rows = application.page.blocks.first
    blocks += [block for block in added if first <= rows[block] < stop]
    outside = [block for block in added if not first <= rows[block] < stop]
    if sum(chars[block] for block in outside) <= parameters.most_added * overlap.rule:
        blocks += outside
    return frozenset(blocks)


def _region(page: Page, blocks: Sequence[int]) -> tuple[int, int]:
    """Return the rows of the smallest element around some blocks."""
    first, last = page.blocks.element[blocks[0]], page.blocks.first[blocks[-1]]
    while page.nodes.end[first] <= last:
        first = page.nodes.parent[first]
    return first, page.nodes.end[first]


def _verdicts(
    application: Application, kept: bytearray, overruled: frozenset[int], auto: Verdicts, parameters: Parameters
) -> Verdicts:
    keep = bytearray((block in overruled) != bool(state) for block, state in enumerate(kept))
    count, overlap = len(keep), application.overlap
    notes = []
    if overlap.agreement < parameters.agreement_floor:
        notes.append(Reason("auto-disagrees", f"{overlap.agreement:.0%} in common with the template's rule"))
    return replace(
        auto,
        keep=keep,
        score=Later(count, partial(_scores, keep, auto)),
        reasons=Later(count, partial(_reasons, application, kept, overruled, auto)),
        confidence=application.template.agreement * (0.5 + 0.5 * overlap.agreement),
        parts={},
        notes=tuple(notes),
        analysis=application,
        comments=bytearray(comment and not keep[block] for block, comment in enumerate(auto.comments)),
    )


def _scores(keep: bytearray, auto: Verdicts) -> Sequence[float]:
    """The mean of the rule's decision and the score of `auto`."""
    return array("d", ((state + score) / 2 for state, score in zip(keep, auto.score, strict=True)))


def _reasons(
    application: Application, kept: bytearray, overruled: frozenset[int], auto: Verdicts
) -> Sequence[tuple[Reason, ...]]:
    body, name, blocks = application.template.body, application.template.name, application.page.blocks
    selectors = (*body.keep, *body.drop)
    reasons: list[tuple[Reason, ...]] = []
    for block, number in enumerate(application.deciders):
        if block in overruled:
            reason = Reason("auto-dropped", f"inside {selectors[number]}") if kept[block] else Reason("auto-added")
            reasons.append((reason, *auto.reasons[block]))
        elif kept[block]:
            reasons.append((Reason("template-rule", f"{name}: {selectors[number]}"),))
        elif number == NO_SELECTOR:
            reasons.append((Reason("outside-template-rule", name),))
        elif number >= len(body.keep):
            reasons.append((Reason("template-rule-drops", f"{name}: {selectors[number]}"),))
        elif blocks.flags[block] & (HIDDEN | CONTROL):
            reasons.append((Reason("hidden" if blocks.flags[block] & HIDDEN else "form-control"),))
        else:
            reasons.append((Reason("recurring-text", "on other pages of the template too"),))
    return reasons
