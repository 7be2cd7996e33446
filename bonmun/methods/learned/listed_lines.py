"""The blocks that hold listed lines of a page's main text, such as a recipe's ingredients and steps.

A recipe's own declaration lists them at run time, a corpus of recipes in training.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from bonmun.model.page import Page

_MOST_COPIES = 6  # of a line on a page
_SHARE = 0.9  # of the lines in the element that is taken for the main text
_NO_LETTER = re.compile(r"[\W_]+")

Run = tuple[int, int]
"""The first and the last block of a copy of a line."""


def blocks_of_lines(page: Page, lines: Sequence[str]) -> set[int]:
    """Return the blocks of the lines, of each line one copy: that inside the deepest element with nearly all lines.

    >>> from bonmun import read_page
    >>> page = read_page("<nav>2 cups tea</nav><div><p>2 cups tea<p>hot milk<p>Print</div>")
    >>> sorted(blocks_of_lines(page, ["2 cups tea", "Hot milk"]))
    [1, 2]
    """
    copies = [runs for runs in line_runs(page.blocks.text, lines) if runs]
    if not copies:
        return set()
    top = _main_element(page, copies)
    element, end = page.blocks.element, page.nodes.end[top]
    blocks: set[int] = set()
    for runs in copies:
        inside = [run for run in runs if top <= element[run[0]] and element[run[1]] < end]
        if inside:
            blocks.update(range(inside[0][0], inside[0][1] + 1))
    return blocks


def line_runs(texts: Sequence[str], lines: Sequence[str]) -> list[list[Run]]:
    """Return the copies of each line in the texts of blocks; only letters and digits are compared.

    >>> line_runs(["Tea:", "hot, sweet", "Tea"], ["tea", "tea hot", "milk"])
    [[(0, 0), (2, 2)], [(0, 1)], []]
    """
    bare = [_bare(text) for text in texts]
    starts = list(accumulate(map(len, bare), initial=0))
    joined, found = "".join(bare), []
    for wanted in map(_bare, lines):
        runs: list[Run] = []
        at = joined.find(wanted) if wanted else -1
        while at >= 0 and len(runs) < _MOST_COPIES:
            runs.append((bisect_right(starts, at) - 1, bisect_right(starts, at + len(wanted) - 1) - 1))
            at = joined.find(wanted, at + 1)
        found.append(runs)
    return found


def _bare(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())


def _main_element(page: Page, copies: Sequence[Sequence[Run]]) -> int:
    """Return the row of the deepest element with most of the lines; of equals the first."""
    element, depth = page.blocks.element, page.nodes.depth
    lines_in = defaultdict[int, set[int]](set)
    for line, runs in enumerate(copies):
        for first, last in runs:
            for row in _ancestors(page, element[first]) & _ancestors(page, element[last]):
                lines_in[row].add(line)
    fewest = _SHARE * len(copies)
    return max((row for row, lines in lines_in.items() if len(lines) >= fewest), key=lambda row: (depth[row], -row))


def _ancestors(page: Page, row: int) -> set[int]:
    """Return the rows of an element and of all around it."""
    rows = set()
    while row >= 0:
        rows.add(row)
        row = page.nodes.parent[row]
    return rows
