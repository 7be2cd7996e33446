"""The middleware around all routes: it sets `state.owner`, `state.scopes` and `state.max_bytes` of a request."""

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.scopes import SCOPES


class Gate:
    """Lets requests in, and says on whose behalf they come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if connection["type"] == "http":
            connection.setdefault("state", {}).update(owner="", scopes=SCOPES, max_bytes=None)
        await self._app(connection, receive, send)
