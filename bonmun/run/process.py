"""A run from start to end: store, network, sites, metrics, screen, container, in the order they are needed."""

import logging
import signal
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, StoreUnreachable
from bonmun.middleware.container import Container
from bonmun.run.intake import Intake
from bonmun.run.interruption import Interruption
from bonmun.run.keeper import Keeper
from bonmun.run.logs import logging_to, note
from bonmun.run.metrics import Metrics, serving
from bonmun.run.monitor import Monitor
from bonmun.run.plan import Plan
from bonmun.run.schedule import Timetable
from bonmun.run.scheduler import Scheduler
from bonmun.run.screen import Screen, shown
from bonmun.run.site_learning import SiteLearning
from bonmun.run.tally import Snapshot, Tally
from bonmun.run.visits import Visits
from bonmun.run.waiting import Waiting
from bonmun.run.wrappers import Wrappers
from bonmun.store import open_store
from bonmun.store.address import parse

if TYPE_CHECKING:
    from bonmun.store.store import Store

_log = logging.getLogger("bonmun.run")


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended."""

    counts: Snapshot
    failed_sources: tuple[str, ...] = ()
    """The sources whose last run failed."""
    signal: int | None = None
    """The signal that ended it."""

    @property
    def exit_code(self) -> int:
        """130 after Ctrl-C; 1 if a source failed or requests are left; else 0: a SIGTERM is a normal end."""
        if self.signal == signal.SIGINT:
            return 128 + signal.SIGINT
        return 1 if self.signal is None and (self.failed_sources or self.counts.waiting) else 0


def run(plan: Plan, *, screen: bool = False) -> RunResult:
    """Run a plan until its sources are over, or a signal ends it; in the main thread."""
    with logging_to(plan.log, quiet=screen):
        return Process(plan).run(screen=screen)


class Process:
    """One run of a plan."""

    def __init__(self, plan: Plan) -> None:
        from bonmun.middleware.network_manager import NetworkManager

        self._plan = plan
        self._stop = Event()
        self._stack = ExitStack()
        self._tally = Tally()
        self._metrics = Metrics(plan.config.metrics.most_hosts if plan.config.metrics else 100)
        with ExitStack() as stack:  # closed again if anything below fails
            self._store = stack.enter_context(_opened(plan.store))
            self._network = stack.enter_context(NetworkManager(plan.network))
            self._waiting = Waiting(self._store, [source.name for source in plan.sources])
            if plan.config.metrics is not None:
                address = stack.enter_context(serving(self._metrics, plan.config.metrics))
                note(_log, logging.INFO, "metrics", url=f"http://{address}/metrics")
            self._sites = self._learning(stack)
            self._stack = stack.pop_all()
        self._timetable = Timetable({source.name: source.rhythm for source in plan.sources}, monotonic())
        self._pending = (0.0, self._waiting.resumed)
        self._metrics.queue("requests", self._count_pending)

    def run(self, *, screen: bool) -> RunResult:
        """Run until the sources are over or a signal comes."""
        plan = self._plan
        with self._stack:
            visits = Visits(self._store.has)
            intakes = {
                one.name: Intake(one.name, one.source, self._waiting, None if one.revisit else visits, self._stop)
                for one in plan.sources
            }
            scheduler = Scheduler(
                self._timetable, intakes, self._network, self._tally, self._metrics, self._stop,
                record=lambda source, error: self._store.fail(source, source, "source", error),
            )  # fmt: skip
            output, settle = plan.config.output, self._waiting.settle
            keeper = Keeper(self._store, visits, self._stop, output=output, settle=settle)
            monitor = Monitor(self._tally, self._metrics, self._sites, keeper.drop)
            container = Container(
                Wrappers(monitor, [made() for made in plan.wrappers]),
                self._network,
                keeper,
                replace(plan.container, sites=self._sites),
            )
            self._metrics.queue("in flight", lambda: container.report.left)
            note(_log, logging.INFO, "run started", config=plan.title, store=self._store.name,
                 sources=len(intakes), resumed=self._waiting.resumed)  # fmt: skip

            def stop() -> None:
                scheduler.stop()
                container.stop()

            with Interruption(stop) as interruption:
                with self._shown(screen), scheduler:
                    container.run(list(intakes.values()))
                return self._result(scheduler, interruption)

    def snapshot(self) -> Snapshot:
        """Return the counts of this moment, with queue and schedule."""
        now = monotonic()
        runs = [(name, None if time is None else time - now) for name, time in self._timetable.next_runs().items()]
        return replace(
            self._tally.snapshot(),
            waiting=int(self._count_pending()),
            next_runs=runs,
            running=self._timetable.running(),
            stopping=self._stop.is_set(),
        )

    def _shown(self, screen: bool) -> AbstractContextManager[None]:
        return shown(Screen(self._plan.title, self._store.name, self.snapshot)) if screen else nullcontext()

    def _learning(self, stack: ExitStack) -> SiteLearning | None:
        if not self._plan.config.sites.learn_after:
            return None
        learning = SiteLearning(self._plan.config.sites, self._store, self._site_changed)
        stack.callback(learning.close)
        return learning

    def _site_changed(self, host: str, event: str) -> None:
        self._metrics.site(event)
        self._tally.note(host, "none yet" if event == "failed" else event)

    def _count_pending(self) -> float:
        """Return the length of the queue, asked for once a second at most."""
        asked, count = self._pending
        if monotonic() - asked >= 1.0:
            try:
                self._pending = (monotonic(), self._store.pending())
            except BonmunError:
                return float(count)
        return float(self._pending[1])

    def _result(self, scheduler: Scheduler, interruption: Interruption) -> RunResult:
        self._store.release()
        self._pending = (monotonic(), self._store.pending())
        counts = self.snapshot()
        note(_log, logging.INFO, "run finished", **counts.counts, saved=counts.saved, left=counts.waiting,
             seconds=round(counts.time - counts.started, 3))  # fmt: skip
        return RunResult(counts, tuple(sorted(scheduler.failed)), interruption.signal)


def _opened(address: str) -> "Store":
    """Open the store; the folder of a new file is made."""
    path = parse(address).path
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnreachable(f"{path}: cannot make its folder: {error.strerror or error}") from error
    return open_store(address)
