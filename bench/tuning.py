"""What five corrected pages are worth: F1 on the other pages of a site or a language, before and after fine-tuning.

    python bench/tuning.py [--groups CORPUS:FIELD …] [--from MODEL | --folds DIR] [--pages N] [--draws N] [--only NAME]

FIELD is site (or its template), language, kind (language and page type) or type. Pages with gold are drawn from a group
at random, `bonmun train --from` learns from them, and its model judges the group's other pages; several draws for each
group. Intervals (95 %) are over sites, or over pages where there is one site only; "draws" is the worst and the best
mean gain of a draw, "elsewhere" the gain on pages of other groups. With --folds, every page is judged by the model of
the cross-validation that was trained without it, fine-tuned: for groups that the starting model was trained on.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter

from corpus import pages

from bonmun.evaluate.corpora import Case, case_of
from bonmun.evaluate.folds import read_folds
from bonmun.evaluate.intervals import Estimate, SiteBootstrap
from bonmun.evaluate.metrics import METRICS, Figure
from bonmun.evaluate.metrics.metric import share
from bonmun.evaluate.truth import Truth
from bonmun.methods.learned import Learned
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.training.dataset import Dataset
from bonmun.training.measuring import Info, Measurements, measure
from bonmun.training.tuning.run import Tuned, tuned_model
from bonmun.training.tuning.settings import Settings
from bonmun.training.tuning.start import StartModel

GROUPS = ("boards_dev:language", "boards_dev:kind", "boards_dev:type", "daniel_dev:site", "cleanportaleval:site")
FIELDS: dict[str, Callable[[Case], str]] = {
    "site": lambda case: case.group or case.domain,
    "language": lambda case: case.lang,
    "kind": lambda case: f"{case.lang} {case.page_type}",
    "type": lambda case: case.page_type,
}
SPARE = 3  # minimum of pages beside those that are learned from
GAIN = Figure("gain", "gain", share(0, 1))
F1 = tuple[float, float]
"""Word F1 and character F1."""


@dataclass(frozen=True)
class Example:
    """A page with its gold; read and measured once."""

    case: Case
    corpus: str
    before: dict[str, F1] = field(default_factory=dict)

    @cached_property
    def page(self) -> Page:
        return read_page(self.case.html, url=self.case.url)

    @cached_property
    def measured(self) -> tuple[Info, Measurements]:
        case = self.case
        return Info(case.id, self.corpus, case.domain, case.group, case.lang, case.page_type), measure(case)

    def f1(self, method: Learned) -> F1:
        text = Document(self.page, method.judge(self.page), method.name).text
        return METRICS["words"].measure(self._truth, text)[2], METRICS["lcs"].measure(self._truth, text)[2]

    @cached_property
    def _truth(self) -> Truth:
        return Truth(self.case)


@dataclass(frozen=True)
class Starts:
    """The models to start from: one for all pages, or one for each fold."""

    models: list[StartModel]
    fold_of: Mapping[str, int] | None = None

    @classmethod
    def of(cls, name: str, folds: Path | None) -> "Starts":
        if folds is None:
            return cls([StartModel.read(name)])
        found = read_folds(folds)
        return cls([StartModel.read(str(path)) for path in found.models], found.fold_of)

    def number(self, example: Example) -> int:
        return self.fold_of[example.case.id] if self.fold_of is not None else 0

    @cached_property
    def methods(self) -> list[Learned]:
        return [Learned(model.file) for model in self.models]

    def before(self, example: Example) -> F1:
        if not example.before:
            example.before["f1"] = example.f1(self.methods[self.number(example)])
        return example.before["f1"]


@dataclass
class Result:
    """The gains of a group, over all draws."""

    gains: dict[str, list[tuple[F1, F1]]] = field(default_factory=dict)
    """Before and after, of each draw that tested a page."""
    draws: list[float] = field(default_factory=list)
    elsewhere: list[float] = field(default_factory=list)
    trees: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def mean(self, when: int, metric: int) -> float:
        return fmean(fmean(pair[when][metric] for pair in pairs) for pairs in self.gains.values())

    def gain(self, metric: int, examples: list[Example]) -> Estimate:
        sites = {example.case.domain for example in examples}
        unit = {one.case.id: one.case.domain if len(sites) > 1 else one.case.id for one in examples}
        by_page = {page: (fmean(new[metric] - old[metric] for old, new in pairs), 1.0)
                   for page, pairs in self.gains.items()}  # fmt: skip
        return SiteBootstrap({page: unit[page] for page in by_page}).sample(by_page).estimate(GAIN)


def grouped(specification: str, least: int, fold_of: Mapping[str, int] | None) -> dict[str, list[Example]]:
    """Return the groups of a corpus with enough pages."""
    corpus, _, name = specification.partition(":")
    groups: dict[str, list[Example]] = {}
    for record in pages(corpus):
        case = case_of(record, corpus)
        if case.golds and (fold_of is None or case.id in fold_of):
            groups.setdefault(f"{corpus} {FIELDS[name](case)}", []).append(Example(case, corpus))
    return {name: examples for name, examples in groups.items() if len(examples) >= least}


def learned(start: StartModel, examples: list[Example]) -> tuple[Learned, Tuned]:
    tuned = tuned_model(Dataset.of(example.measured for example in examples), start, Settings(), quietly)
    with tempfile.TemporaryDirectory() as folder:
        tuned.write(Path(folder))
        return Learned.load(Path(folder) / "model.safetensors"), tuned


@contextmanager
def quietly(_: str, __: int) -> Iterator[Callable[..., None]]:
    yield lambda *_: None


def measure_group(
    examples: list[Example], others: list[Example], starts: Starts, options: argparse.Namespace
) -> Result:
    result = Result()
    for number in range(options.draws):
        random = Random(number)
        shuffled = random.sample(examples, len(examples))
        corrected, tested = shuffled[: options.pages], shuffled[options.pages :][: options.most]
        sampled = random.sample(others, min(len(others), options.elsewhere))
        methods = {}
        for fold in sorted({starts.number(example) for example in (*tested, *sampled)}):
            for example in corrected:
                assert example.measured  # users wait for this once; it is not charged to a draw
            begun = perf_counter()
            methods[fold], tuned = learned(starts.models[fold], corrected)
            result.seconds.append(perf_counter() - begun)
            result.trees.append(tuned.report["trees"])
        gains = []
        for example in tested:
            old, new = starts.before(example), example.f1(methods[starts.number(example)])
            result.gains.setdefault(example.case.id, []).append((old, new))
            gains.append(new[0] - old[0])
        result.draws.append(fmean(gains))
        result.elsewhere += [one.f1(methods[starts.number(one)])[0] - starts.before(one)[0] for one in sampled]
    return result


def row(name: str, examples: list[Example], result: Result) -> str:
    words, characters = result.gain(0, examples), result.gain(1, examples)
    cells = [
        name, len(examples), f"{result.mean(0, 0):.3f}", f"{result.mean(1, 0):.3f}", signed(words),
        f"{min(result.draws):+.3f} … {max(result.draws):+.3f}", f"{result.mean(0, 1):.3f}", f"{result.mean(1, 1):.3f}",
        signed(characters), f"{fmean(result.elsewhere):+.3f}" if result.elsewhere else "–",
        f"{fmean(result.trees):.0f}", f"{fmean(result.seconds):.1f}",
    ]  # fmt: skip
    return line(cells)


def signed(estimate: Estimate) -> str:
    return f"{estimate.value:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"


def line(cells: list[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", nargs="+", default=GROUPS, metavar="CORPUS:FIELD", help=f"default: {GROUPS}")
    parser.add_argument("--from", dest="start", default="auto", metavar="MODEL", help="auto, or a model file")
    parser.add_argument("--folds", type=Path, metavar="DIR", help="folder of a bonmun train run with folds.json")
    parser.add_argument("--pages", type=int, default=5, metavar="N", help="corrected pages of a draw")
    parser.add_argument("--least", type=int, default=0, metavar="N", help="pages of a group; default: three more")
    parser.add_argument("--draws", type=int, default=8, metavar="N")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="tested pages of a draw")
    parser.add_argument("--elsewhere", type=int, default=6, metavar="N", help="tested pages of other groups")
    parser.add_argument("--only", default="", metavar="NAME", help="groups with this in their name")
    options = parser.parse_args()
    starts = Starts.of(options.start, options.folds)
    head = ("group", "pages", "word F1 before", "after", "gain", "draws", "char F1 before", "after", "gain",
            "elsewhere", "trees", "s")  # fmt: skip
    print(line(list(head)) + "\n" + line(["---", *["--:"] * (len(head) - 1)]), flush=True)
    for specification in options.groups:
        groups = grouped(specification, options.least or options.pages + SPARE, starts.fold_of)
        results = []
        for name, examples in groups.items():
            if options.only in name:
                others = [one for other, members in groups.items() if other != name for one in members]
                results.append(measure_group(examples, others, starts, options))
                print(row(name, examples, results[-1]), flush=True)
        print_means(specification, results)


def print_means(specification: str, results: list[Result]) -> None:
    if len(results) > 1:
        figures = [f"{fmean(one.mean(when, metric) for one in results):.3f}" for metric in (0, 1) for when in (0, 1)]
        worse = sum(draw < -0.0005 for one in results for draw in one.draws)
        draws = sum(len(one.draws) for one in results)
        text = (
            f"{specification}: mean of {len(results)} groups, word F1 {figures[0]} → {figures[1]}, character F1 "
            f"{figures[2]} → {figures[3]}; {worse} of {draws} draws made the word F1 worse"
        )
        print(text, file=sys.stderr)


if __name__ == "__main__":
    main()
