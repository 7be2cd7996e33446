"""Rate and concurrency of a client, and the end of its event streams."""

import asyncio
import math
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.serve.access.gatekeeper import Gatekeeper, Visitor
from bonmun.serve.access.paths import is_static, is_stream
from bonmun.serve.access.rates import Allowance, Rate
from bonmun.serve.problems import Problem

CHECK_AFTER: Final = 2.0
"""Seconds after which the token of an open stream is checked again."""


class Limited:
    """The layer that keeps clients to their limits. It needs `state.visitor`."""

    def __init__(self, app: ASGIApp, gatekeeper: Gatekeeper) -> None:
        self._app = app
        self._gatekeeper = gatekeeper

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a request."""
        visitor: Visitor = connection["state"]["visitor"]
        path: str = connection["path"]
        if is_static(path):  # a screen takes a dozen; they cost nothing
            await self._app(connection, receive, send)
            return
        if visitor.rate is not None:
            send = self._counted(visitor, visitor.rate, send)
        keeper = self._gatekeeper
        if is_stream(path):
            with keeper.streams.held(visitor.key, keeper.settings.streams, "streams"):
                await self._stream(visitor, connection, receive, send)
        else:
            with keeper.requests.held(visitor.key, visitor.concurrency, "requests"):
                await self._app(connection, receive, send)

    def _counted(self, visitor: Visitor, rate: Rate, send: Send) -> Send:
        allowance = self._gatekeeper.rates.take(visitor.key, rate)
        headers = rate_headers(rate, allowance)
        if not allowance.allowed:
            raise Problem(
                429, "too many requests", f"this client may send {rate}; try again in {math.ceil(allowance.wait)} s",
                "urn:bonmun:problem:too-many-requests", {**headers, "Retry-After": str(math.ceil(allowance.wait))},
            )  # fmt: skip

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        return with_headers

    async def _stream(self, visitor: Visitor, connection: Connection, receive: Receive, send: Send) -> None:
        """Let a stream run until it ends, the service does, or its token is revoked."""
        answer = _Answer(send)
        stream = asyncio.ensure_future(self._app(connection, receive, answer.send))
        keeper = self._gatekeeper
        with keeper.listed(stream):
            try:
                while not (await asyncio.wait({stream}, timeout=CHECK_AFTER))[0]:
                    if not keeper.is_valid(visitor):
                        stream.cancel()
            finally:
                stream.cancel()
        if stream.cancelled():
            await answer.end()
        else:
            stream.result()


class _Answer:
    """An answer that can be ended properly in the middle."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = self._ended = False

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self._started = True
        self._ended = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def end(self) -> None:
        if not self._started:
            raise Problem(503, "service ends", "the service is shutting down", headers={"Retry-After": "5"})
        if not self._ended:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def rate_headers(rate: Rate, allowance: Allowance) -> dict[str, str]:
    """Return the header fields of a rate (draft-ietf-httpapi-ratelimit-headers).

    >>> rate_headers(Rate(60, 60), Allowance(True, 12, 0.0))
    {'RateLimit-Policy': '"default";q=60;w=60', 'RateLimit': '"default";r=12;t=0'}
    """
    return {
        "RateLimit-Policy": f'"default";q={rate.requests};w={rate.seconds}',
        "RateLimit": f'"default";r={allowance.remaining};t={math.ceil(allowance.wait)}',
    }
