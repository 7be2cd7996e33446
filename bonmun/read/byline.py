"""Authors: cleaning of names, and the visible byline."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter

from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, UNRENDERED
from bonmun.read.dates import parse_date
from bonmun.read.elements import attribute_place
from bonmun.read.related import is_related

_INVISIBLE = HIDDEN | UNRENDERED | CONTROL
_BEFORE, _AFTER = 60, 160  # rows before and after a headline that are searched for its byline
_MAX_NAMES = 4  # more names are those of a list of articles
_MAX_FAR = 2  # distinct names of author links far from a headline; more are those of a list of articles
_MAX_LINKS = 500  # author links, and lines such as "Written by", that are searched for a name
_MAX_ROWS = 500  # of an element that starts with a name

_MAIL = re.compile(r"[(<\[]?[\w.+-]+@[\w-]+(?:\.[\w-]+)+[)>\]]?")
_URL = re.compile(r"://|^www\.|^[@/#]|\.(?:com|org|net)/|^[\w.-]+\.(?:com|org|net|info|[a-z]{2})$", re.IGNORECASE)
_AGENCY = re.compile(r"^\s*[\[(（【][^\])）】]*[\])）】]\s*")
_LEAD = re.compile(
    r"""^\W*(?:
      (?:(?:article|blog|content|guest|post|recipe|review|story|text|words?)\s+)?
        (?:authored|created|edited|posted|published|reported|started|submitted|written)?\s*\bby\b
    | (?:authors?|autor(?:in|a|e|es|em)?|auteurs?|text|tekst|texte|testo|texto|автор|текст|författare|forfatter
        |skribent|yazar|penulis|kirjoittaja|συντάκτης)\s*[:：-]
    | (?:글쓴이|작성자|글|기자|저자|作者|記者|记者|撰文|作成者|執筆者?|著者|文)\s*[:：/=|]
    | (?:記者|记者)\s*(?=[^\x00-\x7f])
    )\s*[:：]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD_WORDS = "von par por di door av af od przez автор текст bởi oleh"
_SHOWN_LEAD = re.compile(rf"^\W*(?:{_LEAD_WORDS.replace(' ', '|')})[:\s]\s*(?=[^\W\d_])", re.IGNORECASE)
_CREDIT = re.compile(
    r"\W*(?:photo|foto|image|picture|bild|illustration|credit|courtesy|video|grafik|摄影|图|사진)\w*"
    r"\s*(?:by|von|par|[:：/©-])|.*\b(?:getty images|shutterstock|istock|unsplash|scanpix)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"""\s+[|•·–—/-]\s+ | \s*[|｜•＝=]\s* | \s\([^)]*\)?$ | ,?\s+(?:posted|updated|reviewed|edited|medically|fact)\b
    | \s+(?:on|at|in)\s+(?=\W*\d|[A-Z]) | [,\s]\s*\d{1,4}[-./\s,:年년]
    | [,\s]\W*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d""",
    re.IGNORECASE | re.VERBOSE,
)
_ROLE = re.compile(r"\s*(?:[가-힣]*기자|특파원|논설위원|記者|记者|編輯|编辑|さん|氏)\s*$")
_AND = re.compile(r"\s*,?\s+(?:and|&|und|og|och|oraz|и|та|ve|dan)\s+|\s*[;；、]\s*")
_AND_OR_NAME = re.compile(r"(\S+\s+\S+)\s+(?:et|y|e|en|i|és)\s+(?=\S+\s+\S)")  # between full names: Ortega y Gasset
_NOBODY = frozenset(
    "admin administrator anonymous author authors by contributor contributors editor editors guest n/a na name none"
    " null root staff undefined unknown user webmaster writer redaktion redacción redação redazione rédaction redactie"
    f" {_LEAD_WORDS} 관리자 운영자 편집부 小编 管理员 编辑 編集部".split()
)

_DEGREE = re.compile(r"(?:[JS]r|I{2,3}|Esq|M\.?D|D\.?O|Ph\.?\s?D|Psy\.?D|Ed\.?D|M\.?Sc|B\.?Sc|[A-Z]{2,6})\W*")
_AGENCIES = frozenset("AFP AP DPA SID APA EFE ANSA TASS UPI PTI ANI IANS CNN BBC NPR NTB TT".split())
_ROLES = re.compile(
    r"(?:our |the )?(?:staff|web|guest|senior|editorial)(?: (?:staff|writers?|reporters?|editors?|team))+"
    r"|(?:written|posted|published) by|(?:topic|thread|post) (?:author|starter)",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"(?:[\[(][^\])=]{2,20}=[^\])]{2,20}[\])]\s*)?((?:[가-힣]{2,4}[\s·,]+){1,4})[가-힣]{0,4}(?:기자|특파원)\s*(?:[=(]|\S+@)"
)
_SIGNATURE_CHARS = 60
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白"
    "孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文牛岳葛章米戚施管庄温俞柳甘祝庞聂翟申欧张劉陳楊黃趙吳孫馬鄭許韓鄧馮葉蘇"
    "呂盧鍾譚陸賈鄒閻龍賀顧龔萬錢嚴湯喬賴"
)
_HAN_NAMES = rf"((?:[{_SURNAMES}][一-鿿]{{1,2}}(?:[\s、]+|(?=[)）/】\]]|$|文|摄|报道)))+)"
_WRITTEN_CHARS = 80
_WRITTEN_HINTS = {b"ritten ": (b"ritten by", b"ritten By"), b"or:": (b"uthor:", b"utor:")}
"""Words of which one is in each such line, by what they have in common."""
_SIGNED = frozenset(("ko", "zh", "zh-TW", "ja"))  # languages whose articles name their reporters in a text line
_WRITTEN = re.compile(r"\W*(?:(?:article|post|story|words|text) )?(?:written by\b|(?:author|autor)\s*:)", re.IGNORECASE)
_REPORTERS = re.compile(rf"(?:记者|記者|作者|撰文)\s*[:：]?\s*{_HAN_NAMES}")
_DATELINE = re.compile(rf"[^。]{{0,30}}[（(][^）)]{{0,10}}(?:记者|記者)\s*{_HAN_NAMES}[)）]")
_EDITORS = re.compile(rf".{{0,30}}(?:责编|责任编辑|編輯|编辑)\s*[:：]\s*{_HAN_NAMES}")
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
        rb"/(?:authors?|auto(?:r|ren|res|ri)|auteurs?|byline|contributors?|writers?|reporters?|journalistes?|journalists?"
        rb"|columnists?|skribent(?:er)?|forfatter)/",
        re.IGNORECASE,
    ),
}
_AUTHOR_WORDS = ("author", "byline", "by-line", "writer", "reporter", "journalist", "creator", "\uae30\uc790")
_MARK_WORDS = {
    "class": _AUTHOR_WORDS,
    "id": _AUTHOR_WORDS,
    "rel": ("author",),
    "href": (
        *("/author", "/auto", "/auteur", "/byline", "/contributor", "/writer", "/reporter", "/journalist"),
        *("/columnist", "/skribent", "/forfatter"),
    ),
}
"""Words of which one is in each value that the pattern matches; the core finds them."""
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
    text = text[:300]
    text = " ".join((_MAIL.sub(" ", text) if "@" in text else text).split())
    may_be_url = "." in text or "/" in text or text.startswith(("@", "#"))
    if (may_be_url and _URL.search(text)) or _CREDIT.match(text):
        return None
    text = _LEAD.sub("", _AGENCY.sub("", text), count=1)
    text = _END.split(text, maxsplit=1)[0]
    if not text.isascii():
        text = _ROLE.sub("", text)
    if text.endswith(("..", "…")):
        return None  # truncated by the page
    text = _AND_OR_NAME.sub(r"\1, ", _AND.sub(", ", text)).strip(" ,.:;|/·-–—[]'\"“”*=")
    if not any(map(str.isalpha, text)) or len(text) > 120 or text.lower() in _NOBODY or _ROLES.fullmatch(text):
        return None
    return text


def split_names(names: Iterable[str]) -> list[str]:
    """Return single names, without the degrees and suffixes behind them.

    >>> split_names(["Jane Doe, PhD, John Roe", "Li Wei, AFP"])
    ['Jane Doe', 'John Roe', 'Li Wei', 'AFP']
    """
    parts = (part.strip() for text in names for part in re.split(r"[,，]", text))
    kept = (part for part in parts if part and (part in _AGENCIES or not _DEGREE.fullmatch(part)))
    return list(dict.fromkeys(kept))


def seen_authors(page: Page, headline: int) -> list[str]:
    """Return the names in the byline near a headline; none if they are ambiguous."""
    nodes = page.nodes
    first, stop = max(headline - _BEFORE, 0), min(headline + _AFTER, len(nodes))
    linked, marked = _marked_rows(nodes, first, stop)
    if names := dict.fromkeys(_names_in(nodes, linked, headline).values()):
        return list(names) if len(names) <= _MAX_NAMES else []
    found = _names_in(nodes, marked, headline)
    if len(set(found.values())) > _MAX_NAMES:
        return []
    inner = (row for row in found if not any(_holds(nodes, row, other, headline) for other in marked))
    first_row = next(inner, next(iter(found), None))
    return _labelled_name(page, first, stop) if first_row is None else [found[first_row]]


def far_authors(page: Page, headline: int, language: str | None) -> list[str]:
    """Return the names of author links, else in a line such as "Written by", anywhere after a headline, if few."""
    nodes, blocks = page.nodes, page.blocks
    linked = _author_links(nodes, headline)
    names = dict.fromkeys(name for row in linked if (name := _name_in(nodes, row)) and not _is_helper(nodes, row))
    if names:
        return list(names) if len(names) <= _MAX_FAR else []
    after = range(bisect_right(blocks.first, headline), len(blocks))
    if any(_has_hint(blocks, rare, after.start) for rare in _WRITTEN_HINTS):
        lines = (blocks.text_at(index) for index in after if blocks.chars[index] < _WRITTEN_CHARS)
        bylines = map(clean_name, islice(filter(_WRITTEN.match, lines), _MAX_LINKS))
        if name := next((name for name in bylines if name and _is_name(name)), None):
            return [name]
    return _signature(map(blocks.text_at, after)) if language in _SIGNED else []


def _has_hint(blocks: Blocks, rare: bytes, start: int) -> bool:
    """Whether one of the blocks from an index on has one of the hints with a rare part."""
    return rare in blocks.text_buffer and any(_is_in_text(blocks, hint, start) for hint in _WRITTEN_HINTS[rare])


def _is_in_text(blocks: Blocks, words: bytes, start: int) -> bool:
    """Whether one of the blocks from an index on contains some words; the buffer is faster than the texts."""
    if start == len(blocks):
        return False
    at = blocks.text_buffer.find(words, blocks.text_start[start])
    while at >= 0 and at + len(words) > blocks.text_stop[bisect_right(blocks.text_start, at) - 1]:  # across a border
        at = blocks.text_buffer.find(words, at + 1)
    return at >= 0


def _author_links(nodes: Nodes, headline: int) -> Iterator[int]:
    rows = (row for row, _, _ in _rows_matching(nodes, "rel", range(len(nodes))))
    shown = (row for row in rows if row > headline and not nodes.flags[row] & _INVISIBLE)
    return (row for row in islice(shown, _MAX_LINKS) if not is_related(nodes, row, headline))


def _is_helper(nodes: Nodes, row: int) -> bool:
    """Whether the words before a name mark a contributor who is not the author, such as a reviewer."""
    before = (other for other in range(row - 1, max(row - 8, -1), -1) if nodes.chars[other])
    text = nodes.text(next(before, row))
    return len(text) < 60 and _HELPER.search(text) is not None


def _marked_rows(nodes: Nodes, first: int, stop: int) -> tuple[list[int], list[int]]:
    """Return the rows of links to authors, and of elements with an author's class or id."""
    linked, marked = list[int](), list[int]()
    found = (match for name in _PATTERNS for match in _rows_matching(nodes, name, range(first, stop)))
    for row, place, pattern in sorted(found, key=itemgetter(1)):
        if nodes.flags[row] & _INVISIBLE:
            continue
        if pattern is not _AUTHOR_MARK:
            linked.append(row)
        elif not _OTHER_MARK.search(nodes.buffer, nodes.attr_start[place], nodes.attr_stop[place]):
            marked.append(row)
    return linked, marked


def _rows_matching(nodes: Nodes, name: str, within: range) -> Iterator[tuple[int, int, re.Pattern[bytes]]]:
    """Yield the rows with a mark of an author in an attribute, with the attribute's index and the pattern."""
    pattern = _PATTERNS[name]
    for row in nodes.rows_having(name, *_MARK_WORDS[name], within=within):
        place = attribute_place(nodes, row, name)
        if pattern.search(nodes.buffer, nodes.attr_start[place], nodes.attr_stop[place]):
            yield row, place, pattern


def _name_in(nodes: Nodes, row: int) -> str | None:
    """Return the name that an element starts with; a label may precede it."""
    inside = range(row, min(nodes.end[row], row + _MAX_ROWS))
    rows = (inner for inner in inside if nodes.chars[inner] and not nodes.flags[inner] & _INVISIBLE)
    for text in map(nodes.text, islice(rows, 4)):
        if parse_date(text):
            return None
        if _CREDIT.match(text):
            return None
        if name := clean_name(_SHOWN_LEAD.sub("", text)):
            return name if _is_name(name) else None
    return None


def _names_in(nodes: Nodes, rows: Iterable[int], headline: int) -> dict[int, str]:
    """The names of the elements that start with an author's, outside boxes of other articles."""
    names = ((row, _name_in(nodes, row)) for row in rows if not is_related(nodes, row, headline))
    return {row: name for row, name in names if name and not _is_helper(nodes, row)}


def _holds(nodes: Nodes, row: int, other: int, headline: int) -> bool:
    """Whether an element holds another one that is outside boxes of other articles."""
    return row < other < nodes.end[row] and not is_related(nodes, other, headline)


def _labelled_name(page: Page, first: int, stop: int) -> list[str]:
    """Return the name in a block that starts with a label such as "by"."""
    blocks = page.blocks
    for index in range(bisect_right(blocks.first, first), bisect_right(blocks.first, stop)):
        text = blocks.text_at(index) if blocks.chars[index] < 120 else ""
        if not (_may_be_labelled(text) and _LEAD.match(text)):
            continue
        if (name := clean_name(text)) and _is_name(name) and " " in name:
            return [name]
    return []


def _may_be_labelled(text: str) -> bool:
    """Whether a text may start with a label; a quick test of texts in ASCII."""
    return not text.isascii() or ":" in text or "-" in text or "by" in text.lower()


def _signature(lines: Iterable[str]) -> list[str]:
    """Return the reporters of a Korean or Chinese article, named at its start or end; else its editors."""
    editors = list[str]()
    for line in lines:
        if match := _SIGNATURE.match(line):
            return re.findall(r"[가-힣]+", match[1])
        if match := (_REPORTERS.search if len(line) < _SIGNATURE_CHARS else _DATELINE.match)(line):
            return re.findall(r"[一-鿿]+", match[1])
        if not editors and (match := _EDITORS.match(line)):
            editors = re.findall(r"[一-鿿]+", match[1])
    return editors


def _is_name(name: str) -> bool:
    """Whether a visible text may be one or several names, not a sentence or a link's label."""
    words = re.split(r"[\s,]+", name)
    if len(words) > 12 or any(word.casefold() in _NOT_IN_NAMES for word in words):
        return False
    return all(not word[:1].islower() or word in _PARTICLES for word in words) and not re.search(r"[?!:…]|\d{3}", name)
