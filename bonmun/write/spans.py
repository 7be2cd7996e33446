"""The runs of a block as nested spans: markup that opens and closes once around all it covers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bonmun.model.inline import Run

LINK: Final = "link"
MARKS: Final = frozenset({"strong", "em", "code", "strike", "sub", "sup", "mark"})


@dataclass(frozen=True, slots=True)
class Span:
    """A mark or a link, and what it covers."""

    mark: str
    """One of `MARKS`, or `LINK`."""
    href: str | None
    children: "tuple[Span | Run, ...]"


_Attribute = tuple[str, str | None]


def spans(runs: Sequence[Run], marks: frozenset[str] = MARKS) -> "tuple[Span | Run, ...]":
    """Nest runs by links and some marks, at each place what reaches farthest on the outside.

    >>> bold, plain = spans([Run("a ", ("strong",)), Run("b", ("em", "strong")), Run(".")])
    >>> bold.mark, [type(child).__name__ for child in bold.children]
    ('strong', ['Run', 'Span'])
    """
    return _nested(runs, [_attributes(run, marks) for run in runs], frozenset())


def _attributes(run: Run, marks: frozenset[str]) -> list[_Attribute]:
    """A link comes first: it stays whole around marks that reach as far."""
    link: list[_Attribute] = [(LINK, run.href)] if run.href is not None else []
    return link + [(mark, None) for mark in run.marks if mark in marks]


def _nested(
    runs: Sequence[Run], attributes: Sequence[list[_Attribute]], around: frozenset[_Attribute]
) -> "tuple[Span | Run, ...]":
    out: list[Span | Run] = []
    at = 0
    while at < len(runs):
        stop, outermost = at, None
        for attribute in attributes[at]:
            if attribute not in around and (reach := _reach(attributes, at, attribute)) > stop:
                stop, outermost = reach, attribute
        if outermost is None:
            out.append(runs[at])
            at += 1
        else:
            out.append(Span(*outermost, _nested(runs[at:stop], attributes[at:stop], around | {outermost})))
            at = stop
    return tuple(out)


def _reach(attributes: Sequence[list[_Attribute]], at: int, attribute: _Attribute) -> int:
    while at < len(attributes) and attribute in attributes[at]:
        at += 1
    return at
