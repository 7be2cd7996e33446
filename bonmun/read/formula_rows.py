"""Rows that may be formulas: a cheap look at every row, so that pages without mathematics pay next to nothing."""

from array import array
from collections.abc import Sequence
from typing import Final

from bonmun.core import Core, core
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID, TEXT
from bonmun.read.compiled import ReadNodes

TAGS: Final = ("mjx-container", "math-renderer")
ATTRIBUTES: Final = ("class", "src", "type", "data-latex", "data-tex")
CLASSES: Final = (b"katex", b"math", b"arithmatex", b"kdmath", b"tex", b"latex", b"mwe-math", b"MathJax", b"mjx")
"""What the class of a formula starts with; a letter behind it makes it another word."""
IMAGE_BYTES: Final = 256
"""Bytes of an image's class and address that are searched: an address can be a whole picture."""
IMAGE_CLASSES: Final = (*"latex tex ql-img-inline-formula ql-img-displayed-equation ee_img math".split(),)
IMAGE_CLASS_START: Final = "mwe-math-fallback-image"
IMAGE_SOURCES: Final = ("latex.php?", "codecogs.com/", "/math/render/", "mimetex", "mathtex.cgi", "quicklatex.com-")
"""What shows an image to be a formula: a class, the start of one, a part of its address. Nearly all images with the
letters of TeX have a "text" or "texture" in their address instead: the compiled reader spares them the further step."""

_MATH, _IMAGE, _SCRIPT = TAG_ID["math"], TAG_ID["img"], TAG_ID["script"]
_LETTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def formula_rows(nodes: Nodes) -> Sequence[int]:
    """The rows that may stand for a formula, in order.

    These are `math`, `mjx-container` and `math-renderer` elements, scripts of type `math/…`, images with `tex` or
    `math` in their class or address, elements with `data-latex` or `data-tex`, and elements whose class starts with the
    name of a renderer.

    >>> from bonmun.read.parse import parse
    >>> list(formula_rows(parse('<p class="text">A <span class="katex">x</span>')))
    [5]
    """
    if isinstance(nodes, ReadNodes) and nodes.formula_rows is not None:
        return nodes.formula_rows
    compiled = core()
    return _compiled_rows(compiled, nodes) if compiled else formula_rows_by_reference(nodes)


def _compiled_rows(compiled: Core, nodes: Nodes) -> Sequence[int]:
    further = nodes.tag_names[len(TAG_ID) :]
    tags = array("i", (len(TAG_ID) + further.index(name) if name in further else -1 for name in TAGS))
    names = array("i", (nodes.attr_id.get(name, -1) for name in ATTRIBUTES))
    rows = compiled.formula_rows(nodes.columns, nodes.buffer, nodes.spill, tags.tobytes(), names.tobytes())
    return memoryview(rows).cast("i")


def formula_rows_by_reference(nodes: Nodes) -> list[int]:
    """The same in Python, where the compiled twin could not be built."""
    tags = {_MATH} | {number for number, name in enumerate(nodes.tag_names) if name in TAGS}
    return [
        row for row, tag in enumerate(nodes.tag) if tag in tags or (tag != TEXT and _attributes_tell(nodes, row, tag))
    ]


def _attributes_tell(nodes: Nodes, row: int, tag: int) -> bool:
    for at in range(nodes.attr_first[row], nodes.attr_first[row + 1]):
        name, value = nodes.attr_names[nodes.attr_name[at]], nodes.attr_bytes(at)
        if name.startswith("data-"):
            tells = name in ATTRIBUTES
        elif tag == _IMAGE and name in ("class", "src"):
            tells = b"tex" in value[:IMAGE_BYTES] or b"math" in value[:IMAGE_BYTES]
        elif tag == _SCRIPT and name == "type":
            tells = value.startswith(b"math/")
        else:
            tells = name == "class" and _names_renderer(value)
        if tells:
            return True
    return False


def _names_renderer(value: bytes) -> bool:
    starts = [len(name) for name in CLASSES if value.startswith(name)]
    return any(start == len(value) or value[start] not in _LETTERS for start in starts)
