"""Footnotes of a page: links that are marks, and the blocks that they refer to.

A mark is a short link to a later element of the same page: superscript, in brackets, or named as a note. The element is
a note if it links back to the mark, or if its id, role or surroundings name it as one.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from bonmun.core import core
from bonmun.model.block import KINDS, Kind
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, CELLS, HEADINGS, HIDDEN, TAG_ID, TEXT, UNRENDERED

if TYPE_CHECKING:
    from bonmun.model.page import Page

_A, _SUP, _TERM, _DEFINITION = TAG_ID["a"], TAG_ID["sup"], TAG_ID["dt"], TAG_ID["dd"]
_TARGETS: Final = ("#fn", "#_ftn", "#_edn", "#ftn", "#footnote", "#n", "#endnote", "#sdfootnote", "#id")
"""Starts of fragments that a link has to have to be a mark, on a page without superscripts."""
COMPILED_TARGETS: Final = "".join(f"{target}\0" for target in _TARGETS).encode()
"""The same for the compiled core, each with a NUL at its end."""
_SIDENOTES: Final = ("sn", "note")
COMPILED_SIDENOTES: Final = "".join(f"{word}\0" for word in _SIDENOTES).encode()
"""The words of a `for` that may name a sidenote, likewise."""
_MARK: Final = re.compile(
    r"(?P<bracket>[\[(（［【〔])?\s*"
    r"(?:(?:(?i:footnote|note|fn|nb)|(?:편집자 ?|역|각)?주|주석|[原訳译譯脚]?[注註]|注释|註釋)[\s.]*)?"
    r"(?P<label>[0-9]{1,4}|[A-Za-z]{1,2}|[ivxl]{3,6}|[*†‡§※]{1,4}|[가-힣ㄱ-ㅎぁ-ヶ])?"
    r"\s*[\])）］】〕]?[.:]?"
)
MOST_CHARS, MOST_ROWS = 16, 8  # of a mark
_MAX_NUMBER = 24  # characters
_PREFIX, _MAX_PREFIXES = 3, 32  # of fragments to search for at once
_NAMED: Final = re.compile(
    r"_?(?:user-content-)?(?:fn|ftn|edn|(?:sd)?(?:foot|end)note|note|cite[_-]?note|wiki-fn|easy-footnote)s?(?![a-z])",
    re.I,
)
_WORDS: Final = frozenset("footnote footnotes noteref endnote endnotes fn fns ftn fnref".split())
_CITATION: Final = re.compile(r"cite|ref|bib|cr[0-9]|b[0-9]", re.IGNORECASE)
_CITATION_WORDS: Final = frozenset("references reflist bibliography citations citation biblio".split())
_BACK_WORDS: Final = frozenset("backref backlink reversefootnote fnref backreference".split())
_ARROWS: Final = re.compile(r"[\s^↑↩⤴⏎↵←⮐⬆\ufe0e\ufe0f]+")
_EDGES: Final = " [](){}【】〔〕.:"  # after NFKC
_MAX_CHARS, _MAX_BLOCKS = 4000, 12
"""A larger target is a section of the page."""
_WITHOUT_SIDENOTES: Final = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.IMAGE))
_NEAR: Final = 4
"""Ancestors to look at; bounded, since a page can be very deep."""
_MOST_NAMES: Final = 2048
"""Bytes of an id, class or role to look at: those of an element around many notes are read for each of them."""

_Link = tuple[int, str]
"""The row of an `a`, and the fragment of the same page that it links to."""
_Tokens = Callable[[int], frozenset[str]]
"""The words of an element's names."""


class Mark(NamedTuple):
    """A mark in the text."""

    row: int
    """Of its link."""
    block: int


class Footnote(NamedTuple):
    """A note of a page, and its marks."""

    marks: tuple[Mark, ...]
    label: str
    """Of the first mark, without brackets: a number, a letter, an asterisk, or nothing."""
    blocks: range
    back: frozenset[int]
    """The rows of the links back."""
    number: str
    """The text of the first mark without brackets, which may be repeated at the start of the note."""
    citation: bool = False
    """Whether it is an entry of a list of sources, as in an encyclopedia."""
    inside: range = range(0)
    """The rows of a sidenote, which is a part of the block of its mark."""


def footnotes(page: "Page") -> tuple[Footnote, ...]:
    """The footnotes of a page, in the order of their first marks."""
    nodes = page.nodes
    sidenotes: Sequence[Footnote] = list(_sidenotes(page)) if nodes.attr_number("for") >= 0 else ()
    may_be_marks = _mark_rows(page)
    if not may_be_marks:  # most pages
        return tuple(sidenotes) if sidenotes else ()
    marks: dict[str, list[int]] = {}
    for row, fragment in _fragment_links(page, may_be_marks):
        if _is_mark(nodes, row, fragment):
            marks.setdefault(fragment, []).append(row)
    if not marks:
        return tuple(sidenotes)
    links = list(_fragment_links(page, nodes.rows_having("href", "#")))
    targets = _rows_by_id(nodes, marks)
    order = sorted(targets.values())
    shared = _shared_blocks(page, order)
    tokens = cache(partial(nodes.tokens, most=_MOST_NAMES))  # notes share the elements around them
    notes = []
    for fragment, rows in marks.items():
        target = targets.get(fragment, -1)
        if target > rows[0] and _first_block(page, target) not in shared:
            later = bisect_right(order, target)
            stop = order[later] if later < len(order) else len(nodes)
            notes += _note(page, [row for row in rows if row < target], target, stop, links, tokens)
    return tuple(sorted([*notes, *sidenotes], key=attrgetter("marks"))) if sidenotes else tuple(notes)


def _sidenotes(page: "Page") -> Iterator[Footnote]:
    """Notes in mid-sentence: `label`, `input` and `span.sidenote`, as in Tufte CSS. A style sheet numbers them."""
    nodes, blocks = page.nodes, page.blocks
    for label in nodes.rows_having("for", *_SIDENOTES):
        near = range(nodes.end[label], min(nodes.end[nodes.parent[label]], nodes.end[label] + MOST_ROWS))
        note = next(
            (row for row in near if nodes.tag[row] != TEXT and "sidenote" in nodes.tokens(row, _MOST_NAMES)), -1
        )
        texts = [row for row in range(note, nodes.end[note]) if nodes.chars[row]] if note >= 0 else []
        block = page.block_at(texts[0]) if texts else -1
        if block >= 0 and page.block_at(texts[-1]) == block and blocks.kind_code[block] not in _WITHOUT_SIDENOTES:
            inside = range(texts[0], texts[-1] + 1)
            yield Footnote((Mark(label, block),), "", range(block, block + 1), frozenset(), "", inside=inside)


def _mark_rows(page: "Page") -> Iterable[int]:
    """The rows of links that may be marks."""
    compiled, nodes, href = core(), page.nodes, page.nodes.attr_number("href")
    if compiled is None:
        return mark_rows_by_reference(nodes)
    if href < 0:
        return ()
    return memoryview(compiled.mark_rows(nodes.held, href, own_address(page.url), COMPILED_TARGETS)).cast("i")


def own_address(url: str | None) -> bytes:
    """The URL of a page without a fragment, for the compiled core.

    >>> own_address("https://example.org/tea#leaves")
    b'https://example.org/tea'
    """
    return (url or "").partition("#")[0].encode(errors="replace")


def mark_rows_by_reference(nodes: Nodes) -> Iterator[int]:
    """The same where the compiled twin could not be built, which leaves out more: what no mark is by its letters."""
    return _short_links(nodes, nodes.rows_having("href", *(("#",) if nodes.has_tag("sup") else _TARGETS)))


def _short_links(nodes: Nodes, rows: Iterable[int]) -> Iterator[int]:
    """The rows of links with as little text as a mark."""
    end, chars, flags = nodes.end, nodes.chars, nodes.flags
    for row in rows:
        stop = end[row]
        if stop - row > MOST_ROWS or flags[row] & (UNRENDERED | HIDDEN):
            continue
        if 0 < sum(chars[row:stop]) <= MOST_CHARS:
            yield row


def _fragment_links(page: "Page", rows: Iterable[int]) -> Iterator[_Link]:
    nodes, url = page.nodes, (page.url or "").partition("#")[0]
    for row in rows:
        if nodes.tag[row] == _A:
            address, _, fragment = (nodes.attr(row, "href") or "").strip().partition("#")
            if fragment and (not address or address == url):
                yield row, unquote(fragment) if "%" in fragment else fragment


def _is_mark(nodes: Nodes, row: int, fragment: str) -> bool:
    label = _MARK.fullmatch(_content(nodes, row))
    if label is None:
        return False
    if label["bracket"] or _SUP in nodes.tag[row : nodes.end[row]] or _NAMED.match(fragment):
        return True
    if any(nodes.tag[above] == _SUP for above in islice(nodes.ancestors(row), _NEAR)):
        return True
    return nodes.text(row - 1).endswith(("[", "［", "【", "〔")) or bool(nodes.tokens(row, _MOST_NAMES) & _WORDS)


def _content(nodes: Nodes, row: int) -> str:
    return normalize("NFKC", nodes.content(row))


def _rows_by_id(nodes: Nodes, wanted: Collection[str]) -> dict[str, int]:
    """The rows of the first elements with these ids, or names of anchors."""
    starts = {fragment[:_PREFIX].lower() for fragment in wanted}
    rows: dict[str, int] = {}
    for name in ("id", "name"):
        if len(starts) > _MAX_PREFIXES or not all(start.isascii() and start.isprintable() for start in starts):
            candidates: Iterable[int] = range(len(nodes))
        else:
            candidates = nodes.rows_having(name, *starts)
        for row in candidates:
            value = nodes.attr(row, name)
            if value is not None and value in wanted:
                rows[value] = min(row, rows.get(value, row))
    return rows


def _shared_blocks(page: "Page", targets: Sequence[int]) -> frozenset[int]:
    """The blocks with several targets: their notes cannot be separated."""
    counts = Counter(_first_block(page, target) for target in targets)
    return frozenset(block for block, count in counts.items() if count > 1)


def _first_block(page: "Page", row: int) -> int:
    """The block that a row belongs to, or the next one."""
    own = page.block_at(row)
    return own if own >= 0 else bisect_left(page.blocks.first, row)


def _note(
    page: "Page", marks: Sequence[int], target: int, stop: int, links: Sequence[_Link], tokens: _Tokens
) -> list[Footnote]:
    """The note that a target is or stands in, if it is one; `stop` is the row of the next target."""
    nodes = page.nodes
    blocks = _body(page, target, stop)
    starts = ((row, _first_block(page, row)) for row in marks)
    places = [Mark(row, block) for row, block in starts if block < len(page.blocks) and block not in blocks]
    if not blocks or not places or not _is_short(page, blocks):
        return []
    ids = {name for row in marks for name in _ids_near(nodes, row)}
    inside = _links_in(page, blocks, links)
    back = frozenset(row for row, fragment in inside if fragment in ids or tokens(row) & _BACK_WORDS)
    if not (any(fragment in ids for _, fragment in inside) or _is_named(nodes, target, tokens)):
        return []
    content = _content(nodes, marks[0])
    label = _MARK.fullmatch(content)
    text = (label and label["label"]) or ""
    return [Footnote(tuple(places), text, blocks, back, content.strip(_EDGES), _is_citation(nodes, target, tokens))]


def _body(page: "Page", target: int, stop: int) -> range:
    """The blocks of a note: of the smallest element that can be all of it, or from the target to the next one."""
    nodes, first = page.nodes, page.blocks.first
    element = target
    for _ in range(_NEAR):
        if nodes.tag[element] in BLOCK_LEVEL:
            break
        element = nodes.parent[element]
    end = nodes.end[element]
    if nodes.tag[element] == _TERM and end < len(nodes):
        following = next((row for row in range(end, min(end + 3, len(nodes))) if nodes.tag[row] != TEXT), end)
        end = nodes.end[following] if nodes.tag[following] == _DEFINITION else end
    above = nodes.parent[element]
    if nodes.tag[element] in CELLS or (above >= 0 and nodes.end[above] <= stop and _NAMED.match(_id(nodes, above))):
        end = nodes.end[above]
    start = _first_block(page, target)
    if end <= stop:
        return range(start, bisect_left(first, end, start))
    last = page.block_at(stop)
    return range(start, last if last >= 0 else bisect_left(first, stop, start))


def _is_short(page: "Page", indexes: range) -> bool:
    blocks, nodes = page.blocks, page.nodes
    if len(indexes) > _MAX_BLOCKS or any(nodes.tag[blocks.element[index]] in HEADINGS for index in indexes):
        return False
    return 0 < sum(blocks.chars[index] for index in indexes) <= _MAX_CHARS


def _id(nodes: Nodes, row: int) -> str:
    return nodes.attr(row, "id", _MOST_NAMES) or nodes.attr(row, "name", _MOST_NAMES) or ""


def _ids_near(nodes: Nodes, row: int) -> Iterator[str]:
    """The ids of a mark, of the elements in it and of the elements around it."""
    for near in (*range(row, nodes.end[row]), *islice(nodes.ancestors(row), _NEAR - 1)):
        if nodes.tag[near] != TEXT and (name := _id(nodes, near)):
            yield name


def _links_in(page: "Page", indexes: range, links: Sequence[_Link]) -> Sequence[_Link]:
    """The links of blocks, and of the elements that start right before them."""
    start = page.blocks.stop[indexes.start - 1] if indexes.start else 0
    stop = page.blocks.stop[indexes[-1]]
    return links[bisect_left(links, (start, "")) : bisect_left(links, (stop, ""))]


def _is_named(nodes: Nodes, target: int, tokens: _Tokens) -> bool:
    near = (target, *islice(nodes.ancestors(target), _NEAR))
    return any(_NAMED.match(_id(nodes, row)) for row in near[:2]) or any(tokens(row) & _WORDS for row in near)


def _is_citation(nodes: Nodes, target: int, tokens: _Tokens) -> bool:
    near = (target, *islice(nodes.ancestors(target), _NEAR))
    return bool(_CITATION.match(_id(nodes, target))) or any(tokens(row) & _CITATION_WORDS for row in near)


def outside_of_text(page: "Page", note: Footnote) -> tuple[set[int], tuple[int, int]]:
    """The parts of a note that are not its text.

    These are the rows of links back, arrows and the note's number; and the row where the text starts, with the number
    of characters there that are the note's number.
    """
    nodes, blocks = page.nodes, page.blocks
    skipped = {inside for row in note.back for inside in range(row, nodes.end[row])}
    start = (-1, 0)
    for row in range(blocks.first[note.blocks.start], blocks.stop[note.blocks[-1]]):
        if not nodes.chars[row]:
            continue
        text = nodes.text(row)
        if _ARROWS.fullmatch(text):
            skipped.add(row)
        elif start[0] < 0 and row not in skipped:
            if normalize("NFKC", text).strip().strip(_EDGES) in ("", note.number):
                skipped.add(row)
            else:
                start = (row, _number_length(text, note.number))
    return skipped, start


def _number_length(text: str, number: str) -> int:
    """The characters of a note's number, of the brackets around it and of the space after it.

    >>> _number_length(" [1] A note.", "1"), _number_length("②説明", "2"), _number_length("12 notes", "1")
    (5, 1, 0)
    """
    folded, length = "", 0
    for index, char in enumerate(text[:_MAX_NUMBER], 1):
        folded += normalize("NFKC", char)
        if number and folded.strip().strip(_EDGES) == number:
            length = index
    joined = text[length - 1 : length + 1] if length else ""
    return 0 if len(joined) == 2 and joined.isascii() and joined.isalnum() else length
