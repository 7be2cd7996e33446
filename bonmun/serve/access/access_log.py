"""A log line for every request, without secrets: no query strings, tokens or cookies."""

import logging
from collections.abc import MutableMapping
from time import perf_counter
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from bonmun.run.logs import note
from bonmun.serve.access.gatekeeper import LOGGER
from bonmun.serve.access.tokens import without_secrets

_MAX_PATH = 500


class AccessLog:
    """The layer that logs: method, path, status, bytes of the answer, seconds, owner of the token and address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if connection["type"] != "http" or not LOGGER.isEnabledFor(logging.INFO):
            await self._app(connection, receive, send)
            return
        start, status, size = perf_counter(), 0, 0

        async def counted(message: MutableMapping[str, Any]) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(connection, receive, counted)
        finally:
            client = HTTPConnection(connection).client
            note(
                LOGGER, logging.INFO, "request", method=connection["method"], path=shown_path(connection["path"]),
                status=status, bytes=size, seconds=round(perf_counter() - start, 4),
                owner=connection.get("state", {}).get("owner", ""), client=client.host if client else "",
            )  # fmt: skip


def shown_path(path: str) -> str:
    """Return the path of a request as it is logged: without the query of a page that it names.

    >>> shown_path("/r/https://example.org/reset?key=secret")
    '/r/https://example.org/reset'
    """
    cut = path.split("?", 1)[0].split("#", 1)[0]
    return without_secrets(cut)[:_MAX_PATH]
