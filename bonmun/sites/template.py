"""A template: the rule that its pages are extracted by, what is known about it, and what it does to a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.sites.evidence import Evidence
from bonmun.sites.fields import learn_fields
from bonmun.sites.parameters import Parameters
from bonmun.sites.rules import BodyRule, learn_rule
from bonmun.sites.shape import Shape, Sketch

_EXAMPLES = 3


@dataclass(frozen=True)
class Template:
    """Pages of one make."""

    name: str
    body: BodyRule
    fields: Mapping[str, str] = field(default_factory=dict)
    """Selectors of title, date and author."""
    shape: Sketch | None = None
    """What its pages look like; `None`: it is for pages that look like no other template's."""
    pages: int = 0
    """How many it was learned from or has fitted since."""
    agreement: float = 0.0
    """How far rule and `auto` agreed on the pages learned from."""
    share: tuple[float, float] = (0.0, 1.0)
    """The least and most of a page's text that the rule kept on them."""
    valid_from: date | None = None
    valid_until: date | None = None
    """When another took its place."""
    stale: str | None = None
    """Why it is not used; `None`: it is."""
    examples: tuple[str, ...] = ()
    """Addresses of a few of its pages."""

    @property
    def in_use(self) -> bool:
        """Whether pages may be extracted by it."""
        return self.stale is None and self.valid_until is None

    def similarity(self, shape: Shape) -> float:
        """How like a page is to it; 0 where it is for pages of any look."""
        return self.shape.similarity(shape) if self.shape else 0.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much a rule and `auto` keep of a page, in characters."""

    rule: int
    auto: int
    both: int
    all: int

    @classmethod
    def of(cls, page: Page, kept: Sequence[int], verdicts: Verdicts) -> "Overlap":
        """Count a page."""
        chars, other = page.blocks.chars, verdicts.keep
        return cls(
            sum(n for n, rule in zip(chars, kept, strict=True) if rule),
            sum(n for n, auto in zip(chars, other, strict=True) if auto),
            sum(n for n, rule, auto in zip(chars, kept, other, strict=True) if rule and auto),
            sum(chars),
        )

    @property
    def agreement(self) -> float:
        """0: nothing in common; 1: the same."""
        return 2 * self.both / (self.rule + self.auto) if self.rule or self.auto else 1.0

    @property
    def share(self) -> float:
        """What the rule keeps, of all text."""
        return self.rule / self.all if self.all else 0.0


def learn_template(
    name: str, evidence: Evidence, shape: Shape | None, support: int, today: date, parameters: Parameters
) -> Template | None:
    """Learn the rule of some pages, a sample of the `support` ones; `None` where there is nothing to keep."""
    learned = learn_rule(evidence, parameters, mixed=shape is None)
    if not learned.rule.keep:
        return None
    judged = [placed.judged for placed in evidence.pages]
    overlaps = [Overlap.of(one.page, kept, one.verdicts) for one, kept in zip(judged, learned.kept, strict=True)]
    shares = [overlap.share for overlap in overlaps if overlap.rule] or [0.0]
    addresses = dict.fromkeys(one.page.url for one in judged if one.page.url)
    return Template(
        name=name,
        body=learned.rule,
        fields=learn_fields(evidence, parameters),
        shape=Sketch.of(shape) if shape is not None else None,
        pages=support,
        agreement=round(sum(overlap.agreement for overlap in overlaps) / len(overlaps), 3),
        share=(round(min(shares), 3), round(max(shares), 3)),
        valid_from=today,
        examples=tuple(addresses)[:_EXAMPLES],
    )
