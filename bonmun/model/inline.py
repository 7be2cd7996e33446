"""The content of a block: runs of text with their marks and links, and images."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from bonmun.model.code import code_rows
from bonmun.model.gaps import is_gap
from bonmun.model.links import absolute
from bonmun.model.nodes import Formula, Nodes
from bonmun.model.pictures import picture_address
from bonmun.model.tags import LINK, TAG_ID, TEXT, tag_set

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


class NoteMark(NamedTuple):
    """The mark of a footnote."""

    label: str
    """The note's label: ASCII letters and digits, unique in its document."""
    number: int = 1
    """1 for the first mark of its note, 2 for the second."""


@dataclass(frozen=True, slots=True)
class Run:
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
    made: list[Run] = []
    previous = -1  # the row of the text right before
    formulas = nodes.formula_at
    for row in rows:
        tag, formula = nodes.tag[row], formulas.get(row)
        if tag == _IMAGE_TAG and formula is None:
            if address := picture_address(nodes, row, base):
                alt = " ".join((nodes.attr(row, "alt") or "").split())
                made.append(Run(alt, (), _marks(nodes, row, element, base)[1], address))
        elif text := "\n" if tag == _BREAK else nodes.text(row):
            if notes is not None:
                if mark := notes.marks.get(row):
                    if previous >= 0 and is_gap(nodes, previous, row, heading):
                        made.append(Run(" "))
                    previous = row
                    made.append(Run(mark.label, note=mark))
                    continue
                text = text[notes.numbers.get(row, 0) :]
            marks, href = _marks(nodes, row, element, base)
            if previous >= 0 and tag != _BREAK and is_gap(nodes, previous, row, heading):
                made.append(_gap(made[-1], marks, href))
            previous = row if tag != _BREAK else -1
            if formula is not None:
                marks = (*marks, DISPLAYED_FORMULA if formula.display else FORMULA)
            made.append(Run(text.replace("\xad", "").replace("\ufeff", ""), marks, href, formula=formula))
    if preformatted:
        code = code_rows(nodes, (row for row in rows if nodes.tag[row] != _IMAGE_TAG or row in formulas))
        return [Run(code)] + [run for run in made if run.src is not None]
    return _collapsed(made)


def _plain(nodes: Nodes, row: int) -> list[Run] | None:
    """The run of a block that is one text without marks and links, as most are; `None` for other blocks."""
    if nodes.tag[row] != TEXT or nodes.flags[row] & LINK:
        return None
    text = " ".join(nodes.text(row).replace("\xad", "").replace("\ufeff", "").split())
    return [Run(text)] if text else []


def _gap(before: Run, marks: tuple[str, ...], href: str | None) -> Run:
    """A space with the marks and the link that both sides have in common."""
    shared = tuple(mark for mark, other in zip(before.marks, marks, strict=False) if mark == other)
    return Run(" ", shared, href if href == before.href else None)


def _marks(nodes: Nodes, row: int, element: int, base: str | None) -> tuple[tuple[str, ...], str | None]:
    """The marks of a row by the inline elements up to the block's own, and its link, which may be further up."""
    marks: list[str] = []
    href = None
    linked = bool(nodes.flags[row] & LINK)
    inside = row != element
    for ancestor in nodes.ancestors(row):
        inside = inside and ancestor != element
        if not inside and not linked:
            break
        tag = nodes.tag[ancestor]
        if linked and tag == _LINK_TAG and (target := nodes.attr(ancestor, "href")) is not None:
            href, linked = absolute(target, base), False
        elif inside and tag in _MARK_OF_TAG and _MARK_OF_TAG[tag] not in marks:
            marks.append(_MARK_OF_TAG[tag])
    return tuple(reversed(marks)), href


def _collapsed(verbatim: list[Run]) -> list[Run]:
    """Runs with white space collapsed across their borders and stripped at both ends, equal neighbours joined."""
    out: list[Run] = []
    spaced = True  # at the start, or after white space
    for run in verbatim:
        if run.src is not None:
            out.append(run)
            spaced = False
            continue
        text = " ".join(run.text.split())
        if run.text[:1].isspace() and text and not spaced:
            text = " " + text
        if run.text[-1:].isspace() and (text or not spaced):
            text += " "
        if text:
            _join(out, run.replaced(text))
            spaced = text.endswith(" ")
    return _stripped(out)


def _stripped(out: list[Run]) -> list[Run]:
    """Runs without white space at the end; an image ends it too."""
    while out and out[-1].src is None:
        run = out.pop()
        if text := run.text.rstrip():
            out.append(run.replaced(text))
            break
    return out


def _join(out: list[Run], run: Run) -> None:
    last = out[-1] if out else None
    alike = last is not None and last.src is None and (last.marks, last.href) == (run.marks, run.href)
    if last is not None and alike and run.formula is None and run.note is None and last.note is None:
        out[-1] = Run(last.text + run.text, run.marks, run.href)
    else:
        out.append(run)
