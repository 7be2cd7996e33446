"""Every system on every page: what is in the store is not asked again, and nothing that happens on a page stops it."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System
from bonmun.evaluate.worker import Worker

_AHEAD = 4
Done = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Run:
    """What to ask of whom, and how long each page may take."""

    corpus: Corpus
    systems: Sequence[System]
    seconds: float = 60.0
    every: int = 1
    """Take every Nth page."""
    jobs: int = 1


def collect(run: Run, store: Store, done: Done = lambda _: None) -> None:
    """Ask all that is missing; `done` is told how many answers have come or were there already.

    The systems take turns on each page, so a busy hour of the machine slows none of them alone.
    """
    lanes = _Lanes(run, store, done)
    try:
        for case, systems in _pages(run, store):
            done(len(run.systems) - len(systems))
            if systems and not lanes.take(case, systems):
                break
    except BaseException:
        lanes.abandon()
        raise
    finally:
        lanes.close()


def _pages(run: Run, store: Store) -> Iterator[tuple[Case, list[System]]]:
    """Yield the pages, each with the systems that have not answered it yet."""
    known = {system.name: store.answered(system, run.corpus.name) for system in run.systems}
    for case in run.corpus.cases(run.every):
        digest = case.digest
        yield case, [system for system in run.systems if known[system.name].get(case.id) != digest]


class _Lanes:
    """Threads that take pages, each with worker processes of its own."""

    def __init__(self, run: Run, store: Store, done: Done) -> None:
        self._run, self._store, self._done = run, store, done
        self._pages: queue.Queue[tuple[Case, list[System]] | None] = queue.Queue(_AHEAD)
        self._over = threading.Event()
        self._error: BaseException | None = None
        self._workers = [{system.name: Worker(system) for system in run.systems} for _ in range(max(1, run.jobs))]
        self._threads = [threading.Thread(target=self._serve, args=(workers,)) for workers in self._workers]
        for thread in self._threads:
            thread.start()

    def take(self, case: Case, systems: list[System]) -> bool:
        """Hand on a page; tell whether the lanes still work."""
        self._pages.put((case, systems))
        return not self._over.is_set()

    def abandon(self) -> None:
        """Stop at once: what is being asked is not kept."""
        self._over.set()
        for workers in self._workers:
            for worker in workers.values():
                worker.kill()

    def close(self) -> None:
        """Wait for the last answers; raise what went wrong."""
        for _ in self._threads:
            self._pages.put(None)
        for thread in self._threads:
            thread.join()
        if self._error is not None:
            raise self._error

    def _serve(self, workers: dict[str, Worker]) -> None:
        try:
            while (item := self._pages.get()) is not None:
                for system in item[1]:
                    if not self._over.is_set():
                        self._ask(workers[system.name], item[0])
        except BaseException as error:
            if not self._over.is_set():  # A system that we stopped while it was starting did nothing wrong.
                self._error = error
            self._over.set()
            while self._pages.get() is not None:  # Whoever feeds must not wait for a lane that is gone.
                pass
        finally:
            for worker in workers.values():
                worker.stop()

    def _ask(self, worker: Worker, case: Case) -> None:
        answer = worker.ask(case, self._run.seconds)
        if not self._over.is_set():  # An answer of a process that we stopped ourselves says nothing.
            self._store.put_answer(worker.system, self._run.corpus.name, case, answer)
            self._done(1)
