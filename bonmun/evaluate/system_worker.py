"""A system in killable worker processes: pages in, outputs with their costs out."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bonmun.errors import WorkerDied, WorkerNotStarted, WorkerTimeout
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.systems import System
from bonmun.workers.pool import WorkerPool
from bonmun.workers.processes import Command

_ORPHAN_SECONDS = 5.0
"""Time beyond the limit after which a process ends itself: its parent, which would have killed it, is dead."""


class Outcome(StrEnum):
    """The result of a system on a page."""

    OK = "ok"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's output for a page, and its cost."""

    status: Outcome
    output: str = ""
    """Text or HTML, unchanged."""
    cpu: float = 0.0
    """Seconds of CPU time in its process."""
    wall: float = 0.0
    memory: int = 0
    """Peak memory of its process, in kB."""
    note: str = ""
    """The error message."""


class SystemWorker:
    """A system that answers pages in up to `jobs` processes; thread-safe, and a context manager.

    >>> from bonmun.evaluate.systems import find
    >>> with SystemWorker(find("xpath")) as worker:
    ...     worker.ask(Case("1", "<p>Tea is made of leaves.</p>"), 20).output
    'Tea is made of leaves.'
    """

    def __init__(self, system: System, jobs: int = 1) -> None:
        self.system = system
        self._pool: WorkerPool[dict[str, Any], dict[str, Any]] = WorkerPool(
            Command(system.command, system.environment()),
            jobs=jobs,
            seconds=lambda page: float(page["seconds"]) - _ORPHAN_SECONDS,
        )

    def __enter__(self) -> "SystemWorker":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End the processes; `ask` raises `WorkerError` in the threads that wait for an answer."""
        self._pool.close(now=True)

    def ask(self, case: Case, seconds: float) -> Answer:
        """Return the answer to a page within a time limit; raise `WorkerNotStarted` if the system does not start.

        A page whose process died is sent once more: a crash is repeated, a kill from outside is not.
        """
        try:
            return self._ask(case, seconds)
        except WorkerDied:
            pass
        try:
            return self._ask(case, seconds)
        except WorkerDied as error:
            return Answer(Outcome.ERROR, note=str(error))

    def _ask(self, case: Case, seconds: float) -> Answer:
        page = {"id": case.id, "html": case.html, "url": case.url, "lang": case.lang}
        try:
            return _read(self._pool.submit({**page, "seconds": seconds + _ORPHAN_SECONDS}).result())
        except WorkerTimeout as error:
            return Answer(Outcome.TIMEOUT, wall=seconds, cpu=seconds, note=str(error))
        except WorkerNotStarted as error:
            raise WorkerNotStarted(f"{self.system.name} does not start: {error}") from error


def _read(answer: dict[str, Any]) -> Answer:
    cpu, wall, memory = float(answer["cpu"]), float(answer["wall"]), int(answer["memory"])
    if "error" in answer:
        return Answer(Outcome.ERROR, cpu=cpu, wall=wall, memory=memory, note=answer["error"])
    output = str(answer["output"])
    return Answer(Outcome.OK if output.strip() else Outcome.EMPTY, output, cpu, wall, memory)
