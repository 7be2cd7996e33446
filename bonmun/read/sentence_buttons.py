"""Buttons in mid-sentence: in "press <button>Save</button> now", the label is a word of the text."""

from dataclasses import replace
from typing import Final

from bonmun.model.nodes import Nodes, copied
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TEXT, tag_set
from bonmun.read.added_text import Added, with_added_text

_SENTENCES: Final = tag_set("p li dd td blockquote figcaption")
"""Elements of running text. In others, texts beside a button are labels themselves."""
_SPAN: Final = TAG_ID["span"]
_LONGEST: Final = 16
"""Rows in a button; longer ones are no words."""


def with_sentence_buttons(nodes: Nodes) -> Nodes:
    """The page with buttons between two texts of a sentence as inline elements; the page itself if it has none.

    >>> from bonmun.read.parse import parse
    >>> with_sentence_buttons(parse("<p>Press <button>Save</button> now.")).name(5)
    'span'
    """
    rows = _in_sentences(nodes)
    if not rows:
        return nodes
    column = copied(nodes.tag)
    for row in rows:
        column[row] = _SPAN
    return replace(nodes, tag=memoryview(column).toreadonly())


def with_button_gaps(nodes: Nodes) -> Nodes:
    """The page with spaces between such buttons and the words beside them, which browsers draw apart."""
    added: dict[int, Added] = {}
    for row in _in_sentences(nodes):
        stop = nodes.end[row]
        label = "".join(nodes.text(inside) for inside in range(row + 1, stop))
        if label[:1].isalnum() and nodes.text(row - 1)[-1:].isalnum():
            added[row - 1] = added.get(row - 1, ("", ""))[0], " "
        if label[-1:].isalnum() and nodes.text(stop)[:1].isalnum():
            added[stop] = " ", ""
    return with_added_text(nodes, added) if added else nodes


def _in_sentences(nodes: Nodes) -> list[int]:
    tag, chars = nodes.tag, nodes.chars
    after_text = (row for row in nodes.rows_of("button") if chars[row - 1] and tag[row - 1] == TEXT)
    return [row for row in after_text if _is_in_sentence(nodes, row)]


def _is_in_sentence(nodes: Nodes, row: int) -> bool:
    parent, stop = nodes.parent[row], nodes.end[row]
    if nodes.tag[parent] not in _SENTENCES or stop >= nodes.end[parent] or stop - row > _LONGEST:
        return False
    texts = all(
        nodes.tag[near] == TEXT and nodes.parent[near] == parent and nodes.chars[near] for near in (row - 1, stop)
    )
    return texts and BLOCK_LEVEL.isdisjoint(nodes.tag[row + 1 : stop])
