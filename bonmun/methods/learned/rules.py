"""Rules that overrule the scores: notices, copies and comments, gaps in the text, footnotes."""

from array import array
from collections.abc import Container, Iterable, Sequence
from itertools import compress
from typing import Final

from bonmun.methods.comments import comment_lists
from bonmun.methods.learned import candidates
from bonmun.methods.learned.declared import recipe_lines
from bonmun.methods.learned.listed_lines import blocks_of_lines
from bonmun.methods.learned.posts import posts
from bonmun.methods.trimming import COPY, LEAST_COPIED, notices_among, repeated_runs, titles_elsewhere
from bonmun.model.block import Blocks
from bonmun.model.boxes import callout_title
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL
from bonmun.model.verdict import Reason

_MAX_NOTE = 400  # characters of a footnote that is kept because its mark is
_MAX_NOTES = 0.1  # share of such footnotes in the text: more of them are the small print of a product page
_LONGEST_RECIPE = 2_000_000  # bytes of text: every line is searched in all of it
_LEAST = 0.1  # minimum share of the kept text that is left without comments
REPEATED: Final = 0.2
"""Minimum raw score of a quotation of a post that is on the page too: golds disagree about them."""


def readable(blocks: Blocks) -> bytearray:
    """All blocks of a snippet that are visible and not mostly links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def gaps(page: Page, keep: bytearray, decided: Container[int]) -> list[int]:
    """Dropped headings, code, table cells and formulas in the middle of the kept text, except those in `decided`."""
    return [index for index in candidates.gaps(page, keep) if index not in decided]


def callout_titles(page: Page, may_be: Sequence[int], decided: Container[int]) -> list[int]:
    """Those of some dropped blocks that are titles right before the kept content of a callout, but not in `decided`.

    Summaries of details are left to the scores: many are controls ("Expand description").
    """
    titles: dict[int, int | None] = {}
    return [index for index in may_be if index not in decided and _is_title(page, index, titles)]


def _is_title(page: Page, index: int, titles: dict[int, int | None]) -> bool:
    """Whether a block is the title of a callout that the next block is in too. `titles` has those looked up before."""
    nodes, row, above = page.nodes, page.blocks.element[index], candidates.around_both(page, index)
    if above >= 0 and above not in titles:
        titles[above] = callout_title(nodes, above)
    title = titles.get(above)
    return title is not None and title <= row < nodes.end[title]


def cited_sources(page: Page, keep: Sequence[int]) -> list[int]:
    """Kept entries of lists of sources."""
    return [index for note in page.footnotes if note.citation for index in note.blocks if keep[index]]


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


def declared_lines(page: Page, keep: Sequence[int]) -> list[int]:
    """Dropped blocks that hold ingredients or steps of the recipes that a page declares.

    A page of more text than any recipe has is left alone.
    """
    if len(page.blocks.text_buffer) > _LONGEST_RECIPE:
        return []
    flags = page.blocks.flags
    found = blocks_of_lines(page, recipe_lines(page.nodes))
    return [index for index in sorted(found) if not keep[index] and flags[index] in (0, CONTROL)]


def around_posts(page: Page, keep: bytearray, scores: "array[float]", kind: str) -> tuple[list[int], list[int]]:
    """On a page of forum software, dropped blocks of posts and kept blocks outside of posts.

    Quotations of a post that is on the page too have to have a score. Where less than half of the kept text is in
    posts, they may be the comments of an article, or the only post that is marked so; on a board, all the rest is
    comments and lists.
    """
    found = posts(page)
    if not found:
        return [], []
    chars, inside = page.blocks.chars, found.inside
    outside = [index for index in compress(range(len(keep)), keep) if not inside[index]]
    is_thread = found.elements > 1 and kind != "article"
    if not (found.board or is_thread) and 2 * sum(chars[index] for index in outside) > sum(compress(chars, keep)):
        return [], []
    repeated = {index for quotation in found.repeated for index in quotation if scores[index] < REPEATED}
    dropped = (index for index in compress(range(len(keep)), inside) if not keep[index] and chars[index])
    return [index for index in dropped if index not in repeated], outside


def intruders(
    page: Page, keep: bytearray, copied: Iterable[int], commented: bool, ends: candidates.TextEnds
) -> dict[int, Reason]:
    """Kept blocks that scores cannot tell from the text: notices, copies, and readers' comments if there may be any.

    `copied`: those of long runs of copies. `commented`: the page is an article, and a kept block is near an element
    named after comments.
    """
    reasons = titles_elsewhere(page, ends.blocks) if ends.titles else {}
    reasons |= notices_among(page, ends.notices)
    reasons |= dict.fromkeys(copied, COPY)
    if commented:
        reasons |= _readers_comments(page, keep)
    return reasons


def copies(page: Page, keep: bytearray, copied: int) -> Iterable[int]:
    """Kept blocks of long runs of copies. `copied`: the characters of kept blocks whose text is further up the page."""
    if copied < LEAST_COPIED:
        return ()
    return repeated_runs(page, [index for index in compress(range(len(keep)), keep) if page.blocks.chars[index]])


def behind_the_text(page: Page, keep: bytearray, scores: "array[float]") -> list[int]:
    """Kept blocks behind the smallest element that holds most of an article's expected text: teasers, forms, notes."""
    stop = candidates.end_of_text(page, scores)
    return [index for index in range(stop, len(keep)) if keep[index]] if keep.find(1, stop) >= 0 else []


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
