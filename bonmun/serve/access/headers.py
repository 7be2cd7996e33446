"""Security headers on every answer."""

from collections.abc import Iterable, MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.paths import is_api, is_static

SCREEN_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
API_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""An answer of the API that is opened as a page (HTML, XML, SVG) is content of another site: it runs nothing, loads
nothing, and `sandbox` gives it an origin of its own."""
_ALWAYS: Final = {
    b"x-content-type-options": b"nosniff",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_API_ALWAYS: Final = {**_ALWAYS, b"content-security-policy": API_POLICY.encode(), b"referrer-policy": b"no-referrer"}
_SCREEN_ALWAYS: Final = {**_ALWAYS, b"referrer-policy": b"same-origin"}
"""With `no-referrer` browsers send forms with `Origin: null`, which says nothing about where they come from."""
_UNLESS_SET: Final = {b"cache-control": b"no-store"}
_STATIC_UNLESS_SET: Final = {b"content-security-policy": SCREEN_POLICY.encode()}
_SCREEN_UNLESS_SET: Final = {**_UNLESS_SET, **_STATIC_UNLESS_SET}


class SecurityHeaders:
    """The layer that adds them. No route can weaken the policy of the API."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if connection["type"] != "http":
            await self._app(connection, receive, send)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = secured(connection["path"], message.get("headers", ()))
            await send(message)

        await self._app(connection, receive, with_headers)


def secured(path: str, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer with those that secure it.

    >>> secured("/v1/extract", [(b"cache-control", b"no-cache")])[:2]
    [(b'cache-control', b'no-cache'), (b'x-content-type-options', b'nosniff')]
    """
    if is_api(path):
        always, unless_set = _API_ALWAYS, _UNLESS_SET
    else:
        always, unless_set = _SCREEN_ALWAYS, _STATIC_UNLESS_SET if is_static(path) else _SCREEN_UNLESS_SET
    kept = [(name, value) for name, value in headers if name.lower() not in always]
    present = {name.lower() for name, _ in kept}
    return [*kept, *always.items(), *((name, value) for name, value in unless_set.items() if name not in present)]
