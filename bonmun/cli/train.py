"""``bonmun train``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import given
from bonmun.cli.stages import stage
from bonmun.errors import BonmunError, MissingExtra

if TYPE_CHECKING:
    from bonmun.training.report import TrainingReport

_NEEDED = frozenset({"numpy", "scipy", "sklearn", "lightgbm"})


_OPTIONS = (
    click.option("--corpus", multiple=True, required=True, metavar="PATH",
                 help="Pages with their truth: .jsonl, .jsonl.zst or a folder (WCXB, CleanEval, golden). Repeatable."),
    click.option("--output", required=True, metavar="DIR",
                 help="Where models, report and card go; the same folder again continues."),
    click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, metavar="N",
                 help="Models that are trained without a part of the sites, to be judged by it."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
                 help="The same seed and pages give the same model."),
    click.option("--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
                 help="Pages at a time, and threads; 0 for one on each core."),
    click.option("--trees", type=click.IntRange(min=1), default=550, show_default=True, metavar="N",
                 help="Trees in the model: fewer are faster and less exact."),
    click.option("--ablations", is_flag=True,
                 help="Report models without class and id names, and without each corpus, too."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options, as they were given."""

    corpus: tuple[str, ...]
    output: str
    folds: int
    seed: int
    jobs: int
    trees: int
    ablations: bool


@click.command()
@given(_OPTIONS)
def train(**options: Any) -> int:
    """Train a model on pages of your own.

    Writes model.safetensors, a model for each fold with folds.json (for bonmun bench --folds), report.json, report.md
    and card.md. Measurements of pages are kept, so that a run can be ended at any moment and goes on where it was.
    """
    asked = _Asked(**options)
    try:
        report, failed = _trained(asked)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise click.UsageError(str(MissingExtra("trainers", "train"))) from error
    except BonmunError as error:
        raise click.UsageError(str(error)) from error
    for row in report["f1"]["corpus"]:
        click.echo(f"{row['name']}: word F1 {row['f1']:.3f} out of fold on {row['pages']:,} pages")
    click.echo(f"The model is {Path(asked.output) / 'model.safetensors'}, its card is beside it.")
    return 1 if failed else 0


def _trained(asked: _Asked) -> "tuple[TrainingReport, list[str]]":
    from bonmun.cli.jobs import cores
    from bonmun.evaluate.corpora import open_corpus
    from bonmun.training.recipe import Recipe
    from bonmun.training.run import train as run

    failed: list[str] = []

    def tell(page: str, problem: str) -> None:
        failed.append(page)
        click.echo(f"bonmun: page {page}: {problem}", err=True)

    recipe = Recipe(folds=asked.folds, seed=asked.seed, jobs=asked.jobs or cores(), trees=asked.trees)
    corpora = [open_corpus(path) for path in asked.corpus]
    return run(corpora, Path(asked.output), recipe, stage, tell, ablations=asked.ablations), failed
