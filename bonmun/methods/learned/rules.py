"""Rules that overrule the scores: notices, copies and comments, gaps in the text, pictures."""

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence

from bonmun.features.element_names import FAR
from bonmun.methods.comments import comment_lists
from bonmun.methods.trimming import closing_notices, repeated_runs, titles_elsewhere
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_IMAGE, _CAPTION = KINDS.index(Kind.IMAGE), KINDS.index(Kind.CAPTION)
_FORMULA = -1
_PART_OF_A_TEXT = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.CELL)) | {_FORMULA}
_LEAST = 0.1  # minimum share of the kept text that is left without comments


def readable(blocks: Blocks) -> bytearray:
    """All blocks of a snippet that are visible and not mostly links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def gaps(page: Page, keep: Sequence[int], decided: Container[int]) -> list[int]:
    """Dropped headings, code, table cells and formulas in the middle of the kept text, except those in `decided`."""
    blocks = page.blocks
    columns = enumerate(zip(_kinds(page), blocks.chars, blocks.flags, strict=True))
    shown = [(index, kind) for index, (kind, chars, flags) in columns if chars and not flags]
    missing = [
        (index, kind) for index, kind in shown if kind in _PART_OF_A_TEXT and not keep[index] and index not in decided
    ]
    others = {kind: [index for index, other in shown if other != kind] for kind in {kind for _, kind in missing}}
    return [index for index, kind in missing if _is_between(index, others[kind], keep)]


def _kinds(page: Page) -> Sequence[int]:
    """The kinds of all blocks; a block that is one formula has a kind of its own."""
    nodes, blocks = page.nodes, page.blocks
    if not nodes.formulas:
        return blocks.kind_code
    columns = zip(blocks.kind_code, blocks.first, blocks.chars, strict=True)
    formulas = nodes.formula_at
    return [_FORMULA if row in formulas and chars == nodes.chars[row] else kind for kind, row, chars in columns]


def _is_between(index: int, others: Sequence[int], keep: Sequence[int]) -> bool:
    """Whether the blocks before and after a block are kept."""
    after = bisect_left(others, index)
    beside = others[max(after - 1, 0) : after + 1]
    return len(beside) == 2 and all(keep[near] for near in beside)


def keep_pictures_inside(blocks: Blocks, keep: bytearray, decided: Container[int] = ()) -> None:
    """Keep the pictures between two kept texts, captions aside: a picture has no words to be judged by.

    Pictures in `decided` are left alone.
    """
    spoken = [index for index, kind in enumerate(blocks.kind_code) if kind not in (_IMAGE, _CAPTION)]
    for index, kind in enumerate(blocks.kind_code):
        if kind == _IMAGE and index not in decided:
            keep[index] = _is_between(index, spoken, keep)


def intruders(page: Page, keep: Sequence[int], near_comments: Iterable[float], article: bool) -> dict[int, Reason]:
    """Kept blocks that scores cannot tell from the text: notices, copies, and on an article its readers' comments.

    `near_comments` is the column `named_comments`: the distance of each block to an element named after comments.
    """
    dropped = {index for index, kept in enumerate(keep) if not kept}
    reasons = titles_elsewhere(page, dropped) | closing_notices(page, dropped) | repeated_runs(page, dropped)
    if article and any(kept and distance < FAR for kept, distance in zip(keep, near_comments, strict=True)):
        reasons |= _readers_comments(page, keep)
    return reasons


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
