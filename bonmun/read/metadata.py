"""The metadata of a page, each field from the best source that has it.

Structured data (JSON-LD, OpenGraph, `meta`, microdata) comes first, the visible page last; the first source with a
value wins. A field without a source is `None`: precision before recall.
"""

import re
from array import array
from collections.abc import Iterable
from itertools import islice

from bonmun.core import core
from bonmun.model.block import rows_shown, text_of
from bonmun.model.metadata import Metadata
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.permalinks import permalinks
from bonmun.model.tags import BLOCK_LEVEL, HIDDEN, LINK, TAG_ID, TEXT, UNRENDERED
from bonmun.read.byline import far_authors, seen_authors
from bonmun.read.headline import MAX_HEADINGS, MAX_TITLES, find_headline, fold, title_tail
from bonmun.read.language import language_of_blocks
from bonmun.read.names import split_names
from bonmun.read.published import find_dates
from bonmun.read.sources import View
from bonmun.read.structured import Structured, is_placeholder, short_text

_TITLE_NAMES = (
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "parsely-title",
    "sailthru.title",
)
_TITLE = "title"
"""In each match of the next pattern."""
_POST_TITLE = re.compile(r"\b(?:post|entry)-?_?title\b", re.IGNORECASE)
_MAX_ROWS, _MAX_SIMPLE = 200, 20  # of a heading, and of one with a single text
_SCRIPTS = frozenset((TAG_ID["sup"], TAG_ID["sub"]))

_LINK, _SVG = TAG_ID["a"], TAG_ID["svg"]
_AUTHOR_NAMES = (
    "author article:author og:article:author parsely-author sailthru.author dc.creator dcterms.creator"
    " dc.creator.name byl byline dable:author"
).split()


def read_metadata(page: Page) -> Metadata:
    """Read a page's metadata.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> nodes = parse('<html lang="en-GB"><title>Tea | Leaves</title><meta property="og:site_name" content="Leaves">')
    >>> read_metadata(Page(nodes, segment(nodes)))
    Metadata(title='Tea', author=None, date=None, language='en', site='Leaves', canonical_url=None, description=None, \
image=None, tags=(), authors=(), published=None, modified=None, hostname=None)
    """
    view = View(page)
    structured = view.structured
    title, headline = _headline(view)
    language = language_of_blocks(view.locales(), page.blocks)
    authors = _authors(view, headline, language)
    dates = find_dates(view, headline, language)
    return Metadata(
        title=title,
        author=", ".join(dict.fromkeys(authors)) or None,
        date=dates.day,
        language=language,
        site=_site(view, title),
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
        authors=tuple(split_names(authors) or authors),
        published=dates.published,
        modified=dates.modified,
        hostname=view.hostname or None,
    )


def read_language(page: Page) -> str | None:
    """Read the language of a page alone: most declare it on their `html` element.

    >>> from bonmun.read.page import read_page
    >>> read_language(read_page('<html lang="en-GB"><title>Tea</title>'))
    'en'
    """
    return language_of_blocks(View(page).locales(), page.blocks)


def _site(view: View, title: str | None) -> str | None:
    structured = view.structured
    names = (
        *structured.all("og:site_name"),
        *(name for thing in structured.things if "website" in thing.types for name in thing.texts("name")),
        *view.declared("publisher"),
        *structured.all("application-name", "apple-mobile-web-app-title"),
    )
    declared = next((name for name in names if "://" not in name), None)
    return declared or _site_in_title(view, title) or _site_heading(view) or view.host or None


def _site_in_title(view: View, title: str | None) -> str | None:
    """Return the end of the `title` element behind the headline."""
    if not title or not view.rows["title"]:
        return None
    return title_tail(short_text(view.nodes, view.rows["title"][0]), title)


def _tags(view: View) -> tuple[str, ...]:
    structured = view.structured
    lists = [*view.declared("keywords"), *structured.all("keywords", "news_keywords", "parsely-tags", "sailthru.tags")]
    tags = [tag.strip(" #") for text in lists for tag in re.split(r"[,，、;；]", text)]
    single = structured.all("article:tag", "og:article:tag")
    seen: dict[str, str] = {}
    for tag in (*tags, *single):
        if tag:
            seen.setdefault(tag.casefold(), tag)
    return tuple(seen.values())


def _headline(view: View) -> tuple[str | None, int]:
    nodes, structured = view.nodes, view.structured
    declared = [*structured.firsts(*_TITLE_NAMES), *view.declared("headline", "name")]
    titles = (row for row in view.rows["title"] if nodes.tag[nodes.parent[row]] != _SVG)
    declared.extend(short_text(nodes, row) for row in islice(titles, MAX_TITLES))
    rows = view.rows["h1"][:MAX_HEADINGS]
    headings = [(row, text) for row in rows if (text := _heading_text(nodes, row, nodes.end[row]))]
    declared = [text for text in declared if not is_placeholder(text)]
    headings = [(row, text) for row, text in headings if not is_placeholder(text)]
    sites = view.sites
    if (home := _site_heading(view)) and any(fold(text) != fold(home) for text in declared):
        headings = [(row, text) for row, text in headings if text != home]
        sites |= {fold(home)}
    title, row = find_headline(declared, headings, sites, view.at_front)
    if title and fold(title) not in map(fold, declared) and (posts := _post_titles(view, declared)):
        title, row = posts[0][1], posts[0][0]
    if title and row < 0:
        row = _row_of_heading(view, title)
    return title, row


def _site_heading(view: View) -> str | None:
    """Return the text of the first `h1` if it is a link to the front page from another page: the site's name."""
    nodes, rows = view.nodes, view.rows["h1"]
    if view.at_front or not rows or nodes.end[rows[0]] - rows[0] > _MAX_ROWS:
        return None
    heading = rows[0]
    tags = nodes.tag[heading : nodes.end[heading]].tolist()
    links = [heading + tags.index(_LINK)] if tags.count(_LINK) == 1 else []
    if not links or not view.is_front(nodes.attr(links[0], "href")):
        return None
    text = _heading_text(nodes, heading, nodes.end[heading])
    return text if fold(text) == fold(nodes.content(links[0])) else None


def _heading_text(nodes: Nodes, first: int, stop: int) -> str:
    """Return the text of a heading without its permalinks; the start of a large one's."""
    stop = min(stop, first + _MAX_ROWS)
    if (only := _only_text(nodes, first, stop)) >= 0:  # as most have
        return " ".join(nodes.text(only).replace("\xad", "").replace("\ufeff", "").split())
    shown: Iterable[int] = rows_shown(nodes, first, stop, False)
    if any(flags & LINK for flags in nodes.flags[first:stop]):
        links = {row for link in permalinks(nodes, first, stop) for row in range(link, nodes.end[link])}
        shown = [row for row in shown if row not in links]
    return text_of(nodes, shown, False, True)


def _only_text(nodes: Nodes, first: int, stop: int) -> int:
    """Return the row of the only text of a heading, outside of links and scripts; -1 if there is no such row."""
    if stop > first + _MAX_SIMPLE or nodes.tag[first] not in BLOCK_LEVEL:
        return -1
    chars, tags = nodes.chars[first:stop].tolist(), nodes.tag[first:stop].tolist()
    if chars.count(0) != len(chars) - 1 or not _SCRIPTS.isdisjoint(tags):
        return -1
    row = first + next(at for at, count in enumerate(chars) if count)
    return row if nodes.tag[row] == TEXT and not nodes.flags[row] & (LINK | UNRENDERED | HIDDEN) else -1


def _post_titles(view: View, declared: list[str]) -> list[tuple[int, str]]:
    """Return the only heading marked as a post's title, if declared titles contain it.

    On Blogger, Tumblr and others the `h1` is the site's name, and the post's title a lower heading.
    """
    blocks, nodes = view.page.blocks, view.nodes
    marked = list[int]()
    for index in _headings_named(view, _TITLE):
        classes = nodes.attr(blocks.element[index], "class") or ""
        if _POST_TITLE.search(classes) and nodes.name(blocks.element[index]) != "h1":
            marked.append(index)
    if len(marked) != 1:
        return []
    text = _heading_text(nodes, blocks.first[marked[0]], blocks.stop[marked[0]])
    folded = fold(text)
    return [(blocks.element[marked[0]], text)] if any(folded in fold(title) for title in declared) else []


def _headings_named(view: View, word: str) -> Iterable[int]:
    """Return the headings whose element has a class with some word in lower case; in Python, all headings."""
    compiled, element = core(), view.page.blocks.element
    name = view.nodes.attr_number("class")
    if name < 0 or not view.headings:
        return ()
    if compiled is None:
        return view.headings
    rows = array("i", [element[index] for index in view.headings])
    found = compiled.worded_rows(view.nodes.held, rows, name, word.encode() + b"\0")
    return [index for index in view.headings if element[index] in found] if found else ()


def _row_of_heading(view: View, title: str) -> int:
    """Return the row of a heading of any level with the same words, -1 if there is none."""
    blocks, folded = view.page.blocks, fold(title)
    first, middle, last = folded[:1], folded[len(folded) // 2 :][:1], folded[-1:]  # such a heading has them
    for index in view.headings:
        text = blocks.text_at(index)
        lower = text.casefold()
        if first in lower and middle in lower and last in lower and fold(text) == folded:
            return blocks.first[index]
    return -1


def _authors(view: View, headline: int, language: str | None) -> list[str]:
    """Return full names in the markup, else the byline, else nicknames, else the site or an organization."""
    people = [thing.people("author", "creator") for thing in view.main]
    structured = view.structured
    sources = [persons for persons, _ in people]
    sources.append([_turned(name) for name in structured.all("citation_author")])
    sources.append(structured.all(*_AUTHOR_NAMES))
    sources.append(
        [structured.first(f"twitter:data{number}") or "" for number in "12" if _names_author(structured, number)]
    )
    named = [names for source in sources if source and (names := view.names(source))]
    for names in named:
        if any(" " in name or not name.isascii() for name in names):
            return names
    seen = seen_authors(view.page, headline) if headline >= 0 and view.may_be_article else []
    authors = view.names(seen) or next(iter(named), [])
    if view.may_be_article:
        authors = authors or view.names(far_authors(view.page, headline, language))
        for source in (*sources, seen, *(bodies for _, bodies in people)):
            authors = authors or view.names(source, also_site=True)
    return authors


def _turned(name: str) -> str:
    """Return "Doe, Jane" as "Jane Doe"."""
    last, _, first = name.partition(",")
    return f"{first.strip()} {last}" if first and "," not in first else name


def _names_author(structured: Structured, number: str) -> bool:
    label = (structured.first(f"twitter:label{number}") or "").lower()
    return label.startswith(("written", "author", "by"))
