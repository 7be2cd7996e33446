r"""Presentation MathML to LaTeX.

Covers MathML Core and the older elements that pages have (`mfenced`, `menclose`, `mmultiscripts`). Unknown elements are
transparent. An `apply` of Content MathML is written as a function call, so that no operand is lost.

One pass with an explicit stack: time is linear in the number of nodes at any depth, and every group is closed.
"""

import re
from collections.abc import Callable
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from bonmun.read.latex_symbols import (
    ACCENTS,
    BARS,
    BIG_OPERATORS,
    CLOSING,
    COMMAND_OF_VARIANT,
    EXTENSIBLE_ARROWS,
    INTEGRALS,
    LIMIT_FUNCTIONS,
    OPENING,
    PRIMES,
    UNDER_ACCENTS,
)
from bonmun.read.mathml_tokens import TOKENS, joined, symbols, token
from bonmun.read.mathml_tree import SKIPPED, Argument, Item, MathTree

_MATRICES: Final = {
    "()": "pmatrix",
    "[]": "bmatrix",
    "{}": "Bmatrix",
    "||": "vmatrix",
    "∥∥": "Vmatrix",
    "‖‖": "Vmatrix",
}
_CASES: Final = "{"
_ENCLOSURES: Final = {
    **dict.fromkeys(("box", "roundedbox", "circle"), "\\boxed"),
    **dict.fromkeys(("updiagonalstrike", "horizontalstrike"), "\\cancel"),
    "downdiagonalstrike": "\\bcancel",
    "radical": "\\sqrt",
    "top": "\\overline",
    "bottom": "\\underline",
}
_LENGTH: Final = re.compile(r"([+-]?[0-9]{0,6}\.?[0-9]{1,6}) *(em|ex|px|pt|mu)")
_EM: Final = {"em": 1.0, "ex": 0.5, "px": 0.0625, "pt": 0.1, "mu": 1 / 18}
_SPACES: Final = ((1.5, "\\qquad"), (0.6, "\\quad"), (0.26, "\\;"), (0.2, "\\:"), (0.05, "\\,"), (-0.05, ""))
_NAMED_WIDTHS: Final = {"thinmathspace": 3 / 18, "mediummathspace": 4 / 18, "thickmathspace": 5 / 18}
_MOST_COLUMNS: Final = 64
_VARIABLES: Final = ("mi", "mn")

_Writer = Callable[[MathTree, int], list[Item]]


def latex_of_mathml(nodes: Nodes, row: int) -> str:
    r"""Return the LaTeX of a `math` element, without dollar signs; empty for an empty one.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse("<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>π</mi><mn>6</mn></mfrac></math>")
    >>> print(latex_of_mathml(nodes, nodes.rows_of("math")[0]))
    x^2 = \frac{\pi}{6}
    """
    if nodes.end[row] == row + 3 and nodes.name(row + 1) in _VARIABLES and nodes.tag[row + 2] == TEXT:
        text = nodes.text(row + 2)
        if len(text) == 1 and text.isalnum() and text.isascii() and nodes.attr(row + 1, "mathvariant") is None:
            return text  # a variable or a digit, as many are
    tree = MathTree(nodes, row)
    out: list[str] = []
    waiting: list[Item] = [row]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            out.append(item)
        else:
            waiting.extend(reversed(_items(tree, item)))
    return joined(out)


def _items(tree: MathTree, row: int) -> list[Item]:
    """The pieces of an element: its own commands and its children."""
    name = tree.name(row)
    if name in TOKENS:
        return [*token(name, tree.characters(row), tree.nodes.attr(row, "mathvariant"))]
    if name == "#text":
        return [*symbols(" ".join(tree.nodes.text(row).split()))]
    return [] if name in SKIPPED else _WRITERS.get(name, _row)(tree, row)


def _row(tree: MathTree, row: int) -> list[Item]:
    """Children side by side, with brackets as tall as their content."""
    children = tree.children(row)
    texts = [tree.operator(child) for child in children]
    groups: list[list[Item]] = [[child] for child in children]
    opened: list[int] = []
    for place, text in enumerate(texts):
        if text in OPENING:
            opened.append(place)
        elif text in CLOSING and opened:
            _stretch(tree, groups, children, texts, opened.pop(), place)
        elif text in BARS and (text in "|‖" or place in (0, len(children) - 1)):
            groups[place] = [BARS[text]]
        elif not text and place:
            _absorb_brackets(tree, groups, children, texts, place)
    if len(children) > 2 and texts[0] in BARS and texts[0] == texts[-1] and texts.count(texts[0]) == 2:
        _stretch(tree, groups, children, texts, 0, len(children) - 1)
    return [item for group in groups for item in group]


def _stretch(
    tree: MathTree, groups: list[list[Item]], children: list[int], texts: list[str], first: int, last: int
) -> None:
    r"""Put `\left` and `\right` before two brackets with something tall between them."""
    if not tree.is_tall(tree.nodes.end[children[first]], children[last]) or not groups[first] or not groups[last]:
        return
    if tree.nodes.attr(tree.unwrapped(children[first]), "stretchy") == "false":
        return
    left, right = _fence(texts[first]), _fence(texts[last])
    if left and right:
        groups[first], groups[last] = [f"\\left{left}"], [f"\\right{right}"]


def _fence(text: str) -> str:
    r"""The bracket as `\left` takes it; empty for none, and for one that is made of two."""
    fence = OPENING.get(text) or CLOSING.get(text) or BARS.get(text, "")
    return fence if "!" not in fence else ""


def _absorb_brackets(
    tree: MathTree, groups: list[list[Item]], children: list[int], texts: list[str], place: int
) -> None:
    """Write a matrix, cases or a binomial together with the brackets beside it."""
    child = tree.unwrapped(children[place])
    closing = texts[place + 1] if place + 1 < len(texts) else ""
    fences = texts[place - 1] + closing
    if tree.name(child) == "mtable" and (fences in _MATRICES or fences == _CASES):
        written = _environment(tree, child, _MATRICES.get(fences, "cases"))
    elif tree.is_binomial(child) and fences == "()":
        top, bottom = tree.arguments(child, 2)
        written = ["\\binom", *tree.group(top), *tree.group(bottom)]
    else:
        return
    groups[place - 1], groups[place] = [], written
    if closing:
        groups[place + 1] = []


def _table(tree: MathTree, row: int) -> list[Item]:
    """A table without brackets."""
    aligns, borders = ((tree.nodes.attr(row, name) or "").split() for name in ("columnalign", "columnlines"))
    if "solid" in borders:
        count = max((len(tree.children(line)) for line in tree.children(row)), default=1)
        return _environment(tree, row, "array", _column_spec(min(count, _MOST_COLUMNS), aligns, borders))
    return _environment(tree, row, "aligned" if aligns[:2] == ["right", "left"] else "matrix")


def _column_spec(count: int, aligns: list[str], borders: list[str]) -> str:
    spec = ""
    for column in range(count):
        align = aligns[min(column, len(aligns) - 1)] if aligns else "center"
        spec += align[0] if align in ("left", "right") else "c"
        if column + 1 < count and borders[min(column, len(borders) - 1)] == "solid":
            spec += "|"
    return f"{{{spec}}}"


def _environment(tree: MathTree, row: int, environment: str, columns: str = "") -> list[Item]:
    items: list[Item] = [f"\\begin{{{environment}}}{columns} "]
    lines = [child for child in tree.children(row) if tree.nodes.tag[child] != TEXT]
    for number, line in enumerate(lines):
        name = tree.name(line)
        cells: list[Item] = [*tree.children(line)] if name in ("mtr", "mlabeledtr") else [line]
        label: list[Item] = ["\\qquad ", cells.pop(0)] if name == "mlabeledtr" and cells else []
        items += [" \\\\ "] if number else []
        items += [piece for cell in cells for piece in (" & ", cell)][1:] + label
    return [*items, f" \\end{{{environment}}}"]


def _fraction(tree: MathTree, row: int) -> list[Item]:
    top, bottom = tree.arguments(row, 2)
    if tree.nodes.attr(row, "bevelled") == "true":
        return [*tree.script(top), "/", *tree.script(bottom)]
    command = "\\genfrac{}{}{0pt}{}" if tree.is_binomial(row) else "\\frac"
    return [command, *tree.group(top), *tree.group(bottom)]


def _root(tree: MathTree, row: int) -> list[Item]:
    radicand, index = tree.arguments(row, 2)
    return ["\\sqrt[", *tree.script(index), "]", *tree.group(radicand)]


def _scripts(tree: MathTree, row: int) -> list[Item]:
    """`msub`, `msup` and `msubsup`."""
    name = tree.name(row)
    base, *scripts = tree.arguments(row, 3 if name == "msubsup" else 2)
    lower = scripts[0] if name != "msup" else None
    upper = scripts[-1] if name != "msub" else None
    return [*tree.base(base), *_sub_and_sup(tree, lower, upper)]


def _sub_and_sup(tree: MathTree, lower: Argument, upper: Argument) -> list[Item]:
    items: list[Item] = ["_", *tree.script(lower)] if lower is not None else []
    if upper is None:
        return items
    text = tree.core(upper)[1]
    if text and all(char in PRIMES for char in text):
        return [*items, *(PRIMES[char] for char in text)]
    return [*items, "^", *tree.script(upper)]


def _limits(tree: MathTree, row: int) -> list[Item]:
    """`munder`, `mover` and `munderover`: limits, accents, or one expression set above another."""
    name = tree.name(row)
    base, *scripts = tree.arguments(row, 3 if name == "munderover" else 2)
    lower = scripts[0] if name != "mover" else None
    upper = scripts[-1] if name != "munder" else None
    text = tree.operator(base)
    if text in EXTENSIBLE_ARROWS:
        below: list[Item] = ["[", *tree.group(lower), "]"] if lower is not None else []
        return [EXTENSIBLE_ARROWS[text], *below, *tree.group(upper)]
    function = "".join(text.split())
    if text in BIG_OPERATORS or function in LIMIT_FUNCTIONS or tree.has_brace(base):
        limits = ["\\limits"] if text in INTEGRALS else []
        return [*tree.base(base), *limits, *_sub_and_sup(tree, lower, upper)]
    if len(text) > 1 and text.isascii() and text.isalpha():
        return [f"\\operatorname*{{{text}}}", *_sub_and_sup(tree, lower, upper)]
    return _stacked(tree, base, lower, upper)


def _stacked(tree: MathTree, base: Argument, lower: Argument, upper: Argument) -> list[Item]:
    items = tree.group(base)
    wide = len(tree.operator(base)) != 1
    if upper is not None:
        accent = ACCENTS.get(tree.operator(upper))
        items = [accent[wide], *items] if accent else ["\\overset", *tree.group(upper), *items]
    if lower is not None:
        items = ["{", *items, "}"] if upper is not None else items
        command = UNDER_ACCENTS.get(tree.operator(lower))
        items = [command, *items] if command else ["\\underset", *tree.group(lower), *items]
    return items


def _multiscripts(tree: MathTree, row: int) -> list[Item]:
    base, *scripts = tree.children(row) or [row + 1]
    if base >= tree.nodes.end[row]:
        return []
    names = [tree.name(script) for script in scripts]
    post = names.index("mprescripts") if "mprescripts" in names else len(names)
    arguments = [None if name == "none" or _is_empty(tree, at) else at for at, name in zip(scripts, names, strict=True)]
    before, after = arguments[post + 1 :], arguments[:post]
    items: list[Item] = ["{", "}"] if before else []
    return [*items, *_pairs(tree, before), *tree.base(base), *_pairs(tree, after)]


def _is_empty(tree: MathTree, row: int) -> bool:
    return tree.nodes.end[row] == row + 1


def _pairs(tree: MathTree, scripts: list[Argument]) -> list[Item]:
    """Scripts in pairs of a lower and an upper one; each pair beside the one before."""
    items: list[Item] = []
    for at in range(0, len(scripts), 2):
        lower, upper = [*scripts[at : at + 2], None][:2]
        items += ["{", "}"] if items else []
        items += _sub_and_sup(tree, lower, upper)
    return items


def _fenced(tree: MathTree, row: int) -> list[Item]:
    attr, children = tree.nodes.attr, tree.children(row)
    opening, closing = ((attr(row, name) or "").strip() for name in ("open", "close"))
    opening = opening if attr(row, "open") is not None else "("
    closing = closing if attr(row, "close") is not None else ")"
    fences, only = opening + closing, tree.unwrapped(children[0]) if len(children) == 1 else None
    if only is not None and tree.name(only) == "mtable" and (fences in _MATRICES or fences == _CASES):
        return _environment(tree, only, _MATRICES.get(fences, "cases"))
    separators = attr(row, "separators")
    marks = "".join(separators.split()) if separators is not None else ","
    items: list[Item] = []
    for at, child in enumerate(children):
        items += symbols(marks[min(at, len(marks)) - 1]) if at and marks else []
        items.append(child)
    left, right = _fence(opening), _fence(closing)
    if tree.is_tall(row, tree.nodes.end[row]):
        return [f"\\left{left or '.'}", *items, f"\\right{right or '.'}"]
    return [left, *items, right]


def _style(tree: MathTree, row: int) -> list[Item]:
    command = COMMAND_OF_VARIANT.get(tree.nodes.attr(row, "mathvariant") or "")
    return [command, "{", *_row(tree, row), "}"] if command else _row(tree, row)


def _enclosure(tree: MathTree, row: int) -> list[Item]:
    items = _row(tree, row)
    for notation in (tree.nodes.attr(row, "notation") or "").split()[: len(_ENCLOSURES)]:
        if notation in _ENCLOSURES:
            items = [_ENCLOSURES[notation], "{", *items, "}"]
    return items


def _space(tree: MathTree, row: int) -> list[Item]:
    if tree.nodes.attr(row, "linebreak") == "newline":
        return [" \\\\ "]
    written = (tree.nodes.attr(row, "width") or "").strip()
    length = _LENGTH.fullmatch(written)
    width = float(length[1]) * _EM[length[2]] if length else _NAMED_WIDTHS.get(written, 0.0)
    return [next((space for least, space in _SPACES if width >= least), "\\!")]


def _first(tree: MathTree, row: int) -> list[Item]:
    return [child for child in tree.arguments(row, 1) if child is not None]


def _glyph(tree: MathTree, row: int) -> list[Item]:
    return [*token("mtext", tree.nodes.attr(row, "alt") or "", None)]


def _application(tree: MathTree, row: int) -> list[Item]:
    """Content MathML: an operator, which is mostly an empty element, and its operands."""
    function, *operands = tree.children(row) or [row]
    if function == row:
        return []
    named = _is_empty(tree, function)
    items: list[Item] = [*token("mi", tree.name(function), "normal")] if named else [function]
    return [*items, "(", *[item for operand in operands for item in (", ", operand)][1:], ")"]


_WRITERS: Final[dict[str, _Writer]] = {
    "mfrac": _fraction,
    "msqrt": lambda tree, row: ["\\sqrt", "{", *_row(tree, row), "}"],
    "mroot": _root,
    **dict.fromkeys(("msub", "msup", "msubsup"), _scripts),
    **dict.fromkeys(("munder", "mover", "munderover"), _limits),
    "mmultiscripts": _multiscripts,
    "mtable": _table,
    "mfenced": _fenced,
    "mstyle": _style,
    "menclose": _enclosure,
    "mspace": _space,
    "mphantom": lambda tree, row: ["\\phantom", "{", *_row(tree, row), "}"],
    "maction": _first,
    "mglyph": _glyph,
    "apply": _application,
}
"""The elements with LaTeX of their own; all others are rows of their children."""
