"""The metadata of a page, each field from the best source that has it.

Structured data (JSON-LD, OpenGraph, `meta`, microdata) comes first, the visible page last; the first source with a
value wins. A field without a source is `None`: precision before recall.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from urllib.parse import urlsplit

from bonmun.model.block import Kind
from bonmun.model.links import absolute
from bonmun.model.metadata import Metadata
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN, UNRENDERED
from bonmun.read.byline import clean_name, seen_authors
from bonmun.read.dates import parse_date, published_in
from bonmun.read.headline import find_headline, fold, site_names
from bonmun.read.language import language_of
from bonmun.read.structured import Structured, Thing, read_structured, rows_by_tag, short_text

_ROWS_BEFORE, _ROWS_AFTER = 60, 110  # rows around a headline searched for its `time`
_LINES_BEFORE, _LINES_AFTER, _DATE_LINE = 3, 7, 100  # blocks searched for its date, and their maximum length
_MAX_AUTHORS = 20
_CHANGED = re.compile(r"updated|modified|수정|更新|修改", re.IGNORECASE)
_PUBLISHED = re.compile(r"publish|posted|입력|등록|发布|公開", re.IGNORECASE)
_DATED_URL = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/_.-]|$)")
_DAY_FIRST = frozenset("de fr es it pt nl pl ru el cs sk da sv nb no fi tr uk ro bg hr sr sl".split())
_TITLE_NAMES = (
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "parsely-title",
    "sailthru.title",
)
_TAGS = ("html", "title", "meta", "link", "script", "h1", "time")

_ARTICLES = ("article", "posting", "report", "question", "criticreview", "recipe", "howto")
_ENTITIES = frozenset("product productgroup course event jobposting book movie softwareapplication dataset".split())

_DATE_NAMES = (
    "article:published_time og:article:published_time article:published og:published_time og:publish_date datepublished"
    " date-pub sailthru.date parsely-pub-date cxenseparse:publishtime citation_publication_date citation_online_date"
    " citation_date dc.date.issued dcterms.issued dc.date.created dcterms.created dcterms.date dc.date date pubdate"
    " publishdate publish-date publish_date published-date published_date published originalpublicationdate"
).split()
_AUTHOR_NAMES = (
    "author article:author og:article:author parsely-author sailthru.author dc.creator dcterms.creator"
    " dc.creator.name byl byline dable:author"
).split()


@dataclass(frozen=True)
class _View:
    """A page with the sources of its metadata, collected once."""

    page: Page
    rows: Mapping[str, list[int]]
    structured: Structured

    @property
    def nodes(self) -> Nodes:
        return self.page.nodes

    def absolute_url(self, *candidates: str | None) -> str | None:
        urls = (absolute(href, self._base(href)) for href in candidates if href)
        return next((url for url in urls if url and not url.startswith(("mailto:", "tel:"))), None)

    def _base(self, href: str) -> str | None:
        return None if href.lower().startswith(("http://", "https://")) else self.page.base_url

    @cached_property
    def own_urls(self) -> frozenset[str]:
        own = [self.page.url, *self.structured.links.get("canonical", ()), *self.structured.all("og:url")]
        return frozenset(_bare(href) for href in own if href)

    @cached_property
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
        return [
            thing
            for thing in group
            if any(_bare(href) in self.own_urls for href in thing.urls("url", "mainEntityOfPage", "@id"))
        ] or (group if len({thing.text("headline", "name") for thing in group}) == 1 else [])

    @cached_property
    def host(self) -> str:
        return self._parts[0].removeprefix("www.")

    @cached_property
    def at_front(self) -> bool:
        """Whether the page is its site's front page."""
        return bool(self.host) and self._parts[1] in ("", "/")

    @cached_property
    def _parts(self) -> tuple[str, str]:
        try:
            parts = urlsplit(self.page.url or self.absolute_url(*self.structured.links.get("canonical", ())) or "")
            return parts.hostname or "", parts.path
        except ValueError:
            return "", ""

    @cached_property
    def sites(self) -> frozenset[str]:
        """The folded names of the site."""
        structured = self.structured
        names = structured.all(
            "og:site_name", "application-name", "apple-mobile-web-app-title", "og:site", "twitter:domain"
        )
        for thing in structured.things:
            if "website" in thing.types or any(kind.endswith("organization") for kind in thing.types):
                names.extend(thing.texts("name", "alternateName"))
        return site_names([*names, *self.declared("publisher")], self.host)

    @cached_property
    def may_be_article(self) -> bool:
        """Whether names and dates may be an article's: not on a front page, not on a product's page."""
        kinds = {kind for thing in self.main for kind in thing.types}
        product = "product" in kinds or (self.structured.first("og:type") or "").startswith("product")
        return not (self.at_front or product)

    def names(self, texts: Iterable[str], also_site: bool = False) -> list[str]:
        """Return cleaned, distinct names, without the site's unless `also_site`, and never its host."""
        distinct: dict[str, str] = {}
        for name in filter(None, map(clean_name, texts)):
            if fold(name) not in self.sites or (also_site and not self.host.endswith(name.lower())):
                distinct.setdefault(fold(name), name)
        return list(distinct.values())[:_MAX_AUTHORS]

    def declared(self, *names: str) -> Iterator[str]:
        """The values of some properties of the main things."""
        for thing in self.main:
            yield from thing.texts(*names)


def _bare(href: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|[?#].*|/+$", "", href.strip().lower())


def _rank(types: frozenset[str]) -> int | None:
    if any(kind.endswith(_ARTICLES) for kind in types):
        return 0
    if types & _ENTITIES:
        return 1
    if any(kind.endswith("page") for kind in types):
        return 2
    return 3 if not types else None


def read_metadata(page: Page) -> Metadata:
    """Read a page's metadata.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse('<html lang="en-GB"><title>Tea | Leaves</title><meta property="og:site_name" content="Leaves">')
    >>> read_metadata(Page(nodes, segment(nodes)))
    Metadata(title='Tea', author=None, date=None, language='en', site='Leaves', canonical_url=None, description=None, \
image=None, tags=())
    """
    nodes = page.nodes
    rows = rows_by_tag(nodes, _TAGS)
    view = _View(page, rows, read_structured(nodes, rows))
    structured = view.structured
    site = _site(view)
    title, headline = _headline(view)
    language = _language(view)
    return Metadata(
        title=title,
        author=_author(view, headline),
        date=_date(view, headline, language),
        language=language,
        site=site,
        canonical_url=view.absolute_url(*structured.links.get("canonical", ()), *structured.all("og:url")),
        description=structured.first("description", "og:description")
        or next(view.declared("description"), None)
        or structured.first("twitter:description", "dc.description", "dcterms.description"),
        image=view.absolute_url(
            *structured.all("og:image", "og:image:url", "og:image:secure_url"),
            *(href for thing in view.main for href in thing.urls("image")),
            *structured.all("twitter:image", "twitter:image:src"),
            *structured.links.get("image_src", ()),
        ),
        tags=_tags(view),
    )


def _site(view: _View) -> str | None:
    structured = view.structured
    names = (
        *structured.all("og:site_name"),
        *(name for thing in structured.things if "website" in thing.types for name in thing.texts("name")),
        *view.declared("publisher"),
        *structured.all("application-name", "apple-mobile-web-app-title"),
    )
    return next((name for name in names if "://" not in name), None)


def _tags(view: _View) -> tuple[str, ...]:
    structured = view.structured
    lists = [*view.declared("keywords"), *structured.all("keywords", "news_keywords", "parsely-tags", "sailthru.tags")]
    tags = [tag.strip(" #") for text in lists for tag in re.split(r"[,，、;；]", text)]
    single = structured.all("article:tag", "og:article:tag")
    seen: dict[str, str] = {}
    for tag in (*tags, *single):
        if tag:
            seen.setdefault(tag.casefold(), tag)
    return tuple(seen.values())


def _headline(view: _View) -> tuple[str | None, int]:
    nodes, structured = view.nodes, view.structured
    declared = [*filter(None, map(structured.first, _TITLE_NAMES)), *view.declared("headline", "name")]
    declared.extend(short_text(nodes, row) for row in view.rows["title"] if nodes.name(nodes.parent[row]) != "svg")
    headings = [(row, text) for row in view.rows["h1"] if (text := short_text(nodes, row, HIDDEN | UNRENDERED))]
    title, row = find_headline(declared, headings, view.sites, view.at_front)
    if title and row < 0:
        row = _row_of_heading(view.page, title)
    return title, row


def _row_of_heading(page: Page, title: str) -> int:
    """Return the row of a heading of any level with the same words, -1 if there is none."""
    blocks, folded = page.blocks, fold(title)
    for index, kind in enumerate(blocks.kind):
        if kind is Kind.HEADING and fold(blocks.text[index]) == folded:
            return blocks.first[index]
    return -1


def _author(view: _View, headline: int) -> str | None:
    """Return full names in the markup, else the byline, else nicknames, else the site or an organization."""
    people = [thing.people("author", "creator") for thing in view.main]
    structured = view.structured
    sources = [persons for persons, _ in people]
    sources.append([_turned(name) for name in structured.all("citation_author")])
    sources.append(structured.all(*_AUTHOR_NAMES))
    sources.append(
        [structured.first(f"twitter:data{number}") or "" for number in "12" if _names_author(structured, number)]
    )
    named = [names for source in sources if (names := view.names(source))]
    for names in named:
        if any(" " in name or not name.isascii() for name in names):
            return ", ".join(names)
    seen = seen_authors(view.page, headline) if headline >= 0 and view.may_be_article else []
    authors = view.names(seen) or next(iter(named), [])
    if view.may_be_article:
        for source in (*sources, seen, *(bodies for _, bodies in people)):
            authors = authors or view.names(source, also_site=True)
    return ", ".join(authors) or None


def _turned(name: str) -> str:
    """Return "Doe, Jane" as "Jane Doe"."""
    last, _, first = name.partition(",")
    return f"{first.strip()} {last}" if first and "," not in first else name


def _names_author(structured: Structured, number: str) -> bool:
    label = (structured.first(f"twitter:label{number}") or "").lower()
    return label.startswith(("written", "author", "by"))


def _date(view: _View, headline: int, language: str | None) -> date | None:
    day_first = language in _DAY_FIRST
    match = _DATED_URL.search(view.page.url or "")
    in_url = parse_date("-".join(match.groups())) if match else None  # the site's local date, whatever the time zone
    for text in (*view.declared("datePublished", "dateCreated", "uploadDate"), *view.structured.all(*_DATE_NAMES)):
        if day := parse_date(text, day_first=day_first):
            return in_url if in_url and abs(day - in_url).days == 1 else day
    if in_url or headline < 0 or not view.may_be_article:
        return in_url
    return _time_element(view, headline, day_first) or _date_line(view.page, headline, day_first)


def _time_element(view: _View, headline: int, day_first: bool) -> date | None:
    """Return the date of the `time` nearest to the headline, preferably after it, that is not an update's."""
    nodes = view.nodes
    near = [row for row in view.rows["time"] if -_ROWS_BEFORE < row - headline < _ROWS_AFTER]
    for row in sorted(near, key=lambda row: (row < headline, abs(row - headline))):
        classes = " ".join(nodes.attr(element, "class") or "" for element in (row, nodes.parent[row]))
        context = classes + _text_before(nodes, row)
        if _CHANGED.search(context) and not _PUBLISHED.search(context):
            continue
        day = parse_date(nodes.attr(row, "datetime") or "")
        day = day or published_in(short_text(nodes, row), day_first=day_first)
        if day:
            return day
    return None


def _text_before(nodes: Nodes, row: int) -> str:
    rows = range(row - 1, max(row - 5, 0), -1)
    return next((nodes.text(earlier) for earlier in rows if nodes.chars[earlier]), "")[-40:]


def _date_line(page: Page, headline: int, day_first: bool) -> date | None:
    """Return the date in a short line shortly after the headline, or just before it."""
    blocks = page.blocks
    after = bisect_left(blocks.first, page.nodes.end[headline])
    before = bisect_left(blocks.first, headline) - 1
    lines = (
        *blocks.text[after : after + _LINES_AFTER],
        *blocks.text[max(before + 1 - _LINES_BEFORE, 0) : before + 1][::-1],
    )
    for line in lines:
        if len(line) <= _DATE_LINE and (day := published_in(line, day_first=day_first)):
            return day
    return None


def _language(view: _View) -> str | None:
    nodes, structured = view.nodes, view.structured
    roots = [nodes.attr(row, name) or "" for row in view.rows["html"] for name in ("lang", "xml:lang")]
    declared = [
        *roots,
        *view.declared("inLanguage"),
        *structured.all("og:locale", "content-language", "language", "dc.language"),
    ]
    blocks = view.page.blocks
    if Kind.CODE not in blocks.kind:
        return language_of(declared, blocks.text)
    prose = [text for text, kind in zip(blocks.text, blocks.kind, strict=True) if kind is not Kind.CODE]
    return language_of(declared, prose or blocks.text)
