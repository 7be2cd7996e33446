"""The middleware around all routes: every check, in the order in which a request meets them."""

from collections.abc import MutableMapping
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.access_log import AccessLog
from bonmun.serve.access.authentication import Authenticated
from bonmun.serve.access.gatekeeper import Gatekeeper
from bonmun.serve.access.headers import SecurityHeaders
from bonmun.serve.access.hosts import KnownHost
from bonmun.serve.access.limits import Limited
from bonmun.serve.access.origins import SameOrigin, cors
from bonmun.serve.problems import Problem


class Gate:
    """Lets requests in, and says on whose behalf they come. The outermost middleware of an application."""

    def __init__(self, app: ASGIApp, gatekeeper: Gatekeeper) -> None:
        settings = gatekeeper.settings
        inside = _Answered(Authenticated(Limited(app, gatekeeper), gatekeeper))  # its problems get CORS headers
        outside = _Answered(KnownHost(SameOrigin(cors(inside, settings), settings), settings))
        self._http = AccessLog(SecurityHeaders(outside))
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
    """Answers the problems that the layers below it raise, and errors that no handler took."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        started = False

        async def noticed(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(connection, receive, noticed)
        except Problem as problem:
            await problem.response()(connection, receive, send)
        except Exception:
            if not started:
                await _failure()(connection, receive, send)
            raise


def _failure() -> Response:
    detail = "the service failed on this request; its log says why"
    return Problem(500, "internal error", detail, "urn:bonmun:problem:internal").response()
