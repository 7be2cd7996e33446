"""The worker pool behind an event loop: a bounded queue, a second try, and how long a newcomer would wait."""

import asyncio
import math
from time import perf_counter
from typing import Any, Final, TypeVar

from bonmun.errors import QueueFull, WorkerDied, WorkerError, WorkerNotStarted
from bonmun.serve.current_request import unless_gone
from bonmun.serve.metrics import ServeMetrics
from bonmun.serve.problems import unavailable
from bonmun.serve.settings import ServeSettings
from bonmun.serve.work import Work, name_of, perform, seconds_of
from bonmun.workers.pool import WorkerPool, cores

T = TypeVar("T")
_RECENT: Final = 0.1
"""Weight of the latest unit of work in the mean time."""
_LONGEST_WAIT: Final = 60
_KILLED: Final = -9
"""The status of a process that was ended by SIGKILL."""


class _Busy(QueueFull):
    """`QueueFull`, with the seconds after which there may be room."""

    retry_after = 1


class Workshop:
    """Runs units of work in killable processes. For one event loop.

    Places in the queue are given out here: `queue` of them to requests, two for each worker to work in turn. Work that
    has a place keeps it for its second try.
    """

    def __init__(self, settings: ServeSettings, metrics: ServeMetrics) -> None:
        self.jobs = settings.workers or cores()
        in_turn = 2 * self.jobs
        self._pool: WorkerPool[Work[Any], Any] = WorkerPool(
            perform, jobs=self.jobs, seconds=seconds_of, memory=settings.memory, queue=settings.queue + in_turn
        )
        self.broken: WorkerNotStarted | None = None
        """Why the last process did not start; `None` once one has."""
        self._requests, self._most_requests = 0, self.jobs + settings.queue
        self._in_turn = asyncio.Semaphore(in_turn)
        self._pending: set[asyncio.Future[Any]] = set()
        self._mean = 0.05
        self._metrics = metrics
        metrics.gauge("pool_waiting", "Work that waits.", lambda: self._pool.load.waiting)
        metrics.gauge("pool_running", "Work that runs.", lambda: self._pool.load.running)
        metrics.gauge("pool_workers", "Started worker processes.", lambda: self._pool.load.started)
        metrics.gauge("pool_restarts", "Replaced worker processes.", lambda: self._pool.load.restarts)

    async def perform(self, work: Work[T]) -> T:
        """Run a unit of work; `QueueFull` at once if there is no room."""
        if self._requests >= self._most_requests:
            raise self._busy()
        self._requests += 1
        try:
            return await self._tried_again(work)
        finally:
            self._requests -= 1

    def refusal(self, coming: int) -> QueueFull | None:
        """Return why a request would find no room, if `coming` requests that are still being read come first."""
        is_full = self._requests + min(coming, self._most_requests // 2) >= self._most_requests
        return self._busy() if is_full else None

    @property
    def requests(self) -> int:
        """How many requests have a place in the queue."""
        return self._requests

    async def perform_in_turn(self, work: Work[T]) -> T:
        """Run a unit of work when there is room; work in turn takes two places for each worker at most."""
        async with self._in_turn:
            return await self._tried_again(work)

    async def _tried_again(self, work: Work[T]) -> T:
        """Run a unit of work, and once more if its process died: it may not be to blame.

        SIGKILL comes from outside, and may well hit the second process, too: so there is a third try.
        """
        try:
            return await self._submitted(work)
        except (WorkerDied, WorkerNotStarted):
            try:
                return await self._submitted(work)
            except WorkerDied as error:
                if error.status != _KILLED:
                    raise
                return await self._submitted(work)

    async def _submitted(self, work: Work[T]) -> T:
        times: list[float] = []
        try:
            call = self._pool.submit(work, timeout=0, on_start=lambda: times.append(perf_counter()))
        except WorkerError:
            raise unavailable("shutting down", "the service shut down before the work was done") from None
        future: asyncio.Future[T] = asyncio.wrap_future(call)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        try:
            result = await unless_gone(future)
        except Exception as error:
            self._metrics.failure(error)
            self.broken = error if isinstance(error, WorkerNotStarted) else None
            raise
        self._observe(work, perf_counter() - times[0])
        return result

    def _observe(self, work: Work[Any], seconds: float) -> None:
        self.broken = None
        self._mean += _RECENT * (seconds - self._mean)
        self._metrics.work(name_of(work), seconds)

    def _busy(self) -> _Busy:
        busy = _Busy(f"{self._requests} pages are waiting or running; try again later")
        wait = self._requests * self._mean / self.jobs
        busy.retry_after = min(_LONGEST_WAIT, max(1, math.ceil(wait)))
        return busy

    async def finish(self, seconds: float) -> None:
        """Wait for the work that runs and waits."""
        if self._pending:
            await asyncio.wait(self._pending, timeout=seconds)

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._pool.close(now=True)
