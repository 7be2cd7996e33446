"""Run every system on every page; answers in the store are not asked for again, and no page stops the run."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import SystemWorker
from bonmun.evaluate.systems import System

_AHEAD = 4
"""Pages that wait for a thread: a corpus need not fit into memory."""
Done = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class BenchRun:
    """A corpus, the systems to run on it, and the time limit for a page."""

    corpus: Corpus
    systems: Sequence[System]
    seconds: float = 60.0
    every: int = 1
    """Take every Nth page."""
    jobs: int = 1


def collect(run: BenchRun, store: Store, done: Done = lambda _: None) -> None:
    """Store every missing answer; `done` is called with the number of answers that came or were stored already.

    Each of `run.jobs` threads asks one system after the other for its page: a busy hour of the machine slows none of
    them alone.
    """
    with ExitStack() as stack:
        workers = {system.name: stack.enter_context(SystemWorker(system, run.jobs)) for system in run.systems}
        threads = stack.enter_context(ThreadPoolExecutor(run.jobs, "bonmun-page"))
        stopped = threading.Event()

        def ask(case: Case, systems: Sequence[System]) -> None:
            for system in systems:
                if not stopped.is_set():
                    answer = workers[system.name].ask(case, run.seconds)
                    if not stopped.is_set():  # Else the process was killed, and its answer means nothing.
                        store.put_answer(system, run.corpus.name, case, answer)
                        done(1)

        pages: deque[Future[None]] = deque()
        try:
            for case, systems in _pages(run, store):
                done(len(run.systems) - len(systems))
                if systems:
                    pages.append(threads.submit(ask, case, systems))
                if len(pages) > run.jobs + _AHEAD:
                    pages.popleft().result()
            while pages:
                pages.popleft().result()
        except BaseException:
            stopped.set()
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers.values():
                worker.kill()
            raise


def _pages(run: BenchRun, store: Store) -> Iterator[tuple[Case, list[System]]]:
    """Yield the pages, each with the systems whose answer is missing."""
    known = {system.name: store.answered(system, run.corpus.name) for system in run.systems}
    for case in run.corpus.cases(run.every):
        digest = case.digest
        yield case, [system for system in run.systems if known[system.name].get(case.id) != digest]
