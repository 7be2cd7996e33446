"""Work on pages away from the reactor's thread: there it would delay every download of the crawl."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred

from bonmun.workers.pool import WorkerPool

Item = TypeVar("Item")
Result = TypeVar("Result")
Value = TypeVar("Value")

_QUEUE: Final = 1_000_000
"""Items that may wait for a worker. Scrapy itself bounds the pages in flight (SCRAPER_SLOT_MAX_ACTIVE_SIZE), and a full
queue would block the reactor."""


class Workroom(Generic[Item, Result]):
    """One thread, or worker processes that can be killed, for a function of an item.

    With 1 job, work runs in a thread: downloads go on beside it, in turns of the interpreter. With more, or 0 for one
    on each core, it runs in worker processes, and `seconds` limits the time for an item.
    """

    def __init__(self, task: Callable[[Item], Result], *, jobs: int, seconds: float) -> None:
        self._task = task
        self._thread = ThreadPoolExecutor(1, "bonmun")
        self._pool = WorkerPool(task, jobs=jobs, seconds=seconds, queue=_QUEUE) if jobs != 1 else None

    async def run(self, item: Item) -> Result:
        """Return the result of an item; raise the task's error or a `WorkerError`."""
        return await awaited(self._pool.submit(item) if self._pool else self._thread.submit(self._task, item))

    async def call(self, function: Callable[[], Value]) -> Value:
        """Call a function in the thread: one call at a time, in the order of the calls."""
        return await awaited(self._thread.submit(function))

    def close(self) -> None:
        """End the thread and the processes, after what they have to do."""
        if self._pool:
            self._pool.close()
        self._thread.shutdown()


async def awaited(future: "Future[Value]") -> Value:
    """Wait for a future under any reactor that Scrapy runs on."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor

    done: Deferred[None] = Deferred()
    future.add_done_callback(lambda _: reactor.callFromThread(done.callback, None))
    await done
    return future.result()
