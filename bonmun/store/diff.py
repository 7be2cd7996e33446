"""What changed between two versions of a page: paragraphs, and the words within a changed one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from bonmun.store.results import StoredDocument

Kind = Literal["same", "removed", "added"]
_UNSPACED = "\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+|\s+|.", re.DOTALL)
"""A word; where words have no spaces between them, a character."""
_ALIKE = 0.5
"""Similarity from which on two paragraphs are versions of one."""
_LONGEST = 1_500
"""Words of a paragraph that are compared one by one; a longer one is shown as removed and added."""
_MANY = 1_000
"""Paragraphs beyond which repeated ones are no anchors: comparing each with each takes quadratic time."""
_AROUND = 1
"""Unchanged paragraphs that are shown around a change."""


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph of a diff: parts of text, each the same in both versions, removed or added."""

    kind: Literal["same", "removed", "added", "changed", "skipped"]
    parts: tuple[tuple[Kind, str], ...]

    def __str__(self) -> str:
        marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
        sign = {"same": "  ", "removed": "- ", "added": "+ ", "changed": "~ ", "skipped": ""}[self.kind]
        if self.kind == "changed":
            return sign + "".join(marks[kind].format(text) for kind, text in self.parts)
        return sign + "".join(text for _, text in self.parts)


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference of two versions; `str` of it is plain text.

    Lines begin with `-` for a removed paragraph, `+` for an added one and `~` for a changed one, in which removed words
    are in `[-…-]` and added ones in `{+…+}`.
    """

    url: str
    old: int
    new: int
    lines: tuple[Line, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return all(line.kind in ("same", "skipped") for line in self.lines)

    def __str__(self) -> str:
        return "\n".join([f"{self.url}: version {self.old} → {self.new}", *map(str, self.lines)])


def diff(old: StoredDocument, new: StoredDocument) -> Diff:
    """Compare two versions of a page."""
    lines = list(_lines(paragraphs(old), paragraphs(new)))
    return Diff(new.url, old.version, new.version, tuple(_condensed(lines)))


def changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[Kind, str]]:
    """Compare two texts, given as paragraphs; return all parts of both, each paragraph with a line end.

    The parts that are not added are the old text, those that are not removed the new one.

    >>> changes(["Tea", "It is hot and sweet."], ["Tea", "It is cold and sweet."])
    [('same', 'Tea\\nIt is '), ('removed', 'hot'), ('added', 'cold'), ('same', ' and sweet.\\n')]
    """
    found: list[tuple[Kind, str]] = []
    for line in _lines(old, new):
        end: Kind = line.parts[0][0] if line.kind in ("removed", "added") else "same"
        for kind, text in (*line.parts, (end, "\n")):
            if found and found[-1][0] == kind:
                found[-1] = (kind, found[-1][1] + text)
            else:
                found.append((kind, text))
    return found


def paragraphs(document: StoredDocument) -> list[str]:
    """Return title and text as paragraphs."""
    lines = [document.title, *document.text.splitlines()]
    return [line for line in lines if line.strip()]


def _lines(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    matcher = SequenceMatcher(None, old, new, autojunk=len(new) > _MANY)
    for tag, start, stop, first, last in matcher.get_opcodes():
        if tag == "equal":
            yield from (_whole("same", text) for text in old[start:stop])
        else:
            yield from _replaced(old[start:stop], new[first:last])


def _whole(kind: Kind, text: str) -> Line:
    return Line(kind, ((kind, text),))


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Yield changed paragraphs: pairs in order while they are alike, then the rest as removed and added."""
    rest_old, rest_new = list(old), list(new)
    while rest_old and rest_new:
        changed = _changed(rest_old[0], rest_new[0])
        if changed is None:
            break
        yield changed
        del rest_old[0], rest_new[0]
    yield from (_whole("removed", text) for text in rest_old)
    yield from (_whole("added", text) for text in rest_new)


def _changed(old: str, new: str) -> Line | None:
    """Return two paragraphs as one with marked words; `None` if they have little in common."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > _LONGEST:
        return None
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE or matcher.ratio() < _ALIKE:
        return None
    parts: list[tuple[Kind, str]] = []
    for _, start, stop, first, last in matcher.get_opcodes():
        removed, added = "".join(before[start:stop]), "".join(after[first:last])
        if removed == added:
            parts.append(("same", removed))
        else:
            parts += [(kind, text) for kind, text in _sides(removed, added) if text]
    return Line("changed", tuple(parts))


def _sides(removed: str, added: str) -> tuple[tuple[Kind, str], tuple[Kind, str]]:
    return ("removed", removed), ("added", added)


def _condensed(lines: Sequence[Line]) -> Iterator[Line]:
    """Leave out unchanged paragraphs that are far from a change, with a line that counts them."""
    near = [index for index, line in enumerate(lines) if line.kind != "same"]
    shown = {index + step for index in near for step in range(-_AROUND, _AROUND + 1)}
    skipped = 0
    for index, line in enumerate(lines):
        if index not in shown:
            skipped += 1
            continue
        if skipped:
            yield _skipped(skipped)
            skipped = 0
        yield line
    if skipped:
        yield _skipped(skipped)


def _skipped(count: int) -> Line:
    return Line("skipped", (("same", f"… {count} unchanged paragraph{'s' if count > 1 else ''}"),))
