"""Videos, sounds and embedded players of a page, and the pictures that have no block, such as those of `noscript`."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

from bonmun.model.attributes import WRITTEN
from bonmun.model.figures import captions_of, is_named_caption
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.pictures import (
    FURTHER_LAZY,
    image_inside,
    is_picture,
    is_thin,
    picture_address,
    picture_source,
    web_address,
)
from bonmun.model.tags import CONTROL, HIDDEN, TAG_ID, TAGS, UNRENDERED

VIDEO, AUDIO, EMBED, IMAGE = "video", "audio", "embed", "image"

_KIND_OF_NAME: Final = {
    **dict.fromkeys(("video", "amp-video", "amp-youtube", "amp-vimeo", "lite-youtube", "lite-vimeo"), VIDEO),
    **dict.fromkeys(("audio", "amp-audio"), AUDIO),
    **dict.fromkeys(("iframe", "amp-iframe", "object", "embed"), EMBED),
    **dict.fromkeys(("amp-img", "amp-anim"), IMAGE),
}
_KNOWN_NAMES: Final = {TAG_ID[name]: name for name in _KIND_OF_NAME if name in TAG_ID}
_NOSCRIPT, _IMAGE, _SOURCE = TAG_ID["noscript"], TAG_ID["img"], TAG_ID["source"]
_SEARCHED: Final = bytes(name in _KIND_OF_NAME or name in ("noscript", "source") for name in TAGS)
LAZY_PLACES: Final = bytes(map(WRITTEN.index, FURTHER_LAZY))
"""The attributes with the address of a picture without a block, by their places among those of the writers."""
_ADDRESSES: Final = ("src", "data-src", "data-lazy-src", "data-lazyload", "data-cookieblock-src", "data")
_ID = re.compile(r"[\w-]{1,64}")
_ID_OF_NAME: Final = {
    "amp-youtube": ("data-videoid", "https://www.youtube.com/watch?v="),
    "lite-youtube": ("videoid", "https://www.youtube.com/watch?v="),
    "amp-vimeo": ("data-videoid", "https://vimeo.com/"),
    "lite-vimeo": ("videoid", "https://vimeo.com/"),
}
_PLAYERS = re.compile(
    r"(?:^|\.)(?:youtube|youtube-nocookie|youtu|vimeo|dailymotion|ted|twitch|tiktok|rumble|odysee|bilibili|youku|streamable"
    r"|wistia|loom|vidyard|brightcove|jwplayer|jwplatform|kaltura|nicovideo|spotify|soundcloud|bandcamp|deezer|mixcloud"
    r"|simplecast|megaphone|buzzsprout|podbean|acast|libsyn|audioboom|spreaker|openstreetmap|codepen|jsfiddle|codesandbox"
    r"|slideshare|speakerdeck|scribd|issuu|archive|datawrapper|dwcdn|flourish|infogram|instagram|giphy)\.[a-z.]{2,6}$"
    r"|^(?:maps|www|docs|drive|player)\.google\.[a-z.]{2,6}$|^(?:tv|map)\.(?:naver|kakao)\.com$|^v\.qq\.com$"
    r"|^(?:embed\.)?(?:music|podcasts)\.apple\.com$|^platform\.twitter\.com$|^gist\.github\.com$"
)
_NO_CONTENT = re.compile(
    r"doubleclick|googlesyndication|googletagmanager|google-analytics|googleadservices|adservice|amazon-adsystem|adnxs"
    r"|taboola|outbrain|criteo|recaptcha|hcaptcha|disqus|addthis|sharethis|hotjar|cookiebot|consent|newsletter|subscribe"
    r"|/plugins/(?:like|page|share|follow|comments)|follow_button|tweet_button|/ads?[/.?]|[/.]ads?\.|adsystem|banner"
    r"|accounts\.google|/login|/signup|mailchimp|hsforms|pinterest\.com/pin|/s?sync|beacon|tracking",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"\b(?:ads?|adverts?|advertisement|advertising|anzeige|werbung|publicidad|sponsored|cookies?|consent|captcha|recaptcha"
    r"|tracking|like button|share|follow|tweet|comments?|sign ?up|newsletter|widget|login|chat)\b",
    re.IGNORECASE,
)
_MOST_CHILDREN: Final = 20  # of a video that are searched for sources
NEAR: Final = 12
"""Rows before a noscript that can hold the placeholder of its picture."""
_LONGEST_TITLE: Final = 300


class Medium(NamedTuple):
    """A video, sound, embedded player or picture of a page that is no part of any block's text."""

    row: int
    kind: str
    """video, audio, embed or image."""
    address: str
    title: str
    """The title that the page gives, else the host's name; the alternative text of an image."""


def find_media(page: Page, near: range, is_wanted: Callable[[int], bool] = lambda row: True) -> list[Medium]:
    """The media in some rows of a page in order, without advertisements and trackers; hidden ones too are left out.

    `is_wanted` tells whether a row among them is worth the search for its address and title.

    >>> import bonmun
    >>> page = bonmun.read_page('<p>See:</p><iframe src="https://vimeo.com/1" title="The sea"></iframe>')
    >>> find_media(page, range(len(page.nodes)))
    [Medium(row=5, kind='embed', address='https://vimeo.com/1', title='The sea')]
    """
    nodes = page.nodes
    further = (name for name in nodes.tag_names[len(TAGS) :] if name in _KIND_OF_NAME)
    known = (name for number, name in _KNOWN_NAMES.items() if nodes.may_have(number))
    rows = [
        (row, _KIND_OF_NAME[name])
        for name in (*known, *further)
        for row in nodes.rows_of(name)
        if row < near.stop and nodes.end[row] > near.start  # those around it, too
    ]
    rows += [(row, IMAGE) for row in _unseen_pictures(nodes, near, is_wanted)]
    rows.sort()
    found: list[Medium] = []
    end = 0
    for number, (row, kind) in enumerate(rows, 1):
        stop, following = nodes.end[row], rows[number][0] if number < len(rows) else len(nodes)
        wanted = row in near and is_wanted(row)
        if row < end or (following >= stop and not wanted):
            continue
        if (medium := _medium(page, row, kind)) is not None:
            end = stop  # an embed in an object is its fallback
            if wanted:
                found.append(medium)
    return found


def searched_tags(nodes: Nodes) -> bytes:
    """1 for each tag of a page that `find_media` looks for."""
    further = nodes.tag_names[len(TAGS) :]
    return _SEARCHED + bytes([name in _KIND_OF_NAME for name in further]) if further else _SEARCHED


def _medium(page: Page, row: int, kind: str) -> Medium | None:
    nodes = page.nodes
    if is_thin(nodes, row) or nodes.flags[row] & (HIDDEN | CONTROL) or _is_inside_unrendered(nodes, row):
        return None
    if kind == IMAGE:
        return picture(page, row)
    address = _address(nodes, row, page.base_url)
    if address is None or _NO_CONTENT.search(address):
        return None
    host, title = (urlsplit(address).hostname or "").removeprefix("www."), _title(page, row)
    if kind == EMBED and not _PLAYERS.search(host) and (not title or _NO_TITLE.search(title)):
        return None
    title = title or name_of(address)
    return Medium(row, kind, address, title) if title else None


def picture(page: Page, row: int) -> Medium | None:
    """The picture of an `img`; `None` if it has no address."""
    address = picture_address(page.nodes, row, page.base_url)
    alt = " ".join((page.nodes.attr(row, "alt") or "").split())
    return Medium(row, IMAGE, address, alt) if address else None


def name_of(address: str) -> str:
    """The name of a medium without a title: the host, for a relative address the file."""
    host = (urlsplit(address).hostname or "").removeprefix("www.")
    return host or address.split("?")[0].rsplit("/", 1)[-1]


def _is_inside_unrendered(nodes: Nodes, row: int) -> bool:
    """Whether the parent is unrendered, except by a `noscript` whose picture this is."""
    parent = nodes.parent[row]
    if parent < 0 or not nodes.flags[parent] & UNRENDERED:
        return False
    if nodes.tag[row] != _IMAGE:
        return True
    noscript = next((above for above in islice(nodes.ancestors(row), 4) if nodes.tag[above] == _NOSCRIPT), -1)
    return noscript < 0 or bool(nodes.flags[nodes.parent[noscript]] & UNRENDERED)


def _address(nodes: Nodes, row: int, base: str | None) -> str | None:
    """The address of a player: by its attributes, by those of its `source` elements, or by a video's identifier."""
    name = nodes.name(row)
    if name in _ID_OF_NAME:
        attribute, prefix = _ID_OF_NAME[name]
        identifier = nodes.attr(row, attribute) or ""
        return prefix + quote(identifier) if _ID.fullmatch(identifier) else None
    sources = (child for child in islice(nodes.children(row), _MOST_CHILDREN) if nodes.tag[child] == _SOURCE)
    for element in (row, *sources):
        for attribute in _ADDRESSES:
            source = (nodes.attr(element, attribute) or "").strip()
            if source and not source.startswith("about:") and (address := web_address(source, base)):
                return address
    return None


def _title(page: Page, row: int) -> str:
    """The title of a player by its own attributes, else by the caption of its figure."""
    nodes = page.nodes
    for name in ("title", "aria-label", "data-title", "playlabel"):
        if title := " ".join((nodes.attr(row, name) or "").split()):
            return title[:_LONGEST_TITLE]
    after = bisect_left(page.blocks.first, row)
    captions = (index for index in captions_of(page, row, after - 1, after) if is_named_caption(page, index))
    return next((page.blocks.text_at(index)[:_LONGEST_TITLE] for index in captions), "")


def _unseen_pictures(nodes: Nodes, near: range, is_wanted: Callable[[int], bool]) -> Iterator[int]:
    """Pictures that are none to segmentation, which sees their placeholder, and those that only a `noscript` has."""
    lazy = (name for name in FURTHER_LAZY if nodes.attr_number(name) >= 0)
    rows = {row for name in lazy for row in nodes.rows_having(name, ".", within=near)}
    rows.update(nodes.end[nodes.parent[source]] - 1 for source in nodes.rows_of("source"))  # the last child
    for noscript in nodes.rows_of("noscript"):
        if noscript - NEAR >= near.stop or nodes.end[noscript] + NEAR <= near.start:
            continue
        if (image := image_inside(nodes, noscript)) >= 0:
            placeholders = _images_beside(nodes, noscript)
            rows.update(placeholders)
            if image in near and is_wanted(image) and not any(picture_source(nodes, row) for row in placeholders):
                yield image
    for row in rows:
        shown = row in near and nodes.tag[row] == _IMAGE and not nodes.flags[row] & UNRENDERED
        if shown and is_wanted(row) and not is_picture(nodes, row):
            yield row


def _images_beside(nodes: Nodes, noscript: int) -> list[int]:
    """The `img` elements right before and after a `noscript`: they can be placeholders of its picture."""
    parent = nodes.parent[noscript]
    start = max(parent + 1, noscript - NEAR)
    stop = min(nodes.end[parent], nodes.end[noscript] + NEAR)
    beside = (*range(start, noscript), *range(nodes.end[noscript], stop))
    return [row for row in beside if nodes.tag[row] == _IMAGE]
