"""``bonmun bench``."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import corpus_option, jobs_option, with_options
from bonmun.cli.progress import progress
from bonmun.errors import BonmunError

if TYPE_CHECKING:
    from bonmun.evaluate.benchmark import Bench
    from bonmun.evaluate.metrics import Metric


def _list(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    return [name for name in value.replace(" ", "").split(",") if name]


def _set(context: click.Context, parameter: click.Parameter, value: str) -> frozenset[str]:
    return frozenset(_list(context, parameter, value))


_PAGES = (
    corpus_option(required=False),
    click.option("--only", multiple=True, metavar="FIELD=VALUE",
                 help="Only pages of one language, type, site or group, such as lang=ko. Repeatable."),
    click.option("--drop-headlines", is_flag=True,
                 help="Remove headlines from golds and outputs: some golds have them, some do not."),
    click.option("--rename", type=click.Choice(["names", "tags"]),
                 help="Measure renamed pages too: every class and id a random token (names), and article, main and "
                 "section a div (tags)."),
)  # fmt: skip
_SETTINGS = (
    click.option("--output", type=click.Path(path_type=Path), default="out/bench", show_default=True, metavar="DIR",
                 help="Folder for results and report; a second run continues there."),
    click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
                 help="Take only every Nth page."),
    click.option("--seconds", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S",
                 help="Time limit for a page."),
    jobs_option(default=1),
    click.option("--folds", type=click.Path(path_type=Path), metavar="DIR",
                 help="Models of a cross-validation, for the system out-of-fold."),
    click.option("--layouts", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR",
                 help="Saved layouts for the table visual; without them it draws the pages."),
    click.option("--visual-models", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR",
                 help="Models by seed for the table visual; without them it measures those that ship."),
    click.option("--refresh", default="", callback=_set, metavar="NAMES", help="Systems to run again."),
    click.option("--time", "time_every", type=click.IntRange(min=0), default=0, metavar="N",
                 help="Measure the CPU time on every Nth of these pages too."),
    click.option("--growth", is_flag=True, help="Measure the CPU time on one page of 0.1 to 20 MB too."),
)  # fmt: skip
"""Each is the field of `Bench` of the same name."""


@click.command()
@with_options(_PAGES)
@click.option("--systems", default="all", show_default=True, callback=_list, metavar="NAMES",
              help="Our methods and peers, separated by commas; all for every installed one.")  # fmt: skip
@click.option("--metrics", default="all", show_default=True, callback=_list, metavar="NAMES",
              help="words, lcs, nodes, blocks, recognition, right, shingles, snippets, rouge; the first one ranks."
              )  # fmt: skip
@with_options(_SETTINGS)
@click.option("--by", multiple=True, type=click.Choice(["type", "language", "site"]),
              help="Print the first metric by page type, language or site too. Repeatable.")  # fmt: skip
@click.option("--table", metavar="NAME", help="Print the table of a paper: xtractor-2, xtractor-3, indem-14-16, "
              "logical-4, visual-2, visual, template-1 or template-2.")  # fmt: skip
@click.option("--install", default="", callback=_list, metavar="NAMES",
              help="Install peers that pip alone cannot: rs-trafilatura, readability.js.")  # fmt: skip
def bench(
    corpus: tuple[str, ...],
    only: tuple[str, ...],
    drop_headlines: bool,
    rename: str | None,
    systems: list[str],
    metrics: list[str],
    by: tuple[str, ...],
    table: str | None,
    install: list[str],
    **settings: Any,
) -> int:
    """Compare extractors on pages with gold texts.

    Every page is read in a process that can be killed. Outputs and scores are stored at once: a run that was
    interrupted continues where it stopped. Writes report.html, report.md and report.json.
    """
    if not corpus and not install:
        raise click.UsageError("give at least one --corpus")
    if settings["folds"] and "out-of-fold" not in systems and table != "visual":
        raise click.UsageError("--folds is for the system out-of-fold: name it in --systems")
    if (settings["layouts"] or settings["visual_models"]) and table != "visual":
        raise click.UsageError("--layouts and --visual-models are for --table visual")
    try:
        _install(install)
        if not corpus:
            return 0
        from bonmun.evaluate.benchmark import Bench, roster
        from bonmun.evaluate.corpora import open_corpus

        if table and systems == ["all"]:
            systems = []  # A paper's table has its own systems.
        order = Bench(
            corpora=[
                open_corpus(path, only, headlines=not drop_headlines, rename=how)
                for path in corpus
                for how in ((None, rename) if rename else (None,))
            ],
            roster=roster(systems, settings["folds"]),
            metrics=_metrics(metrics),
            **settings,
        )
        return _print_table(order, table) if table else _print_report(order, by)
    except BonmunError as error:
        raise click.UsageError(str(error)) from error


def _metrics(names: list[str]) -> "Sequence[Metric]":
    from bonmun.evaluate.metrics import METRICS, metric

    return list(METRICS.values()) if names == ["all"] else [metric(name) for name in names]


def _install(peers: list[str]) -> None:
    from bonmun.evaluate.runtimes import cache_folder, install

    for peer in peers:
        install(peer)
        click.echo(f"bonmun: {peer} is installed in {cache_folder()}", err=True)


def _print_table(order: "Bench", name: str) -> int:
    from rich.console import Console

    from bonmun.evaluate.benchmark import run_table
    from bonmun.evaluate.report.terminal import show

    show(run_table(order, name, progress), Console(width=None if sys.stdout.isatty() else 200))
    return 0


def _print_report(order: "Bench", by: tuple[str, ...]) -> int:
    from rich.console import Console

    from bonmun.evaluate.benchmark import run_bench
    from bonmun.evaluate.report.terminal import show
    from bonmun.evaluate.report.text import growth, parts, ranking, speed, where

    if not order.roster.systems:
        raise click.UsageError("no system to measure: name at least one in --systems")
    for line in order.roster.missing:
        click.echo(f"bonmun: {line}", err=True)
    report = run_bench(order, progress)
    console = Console(width=None if sys.stdout.isatty() else 160)
    for corpus in report.corpora:
        inside = [parts(corpus, part) for part in by]
        show([ranking(corpus), *inside, *([speed(corpus)] if corpus.speed else [])], console)
    if report.growth:
        show([growth(report.growth)], console)
    console.print(f"{where(report)} The report is in {order.output / 'report.html'}", style="dim")
    return 0
