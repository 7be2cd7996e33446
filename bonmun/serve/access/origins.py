"""Requests that pages of other sites cause (CSRF): refused, unless their origin is allowed by name (CORS)."""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.paths import is_api
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.problems import Problem

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OURS: Final = frozenset({"same-origin", "none"})
"""`none`: the person typed the address, or opened a bookmark."""
_PORTS: Final = {"http": 80, "https": 443}
_EXPOSED: Final = (
    "X-Bonmun-Page", "X-Bonmun-Status", "X-Bonmun-Confidence", "Retry-After", "RateLimit", "RateLimit-Policy",
    "Location",
)  # fmt: skip


def cors(app: ASGIApp, settings: AccessSettings) -> ASGIApp:
    """Return an application that answers preflights of the allowed origins. Cookies are never sent across origins."""
    if not settings.allow_origins:
        return app
    return CORSMiddleware(
        app, allow_origins=settings.allow_origins, allow_methods=("GET", "POST", "PUT", "DELETE"),
        allow_headers=("Authorization", "Content-Type", "Last-Event-ID"), expose_headers=_EXPOSED,
        allow_private_network=True,
    )  # fmt: skip


class SameOrigin:
    """The layer that refuses requests of other sites' pages.

    Browsers say where a request comes from (Sec-Fetch-Site; older ones Origin); clients that are no browsers send
    neither, and no page can make them send anything.
    """

    def __init__(self, app: ASGIApp, settings: AccessSettings) -> None:
        self._app = app
        self._allowed = frozenset(settings.allow_origins)

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a request."""
        headers = Headers(scope=connection)
        origin = headers.get("origin")
        if origin not in self._allowed and not _is_ours(connection, headers, origin):
            raise Problem(
                403, "cross-origin request", "a page of another site asked for this; if it may, start the service with "
                "--allow-origin and the site's origin", "urn:bonmun:problem:cross-origin",
            )  # fmt: skip
        await self._app(connection, receive, send)


def _is_ours(connection: Connection, headers: Headers, origin: str | None) -> bool:
    site = headers.get("sec-fetch-site")  # sent over HTTPS and to the loopback interface
    if site is not None:
        return site in _OURS or _is_link(connection, headers)
    if origin is None:
        return True
    if connection["method"] in _SAFE and not is_api(connection["path"]):
        return True
    return _is_same(origin, headers.get("host", ""))


def _is_link(connection: Connection, headers: Headers) -> bool:
    """Whether somebody followed a link to one of the screens: these only show themselves when they are opened."""
    opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return opened and connection["method"] in _SAFE and not is_api(connection["path"])


def _is_same(origin: str, host: str) -> bool:
    """Whether an origin is the host that the request was sent to. A proxy may change the scheme, not the host."""
    try:
        ours, theirs = urlsplit(f"//{host}"), urlsplit(origin)
        port = _PORTS.get(theirs.scheme)
        return bool(theirs.hostname) and (theirs.hostname, theirs.port or port) == (ours.hostname, ours.port or port)
    except ValueError:
        return False
