"""Footnotes in an outline."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from bonmun.model.judged_block import Block
from bonmun.write.structure import Definitions, Leaf, List, Note, Notes, OutlineNode

_Nest = Callable[[Sequence[Block]], list[OutlineNode]]


class Gathered(NamedTuple):
    """The blocks of a document without those of footnotes, and these."""

    before: Sequence[Block]
    notes: Notes
    after: Sequence[Block]


def with_notes(blocks: Sequence[Block], nest: _Nest) -> list[OutlineNode]:
    """Nest blocks, and gather the footnotes: at their place if they are adjacent, else at the end."""
    before, notes, after = gathered(blocks, nest)
    return [*nest(before), *([notes] if notes.entries else []), *nest(after)]


def gathered(blocks: Sequence[Block], nest: _Nest) -> Gathered:
    """Tell the footnotes from the other blocks: at their place if they are adjacent, else at the end."""
    labels, sidenotes = blocks[0].notes.bodies, blocks[0].notes.sidenotes
    text = [block for block in blocks if block.index not in labels]
    notes = [block for block in blocks if block.index in labels]
    first = notes[0].index if notes else -1
    adjacent = bool(notes) and not sidenotes and notes == [b for b in blocks if b.index >= first][: len(notes)]
    before = [block for block in text if block.index < first] if adjacent else text
    entries = [
        Note(label, [Leaf([block.with_notes(block.notes, rows)])])
        for block in text
        for label, rows in sidenotes.get(block.index, ())
    ]
    for label, group in groupby(notes, key=lambda block: labels[block.index]):
        if body := [block for block in group if not is_number(block)]:
            entries.append(Note(label, _unlisted(nest(body))))
    return Gathered(before, Notes(entries), text[len(before) :])


def is_number(block: Block) -> bool:
    """Whether a block is only the number of a footnote or a link back, which the outline leaves out."""
    return block.index in block.notes.bodies and not block.runs


def _unlisted(nodes: list[OutlineNode]) -> list[OutlineNode]:
    """The content of a note without the list or definition list that it is an entry of."""
    while len(nodes) == 1:
        match nodes[0]:
            case List(items=[item]):
                nodes = item
            case Definitions(entries=entries):
                nodes = [child for entry in entries for child in entry.children]
            case _:
                break
    return nodes


def text_of_notes(notes: Notes, write: Callable[[Iterable[OutlineNode]], list[str]]) -> list[str]:
    """Each note after its label: ``[1] body``."""
    return [f"[{note.label}] " + "\n".join(write(note.children)) for note in notes.entries]
