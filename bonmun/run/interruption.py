"""Signals that end a run: the first lets it finish what it has begun, the second ends it at once."""

import os
import signal
from collections.abc import Callable
from threading import Thread
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
"""SIGHUP comes when a terminal is closed, as at the end of an ssh connection."""
_END = b"\0"


class Interruption:
    """Calls `stop` at the first SIGTERM, SIGINT or SIGHUP; the second raises `KeyboardInterrupt`. For the main thread.

    `stop` is called from a thread of its own, which a pipe wakes: a handler runs in the middle of whatever the main
    thread does, and would wait for ever for a lock that this thread holds.
    """

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._before: dict[int, Any] = {}
        self.signal: int | None = None
        """The first signal that came."""

    def __enter__(self) -> "Interruption":
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        self._thread = Thread(target=self._wait, name="bonmun-signals", daemon=True)
        self._thread.start()
        self._woken_before = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has SIGHUP ignored
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._woken_before)
        os.write(self._writer, _END)
        self._thread.join()
        os.close(self._reader)
        os.close(self._writer)

    def _handle(self, number: int, _: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number

    def _wait(self) -> None:
        """Read the numbers of signals until the end; call `stop` at the first that ends a run."""
        stopped = False
        while (read := os.read(self._reader, 1)) != _END:
            if not stopped and read[0] in _SIGNALS:
                stopped = True
                self._stop()
