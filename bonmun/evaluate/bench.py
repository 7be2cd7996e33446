"""A whole bench: ask, score, time, and write the report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from bonmun.errors import BonmunError, MissingExtra
from bonmun.evaluate import tables
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.folds import read_folds
from bonmun.evaluate.growth import SIZES_MB, Growth, growth
from bonmun.evaluate.metrics import METRICS, Metric
from bonmun.evaluate.report import html, json, text
from bonmun.evaluate.results import Results, gather
from bonmun.evaluate.runner import Run, collect
from bonmun.evaluate.scoring import score
from bonmun.evaluate.speed import Speed, measure
from bonmun.evaluate.stages import Stage
from bonmun.evaluate.store import Store
from bonmun.evaluate.summary import CorpusReport, Report, WorstPage, report, subject, summarise, worst_pages
from bonmun.evaluate.systems import OUT_OF_FOLD, NotBuilt, System, find, names, sited
from bonmun.registry import Method

STORE = "bench.sqlite"


@dataclass(frozen=True, slots=True)
class Roster:
    """Who takes part, and who cannot."""

    systems: tuple[System, ...]
    not_built: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Why systems that were not asked for by name are left out."""

    def __add__(self, other: "Roster") -> "Roster":
        systems = {system.name: system for system in (*self.systems, *other.systems, *self.systems)}  # the first wins
        not_built = dict.fromkeys((*self.not_built, *other.not_built))
        return Roster(tuple(systems.values()), tuple(not_built), (*self.missing, *other.missing))


@dataclass(frozen=True, slots=True)
class Bench:
    """What to measure."""

    corpora: Sequence[Corpus]
    roster: Roster
    metrics: Sequence[Metric]
    output: Path
    every: int = 1
    seconds: float = 60.0
    jobs: int = 1
    refresh: frozenset[str] = frozenset()
    """Systems to ask again, whatever the store knows."""
    time_every: int = 0
    """Time every Nth of these pages, all systems in turns; 0 for none."""
    growth: bool = False
    folds: Path | None = None
    """Where the models are that `out-of-fold` chooses from."""

    def run_of(self, corpus: Corpus) -> Run:
        """Return what to ask on one corpus."""
        return Run(corpus, self.roster.systems, self.seconds, self.every, self.jobs)


def roster(asked: Sequence[str], folds: Path | None = None) -> Roster:
    """Return the systems by name; `all` stands for every one that is installed.

    >>> [system.name for system in roster(["xpath", "auto", "xpath"]).systems]
    ['xpath', 'auto']
    """
    found: dict[str, System] = {}
    not_built, missing = [], []
    for name in asked:
        for one in names() if name == "all" else [name]:
            try:
                found.setdefault(one, find(one, folds))
            except NotBuilt:
                not_built.append(one)
            except MissingExtra as error:
                if name != "all":
                    raise
                missing.append(f"{one} is left out: {error}")
    return Roster(tuple(found.values()), tuple(dict.fromkeys(not_built)), tuple(missing))


def run_bench(bench: Bench, stage: Stage) -> Report:
    """Measure all that is asked for, write the report into the output folder and return it."""
    with Store(bench.output / STORE) as store:
        corpora = [_measured(bench, corpus, store, stage) for corpus in bench.corpora]
        grown = _grown(bench, store, stage) if bench.growth else []
    found = report(corpora, grown, {metric.name: metric.source for metric in bench.metrics})
    for name, content in (
        ("report.json", json.write(found)),
        ("report.md", text.markdown(found)),
        ("report.html", html.write(found)),
    ):
        (bench.output / name).write_text(content, encoding="utf-8", errors="replace")
    return found


def run_table(bench: Bench, name: str, stage: Stage) -> list[tables.Table]:
    """Measure what one of the papers' tables needs, and return it for each corpus."""
    asked = tables.paper_table(name)
    bench = replace(
        bench, roster=roster(asked.systems) + bench.roster, metrics=[METRICS[metric] for metric in asked.metrics]
    )
    found = []
    with Store(bench.output / STORE) as store:
        for corpus in bench.corpora:
            here = Roster(tuple(sited(rules, corpus) for rules in asked.sited))
            with_sites = replace(bench, roster=here + bench.roster)
            if asked.timed:
                found.append(tables.trend_table(corpus.title, _timed(with_sites, corpus, store, stage)))
            elif asked.metrics:
                found.append(tables.quality_table(name, _results(with_sites, corpus, store, stage)))
            else:
                found.append(tables.path_table(corpus, bench.every))
    return found


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
    with stage(f"{corpus.title}: asking", total) as done:
        collect(run, store, done)
    with stage(f"{corpus.title}: scoring", total) as done:
        score(run, bench.metrics, store, done)
    return gather(run, bench.metrics, store, bench.roster.not_built)


def _timed(bench: Bench, corpus: Corpus, store: Store, stage: Stage, rounds: int = 3) -> list[Speed]:
    run = replace(bench.run_of(corpus), every=bench.every * (bench.time_every or 1))
    total = sum(1 for _ in corpus.cases(run.every)) * len(run.systems) * rounds
    with stage(f"{corpus.title}: timing", total) as done:
        return measure(run, store, rounds, done)


def _grown(bench: Bench, store: Store, stage: Stage) -> list[Growth]:
    with stage("growing page", len(bench.roster.systems) * len(SIZES_MB)) as done:
        return growth(bench.roster.systems, store, bench.seconds, done)


def _explained(results: Results, corpus: Corpus, bench: Bench) -> list[WorstPage]:
    """Return our worst pages, each with its verdicts drawn in a file beside the report."""
    from bonmun.pipeline import extract

    worst = worst_pages(results)
    method_of = _judges(subject(results) or "auto", bench.folds)
    wanted = {page.page: page for page in worst}
    links: dict[str, str] = {}
    for case in corpus.cases() if wanted else ():
        if case.id in wanted:
            name = f"explain/{corpus.name}-{quote(case.id, safe='')[:100]}.html"
            path = bench.output / name
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                drawn = extract(case.html, url=case.url, method=method_of(case.id)).explain()
            except BonmunError:
                continue
            path.write_text(drawn, encoding="utf-8", errors="replace")
            links[case.id] = name
    return [replace(page, explain=links.get(page.page)) for page in worst]


def _judges(name: str, folds: Path | None) -> Callable[[str], str | Method]:
    """Return who judges a page when one of our systems reads it."""
    return read_folds(folds).methods() if name == OUT_OF_FOLD and folds else lambda _: name
