"""The blocks that the rules over the scores concern, or may concern.

`_core` finds the same in the columns of a page that it has measured, rule by rule in `overrule`.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, compress
from operator import mul
from typing import Final, NamedTuple

from bonmun.core import core
from bonmun.methods.learned.posts import CLASS_SIGNS, ID_SIGNS
from bonmun.methods.notices import LONGEST, NOTICE_SIGNS, may_be_notice
from bonmun.methods.trimming import ENDS, LONGEST_TITLE, TITLE_SIGNS
from bonmun.model.assistive import ASSISTIVE_WORDS
from bonmun.model.block import KINDS, Kind
from bonmun.model.boxes import CALLOUT_SIGNS
from bonmun.model.figures import CAPTION_SIGNS
from bonmun.model.page import Page

FORMULA: Final = len(KINDS)
"""The kind of a block that is one formula."""
TEXT_SHARE: Final = 0.8
"""Share of the expected text in the element that holds the text of an article; .7 lost on boards."""
LONGEST_CALLOUT_TITLE: Final = 100
"""Characters."""
CALLOUT_LEVELS: Final = 4
"""Elements between the title of a callout and the callout, at most."""
_HEADING: Final = KINDS.index(Kind.HEADING)
_PARTS_OF_A_TEXT = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.CELL)) | {FORMULA}
_ARE_PARTS = bytes(kind in _PARTS_OF_A_TEXT for kind in range(256))  # table of `bytes.translate`


def end_of_text(page: Page, scores: "array[float]") -> int:
    """The first block behind the smallest element that holds most of the expected text and is no single block."""
    before = list(accumulate(map(mul, scores, page.blocks.chars), initial=0.0))
    middle = min(bisect_left(before, before[-1] / 2), len(scores))
    # An element with most of the words holds the one in the middle. One paragraph may hold most; others follow it.
    row = max(page.nodes.parent[page.blocks.element[max(middle - 1, 0)]], 0)
    inside = page.blocks_in(row)
    while page.nodes.parent[row] >= 0 and before[inside.stop] - before[inside.start] < TEXT_SHARE * before[-1]:
        row = page.nodes.parent[row]
        inside = page.blocks_in(row)
    return inside.stop


class TextEnds(NamedTuple):
    """The first and the last kept blocks with text."""

    blocks: Sequence[int]
    titles: bool
    """Whether one may be a title from elsewhere."""
    notices: Sequence[int]
    """Those of the last that may be closing notices."""


def text_ends(page: Page, keep: bytearray) -> TextEnds:
    """The first and the last kept blocks with text, `ENDS` each at most."""
    blocks = page.blocks
    kept = _texts_at_ends(keep, blocks.chars)
    short = [index for index in kept if blocks.chars[index] <= LONGEST_TITLE]
    titles = any(sign in blocks.text_at(index).encode() for index in short for sign in TITLE_SIGNS)
    return TextEnds(kept, titles, [index for index in kept[-ENDS:] if _may_be_notice(blocks.text_at(index))])


def _may_be_notice(text: str) -> bool:
    return len(text) <= LONGEST and may_be_notice(text)


def _texts_at_ends(keep: bytearray, chars: Sequence[int]) -> list[int]:
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


def gaps(page: Page, keep: bytearray) -> Iterator[int]:
    """Dropped headings, code, table cells and formulas of which the nearest blocks of other kinds are kept."""
    kinds, chars, flags = _kinds(page), page.blocks.chars, page.blocks.flags
    inside = range(keep.find(1), keep.rfind(1) + 1)
    parts = compress(inside, kinds.translate(_ARE_PARTS)[inside.start : inside.stop] if inside else b"")
    missing = [(index, kinds[index]) for index in parts if not keep[index] and chars[index] and not flags[index]]
    others = {
        kind: array("i", [index for index in inside if kinds[index] != kind and chars[index] and not flags[index]])
        for kind in {kind for _, kind in missing}
    }
    return (index for index, kind in missing if _is_between(index, others[kind], keep))


def kind_column(page: Page) -> "memoryview | array[int]":
    """The kinds of all blocks as `_core` takes them."""
    return array("i", list(_kinds(page))) if page.nodes.formulas else page.shown_blocks.columns[0]


def _kinds(page: Page) -> bytes:
    """The kinds of all blocks; a block that is one formula has a kind of its own."""
    nodes, blocks = page.nodes, page.shown_blocks
    kinds = blocks.kind_code.tolist()
    if not nodes.formulas:
        return bytes(kinds)
    columns = zip(kinds, blocks.first, blocks.chars, strict=True)
    formulas = nodes.formula_at
    return bytes([FORMULA if row in formulas and chars == nodes.chars[row] else kind for kind, row, chars in columns])


def _is_between(index: int, others: Sequence[int], keep: Sequence[int]) -> bool:
    """Whether the blocks before and after a block are kept."""
    after = bisect_left(others, index)
    beside = others[max(after - 1, 0) : after + 1]
    return len(beside) == 2 and all(keep[near] for near in beside)


def callout_titles(page: Page, keep: bytearray) -> Sequence[int]:
    """Dropped short blocks right before a kept one, in an element around both whose class may name a callout."""
    chars, flags, found = page.blocks.chars, page.blocks.flags, list[int]()
    index = keep.find(b"\0\1")
    while index >= 0:
        if 0 < chars[index] <= LONGEST_CALLOUT_TITLE and not flags[index]:
            above = around_both(page, index)
            name = (page.nodes.attr(above, "class") or "").encode().lower() if above >= 0 else b""
            if any(sign in name for sign in CALLOUT_SIGNS):
                found.append(index)
        index = keep.find(b"\0\1", index + 1)
    return found


def around_both(page: Page, index: int) -> int:
    """The element around a block that the next block may be in too; -1 for none."""
    parent, end, following = page.nodes.parent, page.nodes.end, page.blocks.first[index + 1]
    above = parent[page.blocks.element[index]]
    for _ in range(CALLOUT_LEVELS):
        if above < 0 or end[above] > following:
            break
        above = parent[above]
    return above


def linked_headings(page: Page, keep: bytearray) -> Sequence[int]:
    """The kept headings of several rows with a link."""
    blocks = page.blocks
    headings = (index for index, kind in compress(enumerate(blocks.kind_code.tolist()), keep) if kind == _HEADING)
    return [index for index in headings if blocks.link_chars[index] and blocks.stop[index] > blocks.first[index] + 1]


@cache
def signs() -> object:
    """What the rules look for, as `_core` takes it."""
    compiled = core()
    names = (map(str.encode, words) for words in (ASSISTIVE_WORDS, CLASS_SIGNS, ID_SIGNS))
    return compiled and compiled.rule_signs(
        *map(_joined, (TITLE_SIGNS, NOTICE_SIGNS, CALLOUT_SIGNS, CAPTION_SIGNS, *names))
    )


def _joined(signs: Iterable[bytes]) -> bytes:
    """Each with a NUL at its end.

    >>> _joined([b"(c)", b"@"])
    b'(c)\\x00@\\x00'
    """
    return b"".join(sign + b"\0" for sign in signs)
