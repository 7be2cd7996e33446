"""A site: the templates of its pages, learned from a handful of them without labels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import RLock
from typing import Any, cast
from urllib.parse import urlsplit

from bonmun import registry
from bonmun.atomic_file import write_atomically
from bonmun.errors import InputError, SourceError
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.sites.application import Application, apply
from bonmun.sites.evidence import JudgedPage
from bonmun.sites.explanation import explained, rules_explained
from bonmun.sites.fields import metadata_with
from bonmun.sites.learning import ANY, learn_templates
from bonmun.sites.page_template import Template
from bonmun.sites.parameters import DEFAULT, Parameters
from bonmun.sites.shape import shape_of
from bonmun.sites.site_file import SiteData, read_site, write_site
from bonmun.sites.watch import Watch

Source = Page | str | bytes
_LARGEST_FILE = 32 << 20  # bytes


class Site:
    """The templates of a site and how well they did lately. Also a method: ``bonmun.extract(html, method=site)``.

    A site is stateful: each extracted page records how well its template's rule did, and a template that fails on too
    many recent pages is no longer used. Thread-safe, and picklable with its state.

    >>> page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    >>> words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    >>> site = Site.learn([page.format(*pair) for pair in words], host="example.org")
    >>> list(site.templates[0].body.keep)
    ['#text']
    >>> site.extract(page.format("Ink", "soot")).text
    'Ink is made of soot.'
    """

    name = "template"

    def __init__(self, host: str, templates: Sequence[Template], parameters: Parameters = DEFAULT) -> None:
        self.host = host
        self.parameters = parameters
        self.watch = Watch(parameters)
        self._templates = tuple(templates)
        self._auto = registry.method("auto")
        self._lock = RLock()

    @classmethod
    def learn(
        cls,
        pages: Iterable[Source],
        *,
        host: str | None = None,
        today: date | None = None,
        parameters: Parameters = DEFAULT,
    ) -> "Site":
        """Learn a site from its pages, read or as HTML; `host` defaults to that of the first page with a URL.

        Pages of more than `parameters.most_blocks` blocks are left out. `InputError` if there are too few pages.
        """
        hosts: list[str] = []
        count = too_large = 0

        def counted() -> Iterable[Page]:
            nonlocal count, too_large
            for page in map(_read, pages):
                count += 1
                too_large += len(page.blocks) > parameters.most_blocks
                if page.url and not hosts:
                    hosts.append(host_of(page.url))
                yield page

        templates = learn_templates(counted(), parameters, today or _today())
        if not templates:
            too_few = f"{count - too_large} pages; a template needs {parameters.least_pages}"
            left_out = f" ({too_large} pages of more than {parameters.most_blocks:,} blocks left out)"
            few = count - too_large < parameters.least_pages
            problem = too_few if few else "no text that varies from page to page"
            raise InputError(f"nothing to learn: {problem}{left_out if too_large else ''}")
        return cls(host or (hosts[0] if hosts else ""), templates, parameters)

    @property
    def templates(self) -> tuple[Template, ...]:
        """All templates, including those no longer used."""
        return self._templates

    def templates_of(self, page: Page) -> tuple[list[Template], float]:
        """The templates to try on a page, the most similar first, and the page's similarity to that one."""
        shape = shape_of(page.nodes)
        current = [template for template in self._templates if template.valid_until is None]
        ranked = [(template.similarity(shape), template) for template in current if template.shape is not None]
        nearest, template = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
        fitting = [template] if template is not None and nearest > self.parameters.similarity else []
        return [*fitting, *(template for template in current if template.shape is None)], nearest

    def site(self, url: str | None, /) -> "Site":  # whoever passes one site knows that it is the page's
        """Return this site: ``bonmun.extract(html, sites=site)`` needs no library."""
        return self

    def judge(self, page: Page) -> Verdicts:
        """Verdicts by the rule of the page's template; by `auto`, with a note, if no template applies."""
        return self._decided(page)

    def preferring(self, beta: float) -> registry.Method:
        """Return this site with a fallback that weights recall `beta` times as much as precision.

        A template's rule is the same for every preference, and so is the evidence that the site collects.
        """
        return _PreferringSite(self, cast("registry.AdjustableMethod", self._auto).preferring(beta))

    def unwatched(self) -> registry.Method:
        """Return a method that judges by the templates as they are, and records nothing: equal pages, equal verdicts.

        For many pages in many processes, where each would see another part of the evidence.
        """
        return _UnwatchedSite(self)

    def _decided(self, page: Page, fallback: registry.Method | None = None, today: date | None = None) -> Verdicts:
        """Judge a page and record how well its templates did; `fallback` takes the place of `auto`."""
        auto = self._auto.judge(page)
        with self._lock:
            verdicts, applications = self._judged(page, auto, fallback)
            self._templates = tuple(self.watch.note(applications, JudgedPage(page, auto), self._templates))
            stale = any(template.stale and template.valid_until is None for template in self._templates)
            if stale and len(self.watch.pending) >= self.parameters.relearn_pages:
                self._learn_pending(today or _today())
        return verdicts

    def _judged(
        self, page: Page, auto: Verdicts, fallback: registry.Method | None = None
    ) -> tuple[Verdicts, list[Application]]:
        """Verdicts by the first template that applies, and the results of all that were tried."""
        templates, similarity = self.templates_of(page)
        applications: list[Application] = []
        notes: list[Reason] = []
        for template in templates:
            verdicts = apply(page, template, similarity, auto, self.parameters, self.watch.earlier)
            assert isinstance(verdicts.analysis, Application)
            applications.append(verdicts.analysis)
            if verdicts.analysis.rules:
                reader = _FieldReader(template.fields) if template.fields else None
                return replace(verdicts, notes=(*notes, *verdicts.notes), read_metadata=reader), applications
            notes.append(verdicts.notes[-1])
        if not templates:
            notes.append(Reason("no-template", f"unlike all pages that {self.host or 'the site'} was learned from"))
        verdicts = auto if fallback is None else fallback.judge(page)
        analysis = applications[0] if applications else verdicts.analysis
        return replace(verdicts, notes=(*verdicts.notes, *notes), analysis=analysis), applications

    def extract(
        self,
        html: Source,
        *,
        url: str | None = None,
        charset: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        prefer: str = "balance",
        abstain_below: float = 0.0,
    ) -> Document:
        """Return the document of one of the site's pages: ``bonmun.extract(html, method=site)``."""
        return extract(
            html, url=url, method=self, charset=charset, limits=limits, prefer=prefer, abstain_below=abstain_below
        )

    def update(self, pages: Iterable[Source], *, today: date | None = None) -> None:
        """Learn from new pages: a template that fits gains support, pages that fit none may form new templates."""
        when = today or _today()
        with self._lock:
            for page in map(_read, pages):
                application = self._decided(page, today=when).analysis
                if isinstance(application, Application) and application.rules:
                    self._supported(application)
            self._learn_pending(when)

    def explain(self, pages: Iterable[Source] = ()) -> str:
        """The rules in words; for each page the text that its template's rule kept, and the rule's health."""
        lines = rules_explained(self.host, self._templates)
        for page in map(_read, pages):
            _, applications = self._judged(page, self._auto.judge(page))
            lines += explained(page, applications, self.templates_of(page)[1])
        return "\n".join(lines)

    def save(self, path: str | Path) -> None:
        """Write the site to a JSON file that a person can read, edit and diff.

        The file is replaced as a whole: where writing fails, the old one stays.
        """
        try:
            write_atomically(Path(path), self.to_json().encode("utf-8", "replace"))
        except OSError as error:
            raise SourceError(f"cannot write {path}: {error.strerror or error}") from error

    @classmethod
    def load(cls, path: str | Path, *, parameters: Parameters = DEFAULT) -> "Site":
        """Read a saved site; a malformed file is a `SiteFileError` that names the line."""
        try:
            with Path(path).open("rb") as file:
                text = file.read(_LARGEST_FILE + 1).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
        if len(text) > _LARGEST_FILE:
            raise InputError(f"cannot read {path}: larger than {_LARGEST_FILE:,} bytes, no site file is")
        return cls.from_json(text, str(path), parameters=parameters)

    def to_json(self) -> str:
        """The site as `save` writes it."""
        with self._lock:
            return write_site(SiteData(self.host, self._templates, {k: tuple(v) for k, v in self.watch.recent.items()}))

    @classmethod
    def from_json(cls, text: str, name: str = "site", *, parameters: Parameters = DEFAULT) -> "Site":
        """Read the JSON that `to_json` wrote; errors refer to it by `name`."""
        data = read_site(text, name)
        site = cls(data.host, data.templates, parameters)
        site.watch.restored(data.recent)
        return site

    def __getstate__(self) -> dict[str, Any]:
        """The templates with all that was recorded of them; the lock and the fallback are created anew."""
        with self._lock:
            kept = {name: value for name, value in vars(self).items() if name not in ("_auto", "_lock")}
            return {**kept, "watch": _snapshot(self.watch)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _auto=registry.method("auto"), _lock=RLock())

    def _supported(self, application: Application) -> None:
        """Count a page that fitted, and widen the normal range of shares."""
        share, old = application.overlap.share, application.template
        low, high = min(old.share[0], round(share, 3)), max(old.share[1], round(share, 3))
        self._replace(old.name, lambda now: replace(now, pages=now.pages + 1, share=(low, high)))

    def _replace(self, name: str, change: Callable[[Template], Template]) -> None:
        self._templates = tuple(
            change(template) if template.name == name and template.valid_until is None else template
            for template in self._templates
        )

    def _learn_pending(self, today: date) -> None:
        """Learn templates from the pages that did not fit; stale templates end here."""
        pending = list(self.watch.pending)
        if len(pending) < self.parameters.least_pages:
            return
        numbers = [int(template.name[1:]) for template in self._templates if template.name[1:].isdigit()]
        learned = learn_templates(
            (judged.page for judged in pending), self.parameters, today, max(numbers, default=0) + 1
        )
        classes = [template for template in learned if template.shape is not None]
        if not classes:
            return
        ended = [template.name for template in self._templates if template.stale and template.valid_until is None]
        kept = [_ended(template, today) if template.name in ended else template for template in self._templates]
        for_any = not any(template.name == ANY for template in kept)
        self._templates = (*kept, *classes, *(template for template in learned if template.shape is None and for_any))
        self.watch.learned(ended)


@dataclass(frozen=True, slots=True)
class _PreferringSite:
    """A site with another fallback than the balanced `auto`."""

    origin: Site
    fallback: registry.Method
    name = Site.name

    def judge(self, page: Page) -> Verdicts:
        return self.origin._decided(page, self.fallback)


@dataclass(frozen=True, slots=True)
class _UnwatchedSite:
    """A site that does not change."""

    origin: Site
    fallback: registry.Method | None = None
    name = Site.name

    def judge(self, page: Page) -> Verdicts:
        return self.origin._judged(page, self.origin._auto.judge(page), self.fallback)[0]

    def preferring(self, beta: float) -> registry.Method:
        return replace(self, fallback=cast("registry.AdjustableMethod", self.origin._auto).preferring(beta))


@dataclass(frozen=True, slots=True)
class _FieldReader:
    """Reads metadata with a template's selectors of title, date and author."""

    selectors: Mapping[str, str]

    def __call__(self, page: Page) -> Metadata:
        return metadata_with(page, self.selectors)


def _snapshot(watch: Watch) -> Watch:
    """A copy that does not change when the site is used on."""
    state = {name: copy(value) for name, value in vars(watch).items()}
    state["recent"] = {name: copy(signals) for name, signals in watch.recent.items()}
    return Watch(**state)


def host_of(url: str | None) -> str:
    """The host of a URL, without `www.`.

    >>> host_of("https://www.example.org:8080/a"), host_of(None)
    ('example.org', '')
    """
    try:
        return (urlsplit(url or "").hostname or "").lower().removeprefix("www.")
    except ValueError:
        return ""


def _ended(template: Template, today: date) -> Template:
    name = f"{template.name}-until-{today.isoformat()}" if template.name == ANY else template.name
    return replace(template, name=name, valid_until=today)


def _read(page: Source) -> Page:
    return page if isinstance(page, Page) else read_page(page)


def _today() -> date:
    """The current date; the only use of the clock."""
    return datetime.now(UTC).date()
