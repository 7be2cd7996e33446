"""Names of comments and their parts: class, id and microdata of elements, labels of buttons."""

import re
from enum import IntEnum
from functools import lru_cache
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TAGS, tag_set


class Role(IntEnum):
    """The part of a comment that an element holds."""

    NONE = 0
    BODY = 1
    PROSE = 2
    """A paragraph of the body, whatever the names inside."""
    AUTHOR = 3
    DATE = 4
    META = 5
    CONTROLS = 6


_NOUN = (
    "(?:comments?|cmt|cmnt|reply|komm?entare?n?|commentaires?|comentarios?|commento|reactie|yorum|opinia|komentarz"
    "|comtr)"
)
_UNIT = (
    "(?:item|entry|node|row|li|single|wrap|wrapper|box|container|block|unit|post|holder|group|thread|card|cell|element)"
)
_ITEM_CLASS: Final = re.compile(rf"(?:[a-z]+[-_]{{1,2}}){{0,2}}(?:{_NOUN}[-_]{{0,2}}{_UNIT}|(?!comments){_NOUN})")
_ITEM_ID: Final = re.compile(
    rf"(?:(?:[a-z]+[-_])*(?:gist)?(?:{_NOUN}|comm)|c|cm|re)[-_]?(?:(?:id|no|item|box)[-_]?)?\d+(?:[-_]\d+)?"
)
_DEPTH: Final = re.compile(r"(?:[a-z]+[-_])*(?:depth|level|lvl|lv|indent|deep|step|nest(?:ed|ing)?)[-_]?(\d{1,2})")
_INDENT: Final = re.compile(r"(?:margin|padding)-left\s*:\s*(\d{1,4})")
_REPLIES: Final = frozenset(
    "child reply re is-reply comment-reply reply-comment comment_reply re_comment answer".split()
)
_DEPTH_ATTRIBUTES: Final = ("data-depth", "data-level", "aria-level", "depth", "data-indent")
_IDENTIFIERS: Final = ("data-comment-id", "data-commentid", "data-comment-no", "data-comment")
_LATEST: Final = re.compile(r"(?:recent|latest|newest|new|last)[-_]?(?:comment|repl)", re.IGNORECASE)
_MICRODATA: Final = re.compile(r"/(?:User)?Comments?$")

_ROLE_OF_WORD: Final = {
    **dict.fromkeys(
        "author authors fn username user users nick nickname name names writer poster vcard by byline commenter uname"
        " usr userid member profile screenname displayname autor auteur autore cite usernick nik".split(),
        Role.AUTHOR,
    ),
    **dict.fromkeys(
        "date dates time timestamp datetime ago published posted when regdate day datum fecha wdate created".split(),
        Role.DATE,
    ),
    **dict.fromkeys(
        "content contents body text txt texts message msg entry memo desc description paragraph markdown cooked copy"
        " subject texto tekst inhalt usertext commenttext commentbody commentcontent".split(),
        Role.BODY,
    ),
    **dict.fromkeys(
        "meta metadata info header head heading title details data permalink commentmetadata commentmeta top"
        " footer foot bottom".split(),
        Role.META,
    ),
    **dict.fromkeys(
        "reply replies respond form actions action button buttons btn btns vote votes voting like likes dislike share"
        " report flag avatar badge badges toolbar tools tool menu dropdown links nav navigation pagination pager paging"
        " controls control score points count counts num number edit delete rating stars func"
        " option options util utils recommend up down login rank level lv ip notice follow ad ads thumb thumbs photo"
        " says sns more toggle sort captcha".split(),
        Role.CONTROLS,
    ),
}
_ROLE_OF_PROPERTY: Final = {
    **dict.fromkeys(("author", "creator", "name"), Role.AUTHOR),
    **dict.fromkeys(("datePublished", "dateCreated", "dateModified", "commentTime"), Role.DATE),
    **dict.fromkeys(("text", "commentText", "description", "articleBody", "reviewBody"), Role.BODY),
}
_BEST_NAMES: Final = frozenset("fn username nickname nick name screenname displayname".split())
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WITHOUT_MEANING: Final = frozenset(
    "container wrap wrapper box area inner block line row section holder item cont div span label link url left right"
    " col column group field part cell list view el p".split()
)
_MAX_NAMES: Final = 1000
"""Characters of a class or id that are read: the results are cached."""
_FOR_SCREEN_READERS: Final = re.compile(r"screen-?reader|sr-only|visually-?hidden|assistive|blind", re.IGNORECASE)
_CITE, _TIME = TAG_ID["cite"], TAG_ID["time"]
_FORM: Final = tag_set("form button select textarea label")
_OF_PROSE: Final = tag_set("p blockquote pre ul ol dl table h1 h2 h3 h4 h5 h6")
_PRECEDENCE: Final = (Role.DATE, Role.AUTHOR, Role.BODY, Role.CONTROLS, Role.META)


def is_comment(nodes: Nodes, row: int) -> bool:
    """Whether an element is named as one comment."""
    tag = nodes.tag[row]
    if (tag not in BLOCK_LEVEL and tag < len(TAGS)) or nodes.attr_first[row] == nodes.attr_first[row + 1]:
        return False
    attributes = nodes.attrs(row)
    return (
        _ITEM_ID.fullmatch(attributes.get("id", "").lower()) is not None
        or _has_item_class(attributes.get("class", "")[:_MAX_NAMES])
        or any(name in attributes for name in _IDENTIFIERS)
        or attributes.get("itemprop") == "comment"
        or _MICRODATA.search(attributes.get("itemtype", "")) is not None
    )


def is_of_other_pages(nodes: Nodes, row: int) -> bool:
    """Whether an element is named as a list of the site's latest comments."""
    return nodes.attr_first[row] < nodes.attr_first[row + 1] and any(
        _LATEST.search(nodes.attr(row, name) or "") for name in ("class", "id")
    )


def stated_depth(nodes: Nodes, row: int) -> int | None:
    """The nesting that an element states by its class or an attribute, in whatever counting; `None` if none."""
    for name in _DEPTH_ATTRIBUTES:
        value = nodes.attr(row, name) or ""
        if value.isascii() and value.isdigit():
            return int(value[:2])
    words = (nodes.attr(row, "class") or "").lower().split()
    return next((int(match[1]) for match in map(_DEPTH.fullmatch, words) if match), None)


def indent(nodes: Nodes, row: int) -> int:
    """The left margin or padding in an element's style; 1 for an element with a class such as ``child``."""
    match = _INDENT.search(nodes.attr(row, "style") or "")
    return int(match[1]) if match else not _REPLIES.isdisjoint((nodes.attr(row, "class") or "").lower().split())


def role_inside(nodes: Nodes, row: int, around: Role) -> Role:
    """The role of an element inside a comment, given its parent's."""
    tag = nodes.tag[row]
    if around is Role.CONTROLS and tag in BLOCK_LEVEL and nodes.tag[nodes.parent[row]] not in BLOCK_LEVEL:
        around = Role.NONE  # a link that was never closed
    if around is Role.PROSE:
        return around
    own = _own_role(nodes, row)
    if around is Role.CONTROLS:
        return own if own is Role.DATE else around
    if around is Role.BODY:
        if own in (Role.NONE, Role.BODY):
            return Role.PROSE if tag in _OF_PROSE else around
        return own
    if around is Role.AUTHOR:
        return own if own in (Role.DATE, Role.CONTROLS) else around
    if around is Role.DATE:
        return own if own in (Role.AUTHOR, Role.CONTROLS) else around
    if tag == _CITE and own is Role.NONE:
        return Role.AUTHOR
    return own or around


def names_author(nodes: Nodes, row: int) -> bool:
    """Whether an element is named as the name itself rather than as a box with the author in it."""
    words = _WORD.findall(f"{nodes.attr(row, 'class') or ''} {nodes.attr(row, 'itemprop') or ''}")
    return any(word.lower() in _BEST_NAMES for word in words)


def _own_role(nodes: Nodes, row: int) -> Role:
    if nodes.tag[row] == _TIME:
        return Role.DATE
    if nodes.tag[row] in _FORM:
        return Role.CONTROLS
    if nodes.attr_first[row] == nodes.attr_first[row + 1]:
        return Role.NONE
    classes = nodes.attr(row, "class") or ""
    known = _ROLE_OF_PROPERTY.get(nodes.attr(row, "itemprop") or "")
    name = (nodes.attr(row, "id") or "")[:_MAX_NAMES].rstrip("-_0123456789")
    return known or _role_of_names(classes[:_MAX_NAMES]) or _role_of_names(name)


@lru_cache(1024)
def _has_item_class(names: str) -> bool:
    """Whether one of an element's classes, of at most `_MAX_NAMES` characters, names a comment."""
    return any(_ITEM_CLASS.fullmatch(name) for name in names.lower().split())


@lru_cache(1024)
def _role_of_names(names: str) -> Role:
    """The role by the last word with a meaning of each name: ``comment-author-box`` is the author."""
    if _FOR_SCREEN_READERS.search(names):
        return Role.CONTROLS
    roles = set()
    for name in names.split():
        words = [] if name[-1].isdigit() else [word.lower() for word in _WORD.findall(name)]  # text-2: a size
        while words and words[-1] in _WITHOUT_MEANING:
            words.pop()
        if words:
            roles.add(_ROLE_OF_WORD.get(words[-1], Role.NONE))
    return next((role for role in _PRECEDENCE if role in roles), Role.NONE)
