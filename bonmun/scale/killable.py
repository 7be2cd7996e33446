"""`extract_batch` in worker processes that can be killed: a page that hangs or crashes one is a row with its error."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

import pyarrow as pa

from bonmun import registry
from bonmun.errors import WorkerDied, WorkerTimeout
from bonmun.scale.batch import answer, page_rows
from bonmun.scale.packing import Packed, SharedMemory
from bonmun.scale.rows import Row, failed_row
from bonmun.scale.schema import output_schema
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool, cores

Change = Callable[[pa.RecordBatch], pa.RecordBatch]
"""A picklable function from answers to answers of as many rows."""

MEMORY = 4 << 30
"""Default limit on the address space of a process. Python, Arrow and the model take 1.4 GiB of it, mostly reserved."""
_RECYCLE = 500
"""Batches of a process: a new one costs a second, these some minutes, and what a method leaks stays bounded."""


class BatchPool:
    """Worker processes that extract batches; 0 jobs for one on each core.

    The limits of `settings` hold for each page. A process that exceeds their seconds by `patience` on one page, or that
    needs more than `memory` bytes of address space (Linux only), is killed. A batch whose process was lost is tried
    again page by page, and a page that lost its process once more alone in a new one: such a page is a row with its
    `WorkerError`, the others have their answers. `then` is called on every answer, in the worker.

    Processes are started when they are needed, and replaced after 500 batches. They end with the `with` block,
    whatever they do at that moment.

    >>> pages = pa.RecordBatch.from_pydict({"html": ["<p>Tea is made of leaves, and of hot water."]})
    >>> with BatchPool(jobs=1) as pool:
    ...     [batch.column("status").to_pylist() for batch in pool.map([pages])]
    [['ok']]
    """

    def __init__(
        self,
        settings: BatchSettings = DEFAULT_BATCH,
        *,
        jobs: int = 1,
        memory: int | None = MEMORY,
        patience: float = 10.0,
        then: Change | None = None,
    ) -> None:
        self._settings, self._limit, self._memory = settings, memory, SharedMemory()
        self._task = _Extraction(settings, most_seconds(settings) + patience, then)
        self._pool = self._new_pool(jobs or cores())

    def __enter__(self) -> "BatchPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes at once: answers that nobody took by now are of no use."""
        self._pool.close(now=True)
        self._memory.close()

    def map(self, batches: Iterable[pa.RecordBatch]) -> Generator[pa.RecordBatch, None, None]:
        """Yield the answer to every batch in order; at most three batches for each process are taken ahead."""
        given: deque[Packed] = deque()

        def packed() -> Iterator[Packed]:
            for batch in batches:
                output_schema(batch.schema, self._settings)  # raises for a batch without pages
                given.append(self._memory.pack(batch))
                yield given[-1]

        with closing(self._pool.map(packed())) as results:
            for result in results:
                lost = isinstance(result, Failure)
                answered = self._page_by_page(given[0].batch()) if isinstance(result, Failure) else result.batch()
                self._memory.release(given.popleft(), unread=not lost)
                yield answered

    def _new_pool(self, jobs: int) -> WorkerPool[Packed, Packed]:
        return WorkerPool(
            self._task,
            jobs=jobs,
            seconds=lambda packed: (packed.rows + 1) * self._task.seconds,
            memory=self._limit,
            queue=2 * jobs,
            recycle=_RECYCLE,
        )

    def _page_by_page(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Answer a batch whose process was lost."""
        if not batch.num_rows:
            return self._task.finished(batch, [])
        pages = [batch.slice(index, 1) for index in range(batch.num_rows)]
        with closing(self._pool.map(map(Packed.of, pages))) as results:
            answers = [
                self._alone(page, result) if isinstance(result, Failure) else result.batch()
                for page, result in zip(pages, results, strict=True)
            ]
        return pa.concat_batches(answers)

    def _alone(self, page: pa.RecordBatch, failure: Failure) -> pa.RecordBatch:
        """Answer a page whose process was lost: that of an earlier page may be to blame, unless the page hangs."""
        result: Packed | Failure = failure
        if not _timed_out(failure):
            with self._new_pool(1) as pool:
                (result,) = pool.map([Packed.of(page)])
        if not isinstance(result, Failure):
            return result.batch()
        if _timed_out(result):
            seconds = self._task.seconds
            result = Failure.of(WorkerTimeout("seconds", seconds, seconds))
        return self._task.finished(page, [failed_row(result)])


def most_seconds(settings: BatchSettings) -> float:
    """Return the most seconds that a page takes: its limit for reading and judging, and for each output.

    >>> most_seconds(BatchSettings(texts=("text", "markdown")))
    120.0
    """
    parts = 2 + len(settings.texts) + settings.blocks  # metadata are an output too
    drawing = registry.rendering_seconds() if registry.needs_layout(settings.method) else 0.0
    return parts * settings.limits.seconds + drawing


@dataclass(frozen=True, slots=True)
class _Extraction:
    """`extract_batch` on packed batches, picklable."""

    settings: BatchSettings
    seconds: float
    then: Change | None

    def __call__(self, packed: Packed) -> Packed:
        batch, rows = packed.batch(), []
        self._watch()
        for row in page_rows(batch, self.settings):
            if row["error"] and row["error"]["type"] == "MemoryError":
                raise MemoryError  # this process has little left for the next pages
            rows.append(row)
            self._watch()
        return Packed.of(self.finished(batch, rows))

    def finished(self, batch: pa.RecordBatch, rows: list[Row]) -> pa.RecordBatch:
        answered = answer(batch, rows, self.settings)
        return answered if self.then is None else self.then(answered)

    def _watch(self) -> None:
        """Let the kernel end this process, even in C code, if its next page takes too long.

        A time limit of the whole batch would have to allow for that of all its pages. The pool's own limit is just
        that, for systems without such a timer; the timer of the pool's worker is the same, and is stopped by it.
        """
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, self.seconds)


def _timed_out(failure: Failure) -> bool:
    by_timer = isinstance(failure.error, WorkerDied) and failure.error.status == -getattr(signal, "SIGALRM", -1)
    return by_timer or isinstance(failure.error, WorkerTimeout)
