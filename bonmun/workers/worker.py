"""One worker: a process that is started when it is needed, stopped at its limits and replaced when it is lost."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bonmun.errors import WorkerDied, WorkerError, WorkerNotStarted, WorkerOutOfMemory, WorkerTimeout
from bonmun.workers.failure import Failure
from bonmun.workers.processes import Command, Process, start

_START_SECONDS = 120.0
"""Time limit for starting a process: on a cold disk and a busy machine, some peers import hundreds of files."""
_EXIT_SECONDS = 2.0
"""How long to wait for the exit status of a process that closed its pipe."""


class Worker:
    """Runs one item at a time; only `kill` may be called from another thread."""

    def __init__(
        self,
        task: Callable[[Any], Any] | Command,
        seconds: float | Callable[[Any], float] | None,
        memory: int | None,
        recycle: int | None,
        nice: int = 0,
    ) -> None:
        self._task, self._seconds, self._memory, self._recycle, self._nice = task, seconds, memory, recycle, nice
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._items = 0
        self._killed = False
        self.starts = 0
        """How many processes it has started."""

    def run(self, item: Any) -> Any:
        """Return the result for an item, or a `Failure`."""
        try:
            seconds = self._seconds(item) if callable(self._seconds) else self._seconds
            answer = self._receive(self._send(item, seconds), seconds)
            self._items += 1
            if self._items == self._recycle:
                self.stop()
            return answer
        except WorkerError as error:
            self.stop()
            return Failure(type(error).__name__, str(error), error=error.with_traceback(None))
        except Exception as error:  # An item that cannot be pickled, an answer that is not JSON.
            self.stop()
            failure = Failure.of(error)
            return replace(failure, error=error.with_traceback(None))  # The frames hold the item.

    def kill(self) -> None:
        """End the process for good; `run` fails in the thread that waits for it."""
        with self._lock:
            self._killed = True
            if self._process:
                self._process.kill()

    def stop(self, patience: float = 0.0) -> tuple[int | None, str]:
        """End the process; return its exit status and the last line of its standard error."""
        with self._lock:
            process, self._process = self._process, None
            return process.end(patience) if process else (None, "")

    def _send(self, item: Any, seconds: float | None) -> Process:
        process = self._process or self._start()
        message = process.encode(item, seconds)
        try:
            process.send(message)
        except OSError:  # It died while it was idle: no item is the cause.
            self.stop()
            process = self._start()
            process.send(message)
        return process

    def _receive(self, process: Process, seconds: float | None) -> Any:
        try:
            return process.receive(seconds)
        except TimeoutError:
            raise WorkerTimeout("seconds", seconds or 0, seconds or 0) from None
        except MemoryError:
            raise WorkerOutOfMemory(self._memory) from None
        except (EOFError, OSError):
            raise WorkerDied(*self.stop(_EXIT_SECONDS)) from None

    def _start(self) -> Process:
        with self._lock:
            if self._killed:
                raise WorkerError("the pool is closed")
            self._items = 0
            try:
                process = self._process = start(self._task, self._memory, self._nice)
                self.starts += 1
            except Exception as error:
                raise WorkerNotStarted(f"cannot start a worker process: {error}") from error
        try:
            process.receive(_START_SECONDS)
        except TimeoutError:
            raise WorkerNotStarted(f"a worker process is not ready after {_START_SECONDS:g} seconds") from None
        except (EOFError, OSError):
            died = WorkerDied(*self.stop(_EXIT_SECONDS))
            raise WorkerNotStarted(died.last_line or f"a worker process does not start: {died}") from None
        return process
