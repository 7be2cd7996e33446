"""One block of a page with the verdict on it: its text, runs, kind and place."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bonmun.model.block import KINDS, Kind, rows_shown, text_of, xpath_row
from bonmun.model.code import code_language
from bonmun.model.inline import Run, runs
from bonmun.model.kept_notes import NO_NOTES, KeptNotes, text_of_runs, without_brackets
from bonmun.model.lazy import lazy
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.model.page import Page
from bonmun.model.selection import selected_runs
from bonmun.model.tags import HIDDEN
from bonmun.model.verdict import Reason, Verdicts

_CODE, _HEADING = KINDS.index(Kind.CODE), KINDS.index(Kind.HEADING)


@dataclass(frozen=True, eq=False)
class Block:
    """One block of a page with the verdict on it.

    >>> import bonmun
    >>> bonmun.extract("<p>Tea is made of leaves, and of <b>hot</b> water.").blocks[0].xpath
    '/html/body/p[1]'
    """

    page: Page
    verdicts: Verdicts
    index: int
    """Its index among all blocks of the page."""
    output: Output = field(default=DEFAULT_OUTPUT, kw_only=True)
    """Whether its runs have links, images and marks of footnotes."""
    notes: KeptNotes = field(default=NO_NOTES, init=False)
    """The footnotes of its document."""
    sidenote: range | None = field(default=None, init=False)
    """The rows of a footnote that is a part of the block; `None` for the block itself."""

    def with_notes(self, notes: KeptNotes, sidenote: range | None = None) -> "Block":
        """The same block in a document with footnotes, or the footnote with these rows of it."""
        block = Block(self.page, self.verdicts, self.index, output=self.output)
        vars(block).update(notes=notes, sidenote=sidenote)
        return block

    @property
    def keep(self) -> bool:
        """Whether it is main content."""
        return bool(self.verdicts.keep[self.index])

    @property
    def score(self) -> float:
        """0 … 1, the method's confidence that it is main content."""
        return self.verdicts.score[self.index]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it was kept or dropped."""
        return self.verdicts.reasons[self.index]

    @property
    def part(self) -> tuple[int, ...] | None:
        """The kept rows, if the method kept only a part of the block; else `None`."""
        return self.verdicts.parts.get(self.index)

    @property
    def kind(self) -> Kind:
        """paragraph, heading, item, term, definition, cell, code, quote, caption or image."""
        return KINDS[self.page.shown_blocks.kind_code[self.index]]

    @property
    def level(self) -> int:
        """A heading's level, the nesting of a list item or quote (1 = outermost); 0 for the rest."""
        return self.page.shown_blocks.level[self.index]

    @property
    def continues(self) -> bool:
        """Whether only a single line break separates it from the previous block."""
        return bool(self.page.blocks.continues[self.index])

    @property
    def hidden(self) -> bool:
        """Whether the page hides it until a script shows it."""
        return bool(self.page.blocks.flags[self.index] & HIDDEN)

    @property
    def text(self) -> str:
        """The text as a reader sees it, with the marks of kept footnotes as ``[1]``; empty for an image."""
        if self.index in self.notes.blocks:  # a sidenote, too
            return text_of_runs(self.runs)
        if self.part is None:
            return self.page.blocks.text_at(self.index)
        kind = self.kind
        return text_of(self.page.nodes, self.part, kind is Kind.CODE, kind is Kind.HEADING)

    @property
    def plain_text(self) -> str | None:
        """The text of a block that is known to have no marks, links, images and footnotes; else `None`.

        It takes a tenth of the time of `runs`, and most blocks have it.
        """
        index = self.index
        if index in self.notes.blocks or index in self.verdicts.parts or not self.page.plain[index]:
            return None
        return self.page.blocks.text_at(index)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of its text nodes in `page.nodes`."""
        return tuple(self._text_rows()) if self.part is None else self.part

    def _text_rows(self) -> Iterator[int]:
        blocks, nodes = self.page.blocks, self.page.nodes
        first, stop = blocks.first[self.index], blocks.stop[self.index]
        return (row for row in rows_shown(nodes, first, stop, self.hidden) if nodes.chars[row])

    @property
    def xpath(self) -> str:
        """The xpath of the block's element; of its first node if the element holds other blocks too."""
        return self.page.nodes.xpath(xpath_row(self.page.nodes, self.page.shown_blocks, self.index))

    @property
    def span(self) -> tuple[int, int] | None:
        """Start and end of its text in the page's UTF-8 bytes; `None` if the reader records no offsets.

        For a page in another encoding they are offsets in the decoded bytes.
        """
        starts, stops = self.page.nodes.source_start, self.page.nodes.source_stop
        rows = self.rows or (self.page.blocks.first[self.index],)
        if starts is None or stops is None:
            return None
        return min(starts[row] for row in rows), max(stops[row] for row in rows)

    @lazy
    def runs(self) -> tuple[Run, ...]:
        """The text with its marks, links and images.

        The texts of all text runs, joined, are `text`, except that the runs with the marks ``sup`` and ``sub`` have the
        characters of the page, ``6`` in place of ``⁶``, the marks of footnotes their label without brackets, and that
        an image may have a space on either side.
        """
        page, index, notes = self.page, self.index, self.notes
        blocks, nodes, kind = page.blocks, page.nodes, page.shown_blocks.kind_code[index]
        place = (blocks.element[index], page.base_url, kind == _CODE, kind == _HEADING)
        rows = self.part
        if rows is None:
            shown = self.sidenote or range(blocks.first[index], blocks.stop[index])
            rows = tuple(rows_shown(nodes, shown.start, shown.stop, self.hidden, images=True))
        if self.sidenote or index not in notes.blocks:
            made = runs(nodes, rows, *place)
        else:
            rows = tuple(row for row in rows if row not in notes.skipped)
            made = without_brackets(runs(nodes, rows, *place, notes))
        return tuple(made) if self.output.is_complete else selected_runs(made, self.output)

    @property
    def code_language(self) -> str | None:
        """The language of a code block, if the page declares it (``class="language-python"``)."""
        if self.kind is not Kind.CODE:
            return None
        first = next(
            self._text_rows() if self.part is None else iter(self.part), None
        )  # highlighted code has many rows
        return None if first is None else code_language(self.page.nodes, first)

    def __repr__(self) -> str:
        mark = "+" if self.keep else "-"
        return f"<Block {mark} {self.kind} {self.score:.2f} {self.text[:60]!r}>"
