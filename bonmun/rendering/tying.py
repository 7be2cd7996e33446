"""The browser's elements and ours: both trees are built by the same rules, so nearly all tie in pre-order.

They differ where our reader adds rows (the text of a script's data, the content of `noscript`, which a browser that
runs scripts does not parse) and where scripts built what markup cannot express. The differing part is aligned by the
longest common subsequence of element names.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bonmun.errors import MissingExtra
from bonmun.model.layout import Layout
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID, TEXT

_WINDOW = 8000
"""Elements that are aligned at once: 30 ms and 8 MB at most. Larger differences slide through it by halves."""


@dataclass(frozen=True, slots=True)
class DrawnElements:
    """The elements of a document in the browser, in pre-order; a shadow root is a `template` with its content."""

    names: Sequence[str]
    boxes: Sequence[int]
    """Left, top, right, bottom and visibility of each, one after the other."""
    viewport: tuple[int, int]
    document: tuple[int, int]
    scripts: bool = False
    """Whether scripts ran: the content of a `noscript` is a text then."""


def split_names(names: str) -> list[str]:
    """Return the names of a string that is separated by spaces; a name may contain any other white space.

    >>> split_names("html head x\\u2003y")
    ['html', 'head', 'x\\u2003y']
    """
    return names.split(" ") if names else []


def tied(nodes: Nodes, drawn: DrawnElements) -> Layout:
    """Return the boxes by our rows.

    >>> from bonmun.read.parse import parse
    >>> drawn = DrawnElements(["html", "head", "body", "b"], [0, 0, 9, 9, 1] * 4, (9, 9), (9, 9))
    >>> layout = tied(parse("<b>Tea</b>"), drawn)
    >>> layout.width(3), layout.untied
    (9, 0)
    """
    elements = matched_elements(nodes, drawn.names, scripts=drawn.scripts)
    numbers = _by_row(nodes.tag, nodes.parent, elements)
    left, top, right, bottom, visible = (_column(drawn.boxes[part::5], numbers) for part in range(5))
    sizes = drawn.viewport, drawn.document
    return Layout(left, top, right, bottom, bytes(visible.tolist()), *sizes, untied=elements.count(-1))


def _by_row(tags: Sequence[int], parents: Sequence[int], elements: Sequence[int]) -> list[int]:
    """The browser's element for each row; a text node has its parent's."""
    following, numbers = iter(elements), list[int]()
    for tag, parent in zip(tags, parents, strict=True):
        numbers.append(next(following) if tag != TEXT else numbers[parent] if parent >= 0 else -1)
    return numbers


def _column(values: Sequence[int], numbers: Sequence[int]) -> "array[int]":
    """The values by row: 0 for -1, as the last one is 0."""
    return array("i", map([*values, 0].__getitem__, numbers))


def matched_elements(nodes: Nodes, names: Sequence[str], *, scripts: bool = False) -> list[int]:
    """Return the browser's element for each of ours, in order; -1 for none. Names of SVG elements are in mixed case."""
    lower = [name.lower() for name in nodes.tag_names]
    ours, theirs = [lower[tag] for tag in nodes.tag if tag != TEXT], [name.lower() for name in names]
    if ours == theirs:
        return list(range(len(ours)))
    rows = _compared(nodes) if scripts else range(len(ours))
    numbers = [-1] * len(ours)
    for first, second, size in _matches([ours[row] for row in rows], theirs):
        for number, row in enumerate(rows[first : first + size], second):
            numbers[row] = number
    return numbers


def _compared(nodes: Nodes) -> list[int]:
    """The numbers of our elements but for those inside a `noscript`."""
    number, left, rows = 0, 0, list[int]()
    noscript = TAG_ID["noscript"]
    for row, tag in enumerate(nodes.tag):
        if tag == TEXT:
            continue
        if row >= left:
            rows.append(number)
            left = nodes.end[row] if tag == noscript else left
        number += 1
    return rows


def _matches(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of elements that are the same in both: start in ours, start in theirs, length."""
    start = _common(ours, theirs)
    end = _common(ours[start:][::-1], theirs[start:][::-1])
    stop, other_stop = len(ours) - end, len(theirs) - end
    yield 0, 0, start
    for first, second, size in _aligned(ours[start:stop], theirs[start:other_stop]):
        yield start + first, start + second, size
    yield stop, other_stop, end


def _aligned(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield common runs, found in windows that slide over both; all but the last give the runs of their first half."""
    first = second = 0
    while first < len(ours) and second < len(theirs):
        is_last = first + _WINDOW >= len(ours) and second + _WINDOW >= len(theirs)
        at, other = first + _WINDOW // 2, second + _WINDOW // 2
        for run, (begin, other_begin, size) in enumerate(
            _common_runs(ours[first : first + _WINDOW], theirs[second : second + _WINDOW])
        ):
            if run and begin >= _WINDOW // 2 and not is_last:
                break
            yield first + begin, second + other_begin, size
            at, other = first + begin + size, second + other_begin + size
        if is_last:
            return
        first, second = at, other


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the common start."""
    least = min(len(first), len(second))
    return bisect_left(range(1, least + 1), True, key=lambda size: first[:size] != second[:size])


def _common_runs(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of the longest common subsequence."""
    try:
        from rapidfuzz.distance import LCSseq
    except ModuleNotFoundError as error:
        raise MissingExtra("rendering", "visual") from error
    for block in LCSseq.editops(ours, theirs).as_matching_blocks():
        if block.size:
            yield block.a, block.b, block.size
