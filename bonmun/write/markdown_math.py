r"""Formulas in Markdown: `$…$` in a line, `$$` on lines of its own around a displayed one.

The syntax of GitHub, pandoc, Obsidian and markdown-it's dollarmath. Dollar signs of the text are escaped in documents
with formulas, and only there: elsewhere they are prices, and a reader without mathematics would gain nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bonmun.model.inline import DISPLAYED_FORMULA, Run

_DOLLAR: Final = re.compile(r"\\.|\$", re.DOTALL)
_NORM: Final = re.compile(r"\\\\|\\\|(?=(.?))", re.DOTALL)


def inline_formula(tex: str, in_cell: bool) -> str:
    r"""A formula in a line; in a table cell without `\|`, on which readers disagree.

    >>> print(inline_formula(r"x \text{ if $y$}", in_cell=False), inline_formula(r"\|v\|", in_cell=True))
    $x \text{ if \(y\)}$ $\Vert v\Vert$
    """
    tex = _without_dollars(tex)
    return f"${_NORM.sub(_spelled_out, tex) if in_cell else tex}$"


def displayed_formula(tex: str) -> str:
    """A formula on lines of its own."""
    return f"$$\n{_without_dollars(tex)}\n$$"


def split_at_displayed(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """The runs of a block cut before and after each displayed formula; a formula is a part of its own."""
    part: list[Run] = []
    for run in runs:
        if DISPLAYED_FORMULA in run.marks:
            yield from (part, [run])
            part = []
        else:
            part.append(run)
    yield part


def is_displayed(runs: Sequence[Run]) -> bool:
    """Whether a part is one displayed formula."""
    return len(runs) == 1 and DISPLAYED_FORMULA in runs[0].marks


def _without_dollars(tex: str) -> str:
    r"""TeX whose dollar signs, which switch to mathematics inside `\text`, are written as `\(` and `\)`."""
    pieces = _DOLLAR.split(tex) if "$" in tex else [tex]
    if len(pieces) == 1:
        return tex
    signs = _DOLLAR.findall(tex)
    dollars = signs.count("$")
    out, seen = [pieces[0]], 0
    for sign, piece in zip(signs, pieces[1:], strict=True):
        if sign == "$":
            seen += 1
            sign = "\\$" if seen == dollars and dollars % 2 else "\\(" if seen % 2 else "\\)"
        out += (sign, piece)
    return "".join(out)


def _spelled_out(norm: re.Match[str]) -> str:
    if norm[0] == "\\\\":
        return norm[0]
    return "\\Vert " if norm[1].isalnum() else "\\Vert"
