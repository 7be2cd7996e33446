"""Authors: cleaning of names, and the visible byline."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import islice

from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, UNRENDERED
from bonmun.read.dates import parse_date

_INVISIBLE = HIDDEN | UNRENDERED | CONTROL
_BEFORE, _AFTER = 60, 160  # rows before and after a headline that are searched for its byline
_MAX_NAMES = 4  # more names are those of a list of articles

_MAIL = re.compile(r"[(<\[]?[\w.+-]+@[\w-]+(?:\.[\w-]+)+[)>\]]?")
_URL = re.compile(r"://|^www\.|^[@/#]|\.(?:com|org|net)/|^[\w.-]+\.(?:com|org|net|info|[a-z]{2})$", re.IGNORECASE)
_AGENCY = re.compile(r"^\s*[\[(（【][^\])）】]*[\])）】]\s*")
_LEAD = re.compile(
    r"""^\W*(?:
      (?:(?:article|blog|content|guest|post|review|story|text|words?)\s+)?
        (?:authored|created|edited|posted|published|reported|submitted|written)?\s*\bby\b
    | (?:authors?|autor|autore|auteur|text)\s*[:：-]
    | (?:글쓴이|작성자|글|기자|저자|作者|記者|记者|撰文|作成者|執筆者?|著者|文)\s*[:：/=|]
    | (?:記者|记者)\s*(?=[^\x00-\x7f])
    )\s*[:：]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(
    r"""\s+[|•·–—/-]\s+ | \s*[|｜•＝=]\s* | \s\([^)]*\)?$ | ,?\s+(?:updated|reviewed|edited|medically|fact)\b
    | \s+(?:on|at|in)\s+(?=\W*\d|[A-Z]) | [,\s]\s*\d{1,4}[-./\s,:年년]
    | [,\s]\W*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d""",
    re.IGNORECASE | re.VERBOSE,
)
_ROLE = re.compile(r"\s*(?:[가-힣]*기자|특파원|논설위원|記者|记者|編輯|编辑|さん|氏)\s*$")
_AND = re.compile(r"\s*,?\s+(?:and|&|und|et|y)\s+|\s*[;；、]\s*")
_NOBODY = frozenset(
    "admin administrator anonymous author authors by contributor contributors editor editors guest n/a na name none"
    " null root staff undefined unknown user webmaster writer 관리자 운영자 편집부 小编 管理员 编辑 編集部".split()
)

_DEGREE = re.compile(
    r"(?:[JS]r|I{2,3}|Esq|M\.?D|D\.?O|Ph\.?\s?D|R\.?N|R\.?D|DVM|J\.?D|M\.?[AS]c?|MBA|MPH|CPA|CFP|[A-Z]{2,6})\W*"
)
_SIGNATURE = re.compile(
    r"(?:[\[(][^\])=]{2,20}=[^\])]{2,20}[\])]\s*)?((?:[가-힣]{2,4}[\s·,]+){1,4})[가-힣]{0,4}(?:기자|특파원)\s*(?:[=(]|\S+@)"
)
_HELPER = re.compile(r"\b(?:review|edit|fact|updat|photo|illustrat|expert|translat)", re.IGNORECASE)
_AUTHOR_MARK = re.compile(
    rb"author|byline|by-line|writer|reporter|journalist|creator|\xea\xb8\xb0\xec\x9e\x90", re.IGNORECASE
)
_OTHER_MARK = re.compile(
    rb"image|img|avatar|photo|picture|thumb|bio|desc|about|role|job|date|time|social|follow|count|mail|more|related|comment"
    rb"|recommend|sidebar|footer|widget|box|card|credit",
    re.IGNORECASE,
)
_PATTERNS = {
    "class": _AUTHOR_MARK,
    "id": _AUTHOR_MARK,
    "rel": re.compile(rb"author"),  # no \b: in the buffer, another value may precede it
    "href": re.compile(
        rb"/(?:authors?|byline|contributors?|writers?|reporters?|journalists?|columnists?)/", re.IGNORECASE
    ),
}
_PARTICLES = frozenset(
    "al ap ben bin da das de del della den der di dos du e el ibn la le of ten ter the van von y zu".split()
)
_NOT_IN_NAMES = frozenset(
    "about all article articles blog click comment comments contact follow home latest learn login min more newsletter"
    " photo post posts privacy published read related reviewed share sign subscribe this updated view your".split()
)


def clean_name(text: str) -> str | None:
    """Return the names in a byline, separated by commas, without labels, roles and dates; `None` if no name is left.

    >>> clean_name("By Jane Doe and John Roe | Staff"), clean_name("홍길동 기자 hong@example.kr")
    ('Jane Doe, John Roe', '홍길동')
    >>> clean_name("https://example.org/jane"), clean_name("admin"), clean_name("记者 王小明")
    (None, None, '王小明')
    """
    text = " ".join(_MAIL.sub(" ", text[:300]).split())
    if _URL.search(text):
        return None
    text = _LEAD.sub("", _AGENCY.sub("", text), count=1)
    text = _ROLE.sub("", _END.split(text, maxsplit=1)[0])
    if text.endswith(("..", "…")):
        return None  # truncated by the page
    text = _AND.sub(", ", text).strip(" ,.:;|/·-–—[]'\"“”*=")
    if not any(map(str.isalpha, text)) or len(text) > 120 or text.lower() in _NOBODY:
        return None
    return text


def split_names(names: Iterable[str]) -> list[str]:
    """Return single names; degrees and suffixes stay with the name before them.

    >>> split_names(["Jane Doe, PhD, John Roe", "Li Wei"])
    ['Jane Doe, PhD', 'John Roe', 'Li Wei']
    """
    single: list[str] = []
    for text in names:
        for index, part in enumerate(filter(None, map(str.strip, re.split(r"[,，]", text)))):
            if index and _DEGREE.fullmatch(part):
                single[-1] += f", {part}"
            elif part not in single:
                single.append(part)
    return single


def seen_authors(page: Page, headline: int) -> list[str]:
    """Return the names in the byline near a headline; none if they are ambiguous."""
    nodes = page.nodes
    first, stop = max(headline - _BEFORE, 0), min(headline + _AFTER, len(nodes))
    linked, marked = _marked_rows(nodes, first, stop)
    names = dict.fromkeys(name for row in linked if (name := _name_in(nodes, row)) and not _is_helper(nodes, row))
    if names:
        return list(names) if len(names) <= _MAX_NAMES else []
    inner = [row for row in marked if not any(row < other < nodes.end[row] for other in marked)]
    candidates = [name for row in (*inner, *marked) if (name := _name_in(nodes, row)) and not _is_helper(nodes, row)]
    if len(set(candidates)) > _MAX_NAMES:
        return []
    return candidates[:1] or _labelled_name(page, first, stop) or _signature(page, headline)


def _is_helper(nodes: Nodes, row: int) -> bool:
    """Whether the words before a name mark a contributor who is not the author, such as a reviewer."""
    before = (other for other in range(row - 1, max(row - 8, -1), -1) if nodes.chars[other])
    text = nodes.text(next(before, row))
    return len(text) < 60 and _HELPER.search(text) is not None


def _marked_rows(nodes: Nodes, first: int, stop: int) -> tuple[list[int], list[int]]:
    """Return the rows of links to authors, and of elements with an author's class or id."""
    names, starts, stops, buffer = nodes.attr_name, nodes.attr_start, nodes.attr_stop, nodes.buffer
    patterns = {number: _PATTERNS[name] for number, name in enumerate(nodes.attr_names) if name in _PATTERNS}
    linked, marked = list[int](), list[int]()
    for index in range(nodes.attr_first[first], nodes.attr_first[stop]):
        pattern = patterns.get(names[index])
        if pattern is None or not pattern.search(buffer, starts[index], stops[index]):
            continue
        row = bisect_right(nodes.attr_first, index) - 1
        if nodes.flags[row] & _INVISIBLE:
            continue
        if pattern is not _AUTHOR_MARK:
            linked.append(row)
        elif not _OTHER_MARK.search(buffer, starts[index], stops[index]):
            marked.append(row)
    return linked, marked


def _name_in(nodes: Nodes, row: int) -> str | None:
    """Return the name that an element starts with; a label may precede it."""
    rows = (inner for inner in range(row, nodes.end[row]) if nodes.chars[inner] and not nodes.flags[inner] & _INVISIBLE)
    for text in map(nodes.text, islice(rows, 4)):
        if parse_date(text):
            return None
        if name := clean_name(text):
            return name if _is_name(name) else None
    return None


def _labelled_name(page: Page, first: int, stop: int) -> list[str]:
    """Return the name in a block that starts with a label such as "by"."""
    blocks = page.blocks
    for index in range(bisect_right(blocks.first, first), bisect_right(blocks.first, stop)):
        text = blocks.text[index]
        if len(text) < 120 and _LEAD.match(text) and (name := clean_name(text)) and _is_name(name) and " " in name:
            return [name]
    return []


def _signature(page: Page, headline: int) -> list[str]:
    """Return the reporters of a Korean article, named at its start, or at its end with their mail address."""
    blocks = page.blocks
    for index in range(bisect_right(blocks.first, headline), len(blocks)):
        if match := _SIGNATURE.match(blocks.text[index]):
            return re.findall(r"[가-힣]+", match[1])
    return []


def _is_name(name: str) -> bool:
    """Whether a visible text may be one or several names, not a sentence or a link's label."""
    words = re.split(r"[\s,]+", name)
    if len(words) > 12 or any(word.casefold() in _NOT_IN_NAMES for word in words):
        return False
    return all(not word[:1].islower() or word in _PARTICLES for word in words) and not re.search(r"[?!:…]|\d{3}", name)
