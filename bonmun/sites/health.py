"""How well a rule did on a page, and how its template has done lately."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bonmun.sites.parameters import Parameters


class Condition(StrEnum):
    """How a rule did on a page."""

    OK = "ok"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Health:
    """The signal that each application of a rule gives.

    >>> print(Health(Condition.FAILED, "rule-missing"))
    failed: rule-missing
    """

    condition: Condition
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.condition}: {self.reason}" if self.reason else str(self.condition)


@dataclass(frozen=True, slots=True)
class RuleMetrics:
    """What a rule's health is told from."""

    found: bool
    """Whether the page has an element that a main selector names."""
    share: float
    """What the rule keeps, of all text."""
    agreement: float
    """How far rule and `auto` keep the same: 2 · common / (one + other), in characters."""
    similarity: float
    """How like the page is to the template's seed."""
    firm: bool
    """Whether a main selector that names something does so by ids and classes alone, whatever the page looks like."""
    seen_before: bool
    """Whether the rule kept the very same text on an earlier page with another address or title."""


def health_of(measured: RuleMetrics, expected: tuple[float, float], parameters: Parameters) -> Health:
    """The signal; `expected` is the range of the text's share on the pages learned from.

    >>> from bonmun.sites.parameters import DEFAULT
    >>> str(health_of(RuleMetrics(False, 0.0, 0.0, 0.2, False, False), (0.3, 0.6), DEFAULT))
    'failed: rule-missing'
    >>> str(health_of(RuleMetrics(True, 0.05, 0.1, 0.95, True, False), (0.3, 0.6), DEFAULT))
    'ok'
    """
    if not measured.found:
        return Health(Condition.FAILED, "rule-missing")
    if measured.seen_before:
        return Health(Condition.FAILED, "same-text-as-another-page")
    if not measured.share:
        return Health(Condition.DOUBTFUL, "rule-empty")
    low, high = expected
    unheard_of = not low / parameters.slack <= measured.share <= high * parameters.slack
    same_make = measured.firm or measured.similarity > parameters.similarity
    if unheard_of and measured.agreement < parameters.agreement_floor and not same_make:
        return Health(Condition.DOUBTFUL, "share-unheard-of")
    return Health(Condition.OK)


def stale_because(recent: Iterable[Health], parameters: Parameters) -> str | None:
    """Why a template with these last signals is stale; `None` where it is not."""
    weight = {Condition.OK: 0.0, Condition.DOUBTFUL: parameters.doubt, Condition.FAILED: 1.0}
    signals = list(recent)
    bad = [signal for signal in signals if signal.condition is not Condition.OK]
    if sum(weight[signal.condition] for signal in bad) < parameters.failures:
        return None
    reasons = sorted({signal.reason for signal in bad})
    return f"{len(bad)} of the last {len(signals)} pages: {', '.join(reasons)}"
