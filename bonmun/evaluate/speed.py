"""CPU time as a ratio to a reference system, and its trend over page size.

Absolute times mean little on a busy machine. So the systems are interleaved on every page, each in its own process;
CPU time in that process counts, best of a few rounds; the report gives the ratio of the sum over pages to the
reference's sum, with an interval over sites.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import nan
from statistics import fmean, median
from typing import Any

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.intervals import Estimate, SiteBootstrap
from bonmun.evaluate.metrics.metric import Figure, Values
from bonmun.evaluate.runner import Run
from bonmun.evaluate.scoring import as_text
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System
from bonmun.evaluate.worker import Outcome, Worker

REFERENCE = "trafilatura"
_RATIO = Figure("ratio", "CPU ratio", lambda sums: sums[0] / sums[1] if sums[1] else nan)


@dataclass(frozen=True, slots=True)
class Trend:
    """A least-squares line."""

    slope: float
    intercept: float
    r2: float

    @classmethod
    def of(cls, points: Sequence[tuple[float, float]]) -> "Trend":
        """Fit a line to points.

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
    """CPU time of one system on some pages."""

    system: str
    pages: int
    mean_ms: float
    median_ms: float
    ratio: Estimate
    """Ratio to the reference's time on the same pages."""
    memory_mb: float
    by_html: Trend
    """Milliseconds over characters of HTML: the INDEM paper's figure 14."""
    by_text: Trend
    """Over characters of text: figure 15."""
    by_main: Trend
    """Over characters of main text: figure 16."""
    points: Sequence[Point] = ()


def measure(run: Run, store: Store, rounds: int = 3, done: Callable[[int], None] = lambda _: None) -> list[Speed]:
    """Time every system on every page of a run, systems interleaved; stored timings are not repeated."""
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
    """Return the speed of every system from stored timings, fastest first."""
    points = {system.name: _best(store.timings(system, corpus), sites) for system in systems}
    reference = points.get(REFERENCE, {})
    bootstrap = SiteBootstrap(sites)
    timed_systems = []
    for system in systems:
        timed_pages = points[system.name]
        if timed_pages:
            shared: dict[str, Values] = {
                page: (point.ms, reference[page].ms) for page, point in timed_pages.items() if page in reference
            }
            ratio = bootstrap.sample(shared).estimate(_RATIO) if shared else Estimate(nan)
            memory = max(row[3] for row in store.timings(system, corpus)) / 1000
            timed_systems.append(_speed(system.name, list(timed_pages.values()), ratio, memory))
    return sorted(timed_systems, key=lambda speed: speed.mean_ms)


def timed(case: Case, workers: Iterable[Worker], seconds: float) -> Iterator[tuple[System, tuple[float, ...]]]:
    """Yield CPU time, memory and page sizes for every system; the main text's size is -1 if the system failed."""
    text = _text_size(case)
    for worker in workers:
        answer = worker.ask(case, seconds)
        failed = answer.status in (Outcome.ERROR, Outcome.TIMEOUT)
        main = -1 if failed else len(as_text(answer.output, worker.system).strip())
        yield worker.system, (answer.cpu, answer.memory, len(case.html), text, main)


def _text_size(case: Case) -> int:
    from bonmun.read.page import read_page

    try:
        return sum(read_page(case.html).nodes.chars)
    except BonmunError:
        return 0


def _best(rows: Iterable[tuple[Any, ...]], pages: Mapping[str, str]) -> dict[str, Point]:
    """Return the fastest round of every page, without crashed processes, which report no time."""
    best: dict[str, Point] = {}
    for page, _, cpu, _, html, text, main in rows:
        crashed = main < 0 and cpu == 0
        if page in pages and not crashed and (page not in best or 1000 * cpu < best[page].ms):
            best[page] = Point(html, text, max(0, main), 1000 * cpu)
    return best


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
