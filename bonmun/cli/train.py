"""``bonmun train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import corpus_option, jobs_option, with_options
from bonmun.cli.progress import progress
from bonmun.errors import BonmunError, MissingExtra

if TYPE_CHECKING:
    from bonmun.training.report import TrainingReport
    from bonmun.training.tuning.report import TuningReport

_NEEDED = frozenset({"numpy", "scipy", "sklearn", "lightgbm"})
_RECIPE = (
    click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, metavar="N",
                 help="Folds of the cross-validation, by site."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
                 help="Random seed: the same seed and pages give the same model."),
    jobs_option(default=1),
    click.option("--trees", type=click.IntRange(min=1), default=550, show_default=True, metavar="N",
                 help="Trees in the model: fewer are faster and less accurate."),
)  # fmt: skip
"""Each is the field of `Recipe` of the same name."""
_NOT_TUNING = ("folds", "trees", "ablations")
Outcome = tuple[list[str], list[str]]
"""What to print, and the pages that failed."""


@click.command()
@corpus_option(required=True)
@click.option("--from", "start", metavar="MODEL",
              help="Fine-tune a model on a few corrected pages instead: auto, or a model file.")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Folder for models, report and card; a second run continues there.")  # fmt: skip
@with_options(_RECIPE)
@click.option("--ablations", is_flag=True,
              help="Report also models without class and id names, and without each corpus.")  # fmt: skip
def train(corpus: tuple[str, ...], start: str | None, output: Path, ablations: bool, **recipe: Any) -> int:
    """Train a model on your own pages.

    Writes model.safetensors, a model for each fold with folds.json (for bonmun bench --folds), report.json, report.md
    and card.md. Measurements of pages are stored: a run that was interrupted continues where it stopped.

    With --from, it adds trees to a model that correct it on your pages, if they help on pages held out.
    """
    if start:
        _refuse_training_options()
    try:
        lines, failed = _tune(corpus, start, output, recipe) if start else _train(corpus, output, ablations, recipe)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise click.UsageError(str(MissingExtra("trainers", "train"))) from error
    except BonmunError as error:
        raise click.UsageError(str(error)) from error
    for line in lines:
        click.echo(line)
    click.echo(f"The model is {output / 'model.safetensors'}, its card is beside it.")
    return 1 if failed else 0


def _refuse_training_options() -> None:
    """Raise `UsageError` if an option was given that only the training of a new model has."""
    given = click.get_current_context().get_parameter_source
    for name in _NOT_TUNING:
        if given(name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} has no meaning with --from: a fine-tuning chooses its own")


def _train(corpus: tuple[str, ...], output: Path, ablations: bool, recipe: dict[str, Any]) -> Outcome:
    from bonmun.evaluate.corpora import open_corpus
    from bonmun.training import run
    from bonmun.training.recipe import Recipe

    failures = _Failures()
    corpora = [open_corpus(path) for path in corpus]
    report: TrainingReport = run.train(corpora, output, Recipe(**recipe), progress, failures, ablations=ablations)
    rows = report["f1"]["corpus"]
    return [f"{row['name']}: word F1 {row['f1']:.3f} out of fold on {row['pages']:,} pages" for row in rows], failures


def _tune(corpus: tuple[str, ...], start: str, output: Path, recipe: dict[str, Any]) -> Outcome:
    from bonmun.evaluate.corpora import open_corpus
    from bonmun.training.tuning.run import tune
    from bonmun.training.tuning.settings import Settings
    from bonmun.training.tuning.start import StartModel

    failures = _Failures()
    settings = Settings(seed=recipe["seed"], jobs=recipe["jobs"])
    corpora = [open_corpus(path) for path in corpus]
    report: TuningReport = tune(corpora, StartModel.read(start), output, settings, progress, failures)
    f1 = f"word F1 {report['f1']['before']:.3f} before, {report['f1']['after']:.3f} after"
    lines = [f"{f1}, out of sample on {report['pages']:,} pages; {report['trees']} trees were added"]
    if not report["trees"]:
        lines.append("No trees helped on held-out pages: the verdicts are those of the model it started from.")
    return lines, failures


class _Failures(list[str]):
    """The pages that could not be measured, each told on standard error."""

    def __call__(self, page: str, problem: str) -> None:
        self.append(page)
        click.echo(f"bonmun: page {page}: {problem}", err=True)
