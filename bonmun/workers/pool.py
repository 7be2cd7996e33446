"""The pool: a bounded queue, and a thread for each worker that takes items from it."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from bonmun.errors import QueueFull, WorkerError, WorkerNotStarted
from bonmun.workers.failure import Failure
from bonmun.workers.processes import Command
from bonmun.workers.worker import Worker

Item = TypeVar("Item")
Result = TypeVar("Result")

_QUEUE = 16
"""Default length of the queue, for each worker."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class PoolLoad:
    """What a pool does at a moment."""

    waiting: int
    """Items in the queue."""
    running: int
    jobs: int
    """Workers that it may have."""
    started: int
    """Workers that it has."""
    restarts: int
    """How often a process was replaced: after a crash, a limit or its share of items."""


class WorkerPool(Generic[Item, Result]):
    """Up to `jobs` worker processes, started when they are needed; 0 for one on each core.

    `seconds` limits the time for an item: a number, or a function of the item. `memory` limits the address space of a
    process in bytes (Linux only). `queue` is how many items may wait, 16 for each worker by default. A process is
    replaced after `recycle` items. `nice` lowers the priority of the processes (POSIX only).

    As a context manager it waits for all items at the end of the block, and kills its processes if the block raises.

    >>> with WorkerPool(int, jobs=2, seconds=60) as pool:
    ...     print([getattr(result, "kind", result) for result in pool.map(["1", "two", "3"])])
    [1, 'ValueError', 3]
    """

    def __init__(
        self,
        task: Callable[[Item], Result] | Command,
        *,
        jobs: int = 1,
        seconds: float | Callable[[Item], float] | None = None,
        memory: int | None = None,
        queue: int | None = None,
        recycle: int | None = None,
        nice: int = 0,
    ) -> None:
        self._new_worker: Callable[[], Worker] = lambda: Worker(task, seconds, memory, recycle, nice)
        self._jobs = jobs or cores()
        self._capacity = self._jobs + (_QUEUE * self._jobs if queue is None else queue)
        self._lock = threading.RLock()
        self._item_added, self._room_made = threading.Condition(self._lock), threading.Condition(self._lock)
        self._waiting: deque[_Call[Item, Any]] = deque()
        self._workers: dict[threading.Thread, Worker] = {}
        self._idle = self._running = 0
        self._closed = False

    def __enter__(self) -> "WorkerPool[Item, Result]":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(now=kind is not None)

    def submit(
        self, item: Item, *, timeout: float | None = None, on_start: Callable[[], object] | None = None
    ) -> "Future[Result]":
        """Queue an item and return its future, which raises the task's error or a `WorkerError`. Thread-safe.

        A full queue blocks for at most `timeout` seconds, then raises `QueueFull`; 0 never blocks. An item that waits
        can be cancelled, one that runs cannot. `on_start` is called, in a thread of the pool, when a worker takes it.

        >>> with WorkerPool(int, seconds=60) as pool:
        ...     pool.submit("1").result()
        1
        """
        call: _Call[Item, Result] = _Call(item, on_start=on_start)
        self._put(call, timeout)
        return call

    def map(self, items: Iterable[Item]) -> Generator[Result | Failure, None, None]:
        """Yield the result of every item in order, and a `Failure` for one that failed.

        Items come from any iterable, endless ones too, and are taken only as far ahead as the queue is long.
        `WorkerNotStarted` is raised: no other item would do better.
        """
        calls: deque[_Call[Item, Result | Failure]] = deque()
        try:
            for item in items:
                calls.append(_Call(item, failure_is_result=True))
                self._put(calls[-1])
                while calls and (len(calls) >= self._capacity or calls[0].done()):
                    yield _mapped(calls.popleft())
            while calls:
                yield _mapped(calls.popleft())
        finally:
            for call in calls:
                call.cancel()

    @property
    def load(self) -> "PoolLoad":
        """What the pool does at this moment."""
        with self._lock:
            starts = sum(worker.starts for worker in self._workers.values())
            restarts = sum(max(0, worker.starts - 1) for worker in self._workers.values())
            return PoolLoad(len(self._waiting), self._running, self._jobs, starts - restarts, restarts)

    def close(self, *, now: bool = False) -> None:
        """Wait for all items, then end the processes; `now` cancels the items that wait and kills those that run."""
        with self._lock:
            self._closed = True
            cancelled = tuple(self._waiting) if now else ()
            self._item_added.notify_all()
            self._room_made.notify_all()
        for call in cancelled:
            call.cancel()
        for worker in self._workers.values() if now else ():
            worker.kill()
        try:
            for thread in self._workers:
                thread.join()
        except BaseException:  # Ctrl-C while it waits.
            if not now:
                self.close(now=True)
            raise

    def _put(self, call: "_Call[Item, Any]", timeout: float | None = None) -> None:
        with self._lock:
            if not self._room_made.wait_for(self._has_room, timeout):
                raise QueueFull(f"{self._capacity} items are waiting or running; try again later")
            if self._closed:
                raise WorkerError("the pool is closed")
            call.add_done_callback(self._withdraw)
            self._waiting.append(call)
            if self._idle < len(self._waiting) and len(self._workers) < self._jobs:
                worker = self._new_worker()
                thread = threading.Thread(target=self._work, args=(worker,), name="bonmun-worker", daemon=True)
                self._workers[thread] = worker
                thread.start()
            self._item_added.notify()

    def _has_room(self) -> bool:
        return self._closed or len(self._waiting) + self._running < self._capacity

    def _withdraw(self, call: "Future[Any]") -> None:
        """Make room at once when an item is cancelled."""
        if call.cancelled():
            with self._lock:
                if call in self._waiting:
                    self._waiting.remove(cast("_Call[Item, Any]", call))
                self._room_made.notify()

    def _work(self, worker: Worker) -> None:
        """Give one item after the other to a worker."""
        try:
            while (call := self._next()) is not None:
                outcome = worker.run(call.take())
                with self._lock:
                    self._running -= 1
                    self._room_made.notify()
                call.settle(outcome)
        finally:
            worker.stop()

    def _next(self) -> "_Call[Item, Any] | None":
        """Wait for an item; None once the pool is closed and the queue is empty."""
        with self._lock:
            self._idle += 1
            try:
                while self._item_added.wait_for(lambda: self._waiting or self._closed) and self._waiting:
                    call = self._waiting.popleft()
                    if call.set_running_or_notify_cancel():
                        self._running += 1
                        return call
                return None
            finally:
                self._idle -= 1


class _Call(Future[Result], Generic[Item, Result]):
    """An item on its way, and the future of its result."""

    def __init__(
        self, item: Item, *, failure_is_result: bool = False, on_start: Callable[[], object] | None = None
    ) -> None:
        super().__init__()
        self._item: Item | None = item
        self._failure_is_result = failure_is_result
        self._on_start = on_start

    def take(self) -> Item:
        """Return the item and drop it: the future may be kept longer."""
        if self._on_start is not None:
            self._on_start()
        item, self._item = self._item, None
        return cast(Item, item)

    def settle(self, outcome: Any) -> None:
        """Set the result, or the exception of a failure."""
        if isinstance(outcome, Failure) and not self._failure_is_result:
            error = outcome.exception()
            if outcome.traceback:
                error.add_note(f"In a worker process:\n{outcome.traceback}")
            self.set_exception(error)
        else:
            self.set_result(outcome)


def _mapped(call: _Call[Any, Result | Failure]) -> Result | Failure:
    outcome = call.result()
    if isinstance(outcome, Failure) and isinstance(outcome.error, WorkerNotStarted):
        raise outcome.error
    return outcome
