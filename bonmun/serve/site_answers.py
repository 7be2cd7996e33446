"""Sites as the API shows them, and the requests about them."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from bonmun.serve.page_input import PageInput
from bonmun.serve.problems import ProblemDocument
from bonmun.serve.request_model import RequestModel, few_members
from bonmun.serve.storing import Change

if TYPE_CHECKING:
    from bonmun.sites.editing import TemplateEdit
    from bonmun.sites.page_template import Template
    from bonmun.sites.site import Site
    from bonmun.store.site_calls import StoredSite

HOST = r"^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$"
MOST_LEARNED, MOST_TRIED = 100, 20
SelectorText = Annotated[str, Field(min_length=1, max_length=1000)]
Selectors = Annotated[list[SelectorText], Field(max_length=100)]


class EditedTemplate(RequestModel):
    """The rule of a template as a person wants it."""

    name: str = Field(max_length=200)
    keep: Selectors = Field(min_length=1, description="Elements to keep; the innermost selector decides.")
    drop: Selectors = Field([], description="Elements inside them to drop.")
    fields: Annotated[dict[Literal["title", "date", "author"], SelectorText] | None, BeforeValidator(few_members)] = (
        Field(None, description="Selectors of title, date and author; as they are if missing.")
    )

    def edit(self) -> "TemplateEdit":
        """Return it as the edit of a site."""
        from bonmun.sites.editing import TemplateEdit

        fields = None if self.fields is None else {str(name): selector for name, selector in self.fields.items()}
        return TemplateEdit(self.name, tuple(self.keep), tuple(self.drop), fields)


class LearnInput(RequestModel):
    """Pages of a site to learn from."""

    host: str | None = Field(None, pattern=HOST, description="By default that of the first page with a URL.")
    pages: list[PageInput] = Field(min_length=3, max_length=MOST_LEARNED)
    save: bool = Field(True, strict=True, description="Store the site and some of its pages to try rules on.")


class SiteEdit(RequestModel):
    """Edited rules; templates that are not named stay as they are."""

    templates: list[EditedTemplate] = Field(min_length=1, max_length=100)


class TryInput(RequestModel):
    """Rules to try."""

    templates: list[EditedTemplate] | None = Field(
        None, min_length=1, max_length=100,
        description="Edited rules, compared with the stored ones. Without them: stored ones, compared with `auto`.",
    )  # fmt: skip
    pages: list[PageInput] | None = Field(
        None, min_length=1, max_length=MOST_TRIED, description="By default those kept with the site."
    )


class HealthSignal(BaseModel):
    """How a rule did on a page."""

    condition: Literal["ok", "doubtful", "failed"]
    reason: str


class TemplateAnswer(BaseModel):
    """A template: the rule of similar pages."""

    name: str
    pages: int
    agreement: float = Field(description="Mean agreement with `auto` on its pages, 0 to 1.")
    keep: list[str]
    drop: list[str]
    texts: list[str] = Field(description="Recurring texts inside kept elements that are dropped.")
    fields: dict[str, str]
    any_shape: bool = Field(description="Whether it is the fallback for pages like no other template's.")
    valid_from: date | None
    valid_until: date | None
    stale: str | None = Field(description="Why it is not used any more.")
    health: list[HealthSignal] = Field(description="The last pages, oldest first.")


class KeptPage(BaseModel):
    """A page that is kept with a site; its `id` is the `page` of further requests."""

    url: str
    id: str


class PageProblem(BaseModel):
    """A page that could not be used, by its place in the request."""

    index: int
    url: str | None
    problem: ProblemDocument


class SiteAnswer(BaseModel):
    """A site with its rules."""

    host: str
    saved_at: datetime | None = Field(description="`null` for a site that was not saved.")
    documents: int
    templates: list[TemplateAnswer]
    pages: list[KeptPage]
    explanation: str
    problems: list[PageProblem] = Field(description="Pages that could not be learned from.")


class Drift(BaseModel):
    """A template that the site's pages no longer follow."""

    template: str
    until: date | None = Field(description="The day on which another template replaced it.")
    reason: str


class SiteSummary(BaseModel):
    """A site in a list."""

    host: str
    saved_at: datetime
    pages: int = Field(description="Pages that it was learned from or that fitted since.")
    kept_pages: int = Field(description="Pages that are kept to try rules on.")
    templates: int
    health: list[HealthSignal] = Field(description="Of its templates in use, oldest first.")
    last_drift: Drift | None
    documents: int


class AppliedRules(BaseModel):
    """A page by some rules."""

    template: str | None = Field(description="The template tried; `null` for `auto`.")
    used: bool = Field(description="Whether its rule decided, not `auto`.")
    health: str | None
    text: str
    blocks: list[int] = Field(description="The kept blocks.")
    all_blocks: int


class TriedPage(BaseModel):
    """A page before and after."""

    url: str | None
    page: str | None = Field(description="The id for further requests on the page.")
    before: AppliedRules | None
    after: AppliedRules | None
    changed: bool
    diff: list[Change] = Field(description="Of the texts; empty if they are equal.")
    problem: ProblemDocument | None


def site_answer(
    site: "Site", stored: "StoredSite | None", pages: list[KeptPage], problems: list[PageProblem]
) -> SiteAnswer:
    """Return a site as an answer."""
    from bonmun.sites.explanation import rules_explained

    return SiteAnswer(
        host=site.host,
        saved_at=stored.saved_at if stored else None,
        documents=stored.documents if stored else 0,
        templates=[_template(site, template) for template in site.templates],
        pages=pages,
        explanation="\n".join(rules_explained(site.host, site.templates)),
        problems=problems,
    )


def site_summary(stored: "StoredSite") -> SiteSummary:
    """Return a line of the list of sites."""
    site = stored.site
    shaped = sum(template.pages for template in site.templates if template.shape is not None)
    for_any = max((template.pages for template in site.templates if template.shape is None), default=0)
    in_use = [template for template in site.templates if template.valid_until is None]
    return SiteSummary(
        host=site.host,
        saved_at=stored.saved_at,
        pages=max(shaped, for_any),
        kept_pages=stored.pages,
        templates=len(in_use),
        health=[signal for template in in_use for signal in _health(site, template.name)],
        last_drift=_last_drift(site),
        documents=stored.documents,
    )


def _template(site: "Site", template: "Template") -> TemplateAnswer:
    return TemplateAnswer(
        name=template.name,
        pages=template.pages,
        agreement=template.agreement,
        keep=list(template.body.keep),
        drop=list(template.body.drop),
        texts=list(template.body.texts),
        fields=dict(template.fields),
        any_shape=template.shape is None,
        valid_from=template.valid_from,
        valid_until=template.valid_until,
        stale=template.stale,
        health=_health(site, template.name),
    )


def _health(site: "Site", name: str) -> list[HealthSignal]:
    signals = site.watch.recent.get(name, ())
    return [HealthSignal(condition=signal.condition.value, reason=signal.reason) for signal in signals]


def _last_drift(site: "Site") -> Drift | None:
    """Return the template that became stale last: one that is still in use, else the one replaced last."""
    for template in site.templates:
        if template.stale is not None and template.valid_until is None:
            return Drift(template=template.name, until=None, reason=template.stale)
    ended = [template for template in site.templates if template.valid_until is not None]
    last = max(ended, key=lambda template: template.valid_until or date.min, default=None)
    return Drift(template=last.name, until=last.valid_until, reason=last.stale or "") if last else None
