"""Kinds of paths, which the checks treat differently."""

from typing import Final

_API: Final = ("/v1/", "/r/", "/mcp", "/metrics", "/openapi.json", "/healthz", "/readyz")
_OPEN: Final = ("/login", "/logout", "/healthz", "/readyz", "/favicon.ico")
_STATIC: Final = "/static/"


def is_api(path: str) -> bool:
    """Whether a path belongs to the API and not to the screens: no page of another site may open it.

    >>> is_api("/v1/extract"), is_api("/r/https://example.org/"), is_api("/archive")
    (True, True, False)
    """
    return path.startswith(_API) or path == "/v1"


def is_open(path: str) -> bool:
    """Whether a path needs no token: the login screen, its files, and probes.

    >>> is_open("/login"), is_open("/static/base.css"), is_open("/static/../v1/jobs"), is_open("/loginx")
    (True, True, False, False)
    """
    return path in _OPEN or is_static(path)


def is_static(path: str) -> bool:
    """Whether a path is a file of the page."""
    return path.startswith(_STATIC) and ".." not in path


def is_stream(path: str) -> bool:
    """Whether a path answers with events, for as long as the client listens."""
    return path.startswith("/v1/jobs/") and path.endswith("/events")
