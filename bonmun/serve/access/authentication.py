"""The layer that says who asks, or sends them to the login screen."""

from urllib.parse import quote

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.gatekeeper import Gatekeeper
from bonmun.serve.access.paths import is_api
from bonmun.serve.problems import Problem


class Authenticated:
    """Sets `state.owner`, `state.scopes` and `state.max_bytes` of a request, and `state.visitor` for the limits."""

    def __init__(self, app: ASGIApp, gatekeeper: Gatekeeper) -> None:
        self._app = app
        self._gatekeeper = gatekeeper

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a request."""
        try:
            visitor = self._gatekeeper.visitor(HTTPConnection(connection))
        except Problem as problem:
            if problem.status != 401 or not _is_screen(connection):
                raise
            await RedirectResponse(login_address(connection["path"]), 303)(connection, receive, send)
            return
        state = connection.setdefault("state", {})
        state.update(owner=visitor.owner, scopes=visitor.scopes, max_bytes=visitor.max_bytes, visitor=visitor)
        await self._app(connection, receive, send)


def login_address(path: str) -> str:
    """Return the address of the login screen that leads to a path.

    >>> login_address("/archive"), login_address("/")
    ('/login?next=/archive', '/login')
    """
    return "/login" + (f"?next={quote(path)}" if path != "/" else "")


def _is_screen(connection: Connection) -> bool:
    """Whether a person opens a screen, and not a program the API."""
    accepted = HTTPConnection(connection).headers.get("accept", "")
    return connection["method"] in ("GET", "HEAD") and not is_api(connection["path"]) and "text/html" in accepted
