"""A benchmark from start to end: run the systems, score, time, and write the report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from bonmun.errors import BonmunError, MissingBrowser, MissingExtra
from bonmun.evaluate import tables
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.folds import read_folds
from bonmun.evaluate.growth import SIZES_MB, Growth, growth
from bonmun.evaluate.metrics import METRICS, Metric
from bonmun.evaluate.report import html, json, text
from bonmun.evaluate.report.data import BenchReport, CorpusReport, WorstPage, report, subject, summarise, worst_pages
from bonmun.evaluate.results import Results, gather
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.scoring import score
from bonmun.evaluate.speed import Speed, measure
from bonmun.evaluate.stage import Stage
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import OUT_OF_FOLD, System, find, names, sited
from bonmun.registry import Method

STORE = "bench.sqlite"
VISUAL = "visual"
"""The table that has all corpora together, and a report of its own."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The systems of a benchmark."""

    systems: tuple[System, ...]
    missing: tuple[str, ...] = ()
    """A message for each system of `all` that is not installed."""

    def __add__(self, other: "Roster") -> "Roster":
        systems = {system.name: system for system in (*self.systems, *other.systems, *self.systems)}  # the first wins
        return Roster(tuple(systems.values()), (*self.missing, *other.missing))


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of a benchmark."""

    corpora: Sequence[Corpus]
    roster: Roster
    metrics: Sequence[Metric]
    output: Path
    every: int = 1
    seconds: float = 60.0
    jobs: int = 1
    refresh: frozenset[str] = frozenset()
    """Systems to run again, ignoring stored answers."""
    time_every: int = 0
    """Time every Nth of these pages, systems interleaved; 0 for none."""
    growth: bool = False
    """Whether to time one page from 0.1 to 20 MB."""
    folds: Path | None = None
    """The folder of models for `out-of-fold`."""
    layouts: Path | None = None
    """The folder of saved layouts for the table `visual`; without one it draws the pages."""
    visual_models: Path | None = None
    """The folder of models by seed for the table `visual`; without one it measures those that ship."""

    def run_of(self, corpus: Corpus) -> BenchRun:
        """Return the run over one corpus."""
        return BenchRun(corpus, self.roster.systems, self.seconds, self.every, self.jobs)


def roster(wanted: Sequence[str], folds: Path | None = None) -> Roster:
    """Return the systems of these names; `all` stands for every installed one.

    >>> [system.name for system in roster(["xpath", "auto", "xpath"]).systems]
    ['xpath', 'auto']
    """
    systems: dict[str, System] = {}
    missing = []
    for name in wanted:
        for one in names() if name == "all" else [name]:
            try:
                systems.setdefault(one, find(one, folds))
            except (MissingExtra, MissingBrowser) as error:
                if name != "all":
                    raise
                missing.append(f"{one} skipped: {error}")
    return Roster(tuple(systems.values()), tuple(missing))


def run_bench(bench: Bench, stage: Stage) -> BenchReport:
    """Measure, write the report into the output folder and return it."""
    with Store(bench.output / STORE) as store:
        corpora = [_measured(bench, corpus, store, stage) for corpus in bench.corpora]
        grown = _grown(bench, store, stage) if bench.growth else []
    whole = report(corpora, grown, {metric.name: metric.source for metric in bench.metrics})
    for name, content in (
        ("report.json", json.write(whole)),
        ("report.md", text.markdown(whole)),
        ("report.html", html.write(whole)),
    ):
        (bench.output / name).write_text(content, encoding="utf-8", errors="replace")
    return whole


def run_table(bench: Bench, name: str, stage: Stage) -> list[tables.ReportTable]:
    """Measure one of the papers' tables on each corpus."""
    paper = tables.paper_table(name)
    if name == VISUAL:
        return _visual(bench, paper, stage)
    bench = replace(
        bench, roster=roster(paper.systems) + bench.roster, metrics=[METRICS[metric] for metric in paper.metrics]
    )
    measured = []
    with Store(bench.output / STORE) as store:
        for corpus in bench.corpora:
            learners = Roster(tuple(sited(rules, corpus) for rules in paper.sited))
            with_sites = replace(bench, roster=learners + bench.roster)
            if paper.timed:
                measured.append(tables.trend_table(corpus.title, _timed(with_sites, corpus, store, stage)))
            elif paper.metrics:
                measured.append(tables.quality_table(name, _results(with_sites, corpus, store, stage)))
            else:
                measured.append(tables.path_table(corpus, bench.every))
    return measured


def _visual(bench: Bench, paper: tables.PaperTable, stage: Stage) -> list[tables.ReportTable]:
    from bonmun.evaluate.visual.run import AUTO, VisualRun, visual_report

    systems = (roster(paper.systems) + bench.roster).systems
    run = VisualRun(
        bench.corpora,
        [system for system in systems if system.name not in (AUTO, OUT_OF_FOLD)],
        bench.output,
        *(bench.layouts, bench.visual_models, bench.folds, bench.every, bench.seconds, bench.jobs),
    )
    with Store(bench.output / STORE) as store:
        return visual_report(run, store, stage)


def _measured(bench: Bench, corpus: Corpus, store: Store, stage: Stage) -> CorpusReport:
    results = _results(bench, corpus, store, stage)
    speed = _timed(bench, corpus, store, stage) if bench.time_every else []
    return summarise(results, speed, _explained(results, corpus, bench))


def _results(bench: Bench, corpus: Corpus, store: Store, stage: Stage) -> Results:
    run = bench.run_of(corpus)
    for system in run.systems:
        if system.name in bench.refresh:
            store.forget(system, corpus.name)
    total = sum(1 for _ in corpus.cases(run.every)) * len(run.systems)
    with stage(f"{corpus.title}: extracting", total) as done:
        collect(run, store, done)
    with stage(f"{corpus.title}: scoring", total) as done:
        score(run, bench.metrics, store, done)
    return gather(run, bench.metrics, store)


def _timed(bench: Bench, corpus: Corpus, store: Store, stage: Stage, rounds: int = 3) -> list[Speed]:
    run = replace(bench.run_of(corpus), every=bench.every * (bench.time_every or 1))
    total = sum(1 for _ in corpus.cases(run.every)) * len(run.systems) * rounds
    with stage(f"{corpus.title}: timing", total) as done:
        return measure(run, store, rounds, done)


def _grown(bench: Bench, store: Store, stage: Stage) -> list[Growth]:
    with stage("growing page", len(bench.roster.systems) * len(SIZES_MB)) as done:
        return growth(bench.roster.systems, store, bench.seconds, done)


def _explained(results: Results, corpus: Corpus, bench: Bench) -> list[WorstPage]:
    """Return the worst pages of our best method, each with an explain view written beside the report."""
    from bonmun.pipeline import extract

    worst = worst_pages(results)
    method_of = _method_of(subject(results) or "auto", bench.folds)
    wanted = {page.page: page for page in worst}
    links: dict[str, str] = {}
    for case in corpus.cases() if wanted else ():
        if case.id in wanted:
            name = f"explain/{corpus.name}-{quote(case.id, safe='')[:100]}.html"
            path = bench.output / name
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                view = extract(case.html, url=case.url, method=method_of(case.id)).explain()
            except BonmunError:
                continue
            path.write_text(view, encoding="utf-8", errors="replace")
            links[case.id] = name
    return [replace(page, explain=links.get(page.page)) for page in worst]


def _method_of(name: str, folds: Path | None) -> Callable[[str], str | Method]:
    """Return the function from a page's id to the method that one of our systems uses for it."""
    return read_folds(folds).methods() if name == OUT_OF_FOLD and folds else lambda _: name
