"""Sites: learning, editing and trying rules, as work for the pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.serve.given_page import GivenPage
from bonmun.serve.problems import ProblemDocument
from bonmun.serve.site_answers import AppliedRules, TriedPage
from bonmun.serve.storing import changes_of
from bonmun.sites.application import Application
from bonmun.sites.editing import TemplateEdit, edited
from bonmun.sites.site import Site

if TYPE_CHECKING:
    from bonmun.store.site_calls import SitePage

_LEARNING_SECONDS = 30.0
_SECONDS_A_PAGE = 1.5
"""Time limit of learning: a fixed part and one for each page. A page of a news site takes 0.1 seconds."""
MOST_CHECKED = 20
"""Pages on which a learned site's health is recorded."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A site as JSON, with the pages that could not be read, by their number."""

    site: str
    problems: Sequence[tuple[int, BonmunError]]


@dataclass(frozen=True, slots=True)
class LearnWork:
    """Learn a site from pages, and record how its rules do on them."""

    pages: tuple[GivenPage, ...]
    host: str
    limits: Limits

    @property
    def seconds(self) -> float:
        """By the number of pages."""
        return _LEARNING_SECONDS + _SECONDS_A_PAGE * len(self.pages)

    def run(self) -> Learned:
        """Return the site; raise `InputError` if there is nothing to learn."""
        pages: list[Page] = []
        problems: list[tuple[int, BonmunError]] = []
        for number, given in enumerate(self.pages):
            try:
                pages.append(_read(given, self.limits))
            except BonmunError as error:
                problems.append((number, error))
        site = Site.learn(pages, host=self.host)
        for page in pages[:MOST_CHECKED]:
            site.judge(page)
        return Learned(site.to_json(), problems)


@dataclass(frozen=True, slots=True)
class EditWork:
    """Edit the rules of a site."""

    site: str
    edits: tuple[TemplateEdit, ...]
    pages: tuple[GivenPage, ...]
    limits: Limits

    @property
    def seconds(self) -> float:
        """By the number of pages."""
        return _LEARNING_SECONDS + _SECONDS_A_PAGE * len(self.pages)

    def run(self) -> str:
        """Return the edited site as JSON; raise `BadRule`."""
        site = Site.from_json(self.site)
        edited(site, self.edits)  # an invalid rule costs no page
        return edited(site, self.edits, _readable(self.pages, self.limits)).to_json()


@dataclass(frozen=True, slots=True)
class TryWork:
    """Apply rules to a page: the stored ones and edited ones, or, without edits, `auto` and the stored ones."""

    site: str
    edits: tuple[TemplateEdit, ...] | None
    page: GivenPage
    limits: Limits

    @property
    def seconds(self) -> float:
        """Four times the limit: two extractions, output, comparison."""
        return 4 * self.limits.seconds

    def run(self) -> TriedPage:
        """Return the page before and after."""
        page = _read(self.page, self.limits)
        site = Site.from_json(self.site)
        if self.edits is None:
            before, after = extract(page, limits=self.limits), extract(page, method=site, limits=self.limits)
        else:
            changed = edited(site, self.edits, [page])
            before, after = (extract(page, method=one, limits=self.limits) for one in (site, changed))
        old, new = before.text, after.text
        return TriedPage(
            url=self.page.url,
            page=self.page.id,
            before=_applied(before),
            after=_applied(after),
            changed=list(before.verdicts.keep) != list(after.verdicts.keep),
            diff=changes_of(old.splitlines(), new.splitlines()) if old != new else [],
            problem=None,
        )


def _applied(document: Document) -> AppliedRules:
    application = document.verdicts.analysis
    tried = application if isinstance(application, Application) else None
    return AppliedRules(
        template=tried.template.name if tried else None,
        used=tried is not None and tried.rules,
        health=str(tried.health) if tried else None,
        text=document.text,
        blocks=[index for index, keep in enumerate(document.verdicts.keep) if keep],
        all_blocks=len(document.verdicts.keep),
    )


def untried(page: GivenPage | None, url: str | None, problem: ProblemDocument) -> TriedPage:
    """Return a page on which no rule could be tried."""
    name = page.id if page else None
    return TriedPage(url=url, page=name, before=None, after=None, changed=False, diff=[], problem=problem)


def site_page(page: GivenPage) -> "SitePage":
    """Return a page as the store keeps it."""
    from bonmun.store.site_calls import SitePage

    return SitePage(page.url or "", page.content, page.content_type)


def given_of(page: "SitePage") -> GivenPage:
    """Return a kept page as work takes it."""
    return GivenPage(page.content, page.url or None, page.content_type)


def _read(given: GivenPage, limits: Limits) -> Page:
    return read_page(given.content, url=given.url, charset=given.content_type, limits=limits)


def _readable(pages: Sequence[GivenPage], limits: Limits) -> list[Page]:
    read = []
    for given in pages:
        try:
            read.append(_read(given, limits))
        except BonmunError:
            continue
    return read
