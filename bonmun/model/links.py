"""Links as a reader may safely follow them."""

_SAFE = ("http:", "https:", "mailto:", "tel:")


def absolute(href: str, base: str | None) -> str | None:
    """The WHATWG address that a browser would open, or the relative reference where the page's own address is unknown.

    `None` for what is no address to hand on: scripts, inline data, unknown schemes, nonsense.

    >>> absolute(" ../b?q=1#x ", "https://example.org/a/c")
    'https://example.org/b?q=1#x'
    >>> absolute("java\\nscript:alert(1)", None) is None
    True
    """
    import ada_url  # here: most extractions never write a link

    href = "".join(char for char in href.strip() if char not in "\t\n\r")
    if not href:
        return None
    try:
        found = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except (ValueError, UnicodeError):
        return href if not base and _is_relative(href) else None
    return found if found.lower().startswith(_SAFE) else None


def _is_relative(href: str) -> bool:
    """No scheme, and no character that could be read as one or end an attribute or a Markdown link early."""
    return ":" not in href.split("/", 1)[0] and not any(char.isspace() or char in "<>\"'`\\" for char in href)
