"""Formulas in HTML: MathML that is built anew from the page's, else the LaTeX between its delimiters.

No markup is copied: elements and attributes are those of presentation MathML without links, scripts, styles and
embedded HTML; inside a token there is only text. Each formula carries its LaTeX as an annotation.
"""

from html import escape
from typing import Final

from bonmun.model.inline import Run
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CODE_TAGS, TEXT

_TOKENS: Final = frozenset("mi mn mo ms mtext".split())
ELEMENTS: Final = _TOKENS | frozenset(
    "mrow mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup munder mover munderover"
    " mmultiscripts mprescripts none mtable mtr mlabeledtr mtd mspace".split()
)
_SKIPPED: Final = frozenset("annotation annotation-xml script style template mglyph malignmark maligngroup".split())
ATTRIBUTES: Final = frozenset(
    "accent accentunder align bevelled close columnalign columnlines columnspacing columnspan depth dir"
    " displaystyle fence form height largeop linebreak linethickness lquote lspace mathvariant maxsize minsize"
    " movablelimits notation open rowalign rowlines rowspacing rowspan rquote rspace scriptlevel separator"
    " separators stretchy symmetric voffset width".split()
)
_WHITE_SPACE: Final = " \t\n\r\f"
_MAX_VALUE: Final = 64
"""Characters of an attribute; longer ones are no lengths or keywords."""


def html_formula(nodes: Nodes, run: Run) -> str:
    r"""A formula as MathML, if the page has any, else as pandoc writes LaTeX for MathJax and KaTeX.

    >>> from bonmun.model.nodes import Formula
    >>> from bonmun.read.parse import parse
    >>> nodes = parse("<math onclick='x()'><mi id='a'>x</mi></math>")
    >>> html_formula(nodes, Run("x", ("math",), formula=Formula(3, False, 3)))
    '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>'
    """
    tex, formula = escape(run.text, quote=False), run.formula
    display = formula is not None and formula.display
    inside = _rebuilt(nodes, formula.mathml) if formula is not None and formula.mathml >= 0 else ""
    if not inside:
        kind, delimited = ("display", f"\\[{tex}\\]") if display else ("inline", f"\\({tex}\\)")
        return f'<span class="math {kind}">{delimited}</span>'
    annotation = f'<annotation encoding="application/x-tex">{tex}</annotation>'
    opening = '<math display="block">' if display else "<math>"
    return f"{opening}<semantics>{inside}{annotation}</semantics></math>"


def _rebuilt(nodes: Nodes, math: int) -> str:
    """The content of a `math` element as one element; empty if there is none."""
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    outermost = 0
    row, stop = math + 1, nodes.end[math]
    while row < stop:
        while opened and opened[-1][0] <= row:
            out.append(opened.pop()[1])
        name, before = nodes.name(row), len(out)
        outside = not opened
        if name in _SKIPPED:
            row = nodes.end[row]
        elif name in _TOKENS:
            out.append(f"<{name}{_attributes(nodes, row)}>{_token_text(nodes, row)}</{name}>")
            row = nodes.end[row]
        else:
            if name in ELEMENTS:
                out.append(f"<{name}{_attributes(nodes, row)}>")
                opened.append((nodes.end[row], f"</{name}>"))
            elif nodes.tag[row] == TEXT and nodes.chars[row]:
                out.append(f"<mtext>{escape(nodes.text(row).strip(), quote=False)}</mtext>")
            row += 1
        outermost += outside and len(out) > before
    joined = "".join(out + [closing for _, closing in reversed(opened)])
    return joined if outermost < 2 else f"<mrow>{joined}</mrow>"


def _token_text(nodes: Nodes, row: int) -> str:
    texts = (inside for inside in range(row, nodes.end[row]) if nodes.tag[inside] == TEXT)
    joined = "".join(nodes.text(text) for text in texts if nodes.tag[nodes.parent[text]] not in CODE_TAGS)
    return escape(joined.strip(_WHITE_SPACE), quote=False)


def _attributes(nodes: Nodes, row: int) -> str:
    pairs = nodes.attrs(row).items()
    return "".join(
        f' {name}="{escape(value)}"' for name, value in pairs if name in ATTRIBUTES and len(value) <= _MAX_VALUE
    )
