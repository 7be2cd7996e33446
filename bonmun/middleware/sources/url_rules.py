"""URLs as the sources see them: cleaned, compared, and told apart by their shape."""

import re
from enum import Enum
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from ada_url import URL

LONGEST_URL: Final = 2_000
"""Characters. Servers refuse requests of more than 4 to 8 KB, and only traps write URLs half as long."""
MOST_SEGMENTS: Final = 14
"""Path segments; the articles of our corpora have at most nine."""
MOST_PARAMETERS: Final = 8
"""Parameters of a query after cleaning; a WeChat article has six."""

# Parameters that name the campaign, the click or the visit and never the page. `ref`, `from`, `source` and `sid` are
# not among them: on some sites they select the page (`sid` is the section of Naver News).
_TRACKERS: Final = re.compile(
    r"(?i)utm_\w+|(?:pk|piwik|matomo|mtm|hsa)_\w+|at_(?:medium|campaign|custom|link|ptr|format|bbc)\w*|__hs\w+|_hs\w+|mc_[ce]id|fb_\w+|(?:fb|g|dc|y|ms|tt|tw|wbra|gbra|s)clid"
    r"|msclkid|gclsrc|srsltid|igshid?|_ga|_gl|spm|scm|ocid|cmpid|s_cid|smid|smtyp|wt_\w+|wt\.\w+|ncid|icid|ftag|trk\w*"
    r"|mkt_tok|oly_(?:enc|anon)_id|vero_id|wickedid|rb_clickid|__twitter_impression|xtor|guccounter|guce_\w+"
)
_SESSIONS: Final = re.compile(
    r"(?i)phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|session_?id|cfid|cftoken|oscsid|zenid|sessid"
)
_SHORT_SESSIONS: Final = re.compile(r"(?i)(?:sid|s|session)=[0-9a-f]{16,}")
_PATH_SESSION: Final = re.compile(r"(?i);(?:jsessionid|phpsessid|sid)=[^/?#]*|/\(S\([a-z0-9]{20,}\)\)")
_SPOKEN_FRAGMENT: Final = ("#!", "#/")
"""Fragments that name a page of a single-page application."""

_FILES: Final = re.compile(
    r"(?i)\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|ogg|wav|flac|avi|mov|wmv|mkv|m3u8?|pls"
    r"|pdf|docx?|xlsx?|pptx?|hwpx?|odt|ods|epub|zip|gz|tgz|bz2|xz|7z|rar|tar|dmg|exe|msi|apk|deb|rpm|iso|css|js|mjs|json"
    r"|xml|rss|atom|txt|csv|ics|woff2?|ttf|eot|swf|torrent)$"
)
_ACTIONS: Final = frozenset(
    "login log-in signin sign-in signup sign-up register registration logout auth oauth account accounts my-account "
    "profile settings password cart checkout basket wishlist wp-login.php wp-admin wp-json cgi-bin print share email "
    "send reply comment-page search find calendar rss feed feeds api cdn-cgi amp-story".split()
)
"""Segments of pages that are forms, personal, endless or no pages at all."""
_LISTS: Final = frozenset(
    "tag tags label labels category categories cat section sections topic topics theme themes series "
    "author authors writer writers user users member members people page pages archive archives list lists "
    "index home default main all latest newest "
    "popular sitemap about about-us contact contact-us privacy privacy-policy terms terms-of-service terms-of-use "
    "legal cookies cookie-policy imprint impressum datenschutz agb help faq support careers jobs advertise advertising "
    "subscribe subscription newsletter newsletters team staff press donate shop store products product-category "
    "collections pricing features solutions services events event forum forums board_list games".split()
)
"""Segments of lists and of the pages about the site itself."""
_SECTION_BEFORE: Final = frozenset(
    "tag tags label category categories cat author authors writer topic topics user users member members page "
    "collections product-category section sections search archive archives".split()
)
"""A name after one of these is that of a list: `/tag/green-tea-and-coffee`."""
_ARTICLE_WORDS: Final = frozenset(
    "article articles articleview article_view newsview news_view arti story stories read view viewer post posts entry "
    "content contents blog articleshow clanek artikel noticia articulo questions".split()
)
_DATE: Final = re.compile(
    r"(?:^|/)(?:19|20)\d\d[/_-]?(?:0?[1-9]|1[0-2]|[a-z]{3})(?:[/_-]?(?:0?[1-9]|[12]\d|3[01]))?(?=[/_.-]|t?\d{0,6}(?:\D|$))"
)
_LONG_NUMBER: Final = re.compile(r"\d{5,}")
_ID_PARAMETER: Final = re.compile(
    r"(?i)(?:^|&)(?:p|no|id|idx\w*|aid|a_id|nid|uid|seq|num|sn|docid|doc_id|arcid|artid|art_id|article_?(?:id|no|num|key)?"
    r"|news_?(?:id|no|cd|key|seq)?|newsidx|post_?(?:id|no)?|logno|wr_id|cntn_cd|document_srl|bbs_?no|board_?no|ncd|key|code"
    r"|story_?id|content_?id|contid|itemid|mid|tid|topic|thread|t)=[a-z]*[\d._-]{2,}"
)
_LONG_VALUE: Final = re.compile(
    r"(?i)(?:^|&)(?!(?:\w*date|day|month|year|ymd|from|to|start|end|page|offset|time\w*|ts|v|_|rand)=)[^=&]*=[^&]*\d{7}"
)
_WORDS: Final = re.compile(r"[-_+ .]+")
_DIGITS: Final = re.compile(r"\d+")
_CJK: Final = re.compile(r"[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]")
_SLUG_WORDS = 4
"""Words of a title in a segment. Three would find 90 instead of 81 % of the articles in `wcxb_dev`, but also take 32
instead of 16 % of its service pages for articles, and 39 instead of 23 % of the links in its menus."""
_CJK_LETTERS = 8
"""Chinese, Japanese or Korean letters of a title in a segment; names of sections have two to four."""
_HEADLINE = 30
"""Characters of a link's text from which it is a headline; Chinese, Japanese and Korean letters count twice."""
_HOST_PREFIX: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")


class LinkKind(Enum):
    """What a link leads to, by its URL and its text."""

    ARTICLE = "article"
    HUB = "hub"
    """A home page, a section, a list, or a page that cannot be told from these."""
    OTHER = "other"
    """A file, a form, a personal page, an endless list: not worth a request."""


def clean_url(url: str, base: str | None = None) -> str | None:
    """Return an absolute URL without fragment, trackers and session ids; `None` if it is not of http or https.

    >>> clean_url("../tea/?id=7&utm_source=rss#top", "https://example.org/news/")
    'https://example.org/tea/?id=7'
    >>> clean_url("mailto:tea@example.org") is None
    True
    """
    if len(url) > 2 * LONGEST_URL:
        return None
    try:
        parsed = URL(url.strip(), base=base)
    except (ValueError, UnicodeError):
        return None
    if parsed.protocol not in ("http:", "https:") or not parsed.hostname or parsed.username or parsed.password:
        return None
    if not parsed.hash.startswith(_SPOKEN_FRAGMENT):
        parsed.hash = ""
    if "?" in parsed.href:
        parsed.search = "&".join(part for part in parsed.search[1:].split("&") if part and not _is_noise(part))
    if ";" in parsed.pathname or "(" in parsed.pathname:
        parsed.pathname = _PATH_SESSION.sub("", parsed.pathname)
    return parsed.href if len(parsed.href) <= LONGEST_URL else None


def url_key(url: str) -> str:
    """Return a text that is equal for spellings of one URL: scheme, `www.`, order of parameters, closing slash.

    >>> url_key("http://www.example.org/tea/?b=2&a=1") == url_key("https://example.org/tea?a=1&b=2#top")
    True
    """
    cleaned = clean_url(url)
    if cleaned is None:
        return url
    parsed = URL(cleaned)
    query = "&".join(sorted(parsed.search[1:].split("&")))
    path = unquote(parsed.pathname).rstrip("/")
    return f"{parsed.host.removeprefix('www.')}{path}?{query}{parsed.hash}"


@lru_cache(maxsize=256)
def site_of(url: str) -> str:
    """Return the site of a URL: host and port without `www.`, `m.`, `mobile.` and `amp.`.

    >>> site_of("https://m.example.org/tea"), site_of("http://example.org:8080/")
    ('example.org', 'example.org:8080')
    """
    try:
        host = URL(url).host
    except (ValueError, UnicodeError):
        return ""
    return _HOST_PREFIX.sub("", host) if host.count(".") > 1 else host


def link_kind(url: str, text: str = "") -> LinkKind:
    """Tell what a URL leads to; `text` is the link's, and decides where the URL does not.

    >>> link_kind("https://example.org/2026/11/16/green-tea").value, link_kind("https://example.org/tag/tea").value
    ('article', 'hub')
    >>> link_kind("https://example.org/news/articleView.html?idxno=45395").value
    'article'
    >>> link_kind("https://example.org/login?next=/").value
    'other'
    """
    try:
        parsed = URL(url)
    except (ValueError, UnicodeError):
        return LinkKind.OTHER
    path = unquote(parsed.pathname).lower()
    segments = [part for part in path.split("/") if part]
    query = parsed.search[1:]
    if is_trap(url) or _FILES.search(path) or _ACTIONS.intersection(segments):
        return LinkKind.OTHER
    if not segments:
        return LinkKind.ARTICLE if _ID_PARAMETER.search(query) else LinkKind.HUB
    if _is_list(segments):
        return LinkKind.HUB
    if _has_article_shape(path, segments, query) or _is_headline(text):
        return LinkKind.ARTICLE
    return LinkKind.HUB


def is_list(url: str) -> bool:
    """Tell whether a URL is that of a home page, of a list or of a page about the site, by its names.

    >>> is_list("https://example.org/"), is_list("https://example.org/tag/tea"), is_list("https://example.org/tea")
    (True, True, False)
    """
    path = unquote(url.partition("?")[0]).lower()
    segments = [part for part in path.split("/")[3:] if part]
    return not segments or _is_list(segments)


def is_trap(url: str) -> bool:
    """Tell whether a URL looks generated without end: too long, too deep, or with repeated segments.

    >>> is_trap("https://example.org/a/b/a/b/a/b/"), is_trap("https://example.org/a/b/")
    (True, False)
    """
    path, _, query = url.partition("?")
    segments = path.split("/")[3:]
    if len(url) > LONGEST_URL or len(segments) > MOST_SEGMENTS or query.count("&") >= MOST_PARAMETERS:
        return True
    named = [part for part in segments if part]
    return len(named) - len(set(named)) > 2


def url_shape(url: str) -> str:
    """Return a URL with its numbers and the values of its parameters replaced, as the pages of one calendar have it.

    >>> url_shape("https://example.org/events/2026/11?view=month&day=7")
    'https://example.org/events/0/0?day&view'
    """
    path, _, query = url.partition("?")
    names = sorted({part.partition("=")[0] for part in query.split("&")})
    return f"{_DIGITS.sub('0', path)}?{'&'.join(names)}"


def _is_noise(parameter: str) -> bool:
    name = parameter.partition("=")[0]
    return bool(_TRACKERS.fullmatch(name) or _SESSIONS.fullmatch(name) or _SHORT_SESSIONS.fullmatch(parameter))


def _is_list(segments: list[str]) -> bool:
    """Whether the path is that of a list: it ends with such a name, or in one entry below `tag`, `author` …"""
    last = segments[-1].partition(".")[0]
    if last in _LISTS:
        return True
    return len(segments) > 1 and segments[-2] in _SECTION_BEFORE and not _LONG_NUMBER.search(last)


def _has_article_shape(path: str, segments: list[str], query: str) -> bool:
    last = segments[-1]
    if _DATE.search(path) and not last.isdigit() and len(last) > 2:
        return True
    if any(_is_title(part) for part in segments[-2:]):  # the number may follow the title
        return True
    if _LONG_NUMBER.search(last) or _ID_PARAMETER.search(query) or _LONG_VALUE.search(query):
        return True
    if last.isdigit() and segments[:-1] in ([], ["m"]):  # a post of Tistory
        return True
    return len(segments) > 1 and bool(_ARTICLE_WORDS.intersection(segments[:-1])) and len(last) > 2


def _is_title(segment: str) -> bool:
    words = [word for word in _WORDS.split(segment.removesuffix(".html")) if word]
    return len(words) >= _SLUG_WORDS or len(_CJK.findall(segment)) >= _CJK_LETTERS


def _is_headline(text: str) -> bool:
    letters = len(_CJK.findall(text))
    return len(text) + letters >= _HEADLINE and (letters > 0 or " " in text.strip())
