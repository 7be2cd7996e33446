"""The health of a rule on a page, and of its template on the last pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bonmun.sites.parameters import Parameters


class Condition(StrEnum):
    """The condition of a rule on a page."""

    OK = "ok"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Health:
    """The health signal of one application of a rule.

    >>> print(Health(Condition.FAILED, "rule-missing"))
    failed: rule-missing
    """

    condition: Condition
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.condition}: {self.reason}" if self.reason else str(self.condition)


@dataclass(frozen=True, slots=True)
class RuleMetrics:
    """Measurements of a rule on a page, from which its health follows."""

    matched: bool
    """Whether a main selector matches an element of the page."""
    share: float
    """The kept share of all text."""
    agreement: float
    """The F1 of rule and `auto`: 2 · common / (one + other), in characters."""
    similarity: float
    """The page's similarity to the template's seed page."""
    by_name: bool
    """Whether a matching main selector uses ids and classes only, and so does not depend on the layout."""
    seen_before: bool
    """Whether the rule kept the same text on an earlier page with another URL or title."""


def health_of(metrics: RuleMetrics, expected: tuple[float, float], parameters: Parameters) -> Health:
    """Return the health signal; `expected` is the range of kept shares on the training pages.

    >>> from bonmun.sites.parameters import DEFAULT
    >>> str(health_of(RuleMetrics(False, 0.0, 0.0, 0.2, False, False), (0.3, 0.6), DEFAULT))
    'failed: rule-missing'
    >>> str(health_of(RuleMetrics(True, 0.05, 0.1, 0.95, True, False), (0.3, 0.6), DEFAULT))
    'ok'
    """
    if not metrics.matched:
        return Health(Condition.FAILED, "rule-missing")
    if metrics.seen_before:
        return Health(Condition.FAILED, "same-text-as-another-page")
    if not metrics.share:
        return Health(Condition.DOUBTFUL, "rule-empty")
    low, high = expected
    out_of_range = not low / parameters.slack <= metrics.share <= high * parameters.slack
    same_template = metrics.by_name or metrics.similarity > parameters.similarity
    if out_of_range and metrics.agreement < parameters.agreement_floor and not same_template:
        return Health(Condition.DOUBTFUL, "share-out-of-range")
    return Health(Condition.OK)


def stale_because(recent: Iterable[Health], parameters: Parameters) -> str | None:
    """Return why a template with these last signals is stale, `None` if it is not."""
    weight = {Condition.OK: 0.0, Condition.DOUBTFUL: parameters.doubt, Condition.FAILED: 1.0}
    signals = list(recent)
    bad = [signal for signal in signals if signal.condition is not Condition.OK]
    if sum(weight[signal.condition] for signal in bad) < parameters.failures:
        return None
    reasons = sorted({signal.reason for signal in bad})
    return f"{len(bad)} of the last {len(signals)} pages: {', '.join(reasons)}"
