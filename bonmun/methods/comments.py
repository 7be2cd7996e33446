"""Where readers' comments stand, however much longer than the article they are."""

import re
from bisect import bisect_left
from collections.abc import Iterable

from bonmun.features.concepts import COMMENTS
from bonmun.model.page import Page
from bonmun.model.tags import BLOCK_LEVEL, HIDDEN

_NAMES = frozenset(f"{COMMENTS} commentary cbox commentarea".split())
_REPLY = re.compile(
    r"(?:댓글|답글)(?:\s?(?:쓰기|달기|작성|등록|보기))?(?:\s*\d+)?|신고(?:하기)?|좋아요|공감|返信(?:する)?|通報(?:する)?"
    r"|回复|回覆|举报|赞|reply|replies|report|like|respond|responder|répondre|rispondi|antworten|svara?|beantwoorden"
    r"|odpowiedz|ответить|відповісти|απάντηση|cevapla|yanıtla",
    re.IGNORECASE,
)
_LABEL = 12  # characters of the longest label of a reply button
_LEAST_LABELS = 3
_LEAST_BEFORE = 140  # characters of prose before comments: what they comment on
_SENTENCE = 40


def comment_lists(page: Page) -> dict[int, str]:
    """The outermost elements that hold comments: row → what gave them away.

    An element is one by its name, or because reply buttons come again and again in it; and only where a text stands
    before it: on a forum, what others call comments is the content.
    """
    found: dict[int, str] = {}
    last = 0
    for row, why in sorted([*_by_name(page), *_by_buttons(page)]):
        if row >= last:
            found[row] = why
            last = page.nodes.end[row]
    first = min(found, default=0)
    return found if _prose_before(page, first) >= _LEAST_BEFORE else {}


def _by_name(page: Page) -> Iterable[tuple[int, str]]:
    nodes = page.nodes
    seen: dict[str, str] = {}  # class and id strings recur
    for row, tag in enumerate(nodes.tag):
        if tag in BLOCK_LEVEL and nodes.attr_first[row] < nodes.attr_first[row + 1] and nodes.depth[row] > 1:
            key = f"{nodes.attr(row, 'class')} {nodes.attr(row, 'id')}"
            if key not in seen:
                seen[key] = min(nodes.tokens(row) & _NAMES, default="")
            if seen[key]:
                yield row, f"named {seen[key]}"


def _by_buttons(page: Page) -> Iterable[tuple[int, str]]:
    """The smallest element around most of the reply buttons."""
    nodes, blocks = page.nodes, page.blocks
    labels = [
        blocks.first[at]
        for at, chars in enumerate(blocks.chars)
        if 0 < chars <= _LABEL and _REPLY.fullmatch(blocks.text_at(at))
    ]
    if len(labels) < _LEAST_LABELS:
        return
    region, enough = 0, 0.8 * len(labels)
    while True:
        inside = (
            child
            for child in nodes.children(region)
            if bisect_left(labels, nodes.end[child]) - bisect_left(labels, child) >= enough
        )
        smaller = next(inside, -1)
        if smaller < 0:
            break
        region = smaller
    if nodes.depth[region] > 1:
        yield region, f"{len(labels)} reply buttons"


def _prose_before(page: Page, row: int) -> int:
    """Characters outside links in blocks as long as sentences before a row."""
    blocks = page.blocks
    plain = (
        blocks.chars[at] - blocks.link_chars[at]
        for at in range(bisect_left(blocks.first, row))
        if not blocks.flags[at] & HIDDEN
    )
    return sum(chars for chars in plain if chars >= _SENTENCE)
