"""Security headers on every answer."""

from collections.abc import MutableMapping
from typing import Any, Final

from starlette.datastructures import MutableHeaders
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
_REFERRER: Final = "same-origin"
"""With `no-referrer` browsers send forms with `Origin: null`, which says nothing about where they come from."""
_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class SecurityHeaders:
    """The layer that adds them. No route can weaken the policy of the API."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if connection["type"] != "http":
            await self._app(connection, receive, send)
            return
        path: str = connection["path"]

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_ALWAYS)
                if is_api(path):
                    headers.update({"Content-Security-Policy": API_POLICY, "Referrer-Policy": "no-referrer"})
                else:
                    headers.setdefault("Content-Security-Policy", SCREEN_POLICY)
                    headers["Referrer-Policy"] = _REFERRER
                if not is_static(path):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(connection, receive, with_headers)
