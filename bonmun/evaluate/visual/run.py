"""The reproduction report from start to end."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.deciles import decile
from bonmun.evaluate.folds import read_folds
from bonmun.evaluate.metrics import Values
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.scoring import score
from bonmun.evaluate.stage import Stage
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import OUT_OF_FOLD, System, find
from bonmun.evaluate.tables import ReportTable
from bonmun.evaluate.visual.drawn import DrawnPages, drawn_pages
from bonmun.evaluate.visual.entrants import TRAINED_ON, Entrant, entrants
from bonmun.evaluate.visual.files import VisualReport, write_files
from bonmun.evaluate.visual.importances import Attention, importance_table
from bonmun.evaluate.visual.judging import judge
from bonmun.evaluate.visual.scores import METRICS_OF, Line, Part, ScoredPage, scored_page
from bonmun.evaluate.visual.tables import regions, tables

AUTO: Final = "auto"
AUTO_TRAINED_ON: Final = ("wcxb_dev", "cjk_dev")
"""Corpora of the shipped `auto` (see its card)."""


@dataclass(frozen=True, slots=True)
class VisualRun:
    """What is measured, and where layouts and models come from."""

    corpora: Sequence[Corpus]
    peers: Sequence[System]
    """Systems that do not see the rendered page; `auto` is added."""
    output: Path
    layouts: Path | None = None
    """Folder of saved layouts; without one the pages are drawn."""
    models: Path | None = None
    """Folder of models by seed; without one the shipped models are measured."""
    folds: Path | None = None
    """Folder of the models of a cross-validation of `auto`."""
    every: int = 1
    seconds: float = 60.0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class _Measured:
    """The scores on one corpus: by line, seed and metric."""

    pages: Sequence[ScoredPage]
    scores: Mapping[tuple[str, int | None], Mapping[str, Mapping[str, Values]]]


def visual_report(run: VisualRun, store: Store, stage: Stage) -> list[ReportTable]:
    """Measure all systems, write the report into the output folder and return its tables."""
    methods = entrants(run.models)
    attention = Attention(methods)
    measured = []
    for corpus in run.corpora:
        pages = drawn_pages(corpus, run.layouts, run.output, stage, jobs=run.jobs)
        tested = corpus.where(partial(_is_test_page, corpus.name, methods))
        measured.append(_measured(run, tested, pages, methods, store, stage))
        attention.add(tested, pages)
    parts = regions(_whole(measured, methods, [system.name for system in run.peers]))
    importances = attention.importances()
    made = [*tables(parts), *([importance_table(importances)] if importances else [])]
    write_files(VisualReport(_about(run, methods), parts, made, importances), run.output)
    return made


def _measured(
    run: VisualRun, corpus: Corpus, pages: DrawnPages, methods: Sequence[Entrant], store: Store, stage: Stage
) -> _Measured:
    auto = _auto(run, corpus)
    bench = BenchRun(corpus, [*run.peers, auto], run.seconds, run.every, run.jobs)
    count = sum(1 for _ in corpus.cases(run.every))
    with stage(f"{corpus.title}: extracting", count * len(bench.systems)) as done:
        collect(bench, store, done)
    with stage(f"{corpus.title}: looking", count) as done:
        judge(corpus, pages, methods, store, done, every=run.every)
    seen = [entrant.on(pages.digest) for entrant in methods]
    both = replace(bench, systems=[*bench.systems, *seen])
    with stage(f"{corpus.title}: scoring", count * len(both.systems)) as done:
        score(both, list(METRICS_OF.values()), store, done, rendered=pages)
    keys: list[tuple[str, int | None]] = [(system.name, None) for system in run.peers]
    keys += [(AUTO, None), *((entrant.family, entrant.seed) for entrant in methods)]
    test = [scored_page(corpus.name, case, drawn=case.id in pages) for case in corpus.cases(run.every)]
    scores = {
        key: {name: _stored(store, system, corpus, metric.name, test) for name, metric in METRICS_OF.items()}
        for key, system in zip(keys, both.systems, strict=True)
    }
    return _Measured(test, scores)


def _auto(run: VisualRun, corpus: Corpus) -> System:
    """`auto`, by the models of a cross-validation on the corpora that it learned from."""
    if run.folds is not None:
        with suppress(BonmunError):
            fold_of = read_folds(run.folds).fold_of
            if all(case.id in fold_of for case in corpus.cases(run.every)):
                return find(OUT_OF_FOLD, run.folds)
    return find(AUTO)


def _is_test_page(corpus: str, methods: Sequence[Entrant], case: Case) -> bool:
    """Whether a page has gold and is, in a corpus that models learned from, of a site that a seed held out."""
    seeds = {entrant.seed for entrant in methods if entrant.seed is not None}
    return bool(case.golds) and (corpus not in TRAINED_ON or not seeds or decile(case.domain) in seeds)


def _stored(
    store: Store, system: System, corpus: Corpus, metric: str, pages: Sequence[ScoredPage]
) -> dict[str, Values]:
    stored = store.scores(system, corpus.name, metric)
    return {page.key: stored[page.id][1] for page in pages if page.id in stored}


def _whole(measured: Sequence[_Measured], methods: Sequence[Entrant], peers: Sequence[str]) -> Part:
    """All corpora together; our methods that see the page first."""
    seeds: dict[str, list[int | None]] = {}
    for entrant in methods:
        seeds.setdefault(entrant.family, []).append(entrant.seed)
    lines = [
        Line(name, name in seeds or name == AUTO, {
            metric: [_joined(measured, name, seed, metric) for seed in seeds.get(name, [None])] for metric in METRICS_OF
        })
        for name in (*seeds, *peers, AUTO)
    ]  # fmt: skip
    return Part([page for one in measured for page in one.pages], lines)


def _joined(measured: Sequence[_Measured], name: str, seed: int | None, metric: str) -> dict[str, Values]:
    return {key: values for one in measured for key, values in one.scores[name, seed][metric].items()}


def _about(run: VisualRun, methods: Sequence[Entrant]) -> str:
    """What the reader has to know of the measurement."""
    seeds = sorted({entrant.seed for entrant in methods if entrant.seed is not None})
    trained = ", ".join(TRAINED_ON)
    which = f"Models of {len(seeds)} seeds" if len(seeds) > 1 else "One model of each kind"
    held = (
        f"{which}; of {trained}, seed k is tested on the sites of decile k only, which it never saw, and the other"
        " systems are measured on the same pages."
    )
    autos = {corpus.name: _auto(run, corpus).name for corpus in run.corpora}
    out = [name for name, system in autos.items() if system == OUT_OF_FOLD]
    inside = [name for name, system in autos.items() if system == AUTO and name in AUTO_TRAINED_ON]
    known = [f"out of fold on {', '.join(out)}"] * bool(out) + [f"in sample on {', '.join(inside)}"] * bool(inside)
    other = "has not seen the other corpora" if known else "has not seen these corpora"
    return f"{held} auto is {'; '.join(known)}; it {other}." if known else f"{held} auto {other}."
