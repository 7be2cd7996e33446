"""The identity of a page: its URL, normalized."""

from bonmun.model.valid_text import valid_text

_LONGEST = 2_000
"""Characters of a URL that are stored as they are. A B-tree page of PostgreSQL takes 2,700 bytes; longer ones end in a
digest."""


def normalized(url: str) -> str:
    """Return a URL as a browser would send it, without fragment, user and password; other texts unchanged.

    >>> normalized("HTTPS://me:secret@Example.ORG:443/a/../tea?x=1#top"), normalized("pages/tea.html")
    ('https://example.org/tea?x=1', 'pages/tea.html')
    """
    from ada_url import URL

    text = valid_text(url.strip())
    try:
        parsed = URL(text)
    except ValueError:
        return text
    parsed.hash = ""
    if parsed.username or parsed.password:
        parsed.username = parsed.password = ""
    return str(parsed.href)


def url_key(url: str) -> str:
    """Return the text that identifies a page: its normalized URL, shortened if it is very long.

    >>> url_key("https://example.org/tea#top"), len(url_key("https://example.org/" + "a" * 9_000))
    ('https://example.org/tea', 2000)
    """
    text = normalized(url)
    return text if len(text) <= _LONGEST else _shortened(text)


def _shortened(text: str) -> str:
    from hashlib import sha256

    digest = sha256(text.encode()).hexdigest()
    return f"{text[: _LONGEST - len(digest) - 1]}~{digest}"


def host_of(key: str) -> str:
    """Return the host of a normalized URL; an empty string for other texts.

    >>> host_of("https://example.org/tea"), host_of("pages/tea.html")
    ('example.org', '')
    """
    from urllib.parse import urlsplit

    try:
        return urlsplit(key).hostname or ""
    except ValueError:
        return ""
