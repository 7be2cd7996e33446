"""A site: the templates of its pages, learned from a handful of them without labels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import RLock
from urllib.parse import urlsplit

from bonmun import registry
from bonmun.errors import InputError
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.pipeline import read_page
from bonmun.read.metadata import read_metadata
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


class Site:
    """Templates of a site, and what was seen of it lately. Also a method: ``bonmun.extract(html, method=site)``.

    The one thing here that remembers: each page that is extracted says how its template's rule did, and a template
    that fails on too many of the last pages is not used any more. May be shared between threads.

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
        """Learn a site from its pages: read ones, or HTML. `host` is told from their addresses where it is not given.

        `InputError` where there are too few pages to learn anything.
        """
        hosts: list[str] = []
        count = 0

        def counted() -> Iterable[Page]:
            nonlocal count
            for page in map(_read, pages):
                count += 1
                if page.url and len(hosts) < 1:
                    hosts.append(host_of(page.url))
                yield page

        templates = learn_templates(counted(), parameters, today or _today())
        if not templates:
            least = f"{count} pages; a template needs {parameters.least_pages}"
            raise InputError(f"nothing to learn: {least if count < parameters.least_pages else 'no text that varies'}")
        return cls(host or (hosts[0] if hosts else ""), templates, parameters)

    @property
    def templates(self) -> tuple[Template, ...]:
        """All templates, those that are not used any more too."""
        return self._templates

    def templates_of(self, page: Page) -> tuple[list[Template], float]:
        """The templates to try on a page, the likeliest first, and how like the page is to the nearest."""
        shape = shape_of(page.nodes)
        current = [template for template in self._templates if template.valid_until is None]
        ranked = [(template.similarity(shape), template) for template in current if template.shape is not None]
        nearest, template = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
        fitting = [template] if template is not None and nearest > self.parameters.similarity else []
        return [*fitting, *(template for template in current if template.shape is None)], nearest

    def judge(self, page: Page) -> Verdicts:
        """Verdicts by the rule of the page's template; `auto`'s, with a note, where there is none that holds."""
        return self._decided(page, None)

    def _decided(self, page: Page, today: date | None) -> Verdicts:
        """Judge a page and remember how its templates did."""
        auto = self._auto.judge(page)
        with self._lock:
            verdicts, applications = self._judged(page, auto)
            self._templates = tuple(self.watch.note(applications, JudgedPage(page, auto), self._templates))
            stale = any(template.stale and template.valid_until is None for template in self._templates)
            if stale and len(self.watch.pending) >= self.parameters.relearn_pages:
                self._learn_pending(today or _today())
        return verdicts

    def _judged(self, page: Page, auto: Verdicts) -> tuple[Verdicts, list[Application]]:
        """Verdicts by the first template that holds, and all that were tried."""
        templates, similarity = self.templates_of(page)
        applications: list[Application] = []
        notes: list[Reason] = []
        for template in templates:
            verdicts = apply(page, template, similarity, auto, self.parameters, self.watch.earlier)
            assert isinstance(verdicts.analysis, Application)
            applications.append(verdicts.analysis)
            if verdicts.analysis.rules:
                return replace(verdicts, notes=(*notes, *verdicts.notes)), applications
            notes.append(verdicts.notes[-1])
        if not templates:
            notes.append(Reason("no-template", f"like no page that was learned of {self.host or 'this site'}"))
        analysis = applications[0] if applications else auto.analysis
        return replace(auto, notes=(*auto.notes, *notes), analysis=analysis), applications

    def extract(
        self, html: Source, *, url: str | None = None, charset: str | None = None, abstain_below: float = 0.0
    ) -> Document:
        """The document of one of the site's pages; its metadata has the fields that the template's rules find."""
        page = html if isinstance(html, Page) else read_page(html, url=url, charset=charset)
        verdicts = self.judge(page)
        application = verdicts.analysis
        rules = application.template.fields if isinstance(application, Application) and application.rules else {}

        def metadata(read: Page) -> Metadata:
            return metadata_with(read, rules) if rules else read_metadata(read)

        return Document(page, verdicts.unless_below(abstain_below), self.name, metadata)

    def update(self, pages: Iterable[Source], *, today: date | None = None) -> None:
        """Take new pages in: a template that they fit gains support, those that fit none may make new templates."""
        when = today or _today()
        with self._lock:
            for page in map(_read, pages):
                application = self._decided(page, when).analysis
                if isinstance(application, Application) and application.rules:
                    self._supported(application)
            self._learn_pending(when)

    def explain(self, pages: Iterable[Source] = ()) -> str:
        """The rules in words; and for each page what its template's rule picked on it, and how well that went."""
        lines = rules_explained(self.host, self._templates)
        for page in map(_read, pages):
            _, applications = self._judged(page, self._auto.judge(page))
            lines += explained(page, applications, self.templates_of(page)[1])
        return "\n".join(lines)

    def save(self, path: str | Path) -> None:
        """Write the site as JSON that a person can read, edit and compare."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, *, parameters: Parameters = DEFAULT) -> "Site":
        """Read a saved site; `SiteFileError`, with the line, where the file is not as it should be."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
        return cls.from_json(text, str(path), parameters=parameters)

    def to_json(self) -> str:
        """The site as `save` writes it."""
        with self._lock:
            return write_site(SiteData(self.host, self._templates, {k: tuple(v) for k, v in self.watch.recent.items()}))

    @classmethod
    def from_json(cls, text: str, name: str = "site", *, parameters: Parameters = DEFAULT) -> "Site":
        """The site that `to_json` wrote; `name` is what errors call it."""
        data = read_site(text, name)
        site = cls(data.host, data.templates, parameters)
        site.watch.restored(data.recent)
        return site

    def _supported(self, application: Application) -> None:
        """Count a page that fitted, and widen the range of shares that is normal."""
        share, old = application.overlap.share, application.template
        low, high = min(old.share[0], round(share, 3)), max(old.share[1], round(share, 3))
        self._replace(old.name, lambda now: replace(now, pages=now.pages + 1, share=(low, high)))

    def _replace(self, name: str, change: Callable[[Template], Template]) -> None:
        self._templates = tuple(
            change(template) if template.name == name and template.valid_until is None else template
            for template in self._templates
        )

    def _learn_pending(self, today: date) -> None:
        """Learn templates from the pages that did not fit; those that were stale end here."""
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


def host_of(url: str | None) -> str:
    """The host of an address, without the `www.` that many sites answer with and without.

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
    """The one place where the clock is asked."""
    return datetime.now(UTC).date()
