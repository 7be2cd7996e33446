"""The results of a run, gathered from the store: scores and costs of every page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bonmun.evaluate.corpora import Case
from bonmun.evaluate.intervals import Sample, SiteBootstrap
from bonmun.evaluate.metrics import Figure, Metric, Values
from bonmun.evaluate.runner import BenchRun
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import Answer
from bonmun.evaluate.systems import System

MANY = 5
"""Minimum number of pages of a site, language or page type for a row of its own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The attributes of a page, without its HTML and golds."""

    id: str
    url: str | None
    site: str
    lang: str
    page_type: str
    group: str | None = None


Part = Callable[[Entry], str]
PARTS: dict[str, Part] = {
    "type": lambda entry: entry.page_type,
    "language": lambda entry: entry.lang,
    "site": lambda entry: entry.site,
}


def template_of(entry: Entry) -> str:
    """Return the group of pages of one template if the corpus has groups, else the site."""
    return entry.group or entry.site


@dataclass(frozen=True)
class Results:
    """Scores and costs of some systems on a corpus."""

    corpus: str
    entries: Sequence[Entry]
    systems: Sequence[System]
    metrics: Sequence[Metric]
    values: Mapping[tuple[str, str], Mapping[str, Values]]
    """(system, metric) → addends by page (see `metrics.metric`)."""
    costs: Mapping[str, Mapping[str, Answer]]
    """system → status, time and memory by page."""

    @cached_property
    def sites(self) -> SiteBootstrap:
        """The bootstrap over sites that all figures share."""
        return SiteBootstrap({entry.id: entry.site for entry in self.entries})

    @cached_property
    def samples(self) -> dict[tuple[str, str], Sample]:
        """(system, metric) → its addends, ready for resampling."""
        return {key: self.sites.sample(values) for key, values in self.values.items()}

    def figures(self) -> Iterator[tuple[Metric, Figure]]:
        """Yield every figure with its metric, the main figure first."""
        for metric in self.metrics:
            for figure in metric.figures:
                yield metric, figure

    @property
    def main(self) -> tuple[Metric, Figure]:
        """The figure that ranks the systems, with its metric."""
        return self.metrics[0], self.metrics[0].figures[0]

    def page_scores(self, system: System) -> dict[str, float]:
        """Return the main figure of each page."""
        metric, figure = self.main
        return {page: figure.of(values) for page, values in self.values[system.name, metric.name].items()}

    def part(self, keep: Callable[[Entry], bool]) -> "Results":
        """Return the results on a subset of the pages."""
        return replace(self, entries=[entry for entry in self.entries if keep(entry)])

    def parts(self, by: Part, least: int = MANY) -> dict[str, "Results"]:
        """Return the results by page type, language or site, parts with most pages first."""
        counts: dict[str, int] = {}
        for entry in self.entries:
            counts[by(entry)] = counts.get(by(entry), 0) + 1
        names = sorted(
            (name for name, count in counts.items() if count >= least), key=lambda name: (-counts[name], name)
        )
        return {name: self.part(lambda entry, name=name: by(entry) == name) for name in names}  # type: ignore[misc]


def gather(run: BenchRun, metrics: Sequence[Metric], store: Store) -> Results:
    """Return the stored results of a run."""
    entries = [entry_of(case) for case in run.corpus.cases(run.every)]
    pages = {entry.id for entry in entries}
    values = {}
    for system in run.systems:
        for metric in metrics:
            stored = store.scores(system, run.corpus.name, metric.name)
            values[system.name, metric.name] = {page: addends for page, (_, addends) in stored.items() if page in pages}
    costs = {
        system.name: {page: cost for page, cost in store.costs(system, run.corpus.name).items() if page in pages}
        for system in run.systems
    }
    return Results(run.corpus.title, entries, run.systems, metrics, values, costs)


def entry_of(case: Case) -> Entry:
    """Return the attributes of a page."""
    return Entry(case.id, case.url, case.domain, case.lang, case.page_type, case.group)
