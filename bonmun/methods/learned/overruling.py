"""The rules over the scores, one after another: what is kept or dropped against them, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bonmun.core import Core, core
from bonmun.methods.learned import candidates
from bonmun.methods.learned.judgement import SNIPPET_PAGE, Judgement, Stopped
from bonmun.methods.learned.pictures import drop_pictures, keep_pictures_inside
from bonmun.methods.learned.plain_pages import PLAIN
from bonmun.methods.learned.rules import (
    around_posts,
    behind_the_text,
    callout_titles,
    cited_sources,
    copies,
    declared_lines,
    gaps,
    intruders,
    notes_of_marks,
)
from bonmun.methods.learned.tables import TABLE, TableBlocks, incomplete, table_columns
from bonmun.methods.trimming import COPY, LEAST_COPIED
from bonmun.methods.unseen import UNSEEN, assistive_candidates, seen_parts
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

LIKELY: Final = 0.4
"""Minimum probability of the type article for the rules that are about articles."""
STEPS: Final = ("posts", "behind", "intruders", "sources", "gaps", "titles", "tables", "notes", "pictures", "unseen")
"""The rules in their order; `_core` takes these steps, and leaves some to Python."""
_DONE: Final = len(STEPS)
_INTRUDERS, _SOURCES, _TITLES, _NOTES, _PICTURES = map(
    STEPS.index, ("intruders", "sources", "titles", "notes", "pictures")
)
REASONS: Final = {
    "behind": Reason("behind-text", "behind the element that holds the text"),
    "inside": Reason("inside", "the text before and after it is kept"),
    "table": TABLE,
    "title": Reason("callout-title", "the callout below it is kept"),
    "note": Reason("footnote", "the note of a kept mark"),
    "source": Reason("source", "an entry of a list of sources"),
    "unseen": UNSEEN,
    "post": Reason("post", "a part of a post"),
    "around": Reason("around-posts", "outside of the posts of the thread"),
    "copy": COPY,
    "snippet": SNIPPET_PAGE,
    "plain": PLAIN,
}
"""Those that do not depend on the block; `_core` knows them by their number from 1 on."""
_REASONS: Final = (None, *REASONS.values())
_BEHIND, _INSIDE, _TABLE, _TITLE, _NOTE, _SOURCE, _UNSEEN, _POST, _AROUND, _, *_WHOLE = range(1, len(_REASONS))
_OTHER: Final = 255
_DECLARED: Final = Reason("declared", "listed in a recipe that the page declares")
_OF_WHOLE: Final = {_REASONS[number]: bytes([0, number]) + bytes(254) for number in _WHOLE}
"""Tables from `keep` to the numbers of the reason why a page is kept whole."""


Parts = Mapping[int, tuple[int, ...]]
"""The rows to keep of blocks that are kept in part."""


def overruled(
    page: Page, judgement: Judgement, units: Sequence[TableBlocks], stopped: Stopped | None
) -> "tuple[Overruled, Parts]":
    """Correct the choice of a judgement, as far as `_core` has not: the blocks that a rule decided on, and parts."""
    compiled = core()
    if compiled and stopped:
        parts = finished(stopped)
        if parts is not None and not judgement.recipe:  # on most pages
            return Overruled(stopped.why), parts
        rules = Rules(page, judgement, units, stopped.why)
        rules.go_on(compiled, stopped)
    else:
        rules = Rules(page, judgement, units)
        rules.apply()
    if judgement.recipe:
        rules.keep_declared()
    return rules.overruled, rules.parts


def finished(stopped: Stopped) -> Parts | None:
    """The blocks kept in part if the core has taken all steps, else `None`."""
    return _parts(stopped.findings[3]) if stopped.findings[0] == _DONE else None


def _parts(rows: bytes) -> Parts:
    """The rows to keep of blocks, as `_core` found them: block, number of rows, rows; the next block …"""
    parts: dict[int, tuple[int, ...]] = {}
    cells, at = memoryview(rows).cast("i").tolist() if rows else (), 0
    while at < len(cells):
        block, count = cells[at : at + 2]
        at += 2 + count
        parts[block] = tuple(cells[at - count : at])
    return parts


class Overruled(Mapping[int, Reason]):
    """The blocks that a rule decided on, with its reason."""

    def __init__(self, why: bytearray) -> None:
        self.why = why
        """The number of each block's reason; 0: the scores decided."""
        self.others: dict[int, Reason] = {}
        """Reasons that depend on the block."""

    def __getitem__(self, index: int) -> Reason:
        why = self.why[index] if 0 <= index < len(self.why) else 0
        reason = self.others[index] if why == _OTHER else _REASONS[why]
        if reason is None:
            raise KeyError(index)
        return reason

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and 0 <= index < len(self.why) and self.why[index] > 0

    def __iter__(self) -> Iterator[int]:
        return (index for index, why in enumerate(self.why) if why)

    def __len__(self) -> int:
        return len(self.why) - self.why.count(0)


def is_article(judgement: Judgement) -> bool:
    """Whether a page is surely an article: comments and what is around its text are dropped whatever the trees say."""
    return judgement.kind == "article" and judgement.likely >= LIKELY


class Rules:
    """The rules on one page."""

    def __init__(
        self, page: Page, judgement: Judgement, units: Sequence[TableBlocks], why: bytearray | None = None
    ) -> None:
        whole, keep, article = judgement.whole, judgement.keep, is_article(judgement)
        self._page, self._judgement, self._units, self._keep = page, judgement, units, keep
        self._drops_behind = article and not whole
        self._commented = article and judgement.commented
        if why is None:
            why = keep.translate(_OF_WHOLE[whole]) if whole else bytearray(len(keep))
        self.overruled = Overruled(why)
        self.parts: Parts = {}
        """The rows to keep of the blocks with text that is not seen."""

    def apply(self) -> None:
        """Correct the choice, without the compiled core."""
        page, keep = self._page, self._keep
        if self._judgement.may_be_thread:
            self._keep_posts()
        if self._drops_behind:
            self._decide(behind_the_text(page, keep, self._judgement.raw), 0, _BEHIND)
        self._drop_intruders(candidates.text_ends(page, keep), copies(page, keep, self._judgement.copied))
        self._drop_sources()
        self._decide(gaps(page, keep, self.overruled), 1, _INSIDE)
        self._keep_titles(candidates.callout_titles(page, keep))
        self._decide(incomplete(keep, self._units), 1, _TABLE)
        self._keep_notes()
        keep_pictures_inside(page, keep, drop_pictures(page, keep, self.overruled))
        self._drop_unseen(candidates.linked_headings(page, keep), assistive_candidates(page, keep))

    def go_on(self, compiled: Core, stopped: Stopped) -> None:
        """Correct the choice from the step on where the core stopped, which has not been taken yet.

        Posts are the first step: nothing is looked for in them any more.
        """
        page, judgement, keep, why = self._page, self._judgement, self._keep, self.overruled.why
        kinds, columns = candidates.kind_column(page), table_columns(self._units)
        scores = judgement.raw if self._drops_behind else b""
        rules = scores, b"", columns[0], columns[1], candidates.signs()
        flags = judgement.copied >= LEAST_COPIED, self._commented, bool(page.footnotes), False
        href = page.nodes.attr_number("href")
        step, blocks, signs, rows = stopped.findings
        while step != _DONE:
            self._take(step, memoryview(blocks).cast("i"), signs, memoryview(rows).cast("i"))
            step, blocks, signs, rows = compiled.overrule(
                stopped.measured, keep, why, kinds, *rules, step + 1, *flags, href
            )
        if rows:
            self.parts = _parts(rows)

    def _take(self, step: int, blocks: "memoryview[int]", signs: int, rows: "memoryview[int]") -> None:
        """Take a step for which `_core` found these."""
        if step == _INTRUDERS:
            notices = [block for place, block in enumerate(blocks, 1) if signs >> place & 1]
            self._drop_intruders(candidates.TextEnds(blocks.tolist(), bool(signs & 1), notices), rows)
        elif step == _SOURCES:
            self._drop_sources()
        elif step == _TITLES:
            self._keep_titles(blocks)
        elif step == _NOTES:
            self._keep_notes()
        elif step == _PICTURES:
            keep_pictures_inside(self._page, self._keep, blocks)
        else:
            self._drop_unseen(blocks, rows)

    def keep_declared(self) -> None:
        """Keep the lines of declared recipes that the scores dropped, or that are behind the text."""
        why = self.overruled.why
        lines = [index for index in declared_lines(self._page, self._keep) if why[index] in (0, _BEHIND)]
        self._decide(lines, 1, _OTHER)
        self.overruled.others |= dict.fromkeys(lines, _DECLARED)

    def _decide(self, blocks: Iterable[int], keep: int, why: int) -> None:
        for index in blocks:
            self._keep[index], self.overruled.why[index] = keep, why

    def _keep_posts(self) -> None:
        lines, others = around_posts(self._page, self._keep, self._judgement.raw, self._judgement.kind)
        self._decide(lines, 1, _POST)
        self._decide(others, 0, _AROUND)

    def _drop_intruders(self, ends: candidates.TextEnds, copied: Iterable[int]) -> None:
        reasons = intruders(self._page, self._keep, copied, self._commented, ends)
        self._decide(reasons, 0, _OTHER)
        self.overruled.others |= reasons

    def _drop_sources(self) -> None:
        self._decide(cited_sources(self._page, self._keep), 0, _SOURCE)

    def _keep_titles(self, may_be: Sequence[int]) -> None:
        self._decide(callout_titles(self._page, may_be, self.overruled), 1, _TITLE)

    def _keep_notes(self) -> None:
        self._decide(notes_of_marks(self._page, self._keep, self.overruled), 1, _NOTE)

    def _drop_unseen(self, headings: Iterable[int], elements: Iterable[int]) -> None:
        self.parts, unseen = seen_parts(self._page, self._keep, headings, elements)
        self._decide(unseen, 0, _UNSEEN)
