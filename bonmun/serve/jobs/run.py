"""One job from start to end, in a thread of the service."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from bonmun.errors import BonmunError
from bonmun.run.logs import note
from bonmun.serve.jobs.holder import LEASE, lease
from bonmun.serve.jobs.progress import Progress, counted
from bonmun.serve.settings import ServeSettings
from bonmun.store.clock import now
from bonmun.store.jobs import JobRecord

if TYPE_CHECKING:
    from bonmun.store.store import Store

_log = logging.getLogger("bonmun.serve")
_TICK: Final = 0.25
"""Seconds between two reports of a job's progress."""
_TICKS_OF_RATE: Final = 8
"""Ticks after which a change of the rate alone is reported."""
_TICKS_OF_LEASE: Final = int(LEASE / 4 / _TICK)
"""Ticks without progress after which a sign of life is due."""
CANCELLED, INTERRUPTED, LOST = "cancelled", "interrupted", "lost"
"""Why a run was stopped: by a person, by the end of the service, because another process has taken the job."""


class Run(ABC):
    """The run of a job that this process has claimed. What it has done is in the store at any moment."""

    def __init__(
        self, job: JobRecord, store: "Store", settings: ServeSettings, on_end: Callable[[], object] = lambda: None
    ) -> None:
        """Make the run of a job that was claimed; `on_end` is called at its end."""
        self.job, self._store, self._settings, self._on_end = job, store, settings, on_end
        self._pages = store.jobs.pages(job.id)
        self._stop = Event()
        self._over = Event()
        self._reason = ""
        self.is_over = False
        self._progress = Progress({}, 0)
        self._thread = Thread(target=self._perform, name=f"bonmun-job-{job.id}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, reason: str) -> None:
        """End the run soon: nothing more is taken; pages that were fetched are stored. The first reason counts."""
        self._reason = self._reason or reason
        self._stop.set()

    def join(self, seconds: float) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    @abstractmethod
    def _work(self) -> str:
        """Do what is pending until it is done or `_stop` is set; return a message if the job failed."""

    def _perform(self) -> None:
        state, message = "failed", ""
        ticking = Thread(target=self._report, name=f"bonmun-progress-{self.job.id}", daemon=True)
        try:
            self._pages.release()
            self._progress = Progress(counted(self._pages, self.job.counts), self._pages.last_settled())
            ticking.start()
            message = self._work()
            state = "failed" if message else "done"
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            note(_log, logging.ERROR, "job failed", job=self.job.id, message=message, exc=repr(error))
        finally:
            self._over.set()
            if ticking.is_alive():
                ticking.join()
        if self._reason != LOST:
            self._finish(state, message)
        self.is_over = True
        self._on_end()

    def _finish(self, state: str, message: str) -> None:
        """Note how it ended. A store out of reach leaves the job to the next start of the service."""
        try:
            left = self._pages.release() + self._pages.totals()["pending"] + self._pages.totals("source")["pending"]
            if self._reason and (left or state == "failed"):
                state, message = self._reason, "" if self._reason == CANCELLED else "the service was shut down"
            counts = counted(self._pages, self._progress.counts())
            if state == "done" and not counts["failed"]:
                self._pages.tidy()
            values = {"state": state, "message": message, "counts": counts, "rate": 0.0, "ended_at": now()}
            self._store.jobs.change(self.job.id, ("running", "stopping"), holder=None, held_until=None, **values)
        except BonmunError as error:
            note(_log, logging.ERROR, "job not finished", job=self.job.id, message=str(error))

    def _report(self) -> None:
        """Write counts when they change, and a sign of life; hear whether the job was cancelled, or taken over."""
        written: tuple[dict[str, int], float] = ({}, 0.0)
        ticks = 0
        while not self._over.wait(_TICK):
            counts, rate = self._progress.counts(), self._progress.rate
            ticks += 1
            due = _TICKS_OF_LEASE if rate == written[1] else _TICKS_OF_RATE
            if counts == written[0] and ticks < due:
                continue
            try:
                state = self._store.jobs.beat(self.job.id, self.job.holder or "", lease(), counts, rate)
            except BonmunError as error:
                note(_log, logging.WARNING, "progress not written", job=self.job.id, message=str(error))
                continue
            written, ticks = (counts, rate), 0
            if state != "running":
                self.stop(CANCELLED if state == "stopping" else LOST)
