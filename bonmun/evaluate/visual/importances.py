"""Feature importances of the models, the paper's figures 3 and 4: how much each column counted on test pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.tables import ReportTable
from bonmun.evaluate.visual.drawn import DrawnPages
from bonmun.evaluate.visual.entrants import Entrant

if TYPE_CHECKING:
    from bonmun.methods.visual.rows import Rows

MOST_PAGES = 20
"""Pages of each corpus that importances are measured on, spread over it."""


@dataclass(frozen=True, slots=True)
class Importance:
    """The share of a column in a model's attention: mean and standard deviation over the seeds."""

    column: str
    mean: float
    spread: float = nan


class Attention:
    """The attention of each model to its columns, summed over the rows of test pages."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        from bonmun.methods.visual.tabnet import TabNet

        self._models = [(entrant, TabNet.load(entrant.model)) for entrant in entrants if entrant.model]
        self._sums = {entrant: [0.0] * len(model.columns) for entrant, model in self._models}

    def add(self, corpus: Corpus, pages: DrawnPages) -> None:
        """Add the test pages of a corpus, a sample of many."""
        from bonmun.methods.visual.rows import Rows

        step = max(1, sum(1 for _ in corpus.cases()) // MOST_PAGES)
        for case in corpus.cases(step):
            if case.id in pages:
                try:
                    rows = Rows.of(pages.page(case))
                except BonmunError:
                    continue
                self._add(rows, [entrant for entrant, _ in self._models if entrant.counts(corpus.name, case.domain)])

    def _add(self, rows: "Rows", counted: Sequence[Entrant]) -> None:
        for entrant, model in self._models:
            if entrant in counted and len(rows):
                sums = model.masks(rows.matrix).sum(axis=0).tolist()
                self._sums[entrant] = [one + other for one, other in zip(self._sums[entrant], sums, strict=True)]

    def importances(self) -> dict[str, list[Importance]]:
        """Return the importances of every family of models; they sum to 1."""
        shares: dict[str, list[list[float]]] = {}
        columns: dict[str, tuple[str, ...]] = {}
        for entrant, model in self._models:
            if total := sum(self._sums[entrant]):
                shares.setdefault(entrant.family, []).append([one / total for one in self._sums[entrant]])
                columns[entrant.family] = model.columns
        return {family: _over_seeds(columns[family], seeds) for family, seeds in shares.items()}


def importance_table(importances: dict[str, list[Importance]]) -> ReportTable:
    """Lay out the importances: one row for each column of the features."""
    by_family = {family: {one.column: one for one in line} for family, line in importances.items()}
    names = list(dict.fromkeys(one.column for line in importances.values() for one in line))
    rows = [
        (name, *(_cell(line[name]) if name in line else "–" for line in by_family.values()))
        for name in names
    ]  # fmt: skip
    note = "Shares of the attention masks over the rows of test pages, mean ± standard deviation over seeds."
    return ReportTable("Feature importances", ("column", *importances), rows, (note,))


def _over_seeds(columns: Sequence[str], seeds: Sequence[Sequence[float]]) -> list[Importance]:
    by_column = zip(columns, zip(*seeds, strict=True), strict=True)
    return [Importance(name, fmean(shares), stdev(shares) if len(shares) > 1 else nan) for name, shares in by_column]


def _cell(one: Importance) -> str:
    mean = f"{one.mean:.3f}".removeprefix("0")
    return mean if one.spread != one.spread else f"{mean} ± {one.spread:.3f}".replace("± 0", "± ")
