r"""The formulas of a page, whatever made them: KaTeX, MathJax, MathML, MediaWiki, pandoc, Sphinx, images of TeX.

Renderers write a formula several times over: as glyphs, as MathML for screen readers, as TeX in an annotation or a
script, as an image. Here each formula becomes one row with a text, its TeX; the other copies are flagged unrendered.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

from bonmun.model.lazy import lazy
from bonmun.model.nodes import Formula, Nodes, copied
from bonmun.model.tags import TAG_ID, TEXT, UNRENDERED
from bonmun.read.formula_rows import IMAGE_CLASS_START, IMAGE_CLASSES, IMAGE_SOURCES, formula_rows
from bonmun.read.mathml import latex_of_mathml
from bonmun.read.parse import parse
from bonmun.read.tex_source import clean_tex, is_delimited, tex_of_image

_MATH, _IMAGE, _SCRIPT = TAG_ID["math"], TAG_ID["img"], TAG_ID["script"]
_CONTAINERS: Final = frozenset(("katex", "mwe-math-element"))
_WRAPPERS: Final = frozenset(("math", "arithmatex", "kdmath", "tex", "latex", "MathJax_Preview"))
_WRAPPER_TAGS: Final = frozenset(("span", "div", "p", "math-renderer"))
_DECLARED: Final = frozenset(("inline", "display", "math-inline", "math-display"))
_DISPLAYED: Final = frozenset(
    "display katex-display math-display js-display-math MathJax_Display MathJax_SVG_Display MJXc-display"
    " mwe-math-element-block mwe-math-fallback-image-display ql-img-displayed-equation".split()
)
_IMAGE_CLASSES: Final = frozenset(IMAGE_CLASSES)
_TEX_ATTRIBUTES: Final = ("data-latex", "data-tex")
_MOST_CONVERTED: Final = 200_000
"""Rows of MathML that are converted on a page, in about a second; further formulas keep the text of their tokens."""
_COPIES, _FEW = 4, 64
"""An element with more characters than so many times its TeX, and so many more, holds other text as well."""
_SIBLINGS: Final = 3
"""Elements between a preview of MathJax 2 and its script, at most."""
_DISPLAY_LEVELS: Final = 2
"""Elements above a formula whose class may say that it is displayed."""


@dataclass(slots=True)
class _Found:
    """A formula: the row that stands for it, its TeX, and the other copies of it."""

    row: int
    tex: str
    display: bool
    mathml: int = -1
    copies: list[int] = field(default_factory=list)


def with_formulas(nodes: Nodes) -> Nodes | None:
    r"""The page with each formula as one row of text, its TeX; `None` for a page without formulas.

    >>> from bonmun.read.parse import parse
    >>> from bonmun.read.segment import segment
    >>> segment(with_formulas(parse("<p>Let <math><msup><mi>x</mi><mn>2</mn></msup></math> be even."))).text
    ('Let x^2 be even.',)
    """
    rows = formula_rows(nodes)
    found = [*_Finder(nodes, rows).formulas()] if rows else []
    return _annotated(nodes, found) if found else None


def _annotated(nodes: Nodes, found: Iterable[_Found]) -> Nodes:
    start, stop, chars, flags = map(copied, (nodes.start, nodes.stop, nodes.chars, nodes.flags))
    source_stop = copied(nodes.source_stop) if nodes.source_stop is not None else None
    spill = bytearray(nodes.spill)
    formulas: list[Formula] = []
    for formula in found:
        row = formula.row
        start[row] = len(nodes.buffer) + len(spill)
        spill += formula.tex.encode("utf-8", "replace")
        stop[row] = len(nodes.buffer) + len(spill)
        chars[row] = len(formula.tex)
        formulas.append(Formula(row, formula.display, formula.mathml))
        if nodes.tag[row] == _SCRIPT:  # not shown as a script, but as the formula that it describes
            flags[row] = flags[nodes.parent[row]]
        for copy in formula.copies:
            flags[copy] |= UNRENDERED
        for top in (row, *formula.copies):
            for inside in range(top + 1, nodes.end[top]):
                flags[inside] |= UNRENDERED
        if source_stop is not None:
            source_stop[row] = max(source_stop[row : nodes.end[row]])
    return replace(
        nodes,
        start=_read_only(start),
        stop=_read_only(stop),
        chars=_read_only(chars),
        flags=_read_only(flags),
        source_stop=_read_only(source_stop) if source_stop is not None else None,
        spill=bytes(spill),
        formulas=tuple(formulas),
    )


def _read_only(column: "array[int]") -> memoryview:
    return memoryview(column).toreadonly()


class _Finder:
    """The candidates of one page, and which of them are formulas."""

    def __init__(self, nodes: Nodes, rows: Sequence[int]) -> None:
        self.nodes, self.rows = nodes, rows
        self.math = [row for row in rows if nodes.tag[row] == _MATH]
        self.images = [row for row in rows if nodes.tag[row] == _IMAGE]
        self.copies: dict[int, list[int]] = {}
        """By the row of a MathJax 2 script, the elements that MathJax has drawn before it."""
        self.left = _MOST_CONVERTED
        self.known: dict[int, str] = {}
        """By the row of a `math` element, its LaTeX."""
        self.empty_stop = 0
        """The end of the last `math` element without LaTeX: those inside it have none either."""
        self.annotations = [row for row in nodes.rows_of("annotation") if self._is_tex(row)] if self.math else []

    @lazy
    def chars_before(self) -> list[int]:
        """By row, the characters of the rows before it."""
        return [0, *accumulate(self.nodes.chars)]

    def formulas(self) -> Iterator[_Found]:
        """Each formula once, in order."""
        done = 0
        for row in self.rows:
            if row < done:
                continue
            script = self._script_behind(row)
            if script is not None:
                self.copies.setdefault(script, []).append(row)
                done = self.nodes.end[row]
                continue
            formula = self._formula(row)
            if formula is not None and formula.tex and self._is_all_of(row, len(formula.tex)):
                done = self.nodes.end[row]
                yield formula

    def _formula(self, row: int) -> _Found | None:
        nodes = self.nodes
        tag, classes = nodes.tag[row], (nodes.attr(row, "class") or "").split()
        if tag == _SCRIPT:
            return self._script(row)
        if tag == _IMAGE:
            return self._image(row, classes)
        if tag == _MATH or nodes.name(row) == "mjx-container" or not _CONTAINERS.isdisjoint(classes):
            return self._container(row, classes)
        if classes and classes[0].startswith(("MathJax", "mjx-")) and classes[0] != "MathJax_Preview":
            return self._container(row, classes)
        if tex := self._attribute(row):
            return self._made(row, tex, classes)
        return self._wrapped(row, classes)

    def _made(self, row: int, tex: str, classes: Iterable[str], display: bool = False, mathml: int = -1) -> _Found:
        cleaned, delimited = clean_tex(tex)
        shown = display or delimited or not _DISPLAYED.isdisjoint(classes) or self._is_displayed(row)
        return _Found(row, cleaned, shown, mathml)

    def _is_displayed(self, row: int) -> bool:
        if "class" not in self.nodes.attr_id:
            return False
        for _ in range(_DISPLAY_LEVELS):
            row = self.nodes.parent[row]
            if row < 0:
                break
            if not _DISPLAYED.isdisjoint((self.nodes.attr(row, "class") or "").split()):
                return True
        return False

    def _attribute(self, row: int) -> str:
        values = (self.nodes.attr(row, name) for name in _TEX_ATTRIBUTES)
        return next((value for value in values if value and value.strip()), "")

    def _script_behind(self, row: int) -> int | None:
        """The script that holds the TeX of what MathJax 2 drew, or was about to draw, right before it."""
        nodes = self.nodes
        if nodes.tag[row] == _SCRIPT or not self._is_mathjax(row):
            return None
        stop = nodes.end[nodes.parent[row]] if nodes.parent[row] >= 0 else 0
        following = nodes.end[row]
        for _ in range(_SIBLINGS):
            if following < stop and nodes.tag[following] == TEXT and not nodes.chars[following]:
                following += 1
            if following >= stop:
                break
            if nodes.tag[following] == _SCRIPT and (nodes.attr(following, "type") or "").startswith("math/tex"):
                return following if self._is_all_of(row, sum(map(len, self._texts(following)))) else None
            if not self._is_mathjax(following):
                break
            following = nodes.end[following]
        return None

    def _is_mathjax(self, row: int) -> bool:
        name = self.nodes.attr(row, "class") if self.nodes.tag[row] != TEXT else None
        return name is not None and name.startswith(("MathJax", "mjx-", "MJXc"))

    def _script(self, row: int) -> _Found | None:
        type_of = self.nodes.attr(row, "type") or ""
        if not type_of.startswith("math/tex"):
            return None
        tex = "".join(self._texts(row))
        copies = self.copies.get(row, [])
        mathml = next((math for copy in copies if (math := self._math_in(copy)) >= 0), -1)
        found = self._made(row, tex, (), "mode=display" in type_of.replace(" ", ""), mathml)
        found.copies = copies
        return found

    def _texts(self, row: int) -> list[str]:
        return [self.nodes.text(at) for at in self.nodes.children(row) if self.nodes.tag[at] == TEXT]

    def _is_all_of(self, row: int, size: int) -> bool:
        """Whether an element has hardly more text than copies of a formula, and is no article around it."""
        math = row if self.nodes.tag[row] == _MATH else self._math_in(row)
        chars = self.chars_before[self.nodes.end[row]] - self.chars_before[row]
        if math >= 0:
            chars -= self.chars_before[self.nodes.end[math]] - self.chars_before[math]
        return chars <= _COPIES * size + _FEW

    def _math_in(self, row: int) -> int:
        return self._first_in(self.math, row)

    def _first_in(self, rows: list[int], row: int) -> int:
        """The first of some rows that lies in an element, or is it; -1 for none."""
        place = bisect_left(rows, row)
        return rows[place] if place < len(rows) and rows[place] < self.nodes.end[row] else -1

    def _container(self, row: int, classes: Iterable[str]) -> _Found | None:
        nodes, math = self.nodes, row if self.nodes.tag[row] == _MATH else self._math_in(row)
        if row == math and nodes.attr_first[row] == nodes.attr_first[nodes.end[row]]:  # no attributes
            tex = self._tex_of_math(math)
            return self._made(row, tex, classes, mathml=math) if tex else None
        display = nodes.attr(row, "display") in ("true", "block")
        if math >= 0:
            display = display or nodes.attr(math, "display") == "block" or nodes.attr(math, "mode") == "display"
        tex = self._attribute(row) or self._drawn(row) or self._tex_of_math(math) or self._image_in(row)
        if not tex and (markup := nodes.attr(row, "data-mathml")):
            tex = self._latex_of_markup(markup)
        return self._made(row, tex, classes, display, math) if tex else None

    def _tex_of_math(self, math: int) -> str:
        """The TeX of a `math` element: its annotation, its `alttext`, else its MathML converted."""
        if math >= 0 and math not in self.known:
            nodes = self.nodes
            bare = nodes.attr_first[math] == nodes.attr_first[nodes.end[math]]
            self.known[math] = (
                "" if bare else self._annotation(math) or nodes.attr(math, "alttext") or self._attribute(math)
            )
            if not self.known[math] and math >= self.empty_stop:
                self.left -= nodes.end[math] - math
                if self.left >= 0:
                    self.known[math] = latex_of_mathml(nodes, math)
                if not self.known[math]:
                    self.empty_stop = nodes.end[math]
        return self.known.get(math, "")

    def _annotation(self, math: int) -> str:
        row = self._first_in(self.annotations, math)
        return "".join(self._texts(row)) if row >= 0 else ""

    def _is_tex(self, annotation: int) -> bool:
        return "tex" in (self.nodes.attr(annotation, "encoding") or "").lower()

    def _drawn(self, row: int) -> str:
        """The TeX of MathJax 4, on the element that it draws."""
        drawn = (child for child in self.nodes.children(row) if self.nodes.name(child) == "mjx-math")
        return next(map(self._attribute, drawn), "")

    def _latex_of_markup(self, markup: str) -> str:
        self.left -= len(markup)
        nodes = parse(markup) if self.left >= 0 else None
        rows = nodes.rows_of("math") if nodes is not None else []
        return latex_of_mathml(nodes, rows[0]) if nodes is not None and rows else ""

    def _image_in(self, row: int) -> str:
        image = self._first_in(self.images, row)
        return self.nodes.attr(image, "alt") or "" if image >= 0 else ""

    def _image(self, row: int, classes: list[str]) -> _Found | None:
        nodes = self.nodes
        source = nodes.attr(row, "src") or ""
        fallback = any(name.startswith(IMAGE_CLASS_START) for name in classes)
        if not (fallback or not _IMAGE_CLASSES.isdisjoint(classes) or any(part in source for part in IMAGE_SOURCES)):
            return None
        tex = tex_of_image(nodes.attr(row, "alt") or "", source)
        return self._made(row, tex, classes) if tex else None

    def _wrapped(self, row: int, classes: list[str]) -> _Found | None:
        r"""TeX that waits for its renderer in an element of its own: `<span class="math inline">\(x\)</span>`."""
        nodes = self.nodes
        name = nodes.name(row)
        if name not in _WRAPPER_TAGS or any(nodes.tag[at] != TEXT for at in range(row + 1, nodes.end[row])):
            return None
        if name != "math-renderer" and (not classes or classes[0] not in _WRAPPERS):
            return None
        text = "".join(self._texts(row)).strip()
        declared = "math" in classes and not _DECLARED.isdisjoint(classes)
        return self._made(row, text, classes) if text and (declared or is_delimited(text)) else None
