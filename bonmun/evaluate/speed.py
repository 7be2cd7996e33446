"""CPU time as a ratio to a peer's, and how it grows with what a page holds.

Absolute times mean little on a busy machine. So the systems take turns on every page, each in its own process, all of
them within a moment; the time counted is CPU time in that process; the best of a few rounds counts; and what is
reported is the sum over pages divided by the reference's sum, with an interval over sites.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import nan
from statistics import fmean, median
from typing import Any

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.intervals import Estimate, Sites
from bonmun.evaluate.metrics.metric import Figure, Values
from bonmun.evaluate.runner import Run
from bonmun.evaluate.scoring import as_text
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System
from bonmun.evaluate.worker import Status, Worker

REFERENCE = "trafilatura"
_RATIO = Figure("ratio", "CPU ratio", lambda sums: sums[0] / sums[1] if sums[1] else nan)


@dataclass(frozen=True, slots=True)
class Trend:
    """A straight line through points, by least squares."""

    slope: float
    intercept: float
    r2: float

    @classmethod
    def of(cls, points: Sequence[tuple[float, float]]) -> "Trend":
        """Return the line that is nearest to some points.

        >>> Trend.of([(0, 1), (1, 3), (2, 5)])
        Trend(slope=2.0, intercept=1.0, r2=1.0)
        """
        if len(points) < 2:
            return cls(nan, nan, nan)
        x_mean, y_mean = fmean(x for x, _ in points), fmean(y for _, y in points)
        xx = sum((x - x_mean) ** 2 for x, _ in points)
        yy = sum((y - y_mean) ** 2 for _, y in points)
        xy = sum((x - x_mean) * (y - y_mean) for x, y in points)
        slope = xy / xx if xx else 0.0
        return cls(slope, y_mean - slope * x_mean, xy * xy / (xx * yy) if xx and yy else 0.0)


@dataclass(frozen=True, slots=True)
class Point:
    """One timed page: sizes in characters, CPU time in milliseconds."""

    html: int
    text: int
    main: int
    ms: float


@dataclass(frozen=True, slots=True)
class Speed:
    """The CPU time of one system on some pages, beside the reference."""

    system: str
    pages: int
    mean_ms: float
    median_ms: float
    ratio: Estimate
    """Its time divided by the reference's on the same pages."""
    memory_mb: float
    by_html: Trend
    """Milliseconds by characters of HTML: the INDEM paper's figure 14."""
    by_text: Trend
    """By characters of text: figure 15."""
    by_main: Trend
    """By characters of main text: figure 16."""
    points: Sequence[Point] = ()


def measure(run: Run, store: Store, rounds: int = 3, done: Callable[[int], None] = lambda _: None) -> list[Speed]:
    """Time every system on every page of a run, in turns; what the store has is not timed again."""
    corpus = run.corpus.name
    known = {system.name: {(page, round, html) for page, round, _, _, html, *_ in store.timings(system, corpus)}
             for system in run.systems}  # fmt: skip
    sites: dict[str, str] = {}
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(system)) for system in run.systems]
        for case in run.corpus.cases(run.every):
            sites[case.id] = case.domain
            for round in range(rounds):
                if not all((case.id, round, len(case.html)) in known[system.name] for system in run.systems):
                    start = round % len(workers)
                    rows = list(timed(case, workers[start:] + workers[:start], run.seconds))
                    store.put_timings(corpus, case.id, round, rows)
                done(len(workers))
    return speeds(run.systems, corpus, sites, store)


def speeds(systems: Sequence[System], corpus: str, sites: Mapping[str, str], store: Store) -> list[Speed]:
    """Return the speed of every system from stored timings, the fastest first."""
    points = {system.name: _best(store.timings(system, corpus), sites) for system in systems}
    reference = points.get(REFERENCE, {})
    draws = Sites(sites)
    found = []
    for system in systems:
        mine = points[system.name]
        if mine:
            shared: dict[str, Values] = {
                page: (point.ms, reference[page].ms) for page, point in mine.items() if page in reference
            }
            ratio = draws.sample(shared).estimate(_RATIO) if shared else Estimate(nan)
            memory = max(row[3] for row in store.timings(system, corpus)) / 1000
            found.append(_speed(system.name, list(mine.values()), ratio, memory))
    return sorted(found, key=lambda speed: speed.mean_ms)


def timed(case: Case, workers: Iterable[Worker], seconds: float) -> Iterator[tuple[System, tuple[float, ...]]]:
    """Yield cpu, memory and the sizes of a page for every system; a main text of -1 where it failed."""
    text = _text_size(case)
    for worker in workers:
        answer = worker.ask(case, seconds)
        failed = answer.status in (Status.ERROR, Status.TIMEOUT)
        main = -1 if failed else len(as_text(answer.output, worker.system).strip())
        yield worker.system, (answer.cpu, answer.memory, len(case.html), text, main)


def _text_size(case: Case) -> int:
    from bonmun.read.page import read_page

    try:
        return sum(read_page(case.html).nodes.chars)
    except BonmunError:
        return 0


def _best(rows: Iterable[tuple[Any, ...]], pages: Mapping[str, str]) -> dict[str, Point]:
    """Return the fastest round of every page; a process that died has no time."""
    found: dict[str, Point] = {}
    for page, _, cpu, _, html, text, main in rows:
        died = main < 0 and cpu == 0
        if page in pages and not died and (page not in found or 1000 * cpu < found[page].ms):
            found[page] = Point(html, text, max(0, main), 1000 * cpu)
    return found


def _speed(name: str, points: Sequence[Point], ratio: Estimate, memory: float) -> Speed:
    times = [point.ms for point in points]
    return Speed(
        system=name,
        pages=len(points),
        mean_ms=fmean(times),
        median_ms=median(times),
        ratio=ratio,
        memory_mb=memory,
        by_html=Trend.of([(point.html, point.ms) for point in points]),
        by_text=Trend.of([(point.text, point.ms) for point in points]),
        by_main=Trend.of([(point.main, point.ms) for point in points]),
        points=points,
    )
