"""The headline of a page, without the site's name that titles contain."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice

from bonmun.core import core

_SEPARATOR = re.compile(
    r"(\s+(?:[|\-–—−·•:»«<>/~_]|::|\|\||->)\s+|\s*[｜－︱│‖ㅣ|]\s*|(?<=[^\x00-\x7f])[-_](?=\S))"  # ㅣ: a vowel as a bar
)
_MARK = re.compile(r"[|\-–—−·•:»«<>/~_｜－︱│‖ㅣ]")  # in every separator: a cheap test
_NO_LETTER = re.compile(r"[\W_]+")
_ASCII_NO_LETTER = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_ASCII_LOWER = bytes(range(256)).lower()
_BAR = re.compile(r"\s*[|｜ㅣ]\s*")
_BRACKETED = re.compile(r"[\[【〔(](.+?)[\]】〕)]\s*")
_UNIT = re.compile(r"(?:(?![^\x00-\u10ff])\w)+|(?=([^\W\x00-\u10ff]{2}))")  # Hangul and Han start at U+1100
_OWN_LINK = re.compile(r"\s*[¶§🔗]+$|\s+#+$|^#+\s+")  # permalinks of documentation headings
_MAX_CHARS = 1_000
MAX_TITLES, MAX_HEADINGS = 50, 200  # that are compared; a browser shows the first title only
_MAX_NAMES = 500  # a site's names and their parts
_MAX_SITE = 40  # characters of a site's name


def _split(text: str) -> list[str]:
    """Return the parts of a title and, between them, the separators."""
    return _SEPARATOR.split(text) if _MARK.search(text) else [text]


class _Parts(dict[str, list[str]]):
    """Titles as `_split` returns them, each split once: a page has the same ones in several places."""

    def __missing__(self, title: str) -> list[str]:
        return self.setdefault(title, _split(title))


def fold(text: str) -> str:
    """Return a text without case, white space and punctuation, for comparison.

    >>> fold("Tea – & Cake!") == fold("tea cake")
    True
    """
    compiled = core()
    folded = compiled.fold(text) if compiled else None
    return fold_by_reference(text) if folded is None else folded


def fold_by_reference(text: str) -> str:
    """The same in Python, where the compiled twin could not be built, and for texts beyond ASCII."""
    if text.isascii():
        return text.encode().translate(_ASCII_LOWER, _ASCII_NO_LETTER).decode()
    return _NO_LETTER.sub("", text.casefold())


def site_names(names: Iterable[str], host: str) -> frozenset[str]:
    """Return the folded names that titles may use for a site: its declared names, their parts, and its host.

    >>> sorted(site_names(["The Leaf | Tea"], "news.theleaf.org"))
    ['news', 'newstheleaforg', 'tea', 'theleaf', 'theleaforg', 'theleaftea']
    """
    labels = host.split(".")
    hosts = (host, ".".join(labels[-2:]), *(label for label in labels[:-1] if len(label) > 3))
    parts = (part for name in names for part in (name, *_split(name)))
    return frozenset(filter(None, map(fold, (*islice(parts, _MAX_NAMES), *hosts))))


def find_headline(
    declared: list[str], headings: list[tuple[int, str]], sites: frozenset[str], at_front: bool = False
) -> tuple[str | None, int]:
    """Return the headline and the row of its heading, -1 if no heading shows it.

    `declared`: titles in the markup, the best source first. `headings`: rows and texts of the `h1`s. `at_front`: keep
    the site's name, which is the title of a front page.

    >>> find_headline(["Tea - a history - Leaves"], [(7, "Leaves"), (9, "Tea - A History")], frozenset({"leaves"}))
    ('Tea - A History', 9)
    """
    parts = _Parts()
    shown = [(row, _without_own_link(text[:_MAX_CHARS])) for row, text in headings[:MAX_HEADINGS]]
    declared = list(dict.fromkeys(text[:_MAX_CHARS] for text in declared[:MAX_TITLES]))
    if shown and _is_whole(shown[0][1], declared, sites, parts):
        return shown[0][1], shown[0][0]
    sites |= _shown_sites(shown, declared, parts)
    titles = _distinct(_without_site(text, sites, at_front, parts) for text in declared)
    compared = titles if shown else []
    agreed = {folded for title in compared for folded, _ in _leading_runs(title, parts)} - sites
    for row, text in shown:
        if fold(text) in agreed:
            return text, row
    titles = _without_affix(_distinct(_before_bar(title) for title in titles), parts)
    for row, text in shown if len(shown) < 4 else ():
        if fold(text) not in sites and _shares_words(text, titles):
            return _core(text, titles), row
    return (titles[0] if titles else None), -1


def _is_whole(heading: str, declared: list[str], sites: frozenset[str], parts: _Parts) -> bool:
    """Whether a heading is a whole declared title without parts: on half of the pages, the headline."""
    folded = fold(heading)
    if not folded or folded in sites:
        return False
    alone = (title for title in declared if len(parts[title]) == 1 and not _BRACKETED.match(title))
    return any(fold(title) == folded for title in alone)


def title_tail(title: str, headline: str) -> str | None:
    """Return the last part of a title that starts with the headline: the site's name, if it is short.

    >>> title_tail("Tea - a history | The Leaf", "Tea - a history"), title_tail("Tea - a history", "Tea")
    ('The Leaf', None)
    """
    pieces = _split(title[:_MAX_CHARS])
    start, tail = fold(headline), pieces[-1].strip()
    if (not tail[:1].isupper() and tail.isascii()) or len(tail) > _MAX_SITE or len(tail.split()) > 5:
        return None
    runs = islice(accumulate(map(fold, pieces[:-1])), 0, None, 2)  # each part behind a separator
    return tail if start in runs else None


def _distinct(titles: Iterable[str]) -> list[str]:
    """Return titles without repetitions and empty ones."""
    return list(dict.fromkeys(filter(None, titles)))


def _without_own_link(heading: str) -> str:
    """Return a heading without the symbol that links to it."""
    return heading if heading.isascii() and "#" not in heading else _OWN_LINK.sub("", heading)


def _without_site(title: str, sites: frozenset[str], at_front: bool, parts: _Parts) -> str:
    """Return a title without the site's name at its start or end."""
    if (prefix := _BRACKETED.match(title)) and fold(prefix[1]) in sites:
        title = title[prefix.end() :]
    pieces = parts[title][:]
    while not at_front and len(pieces) > 1 and _is_skipped(pieces[0], sites):
        del pieces[:2]
    for index in range(2, len(pieces), 2):
        if _is_skipped(pieces[index], sites):
            del pieces[index - 1 :]
            break
    if len(pieces) > 1 and _begins_with_site(pieces[-1], sites):
        del pieces[-2:]
    return "".join(pieces).strip()


def _is_skipped(part: str, sites: frozenset[str]) -> bool:
    folded = fold(part)
    return not folded or folded in sites


def _begins_with_site(part: str, sites: frozenset[str]) -> bool:
    """Whether a part is the site's name with a suffix (Example Forums): at most four words, a dozen more letters."""
    folded = fold(part)
    return len(part.split()) < 5 and any(
        len(name) > 3 and folded.startswith(name) and len(folded) <= len(name) + 12 for name in sites
    )


def _before_bar(title: str) -> str:
    """Return a title up to its first bar, if that is more than two words: bars are rare inside headlines.

    Right on 19 more of 1,358 wcxb pages, wrong on 4.
    """
    first = _BAR.split(title, maxsplit=1)[0]
    return first if len(_units(first)) > 2 else title


def _leading_runs(title: str, parts: _Parts) -> Iterator[tuple[str, str]]:
    """Yield the runs of parts that a title starts with, the shortest first: folded, and as written."""
    pieces, folded, run = ["", *parts[title]], "", ""  # each part behind its separator
    for separator, part in zip(pieces[::2], pieces[1::2], strict=True):
        run += separator + part
        folded += fold(separator + part)
        yield folded, run


def _without_affix(titles: list[str], parts: _Parts) -> list[str]:
    """Return titles without suffixes that only some of them have."""
    folded = {fold(title) for title in titles}
    return [next(run for start, run in _leading_runs(title, parts) if start in folded) for title in titles]


def _shown_sites(headings: list[tuple[int, str]], declared: list[str], parts: _Parts) -> frozenset[str]:
    """Return headings that are the last part of a title: the site's name at the top of the page."""
    tails = {fold(pieces[-1]) for title in declared if len(pieces := parts[title]) > 1}
    if not tails or not headings:
        return frozenset()
    return frozenset(tails & {fold(text) for _, text in headings} - {fold(title) for title in declared})


def _shares_words(heading: str, titles: list[str]) -> bool:
    """Whether a third of a heading's words are in the titles.

    On wcxb pages whose first heading is not part of the title, the gold has the heading on 178 and the title on 139
    pages that pass this test, and on 13 and 55 that do not.
    """
    known = {unit for title in titles for unit in _units(title)}
    own = _units(heading)
    return bool(own) and (not known or 3 * sum(unit in known for unit in own) >= len(own))


def _core(heading: str, titles: list[str]) -> str:
    """Return the title that a heading contains with a short prefix or suffix, else the heading."""
    folded = fold(heading)
    return next((title for title in titles if fold(title) in folded and 2 * len(fold(title)) > len(folded)), heading)


def _units(text: str) -> list[str]:
    """Return the words of a text; character bigrams for Hangul, Han and Kana."""
    return [match[1] or match[0] for match in _UNIT.finditer(text.casefold())]
