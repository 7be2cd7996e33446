"""Site learning on a corpus, two-fold: every page is extracted by rules learned from the other half of its site.

A site is a template group if the corpus has groups, else a domain. The answer for a page depends on the whole corpus
only: not on the selection of pages to run, nor on their order.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bonmun import registry
from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.read.page import read_page
from bonmun.sites.held_out import held_out
from bonmun.sites.m5 import learn_published
from bonmun.sites.site import Site


@dataclass(frozen=True)
class _Stateless:
    """A learned site without memory of earlier pages; a plain `Site` retires rules that fail repeatedly."""

    site: Site
    name = Site.name

    def judge(self, page: Page) -> Verdicts:
        return Site(self.site.host, self.site.templates, self.site.parameters).judge(page)


def _learn_ours(pages: Sequence[Page]) -> registry.Method:
    return _Stateless(Site.learn(pages))


@dataclass(frozen=True, slots=True)
class _Rules:
    learn: Callable[[Sequence[Page]], registry.Method]
    fallback: str
    """The method for pages of sites that are too small to learn."""


RULES = {"m5": _Rules(learn_published, "density"), "template": _Rules(_learn_ours, "auto")}
"""Ways to learn a site: as published, and ours."""


class Siblings:
    """The method of each page of a corpus; a site is learned at its first page."""

    def __init__(self, corpus: Corpus, rules: str) -> None:
        self._rules = RULES[rules]
        self._fallback = registry.method(self._rules.fallback)
        self._methods: dict[str, registry.Method] = {}
        self._unlearned = _sites(corpus)
        self._site_of = {case.id: site for site, cases in self._unlearned.items() for case in cases}

    def method_of(self, page: str) -> registry.Method:
        """Return the method for a page, by its id; the fallback for a page without siblings."""
        if page not in self._methods and page in self._site_of:
            self._learn(self._unlearned.pop(self._site_of[page]))
        return self._methods.get(page, self._fallback)

    def _learn(self, cases: Sequence[Case]) -> None:
        pages = {case.id: page for case in cases if (page := _read(case)) is not None}
        methods = held_out(list(pages.values()), self._rules.learn, self._fallback)
        self._methods.update((case.id, self._fallback) for case in cases)
        self._methods.update(zip(pages, methods, strict=True))


def site_of(case: Case) -> str:
    """Return the template group of a page, or its domain.

    >>> site_of(Case("1", "<p>Tea", domain="example.org")), site_of(Case("1", "<p>Tea", group="tea_2022"))
    ('example.org', 'tea_2022')
    """
    return case.group or case.domain


def stamp(corpus: Corpus) -> str:
    """Return a hash of the pages of a corpus and their sites, on which the learned rules depend."""
    total = hashlib.blake2b(digest_size=4)
    for case in corpus.whole.cases():
        total.update("\0".join((case.id, site_of(case), case.url or "", case.digest, "")).encode(errors="replace"))
    return total.hexdigest()


def _sites(corpus: Corpus) -> dict[str, list[Case]]:
    """Return the pages of each site with two or more; in a large corpus most pages are the only one."""
    whole = corpus.whole
    counts = Counter(site_of(case) for case in whole.cases())
    sites: dict[str, list[Case]] = {}
    for case in whole.cases():
        if counts[site_of(case)] > 1:
            sites.setdefault(site_of(case), []).append(case)
    return sites


def _read(case: Case) -> Page | None:
    """Read a page for learning; `None` if it is unreadable, which is reported when the page itself is extracted."""
    try:
        return read_page(case.html, url=case.url)
    except BonmunError:
        return None
