"""What seeing a page is worth to the learned method: trees with and without rendered columns, out of fold.

    python bench/render_corpus.py wcxb_dev --out layouts/wcxb_dev.jsonl.zst  # and cjk_dev, visual_dev
    python bench/visual_worth.py --layouts layouts --cache cache --seeds 3

Both arms have the same blocks, labels, folds (by site and template), linear scores and choice by expected F1; only the
columns differ. It is a lighter pipeline than `bonmun train`: fewer trees, at most 150 blocks of a page to learn from,
linear scores out of fold but not nested, and no rules after the choice. Pages that render are apart from the others.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from corpus import DATA
from numpy.typing import NDArray

from bonmun.evaluate.corpora import Corpus, open_corpus
from bonmun.evaluate.intervals import Comparison, SiteBootstrap
from bonmun.evaluate.layouts import open_layouts, with_saved_layout
from bonmun.evaluate.metrics import Figure
from bonmun.evaluate.metrics.metric import share
from bonmun.read.page import read_page
from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.linear_scores import Bags
from bonmun.training.measuring import measured
from bonmun.training.page_scores import choices, page_scores
from bonmun.training.partition import partition
from bonmun.training.recipe import Recipe
from bonmun.training.rendered_columns import rendered_columns

CORPORA = ("wcxb_dev", "cjk_dev", "visual_dev")
STYLED, WELL_STYLED = 5_000, 30_000
"""Characters of inline style sheets from which on a page renders more or less as its authors meant."""
MOST_BLOCKS = 150
"""Maximum blocks of a page to learn from."""
MARKUP, BOTH, ALONE, PERMUTED = "markup", "markup + rendered", "rendered alone", "markup + rendered, permuted"
WEIGHED = "markup, weight of undrawn text"
FACTORS = (1.0, 0.8, 0.65, 0.5, 0.35, 0.2)
"""Candidates for the factor of `WEIGHED`: what the score of a block that the browser does not draw is multiplied by."""
ALL, RENDERING, JUDGED = "all pages", "pages that render", "pages that render, as a correction"
"""Training sets. The third is for small trees on top of the first's scores by markup: a model that could ship."""
CORRECTION = {"learning_rate": 0.05, "num_leaves": 15, "feature_fraction": 0.5}
ARMS = {
    ALL: (MARKUP, WEIGHED, BOTH, ALONE, PERMUTED),
    RENDERING: (MARKUP, BOTH, PERMUTED),
    JUDGED: (MARKUP, BOTH, PERMUTED),
}
F1 = Figure("f1", "word F1", share(0, 1))
_STYLE = re.compile(r"(?is)<style\b[^>]*>(.*?)</style")

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Drawn:
    """The rendered columns of all blocks, and what rendering the pages cost."""

    columns: tuple[str, ...]
    table: Matrix
    styles: NDArray[np.int64]
    """Characters of inline style sheets of each page."""
    milliseconds: Numbers
    """Wall time of rendering each page."""

    def permuted(self, first: NDArray[np.int64], seed: int) -> "Drawn":
        """The control: the same values, shuffled among the blocks of each page."""
        random, order = np.random.default_rng(seed), np.arange(len(self.table))
        for start, stop in pairwise(first.tolist()):
            order[start:stop] = start + random.permutation(stop - start)
        return replace(self, table=self.table[order])


def drawn_pages(corpora: Sequence[Corpus], layouts: Path) -> Iterator[tuple[dict[str, list[float]], int, float]]:
    """Yield columns, characters of style and milliseconds of each page."""
    for corpus in corpora:
        saved = open_layouts(layouts / f"{corpus.name}.jsonl.zst")
        for case in corpus.cases():
            page = with_saved_layout(read_page(case.html, url=case.url), saved[case.id])
            styles = sum(map(len, _STYLE.findall(case.html)))
            yield rendered_columns(page), styles, saved.milliseconds[case.id]


def draw(corpora: Sequence[Corpus], layouts: Path, cache: Path) -> Drawn:
    """Measure the rendered columns of all pages, or read them from the cache."""
    path = cache / "drawn.npz"
    if not path.exists():
        pages, styles, milliseconds = zip(*drawn_pages(corpora, layouts), strict=True)
        tables = [np.array(list(page.values()), np.float32).reshape(len(page), -1).T for page in pages]
        np.savez(path, columns=list(pages[0]), table=np.concatenate(tables), styles=styles, milliseconds=milliseconds)
    with np.load(path, allow_pickle=False) as parts:
        return Drawn(tuple(map(str, parts["columns"])), parts["table"], parts["styles"], parts["milliseconds"])


@dataclass(frozen=True)
class Experiment:
    """Pages, their rendered columns, and the settings of the trees."""

    data: Dataset
    drawn: Drawn
    recipe: Recipe

    @cached_property
    def corpus(self) -> NDArray[np.str_]:
        """The corpus of each page."""
        return np.array([info.corpus for info in self.data.infos])

    @cached_property
    def renders(self) -> Rows:
        """Pages whose style sheets are in their markup."""
        return (self.corpus == "visual_dev") | (self.drawn.styles > STYLED)

    @cached_property
    def groups(self) -> dict[str, Rows]:
        """Pages to report on, by name."""
        gold = np.array([golds.start[-1] > 0 for _, golds in self.data.words])
        wcxb, visual = self.corpus == "wcxb_dev", (self.corpus == "visual_dev") & gold
        well = wcxb & (self.drawn.styles > WELL_STYLED)
        return {
            "visual_dev": visual,
            "wcxb_dev, CSS > 30 kB": well,
            "wcxb_dev, CSS > 5 kB": wcxb & self.renders,
            "visual_dev and > 30 kB": visual | well,
            "visual_dev and > 5 kB": visual | (wcxb & self.renders),
            "wcxb_dev, the rest": wcxb & ~self.renders,
            "cjk_dev": self.corpus == "cjk_dev",
        }

    @cached_property
    def trained(self) -> dict[str, Rows]:
        """Pages to train on, by name."""
        return {ALL: np.ones(len(self.data.infos), bool), RENDERING: self.renders, JUDGED: self.renders}

    @cached_property
    def fold(self) -> NDArray[np.int64]:
        """The fold of each page."""
        return np.array(partition(self.data.infos, self.recipe.folds, self.recipe.seed))

    def linear(self, rows: Rows) -> Matrix:
        """The table of markup columns, with linear scores fitted on some rows of the other folds."""
        bags, fold, weights = Bags.of(self.data, self.recipe), self.fold[self.data.page], self.data.weights(self.recipe)
        pair = np.zeros((2, len(fold)), np.float32)
        for k in range(self.recipe.folds):
            fitted = bags.fit(self.data.labels, weights, rows & (fold != k), self.recipe.seed)
            pair[:, fold == k] = np.stack(bags.scores(fitted))[:, fold == k]
        return with_scores(self.data, pair[0], pair[1])

    def sampled(self, pages: Rows, seed: int) -> Rows:
        """At most `MOST_BLOCKS` random blocks of each of these pages, if their golds are on them."""
        random, rows = np.random.default_rng(seed), np.zeros(len(self.data.page), bool)
        for page in np.flatnonzero(pages & (self.data.coverage >= self.recipe.least_coverage)):
            own = np.arange(self.data.first[page], self.data.first[page + 1])
            rows[random.permutation(own)[:MOST_BLOCKS]] = True
        return rows

    def probabilities(self, table: Matrix, rows: Rows, seed: int, odds: Numbers | None = None) -> Numbers:
        """Out-of-fold probabilities of all blocks; of a model that corrects log odds, if they are given."""
        import lightgbm

        settings = {**self.recipe.boosting, "seed": seed, "num_threads": self.recipe.jobs}
        settings |= CORRECTION if odds is not None else {}
        fold, weights, sums = self.fold[self.data.page], self.data.weights(self.recipe), np.zeros(len(table))
        for k in range(self.recipe.folds):
            seen, held_out = rows & (fold != k), fold == k
            start = None if odds is None else odds[seen]
            train = lightgbm.Dataset(
                table[seen], self.data.labels[seen], weight=weights[seen], init_score=start, params=settings
            )
            booster = lightgbm.train(settings, train, self.recipe.trees)
            sums[held_out] = booster.predict(table[held_out], raw_score=True, num_threads=self.recipe.jobs)
        return np.asarray(1 / (1 + np.exp(-(sums if odds is None else sums + odds))))

    def table(self, markup: Matrix, seed: int, arm: str) -> Matrix:
        """The columns of an arm."""
        drawn = self.drawn.permuted(self.data.first, seed) if arm == PERMUTED else self.drawn
        return np.concatenate({MARKUP: [markup], ALONE: [drawn.table]}.get(arm, [markup, drawn.table]), 1)

    def scores(self, blocks: Numbers) -> Numbers:
        """The word F1 of each page's choice."""
        return page_scores(self.data, choices(self.data, blocks, self.recipe.empty))

    def weighed(self, blocks: Numbers) -> Numbers:
        """Probabilities with those of undrawn blocks multiplied by the factor that is best on the other folds."""
        drawn = self.drawn.table[:, self.drawn.columns.index("drawn_visible")] > 0
        found, fold = blocks.copy(), self.fold[self.data.page]
        by_factor = {factor: self.scores(np.where(drawn, blocks, factor * blocks)) for factor in FACTORS}
        for k in range(self.recipe.folds):
            others = self.renders & (self.fold != k)
            best = max(FACTORS, key=lambda factor: float(by_factor[factor][others].mean()))
            found[(fold == k) & ~drawn] *= best
        return found

    def compare(self, one: Numbers, other: Numbers, pages: Rows) -> Comparison:
        """Compare the F1 of two arms on some pages, paired by site."""
        sites = SiteBootstrap({str(page): self.data.infos[page].domain for page in np.flatnonzero(pages)})
        first, second = (
            sites.sample({page: (float(scores[int(page)]), 1.0) for page in sites.site_of}) for scores in (one, other)
        )
        return first.compare(second, F1)


@dataclass
class Outcomes:
    """Probabilities of blocks and F1 of pages, kept in a folder: an interrupted run continues."""

    experiment: Experiment
    folder: Path

    def run(self, name: str, seeds: int, arms: Sequence[str]) -> None:
        """Train all arms on some pages with each seed."""
        pages = self.experiment.trained[name]
        markup = cache(lambda: self.experiment.linear(self.experiment.sampled(pages, 0)))
        for seed in range(seeds):
            missing = [arm for arm in arms if not self.path(name, seed, arm).exists()]
            if not missing:
                continue
            rows = self.experiment.sampled(pages, seed)
            odds = self.odds(seed) if name == JUDGED else None
            for arm in missing:
                start = time.perf_counter()
                if arm == WEIGHED:
                    blocks = self.experiment.weighed(self.read(name, seed, MARKUP)["blocks"].astype(np.float64))
                else:
                    base = markup() if odds is None else odds[:, None].astype(np.float32)
                    blocks = self.experiment.probabilities(self.experiment.table(base, seed, arm), rows, seed, odds)
                pages_f1 = self.experiment.scores(blocks)
                np.savez(self.path(name, seed, arm), blocks=blocks.astype(np.float32), pages=pages_f1)
                print(f"{name}, seed {seed}, {arm}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)

    def odds(self, seed: int) -> Numbers:
        """The out-of-fold log odds of all blocks by their markup."""
        blocks = self.read(ALL, seed, MARKUP)["blocks"].astype(np.float64).clip(1e-5, 1 - 1e-5)
        return np.asarray(np.log(blocks / (1 - blocks)))

    def path(self, name: str, seed: int, arm: str) -> Path:
        """The file of an arm."""
        name = ALL if (name, arm) == (JUDGED, MARKUP) else name
        return self.folder / f"{re.sub('[^a-z]+', '-', f'{name} {arm}')}-{seed}.npz"

    def read(self, name: str, seed: int, arm: str) -> Mapping[str, Any]:
        """The results of an arm."""
        with np.load(self.path(name, seed, arm), allow_pickle=False) as parts:
            return dict(parts)

    def rows(self, name: str, seeds: int, arms: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the figures of each arm on each group, averaged over seeds, beside those of the markup."""
        found = {arm: [self.read(name, seed, arm) for seed in range(seeds)] for arm in arms}
        mean = {arm: np.mean([one["pages"] for one in runs], 0) for arm, runs in found.items()}
        for group, pages in self.experiment.groups.items():
            for arm, runs in found.items():
                gains = [
                    float((one["pages"] - base["pages"])[pages].mean())
                    for one, base in zip(runs, found[MARKUP], strict=True)
                ]
                gap = self.experiment.compare(mean[arm], mean[MARKUP], pages).difference
                yield {
                    "trained on": name,
                    "group": group,
                    "pages": int(pages.sum()),
                    "arm": arm,
                    "auc": float(np.mean([self._auc(one["blocks"], pages) for one in runs])),
                    "f1": float(mean[arm][pages].mean()),
                    "gain": [gap.value, gap.low, gap.high],
                    "by seed": gains,
                }

    def _auc(self, blocks: Matrix, pages: Rows) -> float:
        from sklearn.metrics import roc_auc_score

        data = self.experiment.data
        rows = pages[data.page]
        return float(roc_auc_score(data.labels[rows] > 0.5, blocks[rows], sample_weight=data.sizes[rows]))


def table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the result as a Markdown table."""
    yield "| trained on | tested on | pages | columns | AUC of blocks | word F1 | gain | 95 % | by seed |"
    yield "|---|---|--:|---|--:|--:|--:|--:|---|"
    for row in rows:
        value, low, high = row["gain"]
        gain = f"{value:+.4f} | {low:+.4f} – {high:+.4f}" if row["arm"] != MARKUP else " | "
        seeds = " ".join(f"{one:+.4f}" for one in row["by seed"]) if row["arm"] != MARKUP else ""
        yield (
            f"| {row['trained on']} | {row['group']} | {row['pages']} | {row['arm']} | {row['auc']:.4f} | "
            f"{row['f1']:.4f} | {gain} | {seeds} |"
        )


def main() -> None:
    """Run the experiment and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layouts", type=Path, required=True, help="folder of saved layouts, CORPUS.jsonl.zst")
    parser.add_argument("--cache", type=Path, required=True, help="folder for measured pages and results")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    corpora = [open_corpus(DATA / f"{name}.jsonl.zst") for name in CORPORA]
    pages = measured(corpora, options.cache / "tables", options.jobs, lambda: None, lambda page, why: sys.exit(why))
    experiment = Experiment(
        Dataset.of(pages), draw(corpora, options.layouts, options.cache), lighter(options.trees, options.jobs)
    )
    report(experiment, options.cache, options.seeds)


def lighter(trees: int, jobs: int) -> Recipe:
    """The recipe of `auto` with fewer trees and bins."""
    recipe = Recipe(trees=trees, jobs=jobs)
    return replace(recipe, boosting={**recipe.boosting, "learning_rate": 0.15, "max_bin": 63})


def report(experiment: Experiment, cache: Path, seeds: int) -> None:
    """Train, then print the table and write it as JSON."""
    outcomes = Outcomes(experiment, cache)
    rows: list[dict[str, Any]] = []
    for name, arms in ARMS.items():
        outcomes.run(name, seeds, arms)
        rows += outcomes.rows(name, seeds, arms)
    cost = experiment.drawn.milliseconds
    print(*table(rows), sep="\n")
    print(f"\nrendering: mean {cost.mean():.0f} ms/page, median {np.median(cost):.0f}")
    (cache / "visual_worth.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
