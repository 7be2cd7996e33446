"""HTTP/1.1 with limits on the head of a request, which uvicorn does not have."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD: Final = 64 << 10
"""Bytes of request line and headers."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """Closes connections whose request head is too long or too late."""

    head_seconds = 10.0
    """Time for the head of a request, from the connection or from its first byte."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse a head that does not end."""
        super().data_received(data)
        if self._timer is None:
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD:
            self._stop_clock()
            self.send_400_response("The request line and headers are too long.")

    def on_message_begin(self) -> None:
        """Start the clock for a further request of the connection."""
        super().on_message_begin()
        if self._timer is None:
            self._start_clock()

    def on_headers_complete(self) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().on_headers_complete()

    def _start_clock(self) -> None:
        self._head_bytes = 0
        self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        self.transport.close()
