"""HTTP/1.1 with limits on the head of a request and on slow readers, which uvicorn does not have."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD: Final = 64 << 10
"""Bytes of request line and headers."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """Closes connections whose request head is too long or too late, and those whose client does not read."""

    head_seconds = 10.0
    """Time for the head of a request, from the connection or from its first byte."""
    grace = 1.0
    """Time from the end of a limit to the end of the connection: what has arrived meanwhile is read first, also by an
    event loop that was held up."""
    read_seconds = 60.0
    """Time in which a client has to read some of an answer that waits for it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._reader_timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        self._stop_clock()
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse a head that does not end."""
        super().data_received(data)
        if self._timer is None:
            if self._is_idle() and not self.transport.is_closing():
                self._start_clock()
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

    def pause_writing(self) -> None:
        """Watch a client that does not read as fast as it is answered."""
        super().pause_writing()
        self._watch_reader(None)

    def resume_writing(self) -> None:
        """Stop watching it."""
        self._stop_watching()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its client never reads the rest of the answer."""
        self.timeout_keep_alive_task = self.loop.call_later(self.grace, self._close)

    def _is_idle(self) -> bool:
        """Whether nothing ends the connection: uvicorn stops its own clock when the rest of a refused body comes."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.timeout_keep_alive_task is None and not self.pipeline

    def _watch_reader(self, before: int | None) -> None:
        """Look again and again how much is not sent; end the connection if nothing was since the last time."""
        self._stop_watching()
        waiting = self.transport.get_write_buffer_size()
        if before is not None and waiting >= before:
            self.transport.abort()
        elif waiting:
            self._reader_timer = self.loop.call_later(self.read_seconds, self._watch_reader, waiting)

    def _stop_watching(self) -> None:
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _start_clock(self) -> None:
        self._head_bytes = 0
        self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = self.loop.call_later(self.grace, self._close)

    def _close(self) -> None:
        self._stop_clock()
        self.transport.close()
        self._watch_reader(None)
