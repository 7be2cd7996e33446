"""The footnotes of a document: those whose mark and body were kept, with their labels."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bonmun.model.footnotes import Footnote, outside_of_text
from bonmun.model.inline import NoteMark, Run
from bonmun.model.scripts import SHIFTED, script_form

if TYPE_CHECKING:
    from bonmun.model.page import Page
    from bonmun.model.verdict import Verdicts

_LABEL: Final = re.compile(r"[0-9A-Za-z]+")
_OPENING, _CLOSING = tuple("[(［（【〔"), tuple("])］）】〕")


@dataclass(frozen=True, slots=True)
class KeptNotes:
    """The footnotes whose mark and body were kept."""

    labels: tuple[str, ...] = ()
    """ASCII letters and digits, unique: the page's own labels, or numbers. In the order of the first marks."""
    marks: Mapping[int, NoteMark] = field(default_factory=dict)
    """By the row of a mark's text."""
    bodies: Mapping[int, str] = field(default_factory=dict)
    """The label by the index of a block that belongs to a note."""
    skipped: frozenset[int] = frozenset()
    """Rows of texts that are not written: numbers of notes, links back, the rest of a mark."""
    numbers: Mapping[int, int] = field(default_factory=dict)
    """The characters of a note's number at the start of a text, by its row."""
    sidenotes: Mapping[int, Sequence[tuple[str, range]]] = field(default_factory=dict)
    """The labels and rows of notes that are parts of a block, by its index."""
    blocks: frozenset[int] = frozenset()
    """The blocks with marks, and those of notes."""


NO_NOTES: Final = KeptNotes()


def kept_notes(page: "Page", verdicts: "Verdicts") -> KeptNotes:
    """The footnotes of the kept blocks. Blocks kept in part have no marks."""
    keep = verdicts.keep
    if verdicts.parts:
        keep = [kept and index not in verdicts.parts for index, kept in enumerate(keep)]
    notes = [
        note
        for note in page.footnotes
        if any(keep[index] for index in note.blocks) and any(keep[mark.block] for mark in note.marks)
    ]
    if not notes:
        return NO_NOTES
    labels = _labels(notes)
    marks: dict[int, NoteMark] = {}
    bodies: dict[int, str] = {}
    numbers: dict[int, int] = {}
    skipped: set[int] = set()
    blocks: set[int] = set()
    sidenotes: dict[int, list[tuple[str, range]]] = {}
    for label, note in zip(labels, notes, strict=True):
        if note.inside:
            sidenotes.setdefault(note.marks[0].block, []).append((label, note.inside))
            marks[note.inside[0]] = NoteMark(label)
            skipped.update(note.inside[1:])
            blocks.update(note.blocks)
            continue
        for number, mark in enumerate((mark for mark in note.marks if keep[mark.block]), 1):
            rows = [row for row in range(mark.row, page.nodes.end[mark.row]) if page.nodes.chars[row]]
            marks[rows[0]] = NoteMark(label, number)
            skipped.update(rows[1:])
            blocks.add(mark.block)
        bodies.update((index, label) for index in note.blocks if index not in bodies)
        outside, (start, length) = outside_of_text(page, note)
        skipped |= outside
        numbers[start] = length
    blocks.update(bodies)
    return KeptNotes(labels, marks, bodies, frozenset(skipped), numbers, sidenotes, frozenset(blocks))


def _labels(notes: Sequence[Footnote]) -> tuple[str, ...]:
    """The labels of the page if each is a number or a word and no two are alike, else numbers."""
    labels = [note.label.casefold() for note in notes]
    if len(set(labels)) == len(labels) and all(_LABEL.fullmatch(label) for label in labels):
        return tuple(note.label for note in notes)
    return tuple(str(number) for number in range(1, len(notes) + 1))


def without_brackets(runs: Sequence[Run]) -> list[Run]:
    """The runs without the brackets of the page around marks: ``[<a>1</a>]``."""
    out: list[Run] = []
    for run in runs:
        after = out[-1] if out else None
        before = out[-2] if len(out) > 1 else None
        if (
            after is not None
            and after.note
            and before is not None
            and before.text.endswith(_OPENING)
            and run.text.startswith(_CLOSING)
        ):
            out[-2] = before.replaced(before.text[:-1])
            run = run.replaced(run.text[1:])
        if run.text or run.src is not None:
            out.append(run)
    return [run for run in out if run.text or run.src is not None]


def text_of_runs(runs: Iterable[Run]) -> str:
    """The text of runs with the marks of footnotes as ``[1]``, and superscripts as in the text of a block."""
    pieces: list[str] = []
    for script, group in groupby((run for run in runs if run.src is None), key=_script):
        text = "".join(f"[{run.text}]" if run.note else run.text for run in group)
        core = text.strip()
        tail = "" if text[:1].isspace() or not pieces else pieces[-1][-2:]
        form = script_form(script, core, tail) if script and core else None
        pieces.append(text.replace(core, form) if form else text)
    return "".join(pieces)


def _script(run: Run) -> str | None:
    return next((mark for mark in run.marks if mark in SHIFTED), None)
