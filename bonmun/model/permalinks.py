"""Links of headings to themselves: the `¶` and `#` of documentation, the edit links of wikis, "Permalink"."""

import re
from itertools import islice
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import HIDDEN, LINK, TAG_ID, UNRENDERED

_LINK = TAG_ID["a"]
_UNSEEN: Final = UNRENDERED | HIDDEN
MOST_CHARACTERS, MOST_ROWS, LEVELS = 40, 16, 4
"""Size of a permalink, and how far its text is below it; bounds for hostile pages."""
_SYMBOL: Final = re.compile(r"[¶#§🔗⚓\u200b\u2060\ufe0f\ue000-\uf8ff]+")  # with icon fonts and zero-width spaces
_PHRASE: Final = re.compile(
    r"permalink|(?:(?:perma|permanent |direct )?link|permalink) (?:to|for) (?:this |the )?"
    r"(?:heading|headline|section|title|item)",
    re.IGNORECASE,
)
_LABELS: Final = frozenset(("link", "anchor", "copy link"))
_WORDS: Final = (
    "edit|edit source|edit section|편집|원본 편집|編集|ソースを編集|编辑|编辑源代码|編輯|編輯原始碼"
    "|bearbeiten|quelltext bearbeiten|modifier|modifier le code|editar|editar código|править|править код"
    "|modifica|modifica wikitesto|bewerken"
)
_EDIT: Final = re.compile(rf"[\[［]\s*(?:{_WORDS})(?:\s*[|｜·]\s*(?:{_WORDS}))?\s*[\]］]", re.IGNORECASE)
CLASSES: Final = frozenset(
    "anchor anchor-link anchorjs-link doc-anchor hash-link header-anchor header-link headerlink heading-anchor"
    " heading-link permalink".split()
)


def permalinks(nodes: Nodes, first: int, stop: int) -> list[int]:
    """Return the elements of a heading that link to itself or to its editor; none if nothing else is in it.

    >>> from bonmun.read.parse import parse
    >>> nodes = parse('<h2>Tea<a href="#tea">¶</a></h2><h2><a href="#cake">#</a></h2>')
    >>> [nodes.content(row) for row in permalinks(nodes, 3, 7)], permalinks(nodes, 7, 10)
    (['¶'], [])
    """
    texts = [row for row in range(first, stop) if nodes.chars[row] and not nodes.flags[row] & _UNSEEN]
    elements: list[int] = []
    inside: set[int] = set()
    for row in texts:
        if nodes.flags[row] & LINK and nodes.chars[row] <= MOST_CHARACTERS and row not in inside:
            element = _permalink(nodes, row)
            if element >= 0:
                elements.append(element)
                inside.update(range(element, nodes.end[element]))
    return elements if any(row not in inside for row in texts) else []


def _permalink(nodes: Nodes, text: int) -> int:
    """Return the permalink around a text, with its brackets; -1 if the text belongs to no permalink."""
    around = [row for row in islice(nodes.ancestors(text), LEVELS) if nodes.end[row] - row <= MOST_ROWS]
    link = next((row for row in around if nodes.tag[row] == _LINK), -1)
    if link < 0:
        return -1
    if _is_permalink(nodes, link):
        return link
    return next((row for row in around if row <= link and _is_edit_link(nodes, row)), -1)


def _is_edit_link(nodes: Nodes, row: int) -> bool:
    return "editsection" in (nodes.attr(row, "class") or "") or _EDIT.fullmatch(nodes.content(row)) is not None


def _is_permalink(nodes: Nodes, link: int) -> bool:
    named = not CLASSES.isdisjoint((nodes.attr(link, "class") or "").lower().split())
    if not named and "#" not in (nodes.attr(link, "href") or ""):
        return False
    label = nodes.content(link)
    if _SYMBOL.fullmatch(label):
        after = nodes.end[link]
        numbered = after < len(nodes) and nodes.text(after).lstrip()[:1].isdecimal()
        return not (numbered and label in "#§")  # "§ 12" and "#1" are words
    return bool(_PHRASE.fullmatch(label)) or (named and label.lower() in _LABELS)
