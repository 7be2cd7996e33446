"""One task, many items, a few worker processes: a process that dies or hangs loses its own item and no other.

`concurrent.futures` fails every pending item when one process dies and cannot stop one that hangs; so each worker here
holds one item at a time and is replaced when it is lost.
"""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from bonmun.cli.failure import Failure

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 16
"""How many results for each worker may wait until those before them are there."""


def run(
    task: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, seconds: Callable[[Item], float]
) -> Generator[Result | Failure, None, None]:
    """Yield the result of every item, in order; a `Failure` where the task raised or its process died or hung.

    `jobs` is the number of processes, 0 for one on each core; `seconds` tells how long an item may take. Task, items
    and results travel between processes, so they have to be such as can be pickled.
    """
    count = min(jobs or cores(), len(items))
    workers: list[_Worker[Item, Result]] = [_Worker(task) for _ in range(count)]
    done: dict[int, Result | Failure] = {}
    upcoming = 0
    try:
        for turn in range(len(items)):
            while turn not in done:
                for worker in workers:
                    if worker.index is None and upcoming < min(len(items), turn + _AHEAD * count):
                        worker.give(upcoming, items[upcoming], seconds(items[upcoming]))
                        upcoming += 1
                for index, answer in _answers(workers):
                    done[index] = answer
            yield done.pop(turn)
    finally:
        for worker in workers:
            worker.stop()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker(Generic[Item, Result]):
    """A process, started when it is first needed and again after it was lost."""

    def __init__(self, task: Callable[[Item], Result]) -> None:
        self._task = task
        self._process: SpawnProcess | None = None
        self.connection: Connection[Any, Any] | None = None
        self.index: int | None = None
        """The item it holds."""
        self.deadline = 0.0
        self._seconds = 0.0

    def give(self, index: int, item: Item, seconds: float) -> None:
        """Let it work on an item."""
        if not self._send(item):  # It died while it held nothing: no item is to blame.
            self.stop()
            self._send(item)
        self.index, self._seconds = index, seconds
        self.deadline = time.monotonic() + seconds

    def take(self) -> Result | Failure:
        """Return what it has answered, or how it died."""
        assert self.connection and self._process
        self.index = None
        try:
            answer: Result | Failure = self.connection.recv()
        except (EOFError, OSError):
            self._process.join(1)
            answer = Failure("WorkerDied", f"the process that read it {_end(self._process.exitcode)}")
            self.stop()
        return answer

    def cut_off(self) -> Failure:
        """Stop it: its time is over."""
        self.stop()
        return Failure("LimitExceeded", f"not done in {self._seconds:g} seconds; the process that read it was stopped")

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._process and self.connection:
            self._process.kill()
            self._process.join()
            self._process.close()
            self.connection.close()
        self._process = self.connection = self.index = None

    def _send(self, item: Item) -> bool:
        connection = self.connection or self._start()
        try:
            connection.send(item)
        except OSError:
            return False
        return True

    def _start(self) -> "Connection[Any, Any]":
        # Spawned, not forked: a fork copies locks that a thread of ours (the progress bar's) may hold at that moment.
        context = multiprocessing.get_context("spawn")
        with _no_interrupts():
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._task), daemon=True)
            process.start()
            theirs.close()
            self._process, self.connection = process, ours
        return ours


def _answers(workers: Sequence[_Worker[Item, Result]]) -> Iterator[tuple[int, Result | Failure]]:
    """Wait for at least one answer or deadline, and return what there is."""
    busy = [worker for worker in workers if worker.index is not None]
    patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
    ready = wait([worker.connection for worker in busy if worker.connection], patience)
    for worker in busy:
        index = worker.index
        assert index is not None
        if worker.connection in ready:
            yield index, worker.take()
        elif worker.deadline <= time.monotonic():
            yield index, worker.cut_off()


def _serve(connection: "Connection[Any, Any]", task: Callable[[Any], object]) -> None:
    """Answer one item after the other until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # What a method prints must not stand among the documents.
    try:
        while True:
            item = connection.recv()
            try:
                answer = task(item)
            except Exception as error:
                answer = Failure.of(error)
            connection.send(answer)
    except (EOFError, OSError):
        return


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes deaf to Ctrl-C, which reaches the whole group: the first process ends them all, in order."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(status: int | None) -> str:
    if status is not None and status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
