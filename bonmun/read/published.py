"""The dates of a page: publication and last change."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from operator import attrgetter

from bonmun.core import TEXT_COLUMNS, core
from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.read.dates import changed_in, from_iso, leading_date, parse_date, parse_moment, published_in
from bonmun.read.related import is_related
from bonmun.read.sources import View
from bonmun.read.structured import short_text

_ROWS_BEFORE, _ROWS_AFTER = 60, 110  # rows around a headline searched for its `time`
_LINES_BEFORE, _LINES_AFTER, _DATE_LINE = 3, 7, 100  # blocks searched for its date, and their maximum length
_MAX_FIELDS, _MAX_LINES = 100, 1_000  # declared dates, and lines with a year, that are parsed
_BARE_LINES, _BARE_LINE = 20, 50  # blocks after a headline searched for a line that starts with a date; its length
_CHANGED = re.compile(r"updated|modified|수정|更新|修改", re.IGNORECASE)
_PUBLISHED = re.compile(r"publish|posted|입력|등록|发布|公開", re.IGNORECASE)
_DATED_URL = re.compile(
    r"/((?:19|20)\d\d)[/-](\d\d?|[a-z]{3,9})[/-](\d\d?)(?=[/_.+-]|$)"
    r"|[/_t](20\d\d)-?(0[1-9]|1[0-2])[/-]?([0-3]\d)(?=[/_.-])"
)
_LABELLED = re.compile(
    r"\W*(?:(?:originally |first )?(?:published|posted)\b|date published|veröffentlicht"
    r"|publié|publicado|pubblicato|gepubliceerd|publicerad|opublikowano|опубликовано|입력|등록일?|작성일"
    r"|发布(?:时间|日期)?|發布(?:時間|日期)?|发表(?:时间|于)|时间|公開日?|投稿日|配信)(?=\W|\d)",
    re.IGNORECASE,
)
_LAST_CHANGED = re.compile(
    r"\W*(?:(?:this )?(?:page|article|content|document|site)?\s?(?:was )?last"
    r" (?:updated?|modified|revised|reviewed|edited)"
    r"|最后更新|最終更新|최종 ?수정|zuletzt (?:aktualisiert|geändert)|dernière (?:mise à jour|modification)"
    r"|última (?:actualización|modificación|atualização)|ultimo aggiornamento|laatst (?:bijgewerkt|gewijzigd))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"[12０-９][90０-９][\d０-９]{2}")
_CENTURY = re.compile(
    rb"[12\xef](?:[90]|\xef\xbc[\x90-\x99]|\xbc[\x90-\x99](?:[90]|\xef\xbc[\x90-\x99]))[0-9\xc0-\xff]"
)
"""The first two digits of a year in UTF-8, which may be full-width ones, and the first byte of the third."""
_text_columns = attrgetter(*TEXT_COLUMNS)
_OTHER = re.compile(r"received|submitted|accepted|joined|registered|member since|deadline|expires", re.IGNORECASE)
_DAY_FIRST = frozenset(
    "de fr es it pt nl pl ru el cs sk da sv nb nn no fi tr uk ro bg hr sr sl id vi ca gl et lv ar he".split()
)
_DAY_FIRST_ENGLISH = re.compile(r"\s*en[-_](?:gb|au|nz|ie|in|za|sg|my|ng|ke)\b", re.IGNORECASE)
_DATE_PROPERTIES = ("datePublished", "dateCreated", "uploadDate")
_DATE_NAMES = (
    "article:published_time og:article:published_time article:published og:published_time og:publish_date datepublished"
    " date-pub sailthru.date parsely-pub-date cxenseparse:publishtime citation_publication_date citation_online_date"
    " citation_date dc.date.issued dcterms.issued dc.date.created dcterms.created dcterms.date dc.date date pubdate"
    " publishdate publish-date publish_date published-date published_date published originalpublicationdate"
).split()
_DATE_NAME = re.compile(r"publi\w*[-_:.]?(?:date|time)|(?:date|time)[-_:.]?publi")
_CHANGED_NAMES = (
    "article:modified_time og:article:modified_time og:updated_time article:modified datemodified dcterms.modified"
    " dc.date.modified last-modified lastmod last_updated updated revised ms.date"
).split()

_Stamp = tuple[date, str]
"""A day and the text that states it, which may have a time as well."""


@dataclass(frozen=True, slots=True)
class Dates:
    """When a page was published and last changed."""

    day: date | None = None
    published: datetime | None = None
    modified: datetime | None = None


def find_dates(view: View, headline: int, language: str | None) -> Dates:
    """Return the dates of a page whose headline is at a row, or -1.

    Declared dates come first, then the URL's, then those shown. A date shown beside the headline that is earlier than
    the declared one wins: site builders declare the day of their last release. Without a publication date, the day of
    the last change takes its place if the page shows it.
    """
    day_first = language in _DAY_FIRST or (language == "en" and any(map(_DAY_FIRST_ENGLISH.match, view.locales())))
    declared = _first((*view.declared(*_DATE_PROPERTIES), *view.structured.all(*_DATE_NAMES)), day_first)
    if declared is None:
        names = (name for name in view.structured.meta if "publi" in name and _DATE_NAME.search(name))
        declared = _first(view.structured.all(*names), day_first)
    in_url = _day_in_url(view.page.url)
    seen = view.may_be_article and not in_url
    shown, changed = _near(view, headline, day_first) if seen else (None, None)
    modified = _first((*view.declared("dateModified"), *view.structured.all(*_CHANGED_NAMES)), day_first) or changed
    if seen and not (declared or shown or changed):
        shown, last_changed = _far(view, headline, day_first)
        modified = modified or last_changed
    stamp = declared
    if shown and (declared is None or (declared[0] - shown[0]).days > 1):
        stamp = shown
    if stamp is None and in_url is None:
        stamp = changed
    day = stamp[0] if stamp else in_url
    if in_url and stamp and abs(stamp[0] - in_url).days == 1:
        day = in_url  # the site's local date, whatever the zone of the declared time
    published = _moment(stamp or (in_url, ""), day_first)
    if modified and day and (day - modified[0]).days > 1:
        modified = None
    return Dates(day, published, _moment(modified, day_first))


def _moment(stamp: tuple[date | None, str] | None, day_first: bool) -> datetime | None:
    day, text = stamp or (None, "")
    if day is None:
        return None
    moment = from_iso(text) if text[4:5] == "-" else None
    if moment is None or moment.date() != day:
        moment = parse_moment(text, day_first=day_first)
    return moment if moment and moment.date() == day else datetime.combine(day, time())


def _first(texts: Iterable[str], day_first: bool) -> _Stamp | None:
    texts = islice(texts, _MAX_FIELDS)
    return next(((day, text) for text in texts if (day := parse_date(text, day_first=day_first))), None)


def _day_in_url(url: str | None) -> date | None:
    """Return the day in a URL's path: /2024/03/05/, /2024/mar/5/, /20240305/."""
    path = (url or "").partition("?")[0]
    match = _DATED_URL.search(path) if "20" in path or "19" in path else None
    if not match:
        return None
    year, month, day = match[1] or match[4], match[2] or match[5], match[3] or match[6]
    return parse_date(f"{year}-{month}-{day}" if month.isdigit() else f"{day} {month} {year}")


def _near(view: View, headline: int, day_first: bool) -> tuple[_Stamp | None, _Stamp | None]:
    """Return the dates of publication and of the last change that are shown beside the headline."""
    shown, changed = _time_elements(view, headline, day_first)
    if shown:
        return shown, changed
    for row, line in _lines(view, headline):
        if (day := published_in(line, day_first=day_first)) and not is_related(view.nodes, row, headline):
            return (day, line), changed
        if changed or not (day := changed_in(line, day_first=day_first)):
            continue
        if not is_related(view.nodes, row, headline):
            changed = (day, line)
    return None, changed


def _time_elements(view: View, headline: int, day_first: bool) -> tuple[_Stamp | None, _Stamp | None]:
    """Return the dates of the `time` elements nearest to the headline, preferably after it."""
    nodes, changed = view.nodes, None
    near = view.rows["time"][:8]
    if headline >= 0:
        near = [row for row in view.rows["time"] if -_ROWS_BEFORE < row - headline < _ROWS_AFTER]
    for row in sorted(near, key=lambda row: (row < headline, abs(row - headline))):
        text = nodes.attr(row, "datetime") or ""
        day = parse_date(text)
        if not day:
            text = short_text(nodes, row)
            day = published_in(text, day_first=day_first)
        if not day or is_related(nodes, row, headline):
            continue
        classes = " ".join(nodes.attr(element, "class") or "" for element in (row, nodes.parent[row]))
        context = classes + _text_before(nodes, row)
        if _OTHER.search(context):
            continue
        if not _CHANGED.search(context) or _PUBLISHED.search(context):
            return (day, text), changed
        changed = changed or (day, text)
    return None, changed


def _text_before(nodes: Nodes, row: int) -> str:
    rows = range(row - 1, max(row - 5, 0), -1)
    return next((nodes.text(earlier) for earlier in rows if nodes.chars[earlier]), "")[-40:]


def _lines(view: View, headline: int) -> Iterator[tuple[int, str]]:
    """Yield the short lines shortly after the headline, then those just before it, each behind its first row."""
    if headline < 0:
        return
    blocks = view.page.blocks
    after = bisect_left(blocks.first, view.nodes.end[headline])
    before = bisect_left(blocks.first, headline) - 1
    for index in (*range(after, after + _LINES_AFTER), *range(before, before - _LINES_BEFORE, -1)):
        if not (0 <= index < len(blocks) and blocks.chars[index] <= _DATE_LINE):
            continue
        if _YEAR.search(line := blocks.text_at(index)):
            yield blocks.first[index], line


def _dated_lines(blocks: Blocks, start: int) -> Iterator[tuple[int, str]]:
    """Yield the short lines with a year from a block on."""
    for index in blocks_with_years(blocks, start):
        if _YEAR.search(line := blocks.text_at(index)):
            yield index, line


def blocks_with_years(blocks: Blocks, start: int) -> Sequence[int]:
    """Return the short blocks from one on that have the first digits of a year."""
    compiled = core()
    if compiled is None:
        return blocks_with_years_by_reference(blocks, start)
    return memoryview(compiled.dated_blocks(_text_columns(blocks), blocks.text_buffer, start, _DATE_LINE)).cast("i")


def blocks_with_years_by_reference(blocks: Blocks, start: int) -> list[int]:
    """The same in Python, where the compiled twin could not be built."""
    starts, stops, chars, buffer = blocks.text_start, blocks.text_stop, blocks.chars, blocks.text_buffer
    short = (index for index in range(start, len(blocks)) if chars[index] <= _DATE_LINE)
    return [index for index in short if _CENTURY.search(buffer, starts[index], stops[index])]


def _far(view: View, headline: int, day_first: bool) -> tuple[_Stamp | None, _Stamp | None]:
    """Return the dates of lines with a label such as "Posted on", anywhere; else of a line that starts with a date."""
    blocks = view.page.blocks
    start = bisect_left(blocks.first, view.nodes.end[headline]) if headline >= 0 else 0
    stop = start + _BARE_LINES if headline >= 0 else len(blocks)
    bare = changed = None
    for index, line in islice(_dated_lines(blocks, start), _MAX_LINES):
        match, is_change, day = _LABELLED.match(line), False, None
        if match:
            day = published_in(line[match.end() :], day_first=day_first)
        elif not changed and (is_change := bool(_LAST_CHANGED.match(line))):
            day = changed_in(line, day_first=day_first)
        elif not bare and index < stop and len(line) <= _BARE_LINE:
            day = leading_date(line, day_first=day_first)
        if day is None or is_related(view.nodes, blocks.first[index], headline):
            continue
        if match:
            return (day, line), changed
        if is_change:
            changed = (day, line)
        else:
            bare = (day, line)
    return bare, changed
