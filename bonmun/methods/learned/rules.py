"""Rules that overrule the scores: notices, copies and comments, gaps in the text, footnotes."""

from array import array
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from itertools import accumulate, compress
from operator import mul

from bonmun.methods.comments import comment_lists
from bonmun.methods.trimming import ENDS, LEAST_COPIED, closing_notices, repeated_runs, titles_elsewhere
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.boxes import callout_title
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_FORMULA = len(KINDS)
_PARTS_OF_A_TEXT = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.CELL)) | {_FORMULA}
_ARE_PARTS = bytes(kind in _PARTS_OF_A_TEXT for kind in range(256))  # table of `bytes.translate`
_MAX_NOTE = 400  # characters of a footnote that is kept because its mark is
_MAX_NOTES = 0.1  # share of such footnotes in the text: more of them are the small print of a product page
_LONGEST_TITLE = 100  # characters
_LEVELS = 4  # elements between the title of a callout and the callout, at most
_LEAST = 0.1  # minimum share of the kept text that is left without comments
_MOST = 0.8  # share of the expected text in the element that holds the text of an article; .7 lost on boards


def readable(blocks: Blocks) -> bytearray:
    """All blocks of a snippet that are visible and not mostly links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def gaps(page: Page, keep: bytearray, decided: Container[int]) -> list[int]:
    """Dropped headings, code, table cells and formulas in the middle of the kept text, except those in `decided`."""
    kinds, chars, flags = _kinds(page), page.blocks.chars, page.blocks.flags
    inside = range(keep.find(1), keep.rfind(1) + 1)
    parts = compress(inside, kinds.translate(_ARE_PARTS)[inside.start : inside.stop] if inside else b"")
    missing = [
        (index, kinds[index])
        for index in parts
        if not keep[index] and chars[index] and not flags[index] and index not in decided
    ]
    others = {
        kind: array("i", [index for index in inside if kinds[index] != kind and chars[index] and not flags[index]])
        for kind in {kind for _, kind in missing}
    }
    return [index for index, kind in missing if _is_between(index, others[kind], keep)]


def callout_titles(page: Page, keep: bytearray, decided: Container[int]) -> list[int]:
    """Dropped titles right before the kept content of a callout, except those in `decided`.

    Summaries of details are left to the scores: many are controls ("Expand description").
    """
    chars, flags, missing = page.blocks.chars, page.blocks.flags, []
    titles: dict[int, int | None] = {}
    index = keep.find(b"\0\1")
    while index >= 0:
        may_be = 0 < chars[index] <= _LONGEST_TITLE and not flags[index] and index not in decided
        if may_be and _is_title(page, index, titles):
            missing.append(index)
        index = keep.find(b"\0\1", index + 1)
    return missing


def _is_title(page: Page, index: int, titles: dict[int, int | None]) -> bool:
    """Whether a block is the title of a callout that the next block is in too. `titles` has those looked up before."""
    nodes, row = page.nodes, page.blocks.element[index]
    parent, end, following = nodes.parent, nodes.end, page.blocks.first[index + 1]
    above = parent[row]
    for _ in range(_LEVELS):
        if above < 0 or end[above] > following:
            break
        above = parent[above]
    if above >= 0 and above not in titles:
        titles[above] = callout_title(nodes, above)
    title = titles.get(above)
    return title is not None and title <= row < end[title]


def _kinds(page: Page) -> bytes:
    """The kinds of all blocks; a block that is one formula has a kind of its own."""
    nodes, blocks = page.nodes, page.shown_blocks
    kinds = blocks.kind_code.tolist()
    if not nodes.formulas:
        return bytes(kinds)
    columns = zip(kinds, blocks.first, blocks.chars, strict=True)
    formulas = nodes.formula_at
    return bytes([_FORMULA if row in formulas and chars == nodes.chars[row] else kind for kind, row, chars in columns])


def _is_between(index: int, others: Sequence[int], keep: Sequence[int]) -> bool:
    """Whether the blocks before and after a block are kept."""
    after = bisect_left(others, index)
    beside = others[max(after - 1, 0) : after + 1]
    return len(beside) == 2 and all(keep[near] for near in beside)


def notes_of_marks(page: Page, keep: Sequence[int], decided: Container[int]) -> list[int]:
    """Dropped short footnotes whose marks are kept, except those in `decided` and the entries of lists of sources."""
    if not page.footnotes:
        return []
    chars, flags = page.blocks.chars, page.blocks.flags
    missing: list[int] = []
    for note in page.footnotes:
        if note.citation or not any(keep[mark.block] for mark in note.marks):
            continue
        if sum(chars[index] for index in note.blocks) <= _MAX_NOTE:
            missing += (index for index in note.blocks if not (keep[index] or flags[index] or index in decided))
    text = sum(size for size, kept in zip(chars, keep, strict=True) if kept)
    return missing if sum(chars[index] for index in missing) <= max(_MAX_NOTE, _MAX_NOTES * text) else []


def intruders(page: Page, keep: bytearray, copied: int, commented: bool) -> dict[int, Reason]:
    """Kept blocks that scores cannot tell from the text: notices, copies, and readers' comments if there may be any.

    `copied`: the characters of kept blocks whose text is further up the page. `commented`: the page is an article, and
    a kept block is near an element named after comments.
    """
    chars = page.blocks.chars
    ends = _texts_at_ends(keep, chars)
    reasons = titles_elsewhere(page, ends) | closing_notices(page, ends)
    if copied >= LEAST_COPIED:
        reasons |= repeated_runs(page, [index for index in compress(range(len(keep)), keep) if chars[index]])
    if commented:
        reasons |= _readers_comments(page, keep)
    return reasons


def behind_the_text(page: Page, keep: Sequence[int], scores: Iterable[float]) -> list[int]:
    """Kept blocks behind the smallest element that holds most of an article's expected text: teasers, forms, notes."""
    before = list(accumulate(map(mul, scores, page.blocks.chars), initial=0.0))
    middle = min(bisect_left(before, before[-1] / 2), len(keep))
    row = page.blocks.element[max(middle - 1, 0)]  # an element with most of the words holds the one in the middle
    inside = page.blocks_in(row)
    while page.nodes.parent[row] >= 0 and before[inside.stop] - before[inside.start] < _MOST * before[-1]:
        row = page.nodes.parent[row]
        inside = page.blocks_in(row)
    return [index for index in range(inside.stop, len(keep)) if keep[index]]


def _texts_at_ends(keep: bytearray, chars: Sequence[int]) -> list[int]:
    """The first and the last kept blocks with text."""
    first, last = list[int](), list[int]()
    index = keep.find(1)
    while index >= 0 and len(first) < ENDS:
        if chars[index]:
            first.append(index)
        index = keep.find(1, index + 1)
    stop = first[-1] + 1 if first else 0
    index = keep.rfind(1, stop)
    while index >= 0 and len(last) < ENDS:
        if chars[index]:
            last.append(index)
        index = keep.rfind(1, stop, index)
    return first + last[::-1]


def _readers_comments(page: Page, keep: Sequence[int]) -> dict[int, Reason]:
    """Kept blocks that are readers' comments; none if hardly anything else is kept."""
    chars = page.blocks.chars
    reasons = {
        index: Reason("comments", why)
        for row, why in comment_lists(page).items()
        for index in page.blocks_in(row)
        if keep[index]
    }
    left = sum(size for index, size in enumerate(chars) if keep[index] and index not in reasons)
    return reasons if left >= _LEAST * (left + sum(chars[index] for index in reasons)) else {}


def comments(page: Page, keep: Sequence[int], kind: str) -> bytearray:
    """The blocks that are readers' comments; none on a forum, since posts are its content."""
    marked = bytearray(len(keep))
    if kind == "forum":
        return marked
    for row in comment_lists(page):
        for index in page.blocks_in(row):
            marked[index] = not (keep[index] or page.blocks.flags[index])
    return marked
