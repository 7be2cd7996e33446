r"""Formulas in Markdown: `$…$` in a line, `$$` on lines of its own around a displayed one.

The syntax of GitHub, pandoc, Obsidian and markdown-it's dollarmath. In documents with formulas all dollar signs of the
text are escaped, elsewhere those of a paragraph in which a reader would pair two of them. Most are prices, which no
reader pairs: ``$5 and $6``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bonmun.model.inline import DISPLAYED_FORMULA, Run

_DOLLAR: Final = re.compile(r"\\.|\$", re.DOTALL)
_PAIRED: Final = re.compile(r"\$(?=\S)([^$]+)(?<=\S)\$(?![0-9])")
"""Two dollar signs that pandoc, GitHub and dollarmath take for the delimiters of a formula."""
_STARTS_DISPLAYED: Final = re.compile(r"^\s*\$\$", re.MULTILINE)
_OPERAND: Final = r"\{?(?:[A-Za-z]|[0-9]+)\}?"
_TEX: Final = re.compile(
    rf"(?=.*\\[A-Za-z])(?:[^\0\\*_`~<>\[\]|&!]|\\[A-Za-z])+|(?=.*[A-Za-z]){_OPERAND}(?:\s*[-+=/^,]\s*{_OPERAND})*",
    re.DOTALL,
)
"""TeX without characters that are escaped in Markdown: a letter, operators between letters and numbers, or commands."""
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


def reads_as_formula(text: str, in_cell: bool = False) -> bool:
    r"""Whether a reader would take a part of the text for a formula that is none.

    A null character separates runs and lines. No displayed formula starts in a table cell. TeX between dollar signs is
    none of these: the page left it to a script.

    >>> [reads_as_formula(text) for text in ("$5 and $6", "from ($) to ($$$)", r"a set $A$ with $x \in A$")]
    [False, True, False]
    """
    if "$" not in text:
        return False
    if not in_cell and _STARTS_DISPLAYED.search(text):
        return True
    return any(not _TEX.fullmatch(match[1]) for match in _PAIRED.finditer(text))


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
