"""Resolving links to safe URLs."""

_SAFE = ("http:", "https:", "mailto:", "tel:")
_REMOVED = str.maketrans("", "", "\t\n\r")


def absolute(href: str, base: str | None) -> str | None:
    """The absolute URL by the WHATWG rules, or the relative reference if the page's own URL is unknown.

    `None` for unsafe or invalid ones: scripts, inline data, unknown schemes.

    >>> absolute(" ../b?q=1#x ", "https://example.org/a/c")
    'https://example.org/b?q=1#x'
    >>> absolute("java\\nscript:alert(1)", None) is None
    True
    """
    import ada_url  # imported late: most extractions never write a link

    href = href.strip().translate(_REMOVED)
    if not href:
        return None
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except (ValueError, UnicodeError):
        return href if not base and _is_relative(href) else None
    return url if url.lower().startswith(_SAFE) else None


def _is_relative(href: str) -> bool:
    """Whether it has no scheme, and no character that could form one or end an attribute or a Markdown link."""
    return ":" not in href.split("/", 1)[0] and not any(char.isspace() or char in "<>\"'`\\" for char in href)
