"""The middleware around all routes: every check, in the order in which a request meets them."""

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.authentication import Authenticated
from bonmun.serve.access.gatekeeper import Gatekeeper
from bonmun.serve.access.hosts import KnownHost
from bonmun.serve.access.limits import Limited
from bonmun.serve.access.origins import SameOrigin, cors
from bonmun.serve.problems import Problem


class Gate:
    """Lets requests in, and says on whose behalf they come."""

    def __init__(self, app: ASGIApp, gatekeeper: Gatekeeper) -> None:
        settings = gatekeeper.settings
        inside = _Answered(Authenticated(Limited(app, gatekeeper), gatekeeper))  # its problems get CORS headers
        self._http = _Answered(KnownHost(SameOrigin(cors(inside, settings), settings), settings))
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if connection["type"] == "lifespan":
            await self._app(connection, receive, send)
        elif connection["type"] == "http":
            await self._http(connection, receive, send)
        else:  # no route is a WebSocket
            await send({"type": "websocket.close", "code": 1008})


class _Answered:
    """Answers the problems that the layers below raise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        try:
            await self._app(connection, receive, send)
        except Problem as problem:
            await problem.response()(connection, receive, send)
