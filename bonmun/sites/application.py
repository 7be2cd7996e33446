"""A template's rule applied to a page: verdicts with reasons, and the signal of the rule's health."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from types import MappingProxyType

from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN
from bonmun.model.verdict import Later, Reason, Verdicts
from bonmun.sites.health import Condition, Health, Measured, health_of
from bonmun.sites.parameters import Parameters
from bonmun.sites.rules import UNSAID
from bonmun.sites.template import Overlap, Template

_NOTHING: Mapping[bytes, str] = MappingProxyType({})
_LEAST_TEXT = 80
"""Characters; a shorter text may well be the same on two pages."""


@dataclass(frozen=True, eq=False)
class Application:
    """What a rule did to a page: the analysis that goes with the verdicts."""

    page: Page
    template: Template
    similarity: float
    deciders: Sequence[int]
    """For every block the number of the selector that decided, or `UNSAID`."""
    overlap: Overlap
    health: Health
    fingerprint: bytes
    """A hash of the text that the rule keeps; empty where it keeps next to nothing."""

    @property
    def rules(self) -> bool:
        """Whether the page was extracted by the rule, and not by `auto`."""
        return self.template.in_use and self.health.condition is Condition.OK

    @cached_property
    def held(self) -> dict[str, int]:
        """Characters below each selector, of those that name something on the page."""
        names, found = (*self.template.body.keep, *self.template.body.drop), dict[str, int]()
        for number, chars in zip(self.deciders, self.page.blocks.chars, strict=True):
            if number != UNSAID:
                found[names[number]] = found.get(names[number], 0) + chars
        return found

    def to_dict(self) -> dict[str, object]:
        """What was done as plain data."""
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
    """Verdicts on a page by a template's rule; `auto`'s, with a note, where the rule has nothing to say on it.

    `earlier` has the fingerprints of earlier pages with their titles.
    """
    rows = template.body.rows(page)
    deciders = template.body.deciders(page, rows)
    kept = template.body.states(page, deciders)
    overlap = Overlap.of(page, kept, auto)
    found = [number for number in template.body.mains(parameters.main_share) if rows[number]]
    firm = any(not any(step.place for step in template.body.selectors[number].steps) for number in found)
    fingerprint = _fingerprint(page, kept, overlap)
    seen_before = fingerprint in earlier and earlier[fingerprint] != title_of(page)
    measured = Measured(bool(found), overlap.share, overlap.agreement, similarity, firm, seen_before)
    health = health_of(measured, template.share, parameters)
    application = Application(page, template, similarity, deciders, overlap, health, fingerprint)
    if not application.rules:
        why = (
            ("stale-template", f"{template.name}: {template.stale}")
            if template.stale
            else (health.reason, template.name)
        )
        return replace(auto, notes=(*auto.notes, Reason(why[0], f"{why[1]}; not used")), analysis=application)
    mended = _mended(application, kept, auto, parameters)
    return _verdicts(application, kept, mended, auto, parameters)


def title_of(page: Page) -> str:
    """What the page calls itself; its address where it has no title."""
    titles = page.nodes.rows_of("title")
    return (page.nodes.content(titles[0]) if titles else "") or page.url or ""


def _fingerprint(page: Page, kept: bytearray, overlap: Overlap) -> bytes:
    if overlap.rule < _LEAST_TEXT:
        return b""
    blocks, total = page.blocks, blake2b(digest_size=12)
    for keep, start, stop in zip(kept, blocks.text_start, blocks.text_stop, strict=True):
        if keep:
            total.update(blocks.text_buffer[start:stop])
    return total.digest()


def _mended(application: Application, kept: bytearray, auto: Verdicts, parameters: Parameters) -> frozenset[int]:
    """The blocks on which `auto` overrules the rule: few, on a page that both see alike.

    It may take blocks from the rule, such as a notice at the end, and add some that the rule says nothing about: those
    in the smallest element around all that the rule keeps, such as code between paragraphs, and a few elsewhere, such
    as the headline. If it wants much more, it is `auto` that the page misleads.
    """
    overlap, chars = application.overlap, application.page.blocks.chars
    if overlap.agreement < parameters.trust:
        return frozenset()
    mended: list[int] = []
    if overlap.rule - overlap.both <= parameters.most_dropped * overlap.rule:
        mended += [at for at, keep in enumerate(kept) if keep and not auto.keep[at]]
    added = [at for at, number in enumerate(application.deciders) if number == UNSAID and auto.keep[at]]
    first, stop = _region(application.page, [at for at, keep in enumerate(kept) if keep])
    amid = [at for at in added if first <= application.page.blocks.first[at] < stop]
    mended += amid
    around = [at for at in added if at not in amid]
    if sum(chars[at] for at in around) <= parameters.most_added * overlap.rule:
        mended += around
    return frozenset(mended)


def _region(page: Page, blocks: Sequence[int]) -> tuple[int, int]:
    """The rows of the smallest element that holds some blocks."""
    first, last = page.blocks.element[blocks[0]], page.blocks.first[blocks[-1]]
    while page.nodes.end[first] <= last:
        first = page.nodes.parent[first]
    return first, page.nodes.end[first]


def _verdicts(
    application: Application, kept: bytearray, mended: frozenset[int], auto: Verdicts, parameters: Parameters
) -> Verdicts:
    keep = bytearray((at in mended) != bool(state) for at, state in enumerate(kept))
    count, overlap = len(keep), application.overlap
    notes = []
    if overlap.agreement < parameters.agreement_floor:
        notes.append(Reason("auto-disagrees", f"{overlap.agreement:.0%} in common with the template's rule"))
    return replace(
        auto,
        keep=keep,
        score=Later(count, partial(_scores, keep, auto)),
        reasons=Later(count, partial(_reasons, application, kept, mended, auto)),
        confidence=application.template.agreement * (0.5 + 0.5 * overlap.agreement),
        parts={},
        notes=tuple(notes),
        analysis=application,
        comments=bytearray(ours and not keep[at] for at, ours in enumerate(auto.comments)),
    )


def _scores(keep: bytearray, auto: Verdicts) -> Sequence[float]:
    """Half by the rule, half by `auto`."""
    return array("d", ((state + score) / 2 for state, score in zip(keep, auto.score, strict=True)))


def _reasons(
    application: Application, kept: bytearray, mended: frozenset[int], auto: Verdicts
) -> Sequence[tuple[Reason, ...]]:
    body, name, blocks = application.template.body, application.template.name, application.page.blocks
    selectors = (*body.keep, *body.drop)
    found: list[tuple[Reason, ...]] = []
    for at, number in enumerate(application.deciders):
        if at in mended:
            what = Reason("auto-dropped", f"inside {selectors[number]}") if kept[at] else Reason("auto-added")
            found.append((what, *auto.reasons[at]))
        elif kept[at]:
            found.append((Reason("template-rule", f"{name}: {selectors[number]}"),))
        elif number == UNSAID:
            found.append((Reason("outside-template-rule", name),))
        elif number >= len(body.keep):
            found.append((Reason("template-rule-drops", f"{name}: {selectors[number]}"),))
        elif blocks.flags[at] & (HIDDEN | CONTROL):
            found.append((Reason("hidden" if blocks.flags[at] & HIDDEN else "form-control"),))
        else:
            found.append((Reason("recurring-text", "on other pages of the template too"),))
    return found
