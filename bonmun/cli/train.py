"""``bonmun train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import corpus_option, jobs_option, with_options
from bonmun.cli.progress import progress
from bonmun.errors import BonmunError, MissingExtra

if TYPE_CHECKING:
    from bonmun.training.report import TrainingReport

_NEEDED = frozenset({"numpy", "scipy", "sklearn", "lightgbm"})
_RECIPE = (
    click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, metavar="N",
                 help="Folds of the cross-validation, by site."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
                 help="Random seed: the same seed and pages give the same model."),
    jobs_option(default=1),
    click.option("--trees", type=click.IntRange(min=1), default=300, show_default=True, metavar="N",
                 help="Trees in the model: fewer are faster and less accurate."),
)  # fmt: skip
"""Each is the field of `Recipe` of the same name."""


@click.command()
@corpus_option(required=True)
@click.option("--output", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Folder for models, report and card; a second run continues there.")  # fmt: skip
@with_options(_RECIPE)
@click.option("--ablations", is_flag=True,
              help="Report also models without class and id names, and without each corpus.")  # fmt: skip
def train(corpus: tuple[str, ...], output: Path, ablations: bool, **recipe: Any) -> int:
    """Train a model on your own pages.

    Writes model.safetensors, a model for each fold with folds.json (for bonmun bench --folds), report.json, report.md
    and card.md. Measurements of pages are stored: a run that was interrupted continues where it stopped.
    """
    try:
        report, failed = _train(corpus, output, ablations, recipe)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise click.UsageError(str(MissingExtra("trainers", "train"))) from error
    except BonmunError as error:
        raise click.UsageError(str(error)) from error
    for row in report["f1"]["corpus"]:
        click.echo(f"{row['name']}: word F1 {row['f1']:.3f} out of fold on {row['pages']:,} pages")
    click.echo(f"The model is {output / 'model.safetensors'}, its card is beside it.")
    return 1 if failed else 0


def _train(
    corpus: tuple[str, ...], output: Path, ablations: bool, recipe: dict[str, Any]
) -> "tuple[TrainingReport, list[str]]":
    from bonmun.evaluate.corpora import open_corpus
    from bonmun.training import run
    from bonmun.training.recipe import Recipe

    failed: list[str] = []

    def report_failure(page: str, problem: str) -> None:
        failed.append(page)
        click.echo(f"bonmun: page {page}: {problem}", err=True)

    corpora = [open_corpus(path) for path in corpus]
    return run.train(corpora, output, Recipe(**recipe), progress, report_failure, ablations=ablations), failed
