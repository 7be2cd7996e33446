"""A batch: pages that were uploaded → workers → results."""

import json
import zlib
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic
from typing import Any

from bonmun.errors import BonmunError, WorkerNotStarted
from bonmun.model.output import DEFAULT_OUTPUT
from bonmun.run.keeper import lasting
from bonmun.serve.extraction import Extracted, ExtractWork, Options
from bonmun.serve.given_page import GivenPage
from bonmun.serve.jobs.reading import reason
from bonmun.serve.jobs.recorded import compressed
from bonmun.serve.jobs.run import Run
from bonmun.serve.jobs.upload import problem_result
from bonmun.serve.problems import Problem, problem_of
from bonmun.serve.work import Work, perform, seconds_of
from bonmun.store.job_pages import JobPage
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_AHEAD = 4
"""Pages that wait for each worker."""
_PAUSE = 0.1
"""Seconds between two looks at whether the job is stopped."""


class BatchRun(Run):
    """The run of a batch, with workers of its own. Pages end in the order of their lines."""

    def _work(self) -> str:
        settings, limits = self._settings.jobs, self._settings.limits
        self._options = Options(self.job.spec["method"], "balance", "json", DEFAULT_OUTPUT, limits)
        pool: WorkerPool[Work[Any], Any] = WorkerPool(
            perform, jobs=settings.workers, seconds=seconds_of, memory=self._settings.memory, queue=None,
            nice=settings.nice,
        )  # fmt: skip
        try:
            self._run_on(pool, settings.workers * (1 + _AHEAD))
        finally:
            pool.close(now=True)
        return ""

    def _run_on(self, pool: "WorkerPool[Work[Any], Any]", most: int) -> None:
        """Keep some pages on their way until all are done; when stopped, wait for those with patience."""
        open_: deque[tuple[JobPage, Future[Extracted]]] = deque()
        end: float | None = None
        while True:
            if not self._stop.is_set() and len(open_) < most:
                rows = lasting(lambda: self._pages.take(most - len(open_)), self._stop)
                open_.extend((row, pool.submit(self._task(row))) for row in rows)
            if not open_:
                return
            if self._stop.is_set():
                end = end or monotonic() + self._settings.jobs.patience
                if monotonic() > end:
                    return
            self._settle_first(open_)

    def _settle_first(self, open_: "deque[tuple[JobPage, Future[Extracted]]]") -> None:
        """Wait a moment for the first page, and keep its result."""
        row, future = open_[0]
        with suppress(TimeoutError):
            try:
                extracted = future.result(_PAUSE)
            except TimeoutError:
                if not future.done():
                    raise
                self._failed(row, future.exception())
            except Exception as error:
                self._failed(row, error)
            else:
                self._progress.count("extracted")
                result = _result(extracted)
                with self._progress.ending("stored") as settled:
                    lasting(lambda: self._pages.done(row.id, settled, result), self._stop)
            open_.popleft()

    def _task(self, row: JobPage) -> ExtractWork:
        page = GivenPage(zlib.decompress(row.content or b""), row.url or None, row.content_type)
        return ExtractWork(page, self._options)

    def _failed(self, row: JobPage, error: BaseException | None) -> None:
        if isinstance(error, WorkerNotStarted) or not isinstance(error, Exception):  # no other page would do better
            raise error or WorkerNotStarted("a worker gave no answer")
        problem = problem_of(error) if isinstance(error, BonmunError) else Problem(500, "Error", str(error))
        kind, message, result = Failure.of(error).kind, reason(error, row.url), problem_result(problem)
        with self._progress.ending("failed") as settled:
            lasting(lambda: self._pages.fail(row.id, settled, "parsing", kind, message, result), self._stop)


def _result(extracted: Extracted) -> bytes:
    head = json.dumps({"status": extracted.status, "confidence": round(extracted.confidence, 4)})
    return compressed(f'{head[:-1]}, "document": '.encode() + extracted.content.strip() + b"}")
