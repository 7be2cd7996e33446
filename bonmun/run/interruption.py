"""Signals that end a run: the first lets it finish what it has begun, the second ends it at once."""

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Interruption:
    """Calls `stop` at the first SIGTERM or SIGINT; the second raises `KeyboardInterrupt`. For the main thread."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._before: dict[int, Any] = {}
        self.signal: int | None = None
        """The first signal that came."""

    def __enter__(self) -> "Interruption":
        for number in _SIGNALS:
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, _: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number
        self._stop()
