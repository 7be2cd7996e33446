"""Templates: the rule of similar pages, with its statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.sites.body_rule import BodyRule, learn_rule
from bonmun.sites.evidence import Evidence
from bonmun.sites.fields import learn_fields
from bonmun.sites.parameters import Parameters
from bonmun.sites.shape import Shape, Sketch

_EXAMPLES = 3


@dataclass(frozen=True)
class Template:
    """The rules of a class of similar pages."""

    name: str
    body: BodyRule
    fields: Mapping[str, str] = field(default_factory=dict)
    """Selectors of title, date and author."""
    shape: Sketch | None = None
    """The shape of its pages; `None` for the fallback template, for pages of any shape."""
    pages: int = 0
    """The number of pages that it was learned from or has matched since."""
    agreement: float = 0.0
    """The mean agreement of rule and `auto` on the training pages."""
    share: tuple[float, float] = (0.0, 1.0)
    """The minimum and maximum kept share of a page's text on them."""
    valid_from: date | None = None
    valid_until: date | None = None
    """The date on which another template replaced it."""
    stale: str | None = None
    """Why it is not used; `None` if it is."""
    examples: tuple[str, ...] = ()
    """URLs of a few of its pages."""

    @property
    def in_use(self) -> bool:
        """Whether it is used for extraction."""
        return self.stale is None and self.valid_until is None

    def similarity(self, shape: Shape) -> float:
        """Return a page's similarity to it; 0 for the fallback template."""
        return self.shape.similarity(shape) if self.shape else 0.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """The characters of a page that a rule and `auto` keep."""

    rule: int
    auto: int
    both: int
    all: int

    @classmethod
    def of(cls, page: Page, kept: Sequence[int], verdicts: Verdicts) -> "Overlap":
        """Count the characters of a page."""
        chars, other = page.blocks.chars, verdicts.keep
        return cls(
            sum(n for n, rule in zip(chars, kept, strict=True) if rule),
            sum(n for n, auto in zip(chars, other, strict=True) if auto),
            sum(n for n, rule, auto in zip(chars, kept, other, strict=True) if rule and auto),
            sum(chars),
        )

    @property
    def agreement(self) -> float:
        """The F1 of rule and `auto`, from 0 to 1."""
        return 2 * self.both / (self.rule + self.auto) if self.rule or self.auto else 1.0

    @property
    def share(self) -> float:
        """The kept share of all text."""
        return self.rule / self.all if self.all else 0.0


def learn_template(
    name: str, evidence: Evidence, shape: Shape | None, support: int, today: date, parameters: Parameters
) -> Template | None:
    """Learn a template from a sample of its `support` pages; `None` if there is nothing to keep."""
    learned = learn_rule(evidence, parameters, mixed=shape is None)
    if not learned.rule.keep:
        return None
    pages = [placed.judged for placed in evidence.pages]
    overlaps = [
        Overlap.of(judged.page, kept, judged.verdicts) for judged, kept in zip(pages, learned.kept, strict=True)
    ]
    shares = [overlap.share for overlap in overlaps if overlap.rule] or [0.0]
    urls = dict.fromkeys(judged.page.url for judged in pages if judged.page.url)
    return Template(
        name=name,
        body=learned.rule,
        fields=learn_fields(evidence, parameters),
        shape=Sketch.of(shape) if shape is not None else None,
        pages=support,
        agreement=round(sum(overlap.agreement for overlap in overlaps) / len(overlaps), 3),
        share=(round(min(shares), 3), round(max(shares), 3)),
        valid_from=today,
        examples=tuple(urls)[:_EXAMPLES],
    )
