"""What overrules the scores: what no score can tell from the text, what is missing in the middle of it, pictures."""

from bisect import bisect_left
from collections.abc import Container, Sequence

from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import FAR
from bonmun.methods.comments import comment_lists
from bonmun.methods.trimming import closing_notices, titles_elsewhere, told_again
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_IMAGE, _CAPTION = KINDS.index(Kind.IMAGE), KINDS.index(Kind.CAPTION)
_PART_OF_A_TEXT = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.CELL))
_NAMED_COMMENTS = COLUMNS.index("named_comments")
_LEAST = 0.1  # of what is kept that has to be left without comments


def readable(blocks: Blocks) -> bytearray:
    """What can be read of a piece of a page: all that is shown and is more than links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def holes(blocks: Blocks, keep: Sequence[int], decided: Container[int]) -> list[int]:
    """Headings, code and cells of a table that were left out in the middle of the text."""
    columns = enumerate(zip(blocks.kind_code, blocks.chars, blocks.flags, strict=True))
    shown = [(at, kind) for at, (kind, chars, flags) in columns if chars and not flags]
    missing = [one for one in shown if one[1] in _PART_OF_A_TEXT and not keep[one[0]] and one[0] not in decided]
    others = {kind: [at for at, other in shown if other != kind] for kind in {kind for _, kind in missing}}
    return [at for at, kind in missing if _is_between(at, others[kind], keep)]


def _is_between(at: int, others: Sequence[int], keep: Sequence[int]) -> bool:
    """Whether what stands before and what stands behind a block is kept."""
    after = bisect_left(others, at)
    beside = others[max(after - 1, 0) : after + 1]
    return len(beside) == 2 and all(keep[near] for near in beside)


def keep_pictures_inside(blocks: Blocks, keep: bytearray) -> None:
    """A picture has no words to be judged by: it is content where the text before and after it is, captions aside."""
    spoken = [at for at, kind in enumerate(blocks.kind_code) if kind not in (_IMAGE, _CAPTION)]
    for at, kind in enumerate(blocks.kind_code):
        if kind == _IMAGE:
            keep[at] = _is_between(at, spoken, keep)


def no_part_of_it(page: Page, keep: Sequence[int], matrix: bytes, article: bool) -> dict[int, Reason]:
    """Kept blocks that no score can tell from the text: notices, copies, and on an article its readers' comments."""
    dropped = {at for at, kept in enumerate(keep) if not kept}
    found = titles_elsewhere(page, dropped) | closing_notices(page, dropped) | told_again(page, dropped)
    near_comments = memoryview(matrix).cast("f")[_NAMED_COMMENTS :: len(COLUMNS)]
    if article and any(kept and distance < FAR for kept, distance in zip(keep, near_comments, strict=True)):
        found |= _readers_comments(page, keep)
    return found


def _readers_comments(page: Page, keep: Sequence[int]) -> dict[int, Reason]:
    """Kept blocks that are readers' comments; none where hardly anything else is kept."""
    chars = page.blocks.chars
    found = {
        at: Reason("comments", why)
        for row, why in comment_lists(page).items()
        for at in page.blocks_in(row)
        if keep[at]
    }
    left = sum(size for at, size in enumerate(chars) if keep[at] and at not in found)
    return found if left >= _LEAST * (left + sum(chars[at] for at in found)) else {}


def comments(page: Page, keep: Sequence[int], kind: str) -> bytearray:
    """The blocks that are readers' comments; on a forum there are none, since posts are its content."""
    found = bytearray(len(keep))
    if kind == "forum":
        return found
    for row in comment_lists(page):
        for at in page.blocks_in(row):
            found[at] = not (keep[at] or page.blocks.flags[at])
    return found
