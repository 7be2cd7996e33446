"""A training run from corpora to a folder with models, report and card."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.stage import Stage
from bonmun.training import ablation
from bonmun.training.card import card
from bonmun.training.dataset import Dataset
from bonmun.training.files import write_folds, write_models
from bonmun.training.measuring import measured
from bonmun.training.pages import fit_parts, judged_pages, predict_out_of_fold
from bonmun.training.partition import partition
from bonmun.training.recipe import Recipe
from bonmun.training.report import TrainingReport, results
from bonmun.training.report_markdown import markdown
from bonmun.training.trees import cross_validate


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
    with stage("measuring pages", sum(1 for corpus in corpora for _ in corpus.cases())) as advance:
        data = Dataset.of(measured(corpora, output / "tables", recipe.jobs, advance, failed))
    fold = np.array(partition(data.infos, recipe.folds, recipe.seed))
    with stage("growing trees", recipe.folds + 2) as advance:
        validation = cross_validate(data, recipe, fold, advance=advance)
    pages = judged_pages(data, validation, recipe)
    with stage("judging pages", recipe.folds + 1) as advance:
        parts = []
        for k in range(recipe.folds + 1):
            parts.append(fit_parts(data, validation, pages, fold != k, recipe))
            advance()
    predictions = predict_out_of_fold(data, validation, pages, fold, parts[:-1])
    *names, _ = write_models(output, data, validation, parts, pages.types, recipe)
    write_folds(output, data, fold, names)
    without: TrainingReport = {}
    if ablations:
        with stage("ablations", ablation.count(data) * (recipe.folds + 1)) as advance:
            without = ablation.ablations(data, recipe, fold, advance)
    report = results(data, validation, pages, predictions, recipe, without)
    (output / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (output / "report.md").write_text(markdown(report), encoding="utf-8")
    (output / "card.md").write_text(card(output.resolve().name, report), encoding="utf-8")
    return report
