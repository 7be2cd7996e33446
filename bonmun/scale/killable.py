"""`extract_batch` in worker processes that can be killed: a page that hangs or crashes one is a row with its error."""

import io
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from bonmun import registry
from bonmun.scale.batch import answer, extract_batch
from bonmun.scale.rows import failed_row
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_GRACE_SECONDS = 10.0
"""To start a process and to return its answer, beyond the seconds of the pages."""


class BatchPool:
    """Worker processes that extract batches; 0 jobs for one on each core.

    The limits of `settings` hold for each page. A batch that a process does not survive is tried again page by page:
    the page that did it is a row with its error, the others have their answers.

    >>> pages = pa.RecordBatch.from_pydict({"html": ["<p>Tea is made of leaves, and of hot water."]})
    >>> with BatchPool(jobs=1) as pool:
    ...     [batch.column("status").to_pylist() for batch in pool.map([pages])]
    [['ok']]
    """

    def __init__(self, settings: BatchSettings = DEFAULT_BATCH, *, jobs: int = 1) -> None:
        self._settings = settings
        self._pool: WorkerPool[bytes, bytes] = WorkerPool(
            _Extraction(settings), jobs=jobs, seconds=self._seconds, queue=2 * max(jobs, 1)
        )

    def __enter__(self) -> "BatchPool":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._pool.close(now=kind is not None)

    def map(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the answer to every batch in order; a bounded number of batches is taken ahead."""
        given: deque[pa.RecordBatch] = deque()

        def packed() -> Iterator[bytes]:
            for batch in batches:
                given.append(batch)
                yield to_bytes(batch)

        for result in self._pool.map(packed()):
            batch = given.popleft()
            yield self._page_by_page(batch) if isinstance(result, Failure) else from_bytes(result)

    def _page_by_page(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        pages = [batch.slice(index, 1) for index in range(batch.num_rows)]
        results = self._pool.map(map(to_bytes, pages))
        answers = [
            answer(page, [failed_row(result)], self._settings) if isinstance(result, Failure) else from_bytes(result)
            for page, result in zip(pages, results, strict=True)
        ]
        return pa.Table.from_batches(answers).combine_chunks().to_batches()[0]

    def _seconds(self, packed: bytes) -> float:
        """The time for a batch: that of its slowest page twice over, reading and writing, and some for the others."""
        limits = self._settings.limits
        drawing = registry.rendering_seconds() if registry.needs_layout(self._settings.method) else 0.0
        return 3 * limits.seconds + drawing + _GRACE_SECONDS


@dataclass(frozen=True, slots=True)
class _Extraction:
    """`extract_batch` on packed batches, picklable."""

    settings: BatchSettings

    def __call__(self, packed: bytes) -> bytes:
        return to_bytes(extract_batch(from_bytes(packed), self.settings))


def to_bytes(batch: pa.RecordBatch) -> bytes:
    """Return a batch in Arrow's stream format."""
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def from_bytes(packed: bytes) -> pa.RecordBatch:
    """Return the batch that `to_bytes` packed."""
    with pa.ipc.open_stream(packed) as reader:
        return reader.read_next_batch()
