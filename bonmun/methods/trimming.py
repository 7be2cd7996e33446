"""Blocks to drop from a region: hidden text, link lists, labels, titles, notices, copies.

Each function takes the blocks dropped so far, and returns further ones with the reason.
"""

import re
from collections import Counter
from collections.abc import Collection, Container, Sequence

from bonmun.methods.nearest import Nearest
from bonmun.methods.notices import LONGEST, closing_notice, may_be_notice
from bonmun.model.block import KINDS, Kind
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, LISTS, tag_set
from bonmun.model.verdict import Reason

Dropped = dict[int, Reason]

_MOSTLY_LINK = 0.5
_LISTING = 0.6  # minimum share of links in a region that is a list of links
_LIST_OR_TABLE = LISTS | tag_set("table")
ENDS = 8  # kept texts at either end of a page that notices and titles are searched in
_CLOSING = ENDS  # kept blocks at the end that may be notices
_LEADING = ENDS  # kept blocks at the start that may be titles and dates
_LABEL = 30  # characters of the longest label
_LEAD = 60  # maximum characters of a title, byline or date; a longer block begins the text
_PARAGRAPH, _HEADING = KINDS.index(Kind.PARAGRAPH), KINDS.index(Kind.HEADING)
_PLAIN = frozenset((_PARAGRAPH, _HEADING))
_MEMBERS = frozenset((KINDS.index(Kind.ITEM), KINDS.index(Kind.CELL)))
_ADVERT = re.compile(
    r"[▼▲■※\[(〔【-]?\s*(?:"
    r"광고|배너|이미지 확대(?:보기)?|사진 확대|태그|관련\s?기사|연관\s?기사"
    r"|ads?|advertisement|advertising|sponsored(?: content| link)?|promotion|pr|tags?|\d+x\d+"
    r"|広告|スポンサー(?:ド|ー)?リンク|広告の?下に続きます|拡大|関連記事"
    r"|广告|廣告|推广|延伸阅读|延伸推荐|相关阅读"
    r")\s*[▼▲■\])〕】:：-]?",
    re.IGNORECASE,
)
_DATELINE = re.compile(
    r"(?:19|20)\d\d\s*[-./年년]\s*\d{1,2}\s*[-./月월]\s*\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d|\b\d{1,2}:\d{2}(?::\d{2})?\b"
)
_ORIGINAL_TITLE = re.compile(r"^[（(【\[]?\s*(?:原标题|原標題|原题|原題)\s*(?:为|為)?\s*[：:]?")
TITLE_SIGNS = ("原".encode(),)  # one is in every match of the pattern
LONGEST_TITLE = 120  # characters
_MOST_TITLES = 1000  # titles and headings that may be the page's title
LEAST_COPIED, SHORT_COPY = 1000, 40  # minimum characters of a run of copies; maximum of a new block between copies
LEAST_COPIED_TEXTS = 3  # minimum number of different texts in a run of copies that are not short
COPY = Reason("copy", "the same text is further up the page")
_NO_LETTER = re.compile(r"[\W_]+")


def kept_texts(page: Page, dropped: Container[int]) -> list[int]:
    """The blocks with text that are not dropped."""
    return [index for index, chars in enumerate(page.blocks.chars) if chars and index not in dropped]


def unread(page: Page) -> Dropped:
    """Hidden blocks, and labels of buttons and form fields."""
    found: Dropped = {}
    for index, flags in enumerate(page.blocks.flags):
        if flags & CONTROL:
            found[index] = Reason("form-control", "a button or form field")
        elif flags & HIDDEN:
            found[index] = Reason("hidden", "hidden until a script or style shows it")
    return found


def mere_links(page: Page, dropped: Container[int]) -> Dropped:
    """Blocks that are mostly links; none if the region itself is a listing, whose links are the content."""
    blocks = page.blocks
    chars, links, kinds = blocks.chars, blocks.link_chars, blocks.kind_code
    if not any(links):
        return {}
    kept = [index for index in range(len(blocks)) if index not in dropped]
    if sum(links[index] for index in kept) > _LISTING * sum(chars[index] for index in kept):
        return {}
    list_of = _lists_around(page, [index for index in kept if kinds[index] in _MEMBERS])
    list_links, list_chars = Counter[int](), Counter[int]()
    for index, row in list_of.items():
        list_links[row] += links[index]
        list_chars[row] += chars[index]
    found: Dropped = {}
    for index in kept:
        around = list_of.get(index, -1)
        linked, size = (links[index], chars[index]) if around < 0 else (list_links[around], list_chars[around])
        if linked > _MOSTLY_LINK * size and kinds[index] != _HEADING:
            found[index] = Reason("mere-links", f"{linked} of {size} characters are links")
    return found


def _lists_around(page: Page, members: Sequence[int]) -> dict[int, int]:
    """The list or table around each of some items and cells, if any: a link among plain items is one of them."""
    nearest = Nearest(page.nodes, _LIST_OR_TABLE.__contains__)
    rows = ((index, nearest.above(page.blocks.first[index])) for index in members)
    return {index: row for index, row in rows if row >= 0}


def advert_labels(page: Page, dropped: Container[int]) -> Dropped:
    """Labels of adverts and boxes inside a text."""
    blocks = page.blocks
    short = (
        (index, blocks.text_at(index))
        for index, (chars, kind) in enumerate(zip(blocks.chars, blocks.kind_code, strict=True))
        if 0 < chars <= _LABEL and kind in _PLAIN and index not in dropped
    )
    return {index: Reason("advert-label", f"the label “{text}”") for index, text in short if _ADVERT.fullmatch(text)}


def leading_titles(page: Page, dropped: Container[int]) -> Dropped:
    """The page's own title, and lines with dates, before the text begins."""
    titles = page_titles(page.nodes)
    kept = kept_texts(page, dropped)
    found = titles_elsewhere(page, kept)
    for index in kept[:_LEADING]:
        text = page.blocks.text_at(index)
        if _is_title(text, titles):
            found[index] = Reason("title", "the page's own title")
        elif len(text) > _LEAD:
            break
        elif _DATELINE.search(text):
            found[index] = Reason("dateline", "a date before the text begins")
    return found


def titles_elsewhere(page: Page, kept: Sequence[int]) -> Dropped:
    """The line with the title under which a text was first published, near its start or end."""
    blocks = page.blocks
    near = [index for index in {*kept[:_LEADING], *kept[-_CLOSING:]} if blocks.chars[index] <= LONGEST_TITLE]
    texts = [blocks.text_buffer[blocks.text_start[index] : blocks.text_stop[index]] for index in near]
    if not any(sign in text for text in texts for sign in TITLE_SIGNS):
        return {}
    reason = Reason("title", "the title under which the text was first published")
    return {index: reason for index in near if _ORIGINAL_TITLE.match(blocks.text_at(index))}


def page_titles(nodes: Nodes) -> frozenset[str]:
    """The page's title, its titles for social media and its level-1 headings, case-folded, letters and digits only."""
    declared = [nodes.content(row) for row in nodes.rows_of("title", "h1")[:_MOST_TITLES]]
    for row in nodes.rows_of("meta")[:_MOST_TITLES]:
        if (nodes.attr(row, "property") or nodes.attr(row, "name")) in ("og:title", "twitter:title"):
            declared.append(nodes.attr(row, "content") or "")
    return frozenset(filter(None, map(_folded, declared)))


def _is_title(text: str, titles: Collection[str]) -> bool:
    """Whether a text is a title, or a title without the site's name."""
    folded = _folded(text)
    return len(folded) >= 4 and any(
        folded == title or (2 * len(folded) > len(title) and folded in title) for title in titles
    )


def _folded(text: str) -> str:
    return _NO_LETTER.sub("", text.casefold())


def closing_notices(page: Page, kept: Sequence[int]) -> Dropped:
    """Copyright lines, legal notices, editors' and reporters' lines among the last blocks."""
    texts = [page.blocks.text_at(index) for index in kept[-_CLOSING:]]
    if not may_be_notice("\n".join([text for text in texts if len(text) <= LONGEST])):
        return {}
    return notices_among(page, kept[-_CLOSING:])


def notices_among(page: Page, blocks: Sequence[int]) -> Dropped:
    """Those of some blocks that are closing notices."""
    kinds = {index: closing_notice(page.blocks.text_at(index)) for index in blocks}
    return {index: Reason("closing-notice", kind) for index, kind in kinds.items() if kind}


def repeated_runs(page: Page, kept: Sequence[int]) -> Dropped:
    """Long runs of repeated blocks: a text that is on the page for two kinds of screens is kept once."""
    blocks = page.blocks
    texts = [blocks.text_buffer[blocks.text_start[index] : blocks.text_stop[index]] for index in kept]
    if len(set(texts)) == len(texts):
        return {}
    seen: set[bytes] = set()
    runs: list[list[int]] = [[]]
    between = 0  # characters of new blocks since the latest copy
    for index, text in zip(kept, texts, strict=True):
        chars = blocks.chars[index]
        if text in seen:
            runs[-1].append(index)
            between = 0
        else:
            between += chars
            if (
                chars >= SHORT_COPY or between >= 2 * SHORT_COPY
            ):  # a date or a label between two copies does not end a run
                runs.append([])
        seen.add(text)
    return {index: COPY for run in runs if _is_text_again(page, run) for index in run}


def _is_text_again(page: Page, run: Collection[int]) -> bool:
    """Whether repeated blocks are a whole text, not a refrain, a column of values or one sentence many times."""
    chars = page.blocks.chars
    if sum(chars[index] for index in run) < LEAST_COPIED:
        return False
    different = {page.blocks.text_at(index): chars[index] for index in run}
    several = sum(size >= SHORT_COPY for size in different.values()) >= LEAST_COPIED_TEXTS
    return several or sum(different.values()) >= LEAST_COPIED


def headings_of_nothing(page: Page, dropped: Container[int]) -> Dropped:
    """Headings with no kept text before the next heading of their level."""
    found: Dropped = {}
    blocks, reason = page.blocks, Reason("heading-of-nothing", "nothing below it is kept")
    kinds, levels = blocks.kind_code, blocks.level
    if _HEADING not in kinds.tolist():
        return found
    lowest = 0  # level of the nearest heading below with no text in between; 0: text follows
    ended = True
    for index in range(len(blocks) - 1, -1, -1):
        if index in dropped or not blocks.chars[index]:
            continue
        if kinds[index] != _HEADING:
            ended, lowest = False, 0
        elif ended or (lowest and levels[index] >= lowest):
            found[index] = reason
        else:
            lowest = levels[index]
    return found


def lone_images(page: Page, dropped: Container[int]) -> Dropped:
    """Images with no kept text next to them."""
    blocks = page.blocks
    found: Dropped = {}
    for index, chars in enumerate(blocks.chars):
        if not chars and index not in dropped:
            beside = (near for near in (index - 1, index + 1) if 0 <= near < len(blocks))
            if not any(blocks.chars[near] and near not in dropped for near in beside):
                found[index] = Reason("lone-image", "no kept text next to it")
    return found
