"""What is not to be read, and what is taken off a region once it is found: link lists, labels, titles, notices.

Each function is told which blocks are dropped already, and returns more of them with the reason.
"""

import re
from collections import Counter
from collections.abc import Collection, Container

from bonmun.methods.notices import closing_notice
from bonmun.model.block import Kind
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, LISTS, tag_set
from bonmun.model.verdict import Reason

Dropped = dict[int, Reason]

_MOSTLY_LINK = 0.5
_LISTING = 0.6  # share of links in a region from which on it is a list of links
_LIST_OR_TABLE = LISTS | tag_set("table")
_CLOSING = 8  # kept blocks at the end among which a notice is looked for
_LEADING = 8  # kept blocks at the start among which titles and dates are looked for
_LABEL = 30  # characters of the longest label
_LEAD = 60  # characters from which on a block is no title, byline or date but the text itself
_PLAIN = frozenset((Kind.PARAGRAPH, Kind.HEADING))
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
_LONGEST_TITLE = 120  # characters
_AT_LENGTH, _SHORT = 1000, 40  # characters of a run of copies, and of what may stand in it
_NO_LETTER = re.compile(r"[\W_]+")


def _kept(page: Page, dropped: Container[int]) -> list[int]:
    """Blocks with a text that were not dropped."""
    return [at for at, chars in enumerate(page.blocks.chars) if chars and at not in dropped]


def unread(page: Page) -> Dropped:
    """Blocks that a reader does not see, or sees on a button."""
    found: Dropped = {}
    for at, flags in enumerate(page.blocks.flags):
        if flags & CONTROL:
            found[at] = Reason("form-control")
        elif flags & HIDDEN:
            found[at] = Reason("hidden", "shown only when a script or style says so")
    return found


def mere_links(page: Page, dropped: Container[int]) -> Dropped:
    """Blocks that are mostly links; none where the region itself is: on a listing the links are the content."""
    blocks = page.blocks
    kept = [at for at in range(len(blocks)) if at not in dropped]
    if sum(blocks.link_chars[at] for at in kept) > _LISTING * sum(blocks.chars[at] for at in kept):
        return {}
    links, chars = Counter[int](), Counter[int]()
    unit = {at: _list_around(page, at) for at in kept}
    for at in kept:
        links[unit[at]] += blocks.link_chars[at]
        chars[unit[at]] += blocks.chars[at]
    return {
        at: Reason("mere-links", f"{links[unit[at]]} of {chars[unit[at]]} characters are links")
        for at in kept
        if links[unit[at]] > _MOSTLY_LINK * chars[unit[at]] and blocks.kind[at] is not Kind.HEADING
    }


def _list_around(page: Page, at: int) -> int:
    """The list or table that an item or cell belongs to, since a link among plain items is one of them; else itself."""
    nodes, row = page.nodes, page.blocks.first[at]
    if page.blocks.kind[at] in (Kind.ITEM, Kind.CELL):
        return next((above for above in nodes.ancestors(row) if nodes.tag[above] in _LIST_OR_TABLE), row)
    return row


def advert_labels(page: Page, dropped: Container[int]) -> Dropped:
    """What adverts and boxes inside a text leave behind: their labels."""
    blocks = page.blocks
    short = {
        at: blocks.text_at(at)
        for at, chars in enumerate(blocks.chars)
        if 0 < chars <= _LABEL and at not in dropped and blocks.kind[at] in _PLAIN
    }
    return {at: Reason("advert-label", text) for at, text in short.items() if _ADVERT.fullmatch(text)}


def leading_titles(page: Page, dropped: Container[int]) -> Dropped:
    """The page's own title, and the lines of authors and dates around it, before the text begins."""
    titles = page_titles(page.nodes)
    found = titles_elsewhere(page, dropped)
    for at in _kept(page, dropped)[:_LEADING]:
        text = page.blocks.text_at(at)
        if _is_title(text, titles):
            found[at] = Reason("title", "the page's own")
        elif len(text) > _LEAD:
            break
        elif _DATELINE.search(text):
            found[at] = Reason("dateline", "a date before the text begins")
    return found


def titles_elsewhere(page: Page, dropped: Container[int]) -> Dropped:
    """The line that tells under which title a text was first published, before or behind it."""
    blocks = page.blocks
    kept = _kept(page, dropped)
    near = {*kept[:_LEADING], *kept[-_CLOSING:]}
    told = Reason("title", "the title it had elsewhere")
    return {at: told for at in near if blocks.chars[at] <= _LONGEST_TITLE and _ORIGINAL_TITLE.match(blocks.text_at(at))}


def page_titles(nodes: Nodes) -> frozenset[str]:
    """What the page calls itself for machines and in its first-rank headings, folded."""
    declared = [nodes.content(row) for row in nodes.rows_of("title", "h1")]
    for row in nodes.rows_of("meta"):
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


def closing_notices(page: Page, dropped: Container[int]) -> Dropped:
    """Copyright lines, legal notices, editors' and reporters' lines among the last blocks."""
    kept = _kept(page, dropped)
    kinds = {at: closing_notice(page.blocks.text_at(at)) for at in kept[-_CLOSING:]}
    return {at: Reason("closing-notice", kind) for at, kind in kinds.items() if kind}


def told_again(page: Page, dropped: Container[int]) -> Dropped:
    """Long runs of blocks that all stand before: a text that is there for two kinds of screens is read once."""
    blocks = page.blocks
    kept = _kept(page, dropped)
    texts = [blocks.text_buffer[blocks.text_start[at] : blocks.text_stop[at]] for at in kept]
    if len(set(texts)) == len(texts):
        return {}
    seen: set[bytes] = set()
    runs: list[list[int]] = [[]]
    for at, text in zip(kept, texts, strict=True):
        if text in seen:
            runs[-1].append(at)
        elif blocks.chars[at] >= _SHORT:  # a date or a label between two copies does not end them
            runs.append([])
        seen.add(text)
    again = Reason("copy", "it stands on the page before")
    return {at: again for run in runs if sum(blocks.chars[one] for one in run) >= _AT_LENGTH for at in run}


def headings_of_nothing(page: Page, dropped: Container[int]) -> Dropped:
    """Headings with no kept text below them before the next heading of their rank."""
    found: Dropped = {}
    lowest = 0  # the rank of the nearest heading below with nothing of its own in between; 0: text follows
    ended = True
    for at in range(len(page.blocks) - 1, -1, -1):
        if at in dropped or not page.blocks.chars[at]:
            continue
        if page.blocks.kind[at] is not Kind.HEADING:
            ended, lowest = False, 0
        elif ended or (lowest and page.blocks.level[at] >= lowest):
            found[at] = Reason("heading-of-nothing", "all below it was dropped")
        else:
            lowest = page.blocks.level[at]
    return found


def lone_images(page: Page, dropped: Container[int]) -> Dropped:
    """Images with no kept text next to them."""
    blocks = page.blocks
    found: Dropped = {}
    for at, chars in enumerate(blocks.chars):
        if not chars and at not in dropped:
            beside = (near for near in (at - 1, at + 1) if 0 <= near < len(blocks))
            if not any(blocks.chars[near] and near not in dropped for near in beside):
                found[at] = Reason("lone-image", "no kept text beside it")
    return found
