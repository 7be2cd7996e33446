"""All jobs of the service: they wait, run, are cancelled, resumed and tried again."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from bonmun import registry
from bonmun.errors import BonmunError, NotStored
from bonmun.run.logs import note
from bonmun.serve.jobs.answers import RESTING
from bonmun.serve.jobs.holder import is_dead, lease, this_process
from bonmun.serve.jobs.progress import counted
from bonmun.serve.jobs.run import CANCELLED, INTERRUPTED, Run
from bonmun.serve.jobs.spec import BatchOptions, CrawlInput
from bonmun.serve.jobs.watch import Watch
from bonmun.serve.problems import Problem
from bonmun.serve.settings import ServeSettings
from bonmun.store.address import parse
from bonmun.store.clock import now
from bonmun.store.job_pages import FailureGroup, JobPage
from bonmun.store.jobs import JobRecord, JobTable

if TYPE_CHECKING:
    from bonmun.store.store import Store

_log = logging.getLogger("bonmun.serve")
_LOOK: Final = 2.0
"""Seconds between two looks for jobs that another service left, or that were added by one."""
_GROUPS: Final = 100
_URLS: Final = 20
_GRACE: Final = 5.0
"""Seconds beyond the patience of a run in which its processes and connections end."""


class Jobs:
    """The jobs of a store, and the runs of some of them in this process. Its calls block: use `asyncio.to_thread`."""

    def __init__(self, settings: ServeSettings, store: "Callable[[], Store]") -> None:
        """Make the jobs of a service; `store` opens its store at the first call."""
        self._settings, self._open_store = settings, store
        self._holder = f"{this_process()}|{token_hex(4)}"
        self._runs: dict[str, Run] = {}
        self._lock = Lock()
        self._wake, self._closed = Event(), Event()
        self._thread: Thread | None = None
        self.watch = Watch(self.changed)

    def start(self) -> None:
        """Go on with the jobs of an earlier process; a store that does not exist yet has none."""
        try:
            address = parse(self._settings.store)
        except BonmunError:  # reported by the first request that needs the store
            return
        if address.dialect == "postgresql" or (address.path is not None and Path(address.path).exists()):
            self._ensure_dispatching()

    def close(self) -> None:
        """Stop all runs, gracefully: they are interrupted, and go on at the next start."""
        self.stop()
        if self._thread is not None:
            self._thread.join()
        end = monotonic() + self._settings.jobs.patience + _GRACE
        for run in self._runs.values():
            run.stop(INTERRUPTED)  # also one that was just started
        for run in self._runs.values():
            run.join(max(0.0, end - monotonic()))

    def stop(self) -> None:
        """Begin to stop all runs, and end the streams of events; `close` waits for it."""
        self._closed.set()
        self._wake.set()
        self.watch.close()
        for run in tuple(self._runs.values()):
            run.stop(INTERRUPTED)

    # ── what the routes call ──────────────────────────────────────────────────────────────────────────────────────

    def get(self, job_id: str) -> JobRecord:
        """Return a job; raise `NotStored`, also for one that is still uploaded."""
        record = self._table.get(job_id)
        if record.state == "uploading":
            raise NotStored(f"no job {job_id} in this store")
        return record

    def changed(self, after: int, most: int) -> tuple[JobRecord, ...]:
        """Return the jobs that changed last, of those changed after a revision."""
        return self._table.changed(after, most)

    def list(self, limit: int, offset: int) -> tuple[int, tuple[JobRecord, ...]]:
        """Return the number of jobs and some of them, the newest first."""
        return self._table.list(limit, offset)

    def add_crawl(self, asked: CrawlInput) -> JobRecord:
        """Add a crawl; raise `InputError` for a source that is not allowed."""
        asked = asked.checked()
        self._refuse_if_many()
        record = self._table.add(asked.title(), "crawl", asked.spec(), "uploading", **self._held())
        try:
            self._table.pages(record.id).add([self._needed(row, asked.revisit) for row in asked.rows()])
        except BaseException:
            self._table.remove(record.id)
            raise
        return self.complete(record.id)

    def _needed(self, row: JobPage, revisit: bool) -> JobPage:
        """Return a page that is stored already as `skipped`."""
        is_stored = row.kind == "page" and not revisit and self._open_store().has(row.url)
        return replace(row, state="skipped") if is_stored else row

    def begin_batch(self, options: BatchOptions) -> JobRecord:
        """Add a batch without pages; it is not shown before it is complete."""
        registry.method(options.method)
        self._refuse_if_many()
        name = options.name or "batch"
        return self._table.add(name, "batch", {"method": options.method}, "uploading", **self._held())

    @property
    def longest_line(self) -> int:
        """Maximum size of a line of a batch: a page as a JSON string is longer than itself."""
        return 2 * self._settings.limits.bytes + 65_536

    def add_pages(self, job_id: str, rows: Sequence[JobPage]) -> int:
        """Add pages to a batch; return their number."""
        most = self._settings.jobs.lines
        if rows[-1].number > most:
            raise Problem(413, "batch too large", f"a batch has at most {most:,} lines; send several")
        self._table.change(job_id, ("uploading",), **self._held())
        return self._table.pages(job_id).add(rows)

    def discard(self, job_id: str) -> None:
        """Remove a batch whose upload failed."""
        self._table.remove(job_id)

    def complete(self, job_id: str) -> JobRecord:
        """Let a job begin, as soon as there is room."""
        counts = counted(self._table.pages(job_id), {})
        record = self._changed(job_id, ("uploading",), state="waiting", counts=counts, holder=None, held_until=None)
        self._ensure_dispatching()
        return record

    def cancel(self, job_id: str) -> JobRecord:
        """Stop a job: what it has is kept, and `resume` goes on with the rest."""
        record = self._table.get(job_id)
        if record.state in ("stopping", CANCELLED):
            return record
        at_rest = self._table.change(job_id, ("waiting", INTERRUPTED), state=CANCELLED, message="", ended_at=now())
        if at_rest is not None:
            return at_rest
        record = self._changed(job_id, ("running",), state="stopping")
        run = self._runs.get(job_id)
        if run is not None:
            run.stop(CANCELLED)
        return record

    def resume(self, job_id: str) -> JobRecord:
        """Go on with a job that was cancelled or interrupted, or has failed."""
        record = self._table.get(job_id)
        if record.state in ("waiting", "running"):
            return record
        return self._wait_again(job_id, (CANCELLED, INTERRUPTED, "failed"))

    def retry(self, job_id: str, stage: str | None = None, error: str | None = None) -> JobRecord:
        """Try the failed pages and sources again, all or those of a stage and an error."""
        record = self._table.get(job_id)
        if record.state not in RESTING:
            raise _conflict(record, "wait until it has ended, or cancel it")
        if not self._table.pages(job_id).retry(stage, error):
            raise _conflict(record, "no page of it failed that could be tried again")
        return self._wait_again(job_id, RESTING)

    def remove(self, job_id: str) -> None:
        """Remove a job with its results; the documents that it stored stay."""
        self._changed(job_id, RESTING | {"waiting"}, state="deleted", spec="{}")
        self._table.pages(job_id).clear()

    def failures(self, job_id: str) -> tuple[int, tuple[FailureGroup, ...]]:
        """Return the number of failed pages and sources, and the reasons."""
        pages = self._table.pages(self._table.get(job_id).id)
        return pages.totals()["failed"] + pages.totals("source")["failed"], pages.failures(_GROUPS, _URLS)

    def failed_after(self, job_id: str, settled: int, most: int) -> tuple[JobPage, ...]:
        """Return the latest failures of a job after a place in the order of ends."""
        return self._table.pages(job_id).failed_after(settled, most)

    def last_settled(self, job_id: str) -> int:
        """Return the highest place in the order of ends."""
        return self._table.pages(job_id).last_settled()

    def results(self, job_id: str, after: int, most: int) -> tuple[JobPage, ...]:
        """Return results of a batch in the order of its lines."""
        return self._table.pages(job_id).results(after, most)

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _table(self) -> JobTable:
        return self._open_store().jobs

    def _held(self) -> dict[str, str]:
        return {"holder": self._holder, "held_until": lease()}

    def _refuse_if_many(self) -> None:
        """Raise 429 if too many jobs wait: each may have many pages in the store."""
        most = self._settings.jobs.waiting
        if len(self._table.in_states(("waiting", "uploading"))) >= most:
            detail = f"{most} jobs wait already; try again later, or cancel some"
            raise Problem(429, "too many jobs", detail, "urn:bonmun:problem:too-many-jobs", {"Retry-After": "60"})

    def _changed(self, job_id: str, allowed: Collection[str], **values: object) -> JobRecord:
        """Change a job; raise 409 if it is in another state."""
        record = self._table.change(job_id, allowed, **values)
        if record is None:
            raise _conflict(self._table.get(job_id), f"it would have to be {', '.join(sorted(allowed))}")
        return record

    def _wait_again(self, job_id: str, allowed: Collection[str]) -> JobRecord:
        counts = counted(self._table.pages(job_id), self._table.get(job_id).counts)
        record = self._changed(job_id, allowed, state="waiting", message="", ended_at=None, counts=counts)
        self._ensure_dispatching()
        return record

    def _ensure_dispatching(self) -> None:
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._dispatch, name="bonmun-jobs", daemon=True)
                self._thread.start()
        self._wake.set()

    def _dispatch(self) -> None:
        """Start jobs that wait whenever there is room, until the service closes."""
        resume = self._settings.jobs.resume
        while not self._closed.is_set():
            self._wake.clear()
            try:
                self._take_over(resume)
                resume = False  # later, `interrupted` is the state of jobs of other services that have just been closed
                self._start_waiting()
            except Exception as error:  # whatever it is, jobs have to go on
                note(_log, logging.ERROR, "jobs not started", error=type(error).__name__, message=str(error))
            self._wake.wait(_LOOK)

    def _start_waiting(self) -> None:
        for job_id in [job_id for job_id, run in self._runs.items() if run.is_over]:
            del self._runs[job_id]
        while len(self._runs) < self._settings.jobs.running and not self._closed.is_set():
            record = self._table.claim(self._holder, lease())
            if record is None:
                return
            run = _run(record, self._open_store(), self._settings, self._wake.set)
            try:
                run.start()
            except RuntimeError:  # no more threads: another time
                self._table.change(record.id, ("running",), state="waiting", holder=None, held_until=None)
                raise
            self._runs[record.id] = run

    def _take_over(self, resume: bool) -> None:
        """Free the jobs of processes that are dead; with `resume`, let all that were interrupted go on."""
        table = self._table
        for job in table.in_states(("uploading", "running", "stopping")):
            lost = job.holder == self._holder and job.state != "uploading"  # its end could not be written
            if job.id in self._runs or not (lost or is_dead(job.holder, job.held_until)):
                continue
            if job.state == "uploading":
                table.remove(job.id)
                continue
            state = CANCELLED if job.state == "stopping" else "waiting" if self._settings.jobs.resume else INTERRUPTED
            message = "the service was killed" if state == INTERRUPTED else ""
            ended_at = None if state == "waiting" else now()
            values = {"message": message, "ended_at": ended_at, "rate": 0.0, "holder": None, "held_until": None}
            table.change(job.id, (job.state,), state=state, **values)
        if not resume:
            return
        table.remove(*(job.id for job in table.in_states(("deleted",))))
        for job in table.in_states((INTERRUPTED,)):
            table.change(job.id, (INTERRUPTED,), state="waiting", message="", ended_at=None)


def _run(record: JobRecord, store: "Store", settings: ServeSettings, on_end: Callable[[], object]) -> Run:
    from bonmun.serve.jobs.batch_run import BatchRun
    from bonmun.serve.jobs.crawl_run import CrawlRun

    return (CrawlRun if record.kind == "crawl" else BatchRun)(record, store, settings, on_end)


def _conflict(record: JobRecord, what: str) -> Problem:
    detail = f"job {record.id} is {record.state}: {what}"
    return Problem(409, "job is in another state", detail, "urn:bonmun:problem:job-state", {}, {"state": record.state})
