"""Authors: the visible byline."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter, itemgetter

from bonmun.core import TEXT_COLUMNS, core
from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, UNRENDERED
from bonmun.read.dates import parse_date
from bonmun.read.elements import attribute_place
from bonmun.read.names import LEAD, LEAD_WORDS, clean_name, is_credit
from bonmun.read.related import is_related

_INVISIBLE = HIDDEN | UNRENDERED | CONTROL
_BEFORE, _AFTER = 60, 160  # rows before and after a headline that are searched for its byline
_MAX_NAMES = 4  # more names are those of a list of articles
_MAX_FAR = 2  # distinct names of author links far from a headline; more are those of a list of articles
_MAX_LINKS = 500  # author links, and lines such as "Written by", that are searched for a name
_MAX_ROWS = 500  # of an element that starts with a name

_SHOWN_LEAD = re.compile(rf"^\W*(?:{LEAD_WORDS.replace(' ', '|')})[:\s]\s*(?=[^\W\d_])", re.IGNORECASE)
_MAY_LEAD = re.compile(
    rb"[^\w\x80-\xff]*+(?:[a-z]?[\x80-\xff]|a[ru]|b[ly]|c[or]|ed|fo|gu|ki|p[eou]|re|s[ktu]|te|w[or]|ya)", re.IGNORECASE
)
"""The start of each text with a lead, in UTF-8: a cheap test."""
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
_WRITTEN_CHARS, _LABELLED_CHARS = 80, 120
_WRITTEN_HINTS = {b"ritten ": (b"ritten by", b"ritten By"), b"or:": (b"uthor:", b"utor:")}
"""Words of which one is in each such line, by what they have in common."""
_WRITTEN_WORDS = b"tten by\0uthor\0utor\0"
"""Parts of which each such line has one, in either case."""
_text_columns = attrgetter(*TEXT_COLUMNS)
_SIGNED = frozenset(("ko", "zh", "zh-TW", "ja"))  # languages whose articles name their reporters in a text line
_WRITTEN = re.compile(r"\W*(?:(?:article|post|story|words|text) )?(?:written by\b|(?:author|autor)\s*:)", re.IGNORECASE)
_REPORTERS = re.compile(rf"(?:记者|記者|作者|撰文)\s*[:：]?\s*{_HAN_NAMES}")
_DATELINE = re.compile(rf"[^。]{{0,30}}[（(][^）)]{{0,10}}(?:记者|記者)\s*{_HAN_NAMES}[)）]")
_EDITORS = re.compile(rf".{{0,30}}(?:责编|责任编辑|編輯|编辑)\s*[:：]\s*{_HAN_NAMES}")
_SIGNING_WORDS = "기자 특파원 记者 記者 作者 撰文 责编 编辑 編輯".encode().split()
"""Words of which each signature has one."""
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
_MARKED: tuple[str, ...] = ("class", "id", "rel", "href")
_LINKING: tuple[str, ...] = ("rel",)
_WORD_LISTS = {
    names: "".join("\0".join(_MARK_WORDS[name]) + "\0\0" for name in names).encode() for names in (_MARKED, _LINKING)
}
_PARTICLES = frozenset(
    "al ap ben bin da das de del della den der di dos du e el ibn la le of ten ter the van von y zu".split()
)
_NOT_IN_NAMES = frozenset(
    "about all article articles blog click comment comments contact follow home latest learn login min more newsletter"
    " photo post posts privacy published read related reviewed share sign subscribe this updated view your".split()
)


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
    names = list[str]()
    for row in linked:
        if (name := _name_in(nodes, row)) and name not in names and not _is_helper(nodes, row):
            names.append(name)
            if len(names) > _MAX_FAR:
                return []
    if names:
        return names
    after = range(bisect_right(blocks.first, headline), len(blocks))
    written = written_blocks(blocks, after.start)
    if written and any(_has_hint(blocks, rare, after.start) for rare in _WRITTEN_HINTS):
        lines = filter(_WRITTEN.match, map(blocks.text_at, written))
        bylines = map(clean_name, islice(lines, _MAX_LINKS))
        if name := next((name for name in bylines if name and _is_name(name)), None):
            return [name]
    return _signature(map(blocks.text_at, _signing(blocks, after))) if language in _SIGNED else []


def _signing(blocks: Blocks, among: range) -> list[int]:
    """Return those of some blocks that may be a signature; the buffer is faster than the texts."""
    found, buffer, starts = set[int](), blocks.text_buffer, blocks.text_start
    for word in _SIGNING_WORDS if among else ():
        at = buffer.find(word, starts[among.start])
        while at >= 0:
            index = bisect_right(starts, at) - 1
            found.add(index)
            at = buffer.find(word, max(blocks.text_stop[index], at + 1))
    return sorted(found)


def written_blocks(blocks: Blocks, start: int) -> Sequence[int]:
    """Return the short blocks from one on that may be a line such as "Written by"."""
    compiled = core()
    if compiled is None:
        return written_blocks_by_reference(blocks, start)
    words = _WRITTEN_WORDS
    found = compiled.worded_blocks(_text_columns(blocks), blocks.text_buffer, start, _WRITTEN_CHARS - 1, words)
    return memoryview(found).cast("i")


def written_blocks_by_reference(blocks: Blocks, start: int) -> list[int]:
    """The same in Python, where the compiled twin could not be built."""
    starts, stops, buffer, words = (
        blocks.text_start,
        blocks.text_stop,
        blocks.text_buffer,
        _WRITTEN_WORDS.split(b"\0")[:-1],
    )
    short = (index for index in range(start, len(blocks)) if blocks.chars[index] < _WRITTEN_CHARS)
    return [index for index in short if any(word in buffer[starts[index] : stops[index]].lower() for word in words)]


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
    rows = (row for row, _, _ in _rows_matching(nodes, _LINKING, range(len(nodes))))
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
    for row, place, pattern in _rows_matching(nodes, _MARKED, range(first, stop)):
        if nodes.flags[row] & _INVISIBLE:
            continue
        if pattern is not _AUTHOR_MARK:
            linked.append(row)
        elif not _OTHER_MARK.search(nodes.buffer, nodes.attr_start[place], nodes.attr_stop[place]):
            marked.append(row)
    return linked, marked


def _rows_matching(nodes: Nodes, names: tuple[str, ...], within: range) -> Iterator[tuple[int, int, re.Pattern[bytes]]]:
    """Yield the rows with a mark of an author in an attribute, with the attribute's index and the pattern."""
    for row, place, index in author_marks(nodes, names, within):
        pattern = _PATTERNS[names[index]]
        if pattern.search(nodes.buffer, nodes.attr_start[place], nodes.attr_stop[place]):
            yield row, place, pattern


def author_marks(nodes: Nodes, names: tuple[str, ...], within: range) -> Iterable[tuple[int, int, int]]:
    """Return rows that may have such a mark, with the attribute's index and the place of its name, in order."""
    compiled = core()
    if compiled is None:
        return author_marks_by_reference(nodes, names, within)
    numbers = array("i", map(nodes.attr_number, names)).tobytes()
    found = compiled.marked_attributes(nodes.held, numbers, _WORD_LISTS[names], within.start, within.stop)
    numbers_found = iter(memoryview(found).cast("i"))
    return zip(numbers_found, numbers_found, numbers_found, strict=True)


def author_marks_by_reference(nodes: Nodes, names: tuple[str, ...], within: range) -> list[tuple[int, int, int]]:
    """The same in Python, where the compiled twin could not be built."""
    rows = ((row, index) for index, name in enumerate(names) for row in nodes.rows_having(name, *_MARK_WORDS[name]))
    found = ((row, attribute_place(nodes, row, names[index]), index) for row, index in rows if row in within)
    return sorted(found, key=itemgetter(1))


def _name_in(nodes: Nodes, row: int) -> str | None:
    """Return the name that an element starts with; a label may precede it."""
    inside = range(row, min(nodes.end[row], row + _MAX_ROWS))
    rows = (inner for inner in inside if nodes.chars[inner] and not nodes.flags[inner] & _INVISIBLE)
    for text in map(nodes.text, islice(rows, 4)):
        if parse_date(text):
            return None
        if is_credit(text):
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
    starts, stops, buffer = blocks.text_start, blocks.text_stop, blocks.text_buffer
    for index in labelled_blocks(blocks, bisect_right(blocks.first, first), bisect_right(blocks.first, stop)):
        if not _MAY_LEAD.match(buffer, starts[index], stops[index]):
            continue
        text = blocks.text_at(index)
        if LEAD.match(text) and (name := clean_name(text)) and _is_name(name) and " " in name:
            return [name]
    return []


def labelled_blocks(blocks: Blocks, start: int, stop: int) -> Sequence[int]:
    """Return the short blocks among some that may start with a label."""
    compiled = core()
    if compiled is None:
        return labelled_blocks_by_reference(blocks, start, stop)
    found = compiled.labelled_blocks(_text_columns(blocks), blocks.text_buffer, start, stop, _LABELLED_CHARS - 1)
    return memoryview(found).cast("i")


def labelled_blocks_by_reference(blocks: Blocks, start: int, stop: int) -> list[int]:
    """The same in Python, where the compiled twin could not be built."""
    starts, stops, buffer = blocks.text_start, blocks.text_stop, blocks.text_buffer
    short = (index for index in range(start, min(stop, len(blocks))) if blocks.chars[index] < _LABELLED_CHARS)
    return [index for index in short if _may_be_labelled(buffer[starts[index] : stops[index]])]


def _may_be_labelled(text: bytes) -> bool:
    """Whether a text may start with a label."""
    return b":" in text or b"-" in text or b"by" in text.lower() or not text.isascii()


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
