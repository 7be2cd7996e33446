"""What a page says about itself, from the best source that has it.

For each field the sources are asked in order, those made for machines first (JSON-LD, OpenGraph, `meta`, microdata),
the visible page last; the first that has an answer wins. `None` where none has: precision before recall.
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

_ROWS_BEFORE, _ROWS_AFTER = 60, 110  # where a headline's `time` is looked for
_LINES_BEFORE, _LINES_AFTER, _DATE_LINE = 3, 7, 100  # blocks where its date is, and how long such a block may be
_MOST_AUTHORS = 20
_CHANGED = re.compile(r"updated|modified|수정|更新|修改", re.IGNORECASE)
_PUBLISHED = re.compile(r"publish|posted|입력|등록|发布|公開", re.IGNORECASE)
_DATED_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/_.-]|$)")
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
    """A page with what the fields are read from, found once."""

    page: Page
    rows: Mapping[str, list[int]]
    said: Structured

    @property
    def nodes(self) -> Nodes:
        return self.page.nodes

    def address(self, *candidates: str | None) -> str | None:
        found = (absolute(href, self._base(href)) for href in candidates if href)
        return next((href for href in found if href and not href.startswith(("mailto:", "tel:"))), None)

    def _base(self, href: str) -> str | None:
        return None if href.lower().startswith(("http://", "https://")) else self.page.base_url

    @cached_property
    def addresses(self) -> frozenset[str]:
        own = [self.page.url, *self.said.links.get("canonical", ()), *self.said.all("og:url")]
        return frozenset(_bare(href) for href in own if href)

    @cached_property
    def main(self) -> list[Thing]:
        """The things that the page is about, the likeliest first."""
        ranked: list[list[Thing]] = [[], [], [], []]
        for thing in self.said.things:
            rank = _rank(thing.types)
            if rank is not None:
                ranked[rank].append(thing)
        return [thing for group in ranked for thing in self._own(group)]

    def _own(self, group: list[Thing]) -> list[Thing]:
        """Of several things of a kind those with the page's address; none where none has it: a list of other pages."""
        if len(group) < 2:
            return group
        return [
            thing
            for thing in group
            if any(_bare(href) in self.addresses for href in thing.addresses("url", "mainEntityOfPage", "@id"))
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
            parts = urlsplit(self.page.url or self.address(*self.said.links.get("canonical", ())) or "")
            return parts.hostname or "", parts.path
        except ValueError:
            return "", ""

    @cached_property
    def sites(self) -> frozenset[str]:
        """What the site is called, folded."""
        said = self.said
        names = said.all("og:site_name", "application-name", "apple-mobile-web-app-title", "og:site", "twitter:domain")
        for thing in said.things:
            if "website" in thing.types or any(kind.endswith("organization") for kind in thing.types):
                names.extend(thing.texts("name", "alternateName"))
        return site_names([*names, *self.spoken("publisher")], self.host)

    @cached_property
    def may_be_article(self) -> bool:
        """Neither a site's front page nor a product: there, names and dates are of something else."""
        kinds = {kind for thing in self.main for kind in thing.types}
        product = "product" in kinds or (self.said.first("og:type") or "").startswith("product")
        return not (self.at_front or product)

    def names(self, texts: Iterable[str], also_site: bool = False) -> list[str]:
        """Cleaned names, each once, without the site's own, and never its host."""
        found: dict[str, str] = {}
        for name in filter(None, map(clean_name, texts)):
            if fold(name) not in self.sites or (also_site and not self.host.endswith(name.lower())):
                found.setdefault(fold(name), name)
        return list(found.values())[:_MOST_AUTHORS]

    def spoken(self, *names: str) -> Iterator[str]:
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
    said = view.said
    site = _site(view)
    title, headline = _headline(view)
    language = _language(view)
    return Metadata(
        title=title,
        author=_author(view, headline),
        date=_date(view, headline, language),
        language=language,
        site=site,
        canonical_url=view.address(*said.links.get("canonical", ()), *said.all("og:url")),
        description=said.first("description", "og:description")
        or next(view.spoken("description"), None)
        or said.first("twitter:description", "dc.description", "dcterms.description"),
        image=view.address(
            *said.all("og:image", "og:image:url", "og:image:secure_url"),
            *(href for thing in view.main for href in thing.addresses("image")),
            *said.all("twitter:image", "twitter:image:src"),
            *said.links.get("image_src", ()),
        ),
        tags=_tags(view),
    )


def _site(view: _View) -> str | None:
    said = view.said
    names = (
        *said.all("og:site_name"),
        *(name for thing in said.things if "website" in thing.types for name in thing.texts("name")),
        *view.spoken("publisher"),
        *said.all("application-name", "apple-mobile-web-app-title"),
    )
    return next((name for name in names if "://" not in name), None)


def _tags(view: _View) -> tuple[str, ...]:
    said = view.said
    lists = [*view.spoken("keywords"), *said.all("keywords", "news_keywords", "parsely-tags", "sailthru.tags")]
    tags = [tag.strip(" #") for text in lists for tag in re.split(r"[,，、;；]", text)]
    single = said.all("article:tag", "og:article:tag")
    seen: dict[str, str] = {}
    for tag in (*tags, *single):
        if tag:
            seen.setdefault(tag.casefold(), tag)
    return tuple(seen.values())


def _headline(view: _View) -> tuple[str | None, int]:
    nodes, said = view.nodes, view.said
    declared = [*filter(None, map(said.first, _TITLE_NAMES)), *view.spoken("headline", "name")]
    declared.extend(short_text(nodes, row) for row in view.rows["title"] if nodes.name(nodes.parent[row]) != "svg")
    headings = [(row, text) for row in view.rows["h1"] if (text := short_text(nodes, row, HIDDEN | UNRENDERED))]
    title, row = find_headline(declared, headings, view.sites, view.at_front)
    if title and row < 0:
        row = _row_of_heading(view.page, title)
    return title, row


def _row_of_heading(page: Page, title: str) -> int:
    """The row of a lesser heading with the same words; -1 where there is none."""
    blocks, folded = page.blocks, fold(title)
    for at, kind in enumerate(blocks.kind):
        if kind is Kind.HEADING and fold(blocks.text[at]) == folded:
            return blocks.first[at]
    return -1


def _author(view: _View, headline: int) -> str | None:
    """Full names in the markup, then the byline, then nicknames; the site or a body where there is nobody else."""
    people = [thing.people("author", "creator") for thing in view.main]
    said = view.said
    sources = [persons for persons, _ in people]
    sources.append([_turned(name) for name in said.all("citation_author")])
    sources.append(said.all(*_AUTHOR_NAMES))
    sources.append([said.first(f"twitter:data{at}") or "" for at in "12" if _names_author(said, at)])
    named = [names for source in sources if (names := view.names(source))]
    for names in named:
        if any(" " in name or not name.isascii() for name in names):
            return ", ".join(names)
    seen = seen_authors(view.page, headline) if headline >= 0 and view.may_be_article else []
    found = view.names(seen) or next(iter(named), [])
    if view.may_be_article:
        for source in (*sources, seen, *(bodies for _, bodies in people)):
            found = found or view.names(source, also_site=True)
    return ", ".join(found) or None


def _turned(name: str) -> str:
    """Doe, Jane as Jane Doe."""
    last, _, first = name.partition(",")
    return f"{first.strip()} {last}" if first and "," not in first else name


def _names_author(said: Structured, at: str) -> bool:
    label = (said.first(f"twitter:label{at}") or "").lower()
    return label.startswith(("written", "author", "by"))


def _date(view: _View, headline: int, language: str | None) -> date | None:
    day_first = language in _DAY_FIRST
    dated = _DATED_ADDRESS.search(view.page.url or "")
    in_address = parse_date("-".join(dated.groups())) if dated else None  # the site's own day, whatever the zone
    for text in (*view.spoken("datePublished", "dateCreated", "uploadDate"), *view.said.all(*_DATE_NAMES)):
        if found := parse_date(text, day_first=day_first):
            return in_address if in_address and abs(found - in_address).days == 1 else found
    if in_address or headline < 0 or not view.may_be_article:
        return in_address
    return _time_element(view, headline, day_first) or _date_line(view.page, headline, day_first)


def _time_element(view: _View, headline: int, day_first: bool) -> date | None:
    """The `time` nearest to the headline, after it if it can be, that does not say when the page was changed."""
    nodes = view.nodes
    near = [row for row in view.rows["time"] if -_ROWS_BEFORE < row - headline < _ROWS_AFTER]
    for row in sorted(near, key=lambda row: (row < headline, abs(row - headline))):
        around = " ".join(nodes.attr(at, "class") or "" for at in (row, nodes.parent[row])) + _text_before(nodes, row)
        if _CHANGED.search(around) and not _PUBLISHED.search(around):
            continue
        found = parse_date(nodes.attr(row, "datetime") or "")
        found = found or published_in(short_text(nodes, row), day_first=day_first)
        if found:
            return found
    return None


def _text_before(nodes: Nodes, row: int) -> str:
    return next((nodes.text(at) for at in range(row - 1, max(row - 5, 0), -1) if nodes.chars[at]), "")[-40:]


def _date_line(page: Page, headline: int, day_first: bool) -> date | None:
    """The date in a short line shortly after the headline, or right before it."""
    blocks = page.blocks
    after = bisect_left(blocks.first, page.nodes.end[headline])
    before = bisect_left(blocks.first, headline) - 1
    lines = (
        *blocks.text[after : after + _LINES_AFTER],
        *blocks.text[max(before + 1 - _LINES_BEFORE, 0) : before + 1][::-1],
    )
    for line in lines:
        if len(line) <= _DATE_LINE and (found := published_in(line, day_first=day_first)):
            return found
    return None


def _language(view: _View) -> str | None:
    nodes, said = view.nodes, view.said
    roots = [nodes.attr(row, name) or "" for row in view.rows["html"] for name in ("lang", "xml:lang")]
    declared = [
        *roots,
        *view.spoken("inLanguage"),
        *said.all("og:locale", "content-language", "language", "dc.language"),
    ]
    blocks = view.page.blocks
    if Kind.CODE not in blocks.kind:
        return language_of(declared, blocks.text)
    prose = [text for text, kind in zip(blocks.text, blocks.kind, strict=True) if kind is not Kind.CODE]
    return language_of(declared, prose or blocks.text)
