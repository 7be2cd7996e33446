"""The protocol of worker processes, and the one for Python tasks."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.reduction import ForkingPickler
from typing import Any, Protocol, cast

from bonmun.workers.child import serve


@dataclass(frozen=True, slots=True)
class Command:
    """A program that writes a line when it is ready, then answers each line of JSON with a line of JSON."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] | None = None


class Process(Protocol):
    """A process that answers messages; its first one says that it is ready."""

    pid: int

    def encode(self, item: Any, seconds: float | None) -> bytes:
        """Return an item as a message."""

    def send(self, message: bytes) -> None:
        """Send a message; `OSError` if the process is gone."""

    def receive(self, seconds: float | None) -> Any:
        """Return its answer; `TimeoutError`, `MemoryError`, or `EOFError` or `OSError` if the process is gone."""

    def kill(self) -> None:
        """End it, whatever it does."""

    def end(self, patience: float) -> tuple[int | None, str]:
        """Kill it if it has not ended after so many seconds; return its exit status and last line of errors."""


def start(task: Callable[[Any], Any] | Command, memory: int | None, nice: int = 0) -> Process:
    """Start a process, with a limit on its address space in bytes; `nice` lowers its priority.

    The limit is a soft one: a browser, which reserves far more than it uses, can be started without it.
    """
    process = _command_process(task) if isinstance(task, Command) else _PythonProcess(task)
    if nice and hasattr(os, "setpriority"):
        with suppress(OSError):  # It is gone already, or the system refuses: it runs at the usual priority.
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + nice)
    if memory is not None and sys.platform == "linux":
        import resource

        try:
            most = resource.prlimit(process.pid, resource.RLIMIT_AS)[1]
            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory if most < 0 else min(memory, most), most))
        except ProcessLookupError:
            pass  # It is gone already: the first `receive` says why.
        except BaseException:
            process.end(0)
            raise
    return process


def _command_process(command: Command) -> Process:
    from bonmun.workers.command_process import CommandProcess  # Imports that a pool for Python tasks does not need.

    return CommandProcess(command)


class _PythonProcess:
    """A spawned interpreter that calls a task; items and results are pickled."""

    def __init__(self, task: Callable[[Any], Any]) -> None:
        # Spawned, not forked: a fork copies locks that another thread may hold at that moment.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, task), daemon=True)
        try:
            with _interrupts_blocked():
                self._process.start()
        except BaseException:
            self._connection.close()
            raise
        finally:
            theirs.close()
        self.pid = cast(int, self._process.pid)

    def encode(self, item: Any, seconds: float | None) -> bytes:
        return bytes(ForkingPickler.dumps((item, seconds)))

    def send(self, message: bytes) -> None:
        self._connection.send_bytes(message)

    def receive(self, seconds: float | None) -> Any:
        if not self._connection.poll(seconds):
            raise TimeoutError
        answer = self._connection.recv_bytes()
        if not answer:
            raise MemoryError
        return ForkingPickler.loads(answer)

    def kill(self) -> None:
        self._process.kill()

    def end(self, patience: float) -> tuple[int | None, str]:
        self._process.join(patience)
        self._process.kill()
        self._process.join()
        status = self._process.exitcode
        self._connection.close()
        with suppress(ValueError):  # Another thread that starts a process may be reaping this one.
            self._process.close()
        return status, ""


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes deaf to Ctrl-C, which reaches the whole process group: the parent ends its workers in order."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # Started with the first process, it would unblock the signal again.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
