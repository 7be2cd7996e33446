"""The runs of a block as nested spans: each mark and link opens and closes once around everything it covers."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bonmun.model.inline import Run

LINK: Final = "link"
MARKS: Final = frozenset({"strong", "em", "code", "strike", "sub", "sup", "mark"})


class Span(NamedTuple):
    """A mark or a link around runs and other spans."""

    mark: str
    """One of `MARKS`, or `LINK`."""
    href: str | None
    """The address of a link; `None` for a mark."""
    children: "tuple[Span | Run, ...]"


_Attribute = tuple[str, str | None]
_ATTRIBUTE_OF_MARK: Final[dict[str, _Attribute]] = {mark: (mark, None) for mark in MARKS}


def spans(runs: Sequence[Run], marks: frozenset[str] = MARKS) -> "tuple[Span | Run, ...]":
    """Nest runs in their links and the given marks; the longest span is outermost.

    >>> bold, plain = spans([Run("a ", ("strong",)), Run("b", ("em", "strong")), Run(".")])
    >>> bold.mark, [type(child).__name__ for child in bold.children]
    ('strong', ['Run', 'Span'])
    """
    return _nested(runs, [_attributes(run, marks) for run in runs], frozenset())


def _attributes(run: Run, marks: frozenset[str]) -> list[_Attribute]:
    """The link first: it stays outside marks of the same length."""
    found = [_ATTRIBUTE_OF_MARK[mark] for mark in run.marks if mark in marks] if run.marks else []
    return found if run.href is None else [(LINK, run.href), *found]


def _nested(
    runs: Sequence[Run], attributes: Sequence[list[_Attribute]], around: frozenset[_Attribute]
) -> "tuple[Span | Run, ...]":
    out: list[Span | Run] = []
    start = 0
    while start < len(runs):
        stop, outermost = start, None
        for attribute in attributes[start]:
            if attribute not in around and (end := _end(attributes, start, attribute)) > stop:
                stop, outermost = end, attribute
        if outermost is None:
            out.append(runs[start])
            start += 1
        elif stop == start + 1:
            child: Span | Run = runs[start]
            for attribute in reversed(attributes[start]):
                if attribute not in around:
                    child = Span(*attribute, (child,))
            out.append(child)
            start = stop
        else:
            out.append(Span(*outermost, _nested(runs[start:stop], attributes[start:stop], around | {outermost})))
            start = stop
    return tuple(out)


def _end(attributes: Sequence[list[_Attribute]], start: int, attribute: _Attribute) -> int:
    """The index of the first run from `start` on without the attribute."""
    while start < len(attributes) and attribute in attributes[start]:
        start += 1
    return start
