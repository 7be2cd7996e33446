"""The outermost middleware: every request is counted, and a defect is answered with an id that the log has too."""

import logging
from secrets import token_hex
from time import perf_counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonmun.serve.metrics import ServeMetrics
from bonmun.serve.problems import Problem

_log = logging.getLogger("bonmun.serve")


class Observation:
    """Counts requests by route, status, time and bytes, and answers exceptions that are none of ours."""

    def __init__(self, app: ASGIApp, metrics: ServeMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(receive, send)
        start = perf_counter()
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except Exception as error:
            await _answer_defect(error, scope, exchange)
        finally:
            self._metrics.request(scope["method"], _route(scope), exchange.status or 499, perf_counter() - start)
            self._metrics.bytes(exchange.received, exchange.sent)


class _Exchange:
    """The messages of one request, counted."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self.status = self.received = self.sent = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self.received += len(message.get("body", b""))
        return message

    async def send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        self.sent += len(message.get("body", b""))
        await self._send(message)


async def _answer_defect(error: Exception, scope: Scope, exchange: _Exchange) -> None:
    """Log an exception and answer 500, without a word of what is inside. A response that has begun is cut off."""
    number = token_hex(8)
    _log.error("request %s failed: %s %s", number, scope["method"], _route(scope), exc_info=error)
    if exchange.status:
        raise error
    detail = "the service failed; its log has the reason under this id"
    problem = Problem(500, "internal error", detail, "urn:bonmun:problem:internal", fields={"id": number})
    await problem.response()(scope, exchange.receive, exchange.send)


def _route(scope: Scope) -> str:
    """The template of the route that answered: `/v1/documents/{id}`."""
    context: Any = scope.get("fastapi", {}).get("effective_route_context")
    path = getattr(context, "path", None) or getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else "other"
