"""Asks every source when it is due, each in a thread of its own."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from time import monotonic

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import Network
from bonmun.run.intake import Intake
from bonmun.run.logs import note
from bonmun.run.metrics import Metrics
from bonmun.run.schedule import Timetable
from bonmun.run.tally import Tally

_log = logging.getLogger("bonmun.run")
_JOIN_SECONDS = 5.0
"""How long to wait at the end for a source in the middle of a fetch."""


class Scheduler:
    """Starts the sources of a timetable until it is over or stopped."""

    def __init__(
        self,
        timetable: Timetable,
        intakes: Mapping[str, Intake],
        network: Network,
        tally: Tally,
        metrics: Metrics,
        stop: Event,
        *,
        record: Callable[[str, Exception], object] = lambda source, error: None,
    ) -> None:
        """Make a scheduler; `record` keeps the error of a source."""
        self._timetable, self._intakes, self._network = timetable, intakes, network
        self._tally, self._metrics, self._stop, self._record = tally, metrics, stop, record
        self._wake = Event()
        self._threads: list[Thread] = []
        self.failed: set[str] = set()
        """The sources whose last run failed."""

    def __enter__(self) -> "Scheduler":
        self._start(self._loop, "bonmun-schedule")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        end = monotonic() + _JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))

    def stop(self) -> None:
        """Start nothing more, and end what runs."""
        self._stop.set()
        self._wake.set()
        for intake in self._intakes.values():
            intake.interrupt()

    def _loop(self) -> None:
        while not self._stop.is_set() and not self._timetable.is_over:
            self._wake.clear()
            for name in self._timetable.due(monotonic()):
                self._start(partial(self._run, name), f"bonmun-source-{name}")
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            self._wake.wait(self._timetable.wait(monotonic()))

    def _start(self, call: Callable[[], None], name: str) -> None:
        thread = Thread(target=call, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self, name: str) -> None:
        """Ask a source once. Whatever its code raises costs this run of the source only."""
        note(_log, logging.INFO, "source started", source=name)
        started, found, result = monotonic(), 0, "done"

        def count() -> None:
            nonlocal found
            found += 1
            self._metrics.source_item(name)

        try:
            self._intakes[name].read(self._network, count)
            self.failed.discard(name)
        except Exception as error:
            if not self._stop.is_set():
                result = "failed"
                self._failed(name, error)
        result = "stopped" if self._stop.is_set() else result
        self._metrics.source_run(name, result)
        if result != "failed":
            seconds = round(monotonic() - started, 3)
            note(_log, logging.INFO, f"source {result}", source=name, items=found, seconds=seconds)
        self._timetable.finished(name)
        if self._timetable.next_runs()[name] is None:
            self._intakes[name].close()
        self._wake.set()

    def _failed(self, name: str, error: Exception) -> None:
        self.failed.add(name)
        kind = type(error).__name__
        self._metrics.failure("source", kind)
        self._tally.error("", f"{name}: {kind}: {error}")
        note(_log, logging.ERROR, "source failed", source=name, error=kind, message=str(error))
        with suppress(BonmunError):  # the store is what failed
            self._record(name, error)
