"""The report as data, the common source of its terminal, Markdown, JSON and HTML forms."""

import datetime
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

from bonmun import __version__
from bonmun.evaluate.growth import Growth
from bonmun.evaluate.intervals import Comparison, Estimate
from bonmun.evaluate.results import PARTS, Results
from bonmun.evaluate.speed import Speed
from bonmun.evaluate.system_worker import Outcome
from bonmun.evaluate.systems import OUT_OF_FOLD, System

_BINS = 20
_WORST = 15
_SITES = 12
_NOTES = 5
_NOTE = 120


@dataclass(frozen=True, slots=True)
class SystemRow:
    """The results of one system on a corpus."""

    system: str
    version: str
    ours: bool
    pages: int
    empty: int
    errors: int
    timeouts: int
    cpu_ms: float
    """Mean CPU time per page."""
    cpu_median_ms: float
    memory_mb: float
    """Peak memory of its process."""
    figures: Mapping[str, Estimate]
    histogram: Sequence[int]
    """Pages by main figure, in twenty bins from 0 to 1."""
    troubles: Sequence[tuple[str, int, str]] = ()
    """The most frequent errors: message, number of pages, an example page."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """The results on one page type, language or site."""

    name: str
    pages: int
    sites: int
    main: Mapping[str, Estimate]
    """system → main figure."""


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page with a low score of our method."""

    page: str
    url: str | None
    page_type: str
    lang: str
    score: float
    best: str
    """The system with the best score."""
    best_score: float
    explain: str | None = None
    """The file with the explain view, relative to the report."""


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """The results on one corpus."""

    corpus: str
    pages: int
    sites: int
    main: str
    """The key of the figure that ranks the systems."""
    labels: Mapping[str, str]
    """Figure key → label."""
    rows: Sequence[SystemRow]
    """Best first."""
    parts: Mapping[str, Sequence[PartRow]]
    """`type`, `language` and `site` → rows."""
    comparisons: Mapping[str, Mapping[str, Comparison]]
    """system → other system → comparison of the first with the second."""
    worst: Sequence[WorstPage] = ()
    subject: str | None = None
    """The system of the worst pages."""
    speed: Sequence[Speed] = ()


@dataclass(frozen=True, slots=True)
class BenchReport:
    """A whole report."""

    made: str
    machine: str
    python: str
    bonmun: str
    corpora: Sequence[CorpusReport]
    growth: Sequence[Growth] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    """Metric → publication."""


def report(corpora: Sequence[CorpusReport], growth: Sequence[Growth], sources: Mapping[str, str]) -> BenchReport:
    """Return the report, with date and machine."""
    made = datetime.datetime.now(datetime.UTC).date().isoformat()
    return BenchReport(made, machine(), platform.python_version(), __version__, corpora, growth, sources)


def summarise(results: Results, speed: Sequence[Speed] = (), worst: Sequence[WorstPage] = ()) -> CorpusReport:
    """Return the report on one corpus."""
    metric, figure = results.main
    rows = sorted((_row(results, system) for system in results.systems), key=lambda row: -_known(row, figure.key))
    ranked = [row.system for row in rows]
    samples = {name: results.samples[name, metric.name] for name in ranked}
    comparisons = {
        one: {other: samples[one].compare(samples[other], figure) for other in ranked if other != one} for one in ranked
    }
    return CorpusReport(
        corpus=results.corpus,
        pages=len(results.entries),
        sites=len(results.sites),
        main=figure.key,
        labels={figure.key: figure.label for _, figure in results.figures()},
        rows=rows,
        parts={name: _parts(results, name) for name in PARTS},
        comparisons=comparisons,
        worst=worst,
        subject=subject(results),
        speed=speed,
    )


def subject(results: Results) -> str | None:
    """Return our best method; `out-of-fold` if it took part, for others may have been trained on the pages."""
    metric, figure = results.main
    ours = [system.name for system in results.systems if system.ours]
    if OUT_OF_FOLD in ours:
        return OUT_OF_FOLD
    return max(ours, key=lambda name: results.samples[name, metric.name].value(figure), default=None)


def worst_pages(results: Results) -> list[WorstPage]:
    """Return the pages where our best method is furthest behind the best of all systems."""
    ours = subject(results)
    scores = {system.name: results.page_scores(system) for system in results.systems}
    pages = []
    for entry in results.entries:
        score = scores[ours].get(entry.id) if ours else None
        if score is not None:
            best = max(scores, key=lambda name: scores[name].get(entry.id, 0.0))
            attributes = (entry.id, entry.url, entry.page_type, entry.lang)
            pages.append(WorstPage(*attributes, score, best, scores[best].get(entry.id, 0.0)))
    pages.sort(key=lambda page: (page.score - page.best_score, page.score))
    return pages[:_WORST]


def machine() -> str:
    """Describe this machine: cores, processor, operating system."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{os.cpu_count()} cores ({name}), {platform.system()}"


def _row(results: Results, system: System) -> SystemRow:
    costs = results.costs[system.name]
    answers = [costs[entry.id] for entry in results.entries if entry.id in costs]
    status = [answer.status for answer in answers]
    seconds = [answer.cpu for answer in answers] or [0.0]
    scores = results.page_scores(system)
    return SystemRow(
        system=system.name,
        version=system.version,
        ours=system.ours,
        pages=len(answers),
        empty=status.count(Outcome.EMPTY),
        errors=status.count(Outcome.ERROR),
        timeouts=status.count(Outcome.TIMEOUT),
        cpu_ms=1000 * fmean(seconds),
        cpu_median_ms=1000 * median(seconds),
        memory_mb=max((answer.memory for answer in answers), default=0) / 1000,
        figures={
            figure.key: results.samples[system.name, metric.name].estimate(figure)
            for metric, figure in results.figures()
        },
        histogram=_histogram([scores[entry.id] for entry in results.entries if entry.id in scores]),
        troubles=_troubles({entry.id: costs[entry.id].note for entry in results.entries if entry.id in costs}),
    )


def _parts(results: Results, name: str) -> list[PartRow]:
    metric, figure = results.main
    rows = []
    for part, inside in results.parts(PARTS[name]).items():
        main = {system.name: inside.samples[system.name, metric.name].estimate(figure) for system in results.systems}
        rows.append(PartRow(part, len(inside.entries), len(inside.sites), main))
    return rows[:_SITES] if name == "site" else rows


def _troubles(notes: Mapping[str, str]) -> list[tuple[str, int, str]]:
    pages: dict[str, list[str]] = {}
    for page, note in notes.items():
        if note:
            pages.setdefault(note[:_NOTE], []).append(page)
    ranked = sorted(pages.items(), key=lambda item: -len(item[1]))
    return [(note, len(ids), ids[0]) for note, ids in ranked[:_NOTES]]


def _histogram(scores: Sequence[float]) -> list[int]:
    counts = [0] * _BINS
    for score in scores:
        if score == score:
            counts[min(_BINS - 1, int(score * _BINS))] += 1
    return counts


def _known(row: SystemRow, key: str) -> float:
    value = row.figures[key].value
    return value if value == value else -1.0
