"""Lists of readers' comments, even those longer than the article."""

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
_LEAST_BEFORE = 140  # characters of prose before comments: the text they comment on
_SENTENCE = 40


def comment_lists(page: Page) -> dict[int, str]:
    """The outermost elements that hold comments: row → the evidence, for a reason.

    The evidence is a name, or recurring reply buttons. Comments need a text before them: on a forum, elements named
    like comments are the content.
    """
    evidence: dict[int, str] = {}
    stop = 0
    for row, why in sorted([*_by_name(page), *_by_buttons(page)]):
        if row >= stop:
            evidence[row] = why
            stop = page.nodes.end[row]
    first = min(evidence, default=0)
    return evidence if _prose_before(page, first) >= _LEAST_BEFORE else {}


def _by_name(page: Page) -> Iterable[tuple[int, str]]:
    nodes = page.nodes
    rows = {row for attribute in ("class", "id") for row in nodes.rows_having(attribute, *_NAMES)}
    for row in sorted(rows):
        if nodes.tag[row] in BLOCK_LEVEL and nodes.depth[row] > 1 and (names := nodes.tokens(row) & _NAMES):
            yield row, f"inside an element named “{min(names)}”"


def _by_buttons(page: Page) -> Iterable[tuple[int, str]]:
    """The smallest element around most of the reply buttons."""
    nodes, blocks = page.nodes, page.blocks
    labels = [
        blocks.first[index]
        for index, chars in enumerate(blocks.chars)
        if 0 < chars <= _LABEL and _REPLY.fullmatch(blocks.text_at(index))
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
        yield region, f"in an area with {len(labels)} reply buttons"


def _prose_before(page: Page, row: int) -> int:
    """Count the characters outside links before a row, in blocks as long as a sentence."""
    blocks = page.blocks
    plain = (
        blocks.chars[index] - blocks.link_chars[index]
        for index in range(bisect_left(blocks.first, row))
        if not blocks.flags[index] & HIDDEN
    )
    return sum(chars for chars in plain if chars >= _SENTENCE)
