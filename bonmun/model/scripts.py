"""Superscripts and subscripts in plain text: `10<sup>6</sup>` is 10⁶, not 106.

Digits, signs, parentheses, n and i have Unicode forms (km², H₂O, x⁻¹, 2ⁿ⁺¹; also in lists of note marks: ¹,²). Other
expressions after a number, a parenthesis or a one-letter variable are written ``x^(a+b)``, ``x_(k,j)``, ``x^k``. All
others stay as they are: ordinals (19th), trade marks, words, footnote marks such as [1] and *. If their first digits
would join a number, those digits become Unicode: ``19<sup>99 €</sup>`` is 19⁹⁹ €.
"""

import re
from collections.abc import Sequence
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TEXT

MAX_SCRIPT: Final = 32
"""Bytes; a longer superscript is a text in small print."""
INLINE_ANCESTORS: Final = 8
"""Inline elements to look at around a block's first text; bounded, since a page can be very deep."""
SCRIPTS: Final = {TAG_ID["sup"]: "sup", TAG_ID["sub"]: "sub"}
"""The marks by the tags."""
_PLAIN: Final = "0123456789+-\u2212=()ni"
SHIFTED: Final = {
    "sup": str.maketrans(_PLAIN, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
    "sub": str.maketrans(_PLAIN, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙᵢ"),
}
"""Translations to the Unicode forms, by mark."""
_MARKER: Final = {"sup": "^", "sub": "_"}
_HAS_FORM = re.compile(r"[0-9+\-\u2212=()ni][0-9+\-\u2212=()ni,\u2013 ]*")
_ADJACENT = re.compile(r"[ni]{2}")
_LEADING_DIGITS = re.compile(r"[0-9]+")
_LETTER: Final = r"[A-Za-z\u0380-\u03ff]"
_EXPRESSION = re.compile(
    rf"(?=.*(?:{_LETTER}|[0-9]))(?!.*{_LETTER}{{3}})(?![.,])(?:{_LETTER}|[0-9+\-\u2212*/=.,()^_\xd7\xb7 ])+"
)
_WORD = re.compile(rf"{_LETTER}+")
_VARIABLE = re.compile(rf"(?<![A-Za-z\x80-\U0010ffff]){_LETTER}\Z")
_FORM = re.compile(r"[\u2070-\u208e\xb9\xb2\xb3)]\Z")
_ABBREVIATED: Final = "adehmorst"  # ordinals and units after a number or initial: 1a, 2d, XIXe, 5h, No
_ALWAYS_ABBREVIATED: Final = "eo"  # also after a small letter: no


def script_at(nodes: Nodes, previous: int, row: int) -> int:
    """The outermost `sup` or `sub` that starts after row `previous` and holds `row`; -1 for none.

    With -1 for `previous`: the outermost one around `row` inside its block-level element.
    """
    if previous >= 0:
        between = range(previous + 1, row)
        return next((at for at in between if nodes.tag[at] in SCRIPTS and nodes.end[at] > row), -1)
    script, ancestor = -1, nodes.parent[row]
    for _ in range(INLINE_ANCESTORS):
        if ancestor < 0 or nodes.tag[ancestor] in BLOCK_LEVEL:
            break
        if nodes.tag[ancestor] in SCRIPTS:
            script = ancestor
        ancestor = nodes.parent[ancestor]
    return script


def script_text(nodes: Nodes, script: int, rows: Sequence[int], tail: str) -> str | None:
    """The text of a `sup` or `sub` with these rows after a text that ends in `tail`; `None` if it stays as it is."""
    pieces: list[str] = []
    previous = script
    for row in rows:
        if nodes.tag[row] != TEXT:
            return None
        inner = [SCRIPTS[tag] for tag in nodes.tag[previous + 1 : row] if tag in SCRIPTS]
        pieces += (_MARKER[inner[-1]] if inner else "", nodes.text(row))
        previous = row
    raw = "".join(pieces)
    if len(raw.encode()) > MAX_SCRIPT:
        return None
    raw = raw.replace("\xad", "").replace("\ufeff", "")
    core = " ".join(raw.split())
    if not core:
        return None
    leading, trailing = raw[0].isspace(), raw[-1].isspace()
    form = script_form(SCRIPTS[nodes.tag[script]], core, "" if leading else tail)
    return None if form is None else " " * leading + form + " " * trailing


def script_form(mark: str, core: str, tail: str) -> str | None:
    """The form of a superscript or subscript after a text that ends in `tail`; `None` if it stays as it is.

    >>> script_form("sup", "6", "10"), script_form("sub", "k+1", " x"), script_form("sup", "th", "19")
    ('⁶', '_(k+1)', None)
    """
    if has_unicode_form(core):
        return core.translate(SHIFTED[mark])
    after_digit = "0" <= tail[-1:] <= "9"
    if (after_digit or _FORM.search(tail) or _VARIABLE.search(tail)) and _EXPRESSION.fullmatch(core):
        if not _WORD.fullmatch(core):
            return f"{_MARKER[mark]}({core})"
        initial = after_digit or "A" <= tail[-1] <= "Z"
        if len(core) == 1 and core not in (_ABBREVIATED if initial else _ALWAYS_ABBREVIATED):
            return _MARKER[mark] + core
    if after_digit and (digits := _LEADING_DIGITS.match(core)):
        return digits[0].translate(SHIFTED[mark]) + core[digits.end() :]
    return None


def has_unicode_form(core: str) -> bool:
    """Whether all characters have Unicode superscripts and subscripts, or separate those that have."""
    return bool(_HAS_FORM.fullmatch(core)) and not _ADJACENT.search(core)
