r"""The TeX that pages carry for their formulas, without delimiters, comments and `{\displaystyle …}`."""

import re
from typing import Final
from urllib.parse import unquote, unquote_plus

_PLAIN: Final = re.compile(r"[^\\%$<\]{]*")
"""TeX without delimiters, comments, commands and groups."""
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n|\Z)")
_CDATA: Final = re.compile(r"<!\[CDATA\[|\]\]>")
_DELIMITERS: Final = (("\\[", "\\]", True), ("\\(", "\\)", False), ("$$", "$$", True), ("$", "$", False))
_STYLE: Final = re.compile(r"\\(?:displaystyle|textstyle)(?![A-Za-z])\s*")
_EQUATION: Final = re.compile(r"\\(begin|end)\{equation\*?\}")
_SUBSTITUTES: Final = re.compile(r"\\(begin|end)\{(align|gather)(?:at)?\*?\}")
_LABEL: Final = re.compile(r"\\label\{[^{}]*\}")
_SPACES: Final = re.compile(r"\s+")
_PLACEHOLDERS: Final = frozenset(("formula", "[formula]", "equation", "latex", "tex", "image", "math", "[math]"))
_CODECOGS: Final = re.compile(r"codecogs\.com/[^?]*\?(.+)", re.DOTALL)
_WORDPRESS: Final = re.compile(r"latex\.php\?(?:[^#]*&)?latex=([^&#]*)")
_RENDERING: Final = re.compile(r"\\(?:dpi\{[0-9]*\}|bg_\w+|fn_\w+|inline\b|large\b|small\b|fg_\w+)\s*")


def clean_tex(tex: str) -> tuple[str, bool]:
    r"""The TeX of a formula on one line, and whether its delimiters ask for a line of its own.

    >>> clean_tex(r"{\displaystyle E=mc^{2}}"), clean_tex(r"\[ x % the unknown")
    (('E=mc^{2}', False), ('\\[ x', False))
    >>> clean_tex(r"$$ x^2 $$")
    ('x^2', True)
    """
    if _PLAIN.fullmatch(tex):  # most short ones
        return _SPACES.sub(" ", tex).strip(), False
    tex = _SPACES.sub(" ", _CDATA.sub("", _COMMENT.sub(r"\1 ", tex))).strip()
    display = False
    for opening, closing, is_display in _DELIMITERS:
        if len(tex) > len(opening) + len(closing) and tex.startswith(opening) and tex.endswith(closing):
            tex, display = tex[len(opening) : -len(closing)].strip(), is_display
            break
    display = display or tex.startswith("\\begin{")
    tex = _LABEL.sub("", _SUBSTITUTES.sub(r"\\\1{\2ed}", _EQUATION.sub("", tex))).strip()
    return _without_dangling_escape(_without_style(tex)), display


def _without_style(tex: str) -> str:
    r"""Take off `\displaystyle`, which Wikipedia writes before every formula, and the braces around all of it."""
    for _ in range(4):
        inside = tex[1:-1] if tex.startswith("{") and _is_one_group(tex) else tex
        styled = _STYLE.match(inside.lstrip())
        if not styled:
            break
        tex = inside.lstrip()[styled.end() :].strip()
    return tex


def _is_one_group(tex: str) -> bool:
    """Whether the first brace is closed by the last character."""
    depth = 0
    for found in re.finditer(r"\\.|[{}]", tex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth <= 0:
            return depth == 0 and found.end() == len(tex)
    return False


def _without_dangling_escape(tex: str) -> str:
    r"""A control space at the end lost its space: the backslash alone would escape what comes behind."""
    slashes = len(tex) - len(tex.rstrip("\\"))
    return tex[:-1].rstrip() if slashes % 2 else tex


def is_delimited(text: str) -> bool:
    r"""Whether a text is one formula between the delimiters of TeX.

    >>> is_delimited(r"\(x\)"), is_delimited("$x$ or $y$"), is_delimited("x")
    (True, False, False)
    """
    for opening, closing, _ in _DELIMITERS:
        if text.startswith(opening):
            inside = text[len(opening) : -len(closing)]
            return text.endswith(closing) and bool(inside.strip()) and closing not in inside.replace("\\$", "")
    return text.startswith("\\begin{") and text.endswith("}")


def tex_of_image(alt: str, source: str) -> str:
    """The TeX of an image of a formula: its alternative text, else the part of its address that made the image.

    >>> tex_of_image("", "https://latex.codecogs.com/gif.latex?x%5E2")
    'x^2'
    """
    if alt.strip() and alt.strip().lower() not in _PLACEHOLDERS:
        return alt
    if found := _WORDPRESS.search(source):
        return unquote_plus(found[1])
    if found := _CODECOGS.search(source):
        return _RENDERING.sub("", unquote(found[1]))
    return ""
