"""A training run from corpora to a folder with models, report and card."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bonmun.errors import InputError
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.stage import Stage
from bonmun.training import ablation
from bonmun.training.card import card
from bonmun.training.dataset import Dataset
from bonmun.training.files import write_folds, write_models
from bonmun.training.measuring import measured
from bonmun.training.page_scores import lines_found
from bonmun.training.pages import fit_parts, judged_pages, predict_out_of_fold
from bonmun.training.partition import partition
from bonmun.training.recipe import Recipe
from bonmun.training.report import TrainingReport, corpora_of, results
from bonmun.training.report_markdown import markdown
from bonmun.training.trees import cross_validate
from bonmun.training.variants import training_pages


def train(
    corpora: Sequence[Corpus],
    output: Path,
    recipe: Recipe,
    stage: Stage,
    failed: Callable[[str, str], None],
    *,
    ablations: bool = False,
) -> TrainingReport:
    """Train on corpora; write the models, `folds.json`, `report.json`, `report.md` and `card.md`; return the report."""
    output.mkdir(parents=True, exist_ok=True)
    everything = _measured(corpora, output, recipe, stage, failed)
    folds = np.array(partition(everything.infos, recipe.folds, recipe.seed))
    with stage("growing trees", recipe.folds + 2) as advance:
        every_row = cross_validate(everything, recipe, folds, advance=advance)
    judged = everything.judged
    data, fold, validation = everything.only(judged), folds[judged], every_row.only(judged[everything.page])
    pages = judged_pages(data, validation, recipe)
    with stage("judging pages", recipe.folds + 1) as advance:
        parts = []
        for k in range(recipe.folds + 1):
            parts.append(fit_parts(data, validation, pages, fold != k, recipe))
            advance()
    predictions = predict_out_of_fold(data, validation, pages, fold, parts[:-1])
    *names, _ = write_models(output, everything, validation, parts, pages.types, recipe)
    write_folds(output, everything, folds, names)
    without: TrainingReport = {}
    if ablations:
        with stage("ablations", ablation.count(everything, recipe)) as advance:
            without = ablation.ablations(everything, recipe, folds, advance)
    report = results(data, validation, pages, predictions, recipe, without)
    report |= {
        "corpora": corpora_of(everything),
        "lines": lines_found(everything, every_row.probabilities, recipe.empty),
    }
    (output / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (output / "report.md").write_text(markdown(report), encoding="utf-8")
    (output / "card.md").write_text(card(output.resolve().name, report), encoding="utf-8")
    return report


def _measured(
    corpora: Sequence[Corpus], output: Path, recipe: Recipe, stage: Stage, failed: Callable[[str, str], None]
) -> Dataset:
    variants = recipe.variant_weight > 0
    pages = sum(1 for corpus in corpora for _ in corpus.cases())
    with stage("measuring pages", pages * (1 + variants)) as advance:
        training = training_pages(corpora, variants)
        data = Dataset.of(measured(training, output / "tables", recipe.jobs, advance, failed))
    if not data.judged.any():
        raise InputError("no page with a gold text to learn from and to judge by")
    return data
