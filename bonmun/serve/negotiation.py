"""Content negotiation: the media type that an Accept header prefers (RFC 9110, section 12.5.1)."""

from collections.abc import Sequence

_MOST_RANGES = 50
"""Media ranges of a header that are read; browsers send fewer than ten."""


def preferred(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the offered media type that the client likes best, the first of equals; `None` if it takes none.

    >>> offered = ("application/json", "text/plain", "text/html")
    >>> preferred("text/*;q=0.5, text/html, application/json;q=0.2", offered)
    'text/html'
    >>> preferred("*/*", offered), preferred(None, offered), preferred("image/png", offered)
    ('application/json', 'application/json', None)
    >>> preferred("*/*, application/json;q=0", offered)
    'text/plain'
    """
    if accept is None or not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept.split(",")[:_MOST_RANGES] if part.strip()]
    qualities = [_quality(media_type, ranges) for media_type in offered]
    best = max(qualities, default=0.0)
    return offered[qualities.index(best)] if best > 0 else None


def _range(part: str) -> tuple[str, float]:
    """A media range and its q-value; other parameters are ignored, as none of ours has any."""
    name, *parameters = part.split(";")
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "q":
            return name.strip().lower(), _number(value)
    return name.strip().lower(), 1.0


def _number(value: str) -> float:
    try:
        number = float(value.strip())
    except ValueError:
        return 0.0
    return number if 0.0 <= number <= 1.0 else 0.0


def _quality(media_type: str, ranges: list[tuple[str, float]]) -> float:
    """The q-value of the most specific range that matches."""
    general = f"{media_type.partition('/')[0]}/*"
    for wanted in (media_type, general, "*/*"):
        found = [quality for name, quality in ranges if name == wanted]
        if found:
            return max(found)
    return 0.0
