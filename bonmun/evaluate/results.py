"""What a run has found, gathered from the store: the addends of every page, and what each page cost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bonmun.evaluate.corpora import Case
from bonmun.evaluate.intervals import Sample, SiteBootstrap
from bonmun.evaluate.metrics import Figure, Metric, Values
from bonmun.evaluate.runner import Run
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System
from bonmun.evaluate.worker import Answer

MANY = 5
"""The least number of pages that makes a site, a language or a page type a row of its own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page without its text."""

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
    """Return what pages of one template share: the group where the corpus names one, else the site."""
    return entry.group or entry.site


@dataclass(frozen=True)
class Results:
    """Everything known about some systems on a corpus."""

    corpus: str
    entries: Sequence[Entry]
    systems: Sequence[System]
    metrics: Sequence[Metric]
    values: Mapping[tuple[str, str], Mapping[str, Values]]
    """(system, metric) → the addends by page."""
    costs: Mapping[str, Mapping[str, Answer]]
    """system → status, time and memory by page."""
    not_built: Sequence[str] = field(default=())

    @cached_property
    def sites(self) -> SiteBootstrap:
        """The pages by site."""
        return SiteBootstrap({entry.id: entry.site for entry in self.entries})

    @cached_property
    def samples(self) -> dict[tuple[str, str], Sample]:
        """(system, metric) → its addends, ready to be drawn over sites."""
        return {key: self.sites.sample(values) for key, values in self.values.items()}

    def figures(self) -> Iterator[tuple[Metric, Figure]]:
        """Yield every figure with its metric, the main one first."""
        for metric in self.metrics:
            for figure in metric.figures:
                yield metric, figure

    @property
    def main(self) -> tuple[Metric, Figure]:
        """The figure that systems are ranked by."""
        return self.metrics[0], self.metrics[0].figures[0]

    def page_scores(self, system: System) -> dict[str, float]:
        """Return the main figure of every single page."""
        metric, figure = self.main
        return {page: figure.of(values) for page, values in self.values[system.name, metric.name].items()}

    def part(self, keep: Callable[[Entry], bool]) -> "Results":
        """Return the results for some of the pages."""
        entries = [entry for entry in self.entries if keep(entry)]
        return Results(self.corpus, entries, self.systems, self.metrics, self.values, self.costs, self.not_built)

    def parts(self, by: Part, least: int = MANY) -> dict[str, "Results"]:
        """Return the results by page type, language or site, the largest parts first."""
        counts: dict[str, int] = {}
        for entry in self.entries:
            counts[by(entry)] = counts.get(by(entry), 0) + 1
        names = sorted(
            (name for name, count in counts.items() if count >= least), key=lambda name: (-counts[name], name)
        )
        return {name: self.part(lambda entry, name=name: by(entry) == name) for name in names}  # type: ignore[misc]


def gather(run: Run, metrics: Sequence[Metric], store: Store, not_built: Sequence[str] = ()) -> Results:
    """Return what the store knows about a run."""
    entries = [entry_of(case) for case in run.corpus.cases(run.every)]
    here = {entry.id for entry in entries}
    values = {}
    for system in run.systems:
        for metric in metrics:
            stored = store.scores(system, run.corpus.name, metric.name)
            values[system.name, metric.name] = {page: found for page, (_, found) in stored.items() if page in here}
    costs = {
        system.name: {page: cost for page, cost in store.costs(system, run.corpus.name).items() if page in here}
        for system in run.systems
    }
    return Results(run.corpus.title, entries, run.systems, metrics, values, costs, not_built)


def entry_of(case: Case) -> Entry:
    """Return a page without its text."""
    return Entry(case.id, case.url, case.domain, case.lang, case.page_type, case.group)
