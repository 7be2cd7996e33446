"""Code blocks: their text and the programming language that the page declares."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from bonmun.model.attributes import LANGUAGES
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, CELLS, PREFORMATTED, TAG_ID, tag_set

_BLANK_LINES = re.compile(r"\A(?:[ \t\r]*\n)+")
INSIDE: Final = 16  # ancestors of the first text to look at
WRAPPERS: Final = 3  # elements around `pre` that may declare the language
_CODE_TAG, _BREAK = TAG_ID["code"], TAG_ID["br"]
_LINES = BLOCK_LEVEL - CELLS
_WHOLE_PAGE = tag_set("html body")
_TABLE_PARTS = tag_set("table tbody tr td")  # between the code beside line numbers and its wrapper
_FIGURE = TAG_ID["figure"]
PREFIXES: Final = (*"language lang mw-highlight-lang highlight-source highlight-text highlight gatsby-code".split(),)
SUFFIX: Final = "-basic"
_PREFIXED = re.compile(rf"(?:{'|'.join(PREFIXES)})-([A-Za-z0-9+#.-]+?)(?:{SUFFIX})?")
_BRUSH = re.compile(r"\bbrush:\s*([A-Za-z0-9+#.-]+)")
HIGHLIGHTERS: Final = ("hljs", "sourceCode")
"""Class names next to the bare name of the language; Hexo has `<figure class="highlight js">`."""
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]*")
NO_LANGUAGE: Final = (
    *"none default auto undefined nohighlight wrapper container inner outer block box code line lines".split(),
    *"numberLines notranslate copy body header toolbar source highlight wrap".split(),
)


def code_rows(nodes: Nodes, rows: Iterable[int]) -> str:
    """The code of some rows; a line in an element of its own ends with the element."""
    pieces: list[str] = []
    line = -1
    for row in rows:
        is_break = nodes.tag[row] == _BREAK
        if not is_break and _separates_lines(nodes, row):
            continue
        here = next((ancestor for ancestor in nodes.ancestors(row) if nodes.tag[ancestor] in _LINES), -1)
        if here != line and pieces and not pieces[-1].endswith("\n"):
            pieces.append("\n")
        line = here
        text = "\n" if is_break else nodes.text(row).replace("\xad", "").replace("\ufeff", "")
        pieces += [text] if text else []
    return code_text("".join(pieces))


def _separates_lines(nodes: Nodes, row: int) -> bool:
    """Whether a text is white space between the elements of two lines."""
    if nodes.chars[row] or row + 1 >= len(nodes) or nodes.parent[row + 1] != nodes.parent[row]:
        return False
    return nodes.tag[row + 1] in BLOCK_LEVEL


def code_text(text: str) -> str:
    """Code as a reader sees it: lines unchanged, without empty ones at either end."""
    return _BLANK_LINES.sub("", text).rstrip()


def code_language(nodes: Nodes, row: int) -> str | None:
    """The language of the code around a text, as its `pre`, its `code` or a near wrapper declares it.

    >>> from bonmun.read.parse import parse
    >>> code_language(parse('<div class="highlight-source-python"><pre>print(1)</pre></div>'), 5)
    'python'
    """
    return next(filter(None, (_declared(nodes, element) for element in _elements(nodes, row))), None)


def _elements(nodes: Nodes, row: int) -> Iterator[int]:
    """The elements that may declare the language, innermost first."""
    ancestors = list(islice(nodes.ancestors(row), INSIDE))
    outer = max((index for index, each in enumerate(ancestors) if nodes.tag[each] in PREFORMATTED), default=-1)
    for element in ancestors[:outer]:
        if nodes.tag[element] == _CODE_TAG:
            yield element
    wrappers = (element for element in ancestors[max(outer, 0) :] if nodes.tag[element] not in _TABLE_PARTS)
    for element in islice(wrappers, 1 + WRAPPERS):
        if nodes.tag[element] not in _WHOLE_PAGE:
            yield element


def _declared(nodes: Nodes, element: int) -> str | None:
    candidates = [nodes.attr(element, name) for name in LANGUAGES]
    names = nodes.attr(element, "class") or ""
    words = names.split()
    candidates += [match[1] for word in words if (match := _PREFIXED.fullmatch(word))]
    candidates += [match[1] for match in [_BRUSH.search(names)] if match]
    if not {*words}.isdisjoint(HIGHLIGHTERS) or (nodes.tag[element] == _FIGURE and words[:1] == ["highlight"]):
        candidates += [word for word in words if word not in HIGHLIGHTERS and not _PREFIXED.fullmatch(word)]
    names_of_languages = (each for each in candidates if each and _LANGUAGE.fullmatch(each))
    return next((each for each in names_of_languages if each not in NO_LANGUAGE), None)
