"""Posts of threads, by the names that forum software gives to the element around the text of a post.

Two dozen programs run most forums. Their own names tell a post from the user's name, date and signature beside it,
which scores cannot tell on so few pages to learn from. _core/posts.c is the compiled twin.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import compress
from operator import not_
from typing import Final, NamedTuple

from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID

CLASSES: Final = {
    "bbwrapper": "XenForo",
    "messagetext": "XenForo 1, WoltLab",
    "cooked": "Discourse",
    "ipstype_richtext": "Invision 4",
    "ipsrichtext": "Invision 5",
    "js-post__content-text": "vBulletin 5",
    "postmsg": "FluxBB, PunBB",
    "usercontent": "Vanilla",
    "bbp-topic-content": "bbPress",
    "bbp-reply-content": "bbPress",
    "js-post-body": "Stack Exchange",
    "lia-message-body-content": "Khoros",
    "qa-topic-post-content": "inSided",
    "phorumreadbodytext": "Phorum",
    "tpc_content": "phpWind",
    "d_post_content": "Tieba",
    "c-article__content": "Bahamut",
    "usertext-body": "Reddit",
    "md-div": "Lemmy",
    "commtext": "Hacker News",
    "toptext": "Hacker News",
    "comment_text": "Lobsters",
    "story_text": "Lobsters",
}
"""Class of the element that holds the text of a post → software."""
INSIDE: Final = (
    ("message-body", "phorum"),
    ("post-body", "commentpost"),
    ("text-break", "post-container"),
    ("post-text", "postcell"),
    ("post-text", "answercell"),
)
"""The same of Phorum, Flarum, NodeBB and Stack Exchange of old, with the class or id of an element near above it."""
CONTAINERS: Final = {
    "postbody": "content",
    "crawler-post": "post",
}
"""Class of an element of phpBB and Discourse that holds more than a post → class of the post in it."""
OLD_CONTAINER: Final = "postbody"
"""Of phpBB 2, in a `span` or `td`: it holds nothing but a post or a part of it."""
ID_STARTS: Final = ("post_message_", "postmessage_", "msg_", "pid_", "read_", "postcontent")
"""Starts of an id, digits behind them: vBulletin, Discuz!, SMF, MyBB, phpWind, NGA."""
ID_STOP: Final = "-rtjson-content"
"""End of an id of Reddit."""
BOARD_START: Final = "document_"
"""Start of a class of XpressEngine and Rhymix, two numbers behind it.

On their boards, as on the two below, comments are no posts.
"""
BOARD_CLASS: Final = "kboard-content"
"""A class of KBoard."""
BOARD_ID: Final = "bo_v_con"
"""An id of Gnuboard."""
SIGNATURES: Final = ("signature", "message-signature", "postsignature", "bbp-signature", "post-signature")
"""Classes of signatures."""
SIGNATURE: Final = "signature"
"""In all of them."""
QUOTE: Final = "quote"
"""In the classes of quotations, all of them."""
NEAR: Final = 5
"""Elements around a post to look at; bounded, since a page can be very deep."""
START_BYTES: Final = 48
"""Bytes by which a quotation is compared with posts."""
MOST_NAMES: Final = 2048
"""Bytes of a class or id to look at."""
CLASS_SIGNS: Final = (*CLASSES, *dict(INSIDE), *CONTAINERS, BOARD_START, BOARD_CLASS)
ID_SIGNS: Final = (*ID_STARTS, BOARD_ID, ID_STOP)
"""Every name contains one of these."""

_KNOWN: Final = frozenset(CLASSES)
_SIGNATURES: Final = frozenset(SIGNATURES)
_ID: Final = re.compile(rf"(?:{'|'.join(ID_STARTS)})[0-9]+|t[13]_.*{ID_STOP}", re.DOTALL)
_BOARD: Final = re.compile(rf"{BOARD_START}[0-9]+_[0-9]+|{BOARD_CLASS}")
_OLD_TAGS: Final = frozenset((TAG_ID["span"], TAG_ID["td"]))


class Posts(NamedTuple):
    """The posts of a page."""

    inside: bytearray
    """1 for each visible block of a post."""
    repeated: list[range]
    """Quotations of what stands in another post of the page."""
    elements: int
    """Those that hold a post."""
    board: bool
    """Whether one of them is the post of a board, where everything else is comments and lists."""


def posts(page: Page) -> Posts | None:
    """The posts of a thread; `None` if no element of a page is known as one.

    >>> import bonmun
    >>> page = bonmun.read_page("<p>Ann<div id=post_message_1>Green tea?</div><p>Bob<div id=post_message_2>No.</div>")
    >>> bytes(posts(page).inside)
    b'\\x00\\x01\\x00\\x01'
    """
    nodes, inside = page.nodes, bytearray(len(page.blocks))
    names = cache(partial(_names, nodes))
    rows = _post_rows(nodes, names)
    for row in rows:
        own = page.blocks_in(row)
        inside[own.start : own.stop] = bytes(map(not_, page.blocks.flags[own.start : own.stop]))
    for row in nodes.rows_having("class", SIGNATURE) if rows else ():
        if not _SIGNATURES.isdisjoint(names(row).classes):
            own = page.blocks_in(row)
            inside[own.start : own.stop] = bytes(len(own))
    if 1 not in inside:
        return None
    is_board = any(_is_of_board(names(row)) for row in rows)
    return Posts(inside, _repeated(page, inside, rows), len(rows), is_board)


class _Named(NamedTuple):
    """The names of an element."""

    classes: frozenset[str]
    id: str


_NamesOf = Callable[[int], _Named]


def _names(nodes: Nodes, row: int) -> _Named:
    classes = (nodes.attr(row, "class", MOST_NAMES) or "").split()
    return _Named(frozenset(map(_lower, classes)), nodes.attr(row, "id", MOST_NAMES) or "")


def _lower(word: str) -> str:
    """A to Z in lower case."""
    return word.encode().lower().decode()


def _post_rows(nodes: Nodes, names: _NamesOf) -> list[int]:
    """The outermost elements that hold the text of a post, in order."""
    found, end = list[int](), 0
    candidates = {*nodes.rows_having("class", *CLASS_SIGNS), *nodes.rows_having("id", *ID_SIGNS)}
    searched = 0  # the end of the last container: those inside it have no other posts
    for row in sorted(candidates):
        if row < end:
            continue
        if _is_post(nodes, row, names):
            own = [row]
        elif row >= searched and (containers := CONTAINERS.keys() & names(row).classes):
            own, searched = _posts_in(nodes, row, containers, names), nodes.end[row]
        else:
            continue
        if own:
            end = nodes.end[row]
            found += own
    return found


def _is_post(nodes: Nodes, row: int, names: _NamesOf) -> bool:
    own = names(row)
    if not own.classes.isdisjoint(_KNOWN) or _ID.fullmatch(own.id) or _is_of_board(own):
        return True
    around = {other for name, other in INSIDE if name in own.classes}
    if not around:
        return False
    return any(around & above.classes or _lower(above.id) in around for above in map(names, _above(nodes, row)))


def _is_of_board(names: _Named) -> bool:
    return names.id == BOARD_ID or any(map(_BOARD.fullmatch, names.classes))


def _posts_in(nodes: Nodes, row: int, containers: Collection[str], names: _NamesOf) -> list[int]:
    """The posts in an element that holds more than posts."""
    wanted, found, end = {CONTAINERS[name] for name in containers}, list[int](), 0
    for inside in nodes.rows_having("class", *wanted, within=range(row + 1, nodes.end[row])):
        if inside >= end and wanted & names(inside).classes:
            found.append(inside)
            end = nodes.end[inside]
    return found or ([row] if OLD_CONTAINER in containers and nodes.tag[row] in _OLD_TAGS else [])


def _above(nodes: Nodes, row: int) -> Iterator[int]:
    """The nearest elements around a row."""
    for _ in range(NEAR):
        row = nodes.parent[row]
        if row < 0:
            return
        yield row


def _repeated(page: Page, inside: bytearray, rows: Iterable[int]) -> list[range]:
    """The quotations in posts whose longest block is in a post too."""
    blocks, own = page.blocks, bytearray(inside)
    quotes = [quote for row in _quotes(page.nodes, rows) if (quote := page.blocks_in(row))]
    if not quotes:
        return []
    for quote in quotes:
        own[quote.start : quote.stop] = bytes(len(quote))
    starts = {_start(page, index) for index in compress(range(len(own)), own)} - {b""}
    longest = ((quote, max(quote, key=blocks.chars.__getitem__)) for quote in quotes)
    return [quote for quote, index in longest if _start(page, index) in starts]


def _quotes(nodes: Nodes, rows: Iterable[int]) -> Iterator[int]:
    """The outermost quotations in posts."""
    named: Sequence[int] = sorted({*nodes.rows_of("blockquote"), *nodes.rows_having("class", QUOTE)})
    for post in rows:
        end = post
        for row in named[bisect_left(named, post + 1) : bisect_left(named, nodes.end[post])]:
            if row >= end:
                yield row
                end = nodes.end[row]


def _start(page: Page, index: int) -> bytes:
    start, stop = page.blocks.text_start[index], page.blocks.text_stop[index]
    return bytes(page.blocks.text_buffer[start : min(stop, start + START_BYTES)])
