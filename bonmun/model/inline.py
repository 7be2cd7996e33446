"""The content of a block: runs of text with their marks and links, and images."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from bonmun.deadline import check
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.code import code_rows
from bonmun.model.gaps import is_gap
from bonmun.model.links import absolute
from bonmun.model.nodes import Formula, InlineContext, Nodes
from bonmun.model.pictures import picture_address
from bonmun.model.tags import LINK, TAG_ID, TEXT, UNRENDERED, tag_set

if TYPE_CHECKING:
    from bonmun.model.kept_notes import KeptNotes

FORMULA: Final = "math"
DISPLAYED_FORMULA: Final = "math-display"

_MARK_OF_TAG = {
    **dict.fromkeys(tag_set("strong b"), "strong"),
    **dict.fromkeys(tag_set("em i cite dfn var"), "em"),
    **dict.fromkeys(tag_set("code kbd samp tt"), "code"),
    **dict.fromkeys(tag_set("s strike del"), "strike"),
    TAG_ID["sub"]: "sub",
    TAG_ID["sup"]: "sup",
    TAG_ID["mark"]: "mark",
}
_LINK_TAG, _IMAGE_TAG, _BREAK = TAG_ID["a"], TAG_ID["img"], TAG_ID["br"]
_CODE, _NOT_PLAIN = KINDS.index(Kind.CODE), LINK | UNRENDERED
_MOST_CONTEXTS: Final = 8192
"""Elements whose marks and link are remembered, so that a page of many elements needs little memory."""


class NoteMark(NamedTuple):
    """The mark of a footnote."""

    label: str
    """The note's label: ASCII letters and digits, unique in its document."""
    number: int = 1
    """1 for the first mark of its note, 2 for the second."""


class Run(NamedTuple):
    """A run of a block's text, or an image in it."""

    text: str
    """The characters; for an image, its alternative text."""
    marks: tuple[str, ...] = ()
    """strong, em, code, strike, sub, sup, mark, outermost first; math or math-display last, for a formula."""
    href: str | None = None
    """The link's target."""
    src: str | None = None
    """The image's URL; `None` for text."""
    formula: Formula | None = None
    """The formula whose LaTeX the text is."""
    note: NoteMark | None = None
    """The footnote whose mark it is; its text is the label."""
    media: str | None = None
    """video, audio or embed, for a link to a medium that the page embeds."""

    @property
    def is_plain(self) -> bool:
        """Whether it is nothing but text."""
        return not self.marks and self.href is None and self.src is None and self.note is None

    def replaced(self, text: str) -> "Run":
        """The same run with another text."""
        if text == self.text:
            return self
        return Run(text, self.marks, self.href, self.src, self.formula, self.note, self.media)


_EMPTY: Final = Run("")
_NO_CONTEXT: Final[tuple[tuple[str, ...], str | None]] = ((), None)
_TEXT_ALONE: Final = (None, None, None)
"""No image, formula or mark of a note."""


def runs(
    nodes: Nodes,
    rows: Iterable[int],
    element: int,
    base: str | None,
    preformatted: bool = False,
    heading: bool = False,
    notes: "KeptNotes | None" = None,
) -> list[Run]:
    """The text and image rows of a block as runs; white space is collapsed across them as in the block's text.

    `notes` are the footnotes of the document, for a block that has marks or is a note.
    """
    rows = tuple(rows)
    if len(rows) == 1 and nodes.parent[rows[0]] == element and notes is None and not (preformatted or nodes.formulas):
        plain = _plain(nodes, rows[0])
        if plain is not None:
            return plain
    made = _verbatim(nodes, rows, element, base, heading, notes)
    if preformatted:
        formulas = nodes.formula_at
        code = code_rows(nodes, (row for row in rows if nodes.tag[row] != _IMAGE_TAG or row in formulas))
        return [Run(code)] + [run for run in made if run.src is not None]
    return _collapsed(made)


def _verbatim(
    nodes: Nodes, rows: Iterable[int], element: int, base: str | None, heading: bool, notes: "KeptNotes | None"
) -> Iterator[Run]:
    """The rows as runs with the white space of the page, and the gaps between them."""
    formulas, tags, parents, contexts = nodes.formula_at, nodes.tag, nodes.parent, _Contexts(nodes, element, base)
    previous, last = -1, _EMPTY  # the row of the text right before, and the run before
    for row in rows:
        if not row % 64:
            check()
        tag, formula = tags[row], formulas.get(row) if formulas else None
        if tag == _IMAGE_TAG and formula is None:
            if address := picture_address(nodes, row, base):
                alt = " ".join((nodes.attr(row, "alt") or "").split())
                yield (last := Run(alt, (), contexts.of(row)[1], address))
            continue
        text = "\n" if tag == _BREAK else nodes.text(row)
        if not text:
            continue
        if notes is not None:
            if mark := notes.marks.get(row):
                if previous >= 0 and is_gap(nodes, previous, row, heading):
                    yield Run(" ")
                previous = row
                yield (last := Run(mark.label, note=mark))
                continue
            text = text[notes.numbers.get(row, 0) :]
        marks, href = contexts.of(row)
        apart = previous >= 0 and tag != _BREAK and (heading or parents[row] > previous)  # most are not
        if apart and is_gap(nodes, previous, row, heading):
            yield _gap(last, marks, href)
        previous = row if tag != _BREAK else -1
        if formula is not None:
            marks = (*marks, DISPLAYED_FORMULA if formula.display else FORMULA)
        yield (last := Run(text if text.isascii() else _shown(text), marks, href, None, formula))


def _shown(text: str) -> str:
    """A text without hyphenation hints and stray byte order marks."""
    return text.replace("\xad", "").replace("\ufeff", "")


def plain_blocks(nodes: Nodes, blocks: Blocks) -> bytes:
    """For each block 1 if it is one text node outside links and marks: its runs are its text.

    Code, and blocks of a page with formulas, are 0.
    """
    if nodes.formulas:
        return bytes(len(blocks))
    tag, parent, flags = nodes.tag, nodes.parent, nodes.flags
    columns = zip(blocks.first, blocks.stop, blocks.element, blocks.kind_code, strict=True)
    return bytes(
        [
            stop - first == 1
            and tag[first] == TEXT
            and not flags[first] & _NOT_PLAIN
            and kind != _CODE
            and (parent[first] == element or _is_unmarked(nodes, first, element))
            for first, stop, element, kind in columns
        ]
    )


def _is_unmarked(nodes: Nodes, row: int, element: int) -> bool:
    """Whether a text inside the element of its block has no marks."""
    if not element < row < nodes.end[element]:
        return False
    marks, _ = _context(nodes, nodes.parent[row])
    return all(place < element for place, _ in marks)


def _plain(nodes: Nodes, row: int) -> list[Run] | None:
    """The run of a block that is one text without marks and links, as most are; `None` for other blocks."""
    if nodes.tag[row] != TEXT or nodes.flags[row] & LINK:
        return None
    text = " ".join(_shown(nodes.text(row)).split())
    return [Run(text)] if text else []


def _gap(before: Run, marks: tuple[str, ...], href: str | None) -> Run:
    """A space with the marks and the link that both sides have in common."""
    shared = tuple(mark for mark, other in zip(before.marks, marks, strict=False) if mark == other)
    return Run(" ", shared, href if href == before.href else None)


class _Contexts:
    """The marks and links of the rows of a block.

    Both are derived once for each element, from its parent's: a page can nest hundreds of elements around each text.
    """

    def __init__(self, nodes: Nodes, element: int, base: str | None) -> None:
        self.nodes, self.element, self.base = nodes, element, base
        self.known: dict[int, tuple[tuple[str, ...], str | None]] = {}
        """By the parent of a row in this block."""

    def of(self, row: int) -> tuple[tuple[str, ...], str | None]:
        """The marks by the inline elements up to the block's own, outermost first; and the link, which may be above."""
        parent = self.nodes.parent[row]
        linked = self.nodes.flags[row] & LINK
        if not linked and (parent == self.element or row == self.element):
            return _NO_CONTEXT
        context = self.known.get(parent)
        if context is None or row == self.element:
            marked, link = _context(self.nodes, parent)
            element = self.element if self.element <= row < self.nodes.end[self.element] else -1
            marks = tuple([mark for place, mark in marked if place > element])
            target = self.nodes.attr(link, "href") if linked and link >= 0 else None
            context = marks, None if target is None else absolute(target, self.base)
            if len(self.known) >= _MOST_CONTEXTS:
                self.known.clear()
            if row != self.element:
                self.known[parent] = context
        return context


def _context(nodes: Nodes, row: int) -> InlineContext:
    """The marks of an element and all around it, each with the row of its innermost element; the row of the link."""
    known, parents, climbed = nodes.inline_contexts, nodes.parent, []
    while (context := known.get(row)) is None and row >= 0:
        climbed.append(row)
        row = parents[row]
    marks, link = context or ((), -1)
    if len(known) + len(climbed) > _MOST_CONTEXTS:
        known.clear()
    for row in reversed(climbed):
        tag = nodes.tag[row]
        if tag == _LINK_TAG:
            link = row if nodes.attr(row, "href") is not None else link
        elif (mark := _MARK_OF_TAG.get(tag)) is not None:
            marks = (*[other for other in marks if other[1] != mark], (row, mark))
        known[row] = marks, link
    return marks, link


def _collapsed(verbatim: Iterable[Run]) -> list[Run]:
    """Runs with white space collapsed across their borders and stripped at both ends, equal neighbours joined."""
    out = JoinedRuns()
    spaced = True  # at the start, or after white space
    for run in verbatim:
        if run.src is not None:
            out.add(run)
            spaced = False
            continue
        verbatim_text = run.text
        text = " ".join(verbatim_text.split())
        if text != verbatim_text:
            if text and not spaced and verbatim_text[0].isspace():
                text = " " + text
            if verbatim_text and verbatim_text[-1].isspace() and (text or not spaced):
                text += " "
        if text:
            out.add(run.replaced(text))
            spaced = text[-1] == " "
    return _stripped(out.runs())


def _stripped(out: list[Run]) -> list[Run]:
    """Runs without white space at the end; an image ends it too."""
    while out and out[-1].src is None:
        run = out.pop()
        if text := run.text.rstrip():
            out.append(run.replaced(text))
            break
    return out


class JoinedRuns:
    """Runs in order, neighbours with the same marks and link joined; linear, however many there are.

    With `any_order`, the same marks in another order are equal; the last order holds.
    """

    def __init__(self, any_order: bool = False) -> None:
        self._any_order = any_order
        self._runs: list[Run] = []
        self._texts: list[str] = []
        """The texts of the last run, if it was joined."""

    def add(self, run: Run) -> None:
        """Append a run, or join it to the last one."""
        runs = self._runs
        last = runs[-1] if runs else _EMPTY
        same = last[1] == run[1] or (self._any_order and set(last[1]) == set(run[1]))
        if runs and same and last[2] == run[2] and last[3:6] == run[3:6] == _TEXT_ALONE:
            if not self._texts:
                self._texts.append(last[0])
            self._texts.append(run[0])
            runs[-1] = run
            return
        if self._texts:
            self._finish()
        runs.append(run)

    def runs(self) -> list[Run]:
        """All runs."""
        self._finish()
        return self._runs

    def _finish(self) -> None:
        if self._texts:
            self._runs[-1] = Run("".join(self._texts), self._runs[-1].marks, self._runs[-1].href)
            self._texts.clear()
