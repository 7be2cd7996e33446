"""Answers that arrive although their request was not read."""

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LINGER_SECONDS: Final = 3.0
"""Time for the rest of a request that was answered before its end."""


class LingeringClose:
    """The layer that reads the rest of a request after an answer such as 413, 429 or 503, and drops it.

    A server that closes a connection with unread data resets it, and the client loses the answer that it was sent
    (RFC 9112, section 9.6).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if scope["type"] != "http" or not {b"content-length", b"transfer-encoding"} & {*dict(scope["headers"])}:
            await self._app(scope, receive, send)
            return
        request = _Request(receive)

        async def finish(message: Message) -> None:
            is_last = message["type"] == "http.response.body" and not message.get("more_body")
            if is_last and not request.complete:
                await send({**message, "more_body": True})
                await request.drop_rest()
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await self._app(scope, request.receive, finish)


class _Request:
    """A request whose end is noticed."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.complete = False

    async def receive(self) -> Message:
        message = await self._receive()
        self.complete = self.complete or not message.get("more_body", False)
        return message

    async def drop_rest(self) -> None:
        """Read until the end, for some seconds; the client may go away meanwhile."""
        try:
            async with asyncio.timeout(_LINGER_SECONDS):
                while not self.complete:
                    await self.receive()
        except TimeoutError:
            pass
