"""Resolving links to safe URLs."""

import re
from functools import cached_property
from typing import Final

from bonmun.core import AddressBases

_SAFE = ("http:", "https:", "mailto:", "tel:")
_HOST: Final = r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}"
_PART: Final = r"[A-Za-z0-9._~!$&()*+,;=:@%/-]*"
_FURTHER: Final = r"[A-Za-z0-9._~!$&()*+,;=:@%/?-]*"
_REST: Final = rf"{_PART}(?:\?{_FURTHER})?(?:#{_FURTHER})?"
_COMPLETE: Final = re.compile(rf"https?://{_HOST}/{_REST}")
_FROM_ROOT: Final = re.compile(rf"/(?!/){_REST}")
_FRAGMENT: Final = re.compile(rf"#{_FURTHER}")
_SITE: Final = re.compile(rf"https?://{_HOST}(?=[/?#]|\Z)")
_UNSAFE: Final = re.compile(r"""[\s<>"'`\\]""")
_LONGEST: Final = 2_000  # characters of an address that is matched
_REMOVED = str.maketrans("", "", "\t\n\r")


def absolute(href: str, base: str | None) -> str | None:
    """The absolute URL by the WHATWG rules, or the relative reference if the page's own URL is unknown.

    `None` for unsafe or invalid ones: scripts, inline data, unknown schemes.

    >>> absolute(" ../b?q=1#x ", "https://example.org/a/c")
    'https://example.org/b?q=1#x'
    >>> absolute("java\\nscript:alert(1)", None) is None
    True
    """
    if (plain := _plain(href, base)) is not None:
        return plain
    if not base and len(href) <= _LONGEST and _FROM_ROOT.fullmatch(href):
        return href  # no parser accepts it, and it is safe; errors are dear on a page of pictures
    import ada_url  # imported late: most extractions never write a link

    href = href.strip().translate(_REMOVED)
    if not href:
        return None
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except (ValueError, UnicodeError):
        return href if not base and _is_relative(href) else None
    return url if url.lower().startswith(_SAFE) else None


def _plain(href: str, base: str | None) -> str | None:
    """The URL of a reference that a parser would not change, as most; `None` if that is not sure."""
    if len(href) > _LONGEST or "/." in href or "xn--" in href or "%2" in href:  # dots may be steps upwards
        return None
    site = _SITE.match(base) if base else None
    if base and (site is None or "xn--" in site[0]):
        return None  # it may be invalid
    if _COMPLETE.fullmatch(href):
        return href
    return site[0] + href if site and _FROM_ROOT.fullmatch(href) else None


def address_bases(base: str | None) -> AddressBases:
    """Scheme, root, folder and own address of a page, which the compiled core appends relative addresses to.

    `None` for a page without a base, all empty if relative addresses of it have no plain form.

    >>> address_bases("https://example.org/a/c?q=1#x")
    (b'https:', b'https://example.org', b'https://example.org/a/', b'https://example.org/a/c?q=1')
    """
    if not base:
        return None
    if _plain(base, None):  # a parser would take it apart at the same places
        own = base.partition("#")[0]
        path = own.partition("?")[0]
        root, folder = "/".join(path.split("/", 3)[:3]), path[: path.rindex("/") + 1]
    else:
        slash, dot, hash_sign = absolute("/", base), absolute("./", base), absolute("#", base)
        if slash is None or dot is None or hash_sign is None or not slash.startswith("http"):
            return b"", b"", b"", b""
        root, folder, own = slash.removesuffix("/"), dot, hash_sign.removesuffix("#")
    return root.partition("//")[0].encode(), root.encode(), folder.encode(), own.encode()


def _is_relative(href: str) -> bool:
    """Whether it has no scheme, and no character that could form one or end an attribute or a Markdown link."""
    return ":" not in href.split("/", 1)[0] and _UNSAFE.search(href) is None


class Addresses:
    """The absolute URLs of a page's links, each resolved once.

    >>> addresses = Addresses("https://example.org/a/c")
    >>> addresses.of("/b?q=1#x"), addresses.of("#x"), addresses.of("javascript:alert(1)")
    ('https://example.org/b?q=1#x', 'https://example.org/a/c#x', None)
    """

    def __init__(self, base: str | None) -> None:
        self._base = base
        self._known: dict[str, str | None] = {}

    def of(self, href: str) -> str | None:
        """What `absolute` returns."""
        known = self._known
        if href not in known:
            plain = len(href) <= _LONGEST and _FRAGMENT.fullmatch(href) and self._page
            known[href] = self._page + href if plain else absolute(href, self._base)
        return known[href]

    @cached_property
    def _page(self) -> str:
        """The base without its fragment; empty if it is not a web address."""
        import ada_url

        try:
            address = ada_url.join_url(self._base, "") if self._base else ""
        except (ValueError, UnicodeError):
            return ""
        return address if address.startswith(("http://", "https://")) else ""
