"""A page with the sources of its metadata: structured data, the page's URLs and the names of its site."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from bonmun.model.block import KINDS, Kind
from bonmun.model.lazy import lazy
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.read.headline import fold, site_names
from bonmun.read.names import clean_name
from bonmun.read.structured import Structured, Thing, read_structured, rows_by_tag

_TAGS = ("title", "h1", "time")
_MAX_AUTHORS = 20
_MAX_BYLINES = 100  # names and bylines that are cleaned for these authors
_MAX_URLS = 20  # candidates for one URL
_NOT_BARE = re.compile(r"^https?://(?:www\.)?|[?#].*|/+$")
_USUAL_URL = re.compile(r"https?://([A-Za-z0-9.-]+)(/[A-Za-z0-9._~!$&()*+,;=:@%/-]*)?(?=[?#]|\Z)")
"""Host and path, without a need to parse it."""
_HEADING = KINDS.index(Kind.HEADING)
_ARTICLES = ("article", "posting", "report", "question", "criticreview", "recipe", "howto")
_ENTITIES = frozenset("product productgroup course event jobposting book movie softwareapplication dataset".split())


@dataclass(frozen=True)
class View:
    """A page with the sources of its metadata, collected once."""

    page: Page

    @lazy
    def rows(self) -> Mapping[str, list[int]]:
        """The rows of some kinds of element."""
        return rows_by_tag(self.nodes, _TAGS)

    @lazy
    def structured(self) -> Structured:
        """The structured data of the page."""
        return read_structured(self.nodes)

    @property
    def nodes(self) -> Nodes:
        """The nodes of the page."""
        return self.page.nodes

    def absolute_url(self, *candidates: str | None) -> str | None:
        """Return the first candidate that is a web address, made absolute."""
        urls = (absolute(href, self._base(href)) for href in islice(filter(None, candidates), _MAX_URLS))
        return next((url for url in urls if url and not url.startswith(("mailto:", "tel:"))), None)

    def _base(self, href: str) -> str | None:
        return None if href.lower().startswith(("http://", "https://")) else self.page.base_url

    @lazy
    def headings(self) -> list[int]:
        """The indexes of the blocks that are headings."""
        return self.page.blocks.of_kind(_HEADING)

    @lazy
    def own_urls(self) -> frozenset[str]:
        """The page's URLs, without scheme, query and final slash."""
        own = [self.page.url, *self.structured.links.get("canonical", ()), *self.structured.all("og:url")]
        return frozenset(_bare(href) for href in own if href)

    @lazy
    def main(self) -> list[Thing]:
        """The things that the page is about, the most likely first."""
        ranked: list[list[Thing]] = [[], [], [], []]
        for thing in self.structured.things:
            rank = _rank(thing.types)
            if rank is not None:
                ranked[rank].append(thing)
        return [thing for group in ranked for thing in self._own(group)]

    def _own(self, group: list[Thing]) -> list[Thing]:
        """Of several things of a kind, those with the page's URL. None has it in a list of other pages."""
        if len(group) < 2:
            return group
        return [thing for thing in group if any(map(self._is_own, thing.urls("url", "mainEntityOfPage", "@id")))] or (
            group if _are_same(thing.text("headline", "name") for thing in group) else []
        )

    def _is_own(self, href: str) -> bool:
        """Whether a URL is the page's; a URL without scheme and query is a part of it, unless it has several lines."""
        href = href.lower()
        return ("\n" in href or any(own in href for own in self.own_urls)) and _bare(href) in self.own_urls

    @property
    def hostname(self) -> str:
        """The host of the page's URL, else of its canonical URL; empty if unknown."""
        return self._parts[0]

    @lazy
    def host(self) -> str:
        """The host without `www.`."""
        return self.hostname.removeprefix("www.")

    def locales(self) -> Iterator[str]:
        """The declared languages as written, with their regions: that of `html` first, which most pages have."""
        yield from self._own_locales
        yield from self.declared("inLanguage")
        yield from self.structured.all("og:locale", "content-language", "language", "dc.language")

    @lazy
    def _own_locales(self) -> tuple[str, ...]:
        nodes = self.nodes
        return tuple(nodes.attr(row, name) or "" for row in nodes.rows_of("html") for name in ("lang", "xml:lang"))

    @lazy
    def at_front(self) -> bool:
        """Whether the page is its site's front page."""
        return bool(self.host) and self._parts[1] in ("", "/")

    def is_front(self, href: str | None) -> bool:
        """Whether a link leads to the site's front page."""
        try:
            parts = urlsplit(self.absolute_url(href) or "")
            return bool(parts.hostname) and parts.hostname == self.hostname and parts.path in ("", "/")
        except ValueError:
            return False

    @lazy
    def _parts(self) -> tuple[str, str]:
        url = self.page.url or self.absolute_url(*self.structured.links.get("canonical", ())) or ""
        if not url:
            return "", ""
        if usual := _USUAL_URL.match(url):
            return usual[1].lower(), usual[2] or ""
        try:
            parts = urlsplit(url)
            return parts.hostname or "", parts.path
        except ValueError:
            return "", ""

    @lazy
    def sites(self) -> frozenset[str]:
        """The folded names of the site."""
        structured = self.structured
        names = structured.all(
            "og:site_name", "application-name", "apple-mobile-web-app-title", "og:site", "twitter:domain"
        )
        for thing in structured.things:
            if "website" in thing.types or _some_end_with(thing.types, "organization"):
                names.extend(thing.texts("name", "alternateName"))
        return site_names([*names, *self.declared("publisher")], self.host)

    @lazy
    def may_be_article(self) -> bool:
        """Whether names and dates may be an article's: not on a front page, not on a product's page."""
        kinds = {kind for thing in self.main for kind in thing.types}
        product = "product" in kinds or (self.structured.first("og:type") or "").startswith("product")
        return not (self.at_front or product)

    def names(self, texts: Iterable[str], also_site: bool = False) -> list[str]:
        """Return cleaned, distinct names, without the site's unless `also_site`, and never its host."""
        distinct: dict[str, str] = {}
        for name in filter(None, map(clean_name, islice(texts, _MAX_BYLINES))):
            folded = fold(name)
            if folded not in self.sites or (also_site and not self.host.endswith(name.lower())):
                distinct.setdefault(folded, name)
        return list(distinct.values())[:_MAX_AUTHORS]

    def declared(self, *names: str) -> Iterator[str]:
        """The values of some properties of the main things."""
        for thing in self.main:
            if not thing.fields.keys().isdisjoint(names):
                yield from thing.texts(*names)


def _are_same(texts: Iterable[str | None]) -> bool:
    """Whether texts, at least one, are all the same."""
    texts = iter(texts)
    first = next(texts)
    return all(text == first for text in texts)


def _bare(href: str) -> str:
    return _NOT_BARE.sub("", href.strip().lower())


def _rank(types: frozenset[str]) -> int | None:
    if not types:
        return 3
    if _some_end_with(types, _ARTICLES):
        return 0
    if not types.isdisjoint(_ENTITIES):
        return 1
    return 2 if _some_end_with(types, "page") else None


def _some_end_with(types: frozenset[str], ends: str | tuple[str, ...]) -> bool:
    for kind in types:  # noqa: SIM110  # nearly always one, for which a generator is dear
        if kind.endswith(ends):
            return True
    return False
