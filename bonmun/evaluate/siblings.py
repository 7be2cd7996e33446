"""Sites learned from a corpus: every page is read by what the half of its site's pages that it is not in has taught.

A site is a corpus's group of pages of one template where it names any, else a domain. What a page is answered depends
on the whole corpus and on nothing else: not on which of its pages are asked, nor in what order.
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
class _Unremembering:
    """A learned site that meets every page as its first: a site marks rules that fail on page after page."""

    site: Site
    name = Site.name

    def judge(self, page: Page) -> Verdicts:
        return Site(self.site.host, self.site.templates, self.site.parameters).judge(page)


def _learn_ours(pages: Sequence[Page]) -> registry.Method:
    return _Unremembering(Site.learn(pages))


@dataclass(frozen=True, slots=True)
class _Rules:
    learn: Callable[[Sequence[Page]], registry.Method]
    otherwise: str
    """The method that decides where there was too little to learn from."""


RULES = {"m5": _Rules(learn_published, "density"), "template": _Rules(_learn_ours, "auto")}
"""The ways to learn a site: as published, and ours."""


class Siblings:
    """Who reads each page of a corpus; a site is learned when the first of its pages comes."""

    def __init__(self, corpus: Corpus, rules: str) -> None:
        self._rules = RULES[rules]
        self._otherwise = registry.method(self._rules.otherwise)
        self._methods: dict[str, registry.Method] = {}
        self._waiting = _sites(corpus)
        self._site_of = {case.id: site for site, cases in self._waiting.items() for case in cases}

    def method_of(self, page: str) -> registry.Method:
        """Return the method that reads a page, by its id; that for a page alone where it has no siblings."""
        if page not in self._methods and page in self._site_of:
            self._learn(self._waiting.pop(self._site_of[page]))
        return self._methods.get(page, self._otherwise)

    def _learn(self, cases: Sequence[Case]) -> None:
        read = {case.id: page for case in cases if (page := _read(case)) is not None}
        methods = held_out(list(read.values()), self._rules.learn, self._otherwise)
        self._methods.update((case.id, self._otherwise) for case in cases)
        self._methods.update(zip(read, methods, strict=True))


def site_of(case: Case) -> str:
    """Return what a page shares with its siblings.

    >>> site_of(Case("1", "<p>Tea", domain="example.org")), site_of(Case("1", "<p>Tea", group="tea_2022"))
    ('example.org', 'tea_2022')
    """
    return case.group or case.domain


def stamp(corpus: Corpus) -> str:
    """Return a hash of the pages of a corpus and of who is whose sibling: with others, another site is learned."""
    total = hashlib.blake2b(digest_size=4)
    for case in corpus.whole.cases():
        total.update("\0".join((case.id, site_of(case), case.url or "", case.digest, "")).encode(errors="replace"))
    return total.hexdigest()


def _sites(corpus: Corpus) -> dict[str, list[Case]]:
    """Return the pages by site, those that have siblings: most pages of a large corpus have none."""
    whole = corpus.whole
    counts = Counter(site_of(case) for case in whole.cases())
    found: dict[str, list[Case]] = {}
    for case in whole.cases():
        if counts[site_of(case)] > 1:
            found.setdefault(site_of(case), []).append(case)
    return found


def _read(case: Case) -> Page | None:
    """Read a page to learn from; one that cannot be read is an error when it is asked, and teaches nothing."""
    try:
        return read_page(case.html, url=case.url)
    except BonmunError:
        return None
