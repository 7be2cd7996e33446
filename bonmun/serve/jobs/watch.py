"""Changes of jobs, for those who listen: one look at the store for all of them, the latest state for each."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from bonmun.errors import BonmunError
from bonmun.store.jobs import JobRecord

_LOOK: Final = 0.25
"""Seconds between two looks."""
_MOST: Final = 1000
"""Jobs that change between two looks."""


class Listener:
    """Woken when a job has changed; what it has not read in time, it never sees."""

    def __init__(self, latest: dict[str, JobRecord]) -> None:
        self._latest = latest
        self._changed = asyncio.Event()
        self.is_closed = False

    async def wait(self, seconds: float) -> bool:
        """Wait for a change; return whether there is one."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        self._changed.clear()
        return True

    def after(self, revision: int, job_id: str | None = None) -> list[JobRecord]:
        """Return the latest state of all jobs, or of one, that changed after a revision, in the order of change."""
        found = self._latest.values() if job_id is None else filter(None, [self._latest.get(job_id)])
        return sorted((one for one in found if one.revision > revision), key=lambda one: one.revision)

    def wake(self, *, close: bool = False) -> None:
        """Wake it."""
        self.is_closed = self.is_closed or close
        self._changed.set()


class Watch:
    """Looks at the store while somebody listens."""

    def __init__(self, changed: Callable[[int, int], Sequence[JobRecord]]) -> None:
        """Make a watch; `changed` returns the jobs that changed after a revision, and blocks."""
        self._read = changed
        self._listeners: set[Listener] = set()
        self._latest: dict[str, JobRecord] = {}
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Listener]:
        """Yield a listener; what changes inside the block is seen."""
        listener = Listener(self._latest)
        listener.is_closed = self._closed
        self._listeners.add(listener)
        try:
            async with self._starting:
                if self._task is None:
                    self._loop = asyncio.get_running_loop()
                    self._task = self._loop.create_task(self._look(await self._revision()))
            yield listener
        finally:
            self._listeners.discard(listener)
            if not self._listeners and self._task is not None:
                self._task.cancel()
                self._task = None
                self._latest.clear()

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def close(self) -> None:
        """End all listening, from any thread: a server that shuts down waits for its connections."""
        self._closed = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._close_all)

    def _close_all(self) -> None:
        for listener in self._listeners:
            listener.wake(close=True)

    async def _revision(self) -> int:
        """Return the present revision; whoever listens reads the state of the jobs after it."""
        with suppress(BonmunError):
            for record in await asyncio.to_thread(self._read, 0, 1):
                return record.revision
        return 0

    async def _look(self, revision: int) -> None:
        while True:
            with suppress(BonmunError):
                for record in await asyncio.to_thread(self._read, revision, _MOST):
                    self._latest[record.id] = record
                    revision = record.revision
                    for listener in self._listeners:
                        listener.wake()
            await asyncio.sleep(_LOOK)
