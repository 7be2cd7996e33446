"""``bonmun bench``."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import given
from bonmun.cli.stages import stage
from bonmun.errors import BonmunError

if TYPE_CHECKING:
    from bonmun.evaluate.benchmark import Bench


def _list(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    return [name for name in value.replace(" ", "").split(",") if name]


_OPTIONS = (
    click.option("--corpus", multiple=True, metavar="PATH",
                 help="Pages with their truth: .jsonl, .jsonl.zst or a folder (WCXB, CleanEval, golden). Repeatable."),
    click.option("--only", multiple=True, metavar="FIELD=VALUE",
                 help="Pages of one language, type, site or group only, such as lang=ko. Repeatable."),
    click.option("--drop-headlines", is_flag=True,
                 help="Leave headlines out of golds and outputs: golds differ in whether they have them."),
    click.option("--systems", default="all", show_default=True, callback=_list, metavar="NAMES",
                 help="Our methods and peers, by comma; all for every one installed."),
    click.option("--metrics", default="all", show_default=True, callback=_list, metavar="NAMES",
                 help="words, lcs, nodes, blocks, recognition, right, shingles, snippets, rouge; the first one ranks."),
    click.option("--output", default="out/bench", show_default=True, metavar="DIR",
                 help="Where results are kept and the report goes; the same folder again continues."),
    click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
                 help="Take every Nth page only."),
    click.option("--seconds", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="S",
                 help="How long a page may take."),
    click.option("--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
                 help="Pages at a time; 0 for one on each core."),
    click.option("--folds", metavar="DIR",
                 help="The models of a cross-validation, for the system out-of-fold."),
    click.option("--by", multiple=True, type=click.Choice(["type", "language", "site"]),
                 help="Print the first metric by page type, language or site too. Repeatable."),
    click.option("--refresh", default="", callback=_list, metavar="NAMES", help="Systems to ask again."),
    click.option("--time", type=click.IntRange(min=0), default=0, metavar="N",
                 help="Time every Nth of these pages too, all systems in turns."),
    click.option("--growth", is_flag=True, help="Time one page from 0.1 to 20 MB too."),
    click.option("--table", metavar="NAME", help="Print one paper's table: xtractor-2, xtractor-3, indem-14-16, "
                 "logical-4, visual-2, template-1 or template-2."),
    click.option("--install", default="", callback=_list, metavar="NAMES",
                 help="Install peers that pip alone cannot: rs-trafilatura, readability.js."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options, as they were given."""

    corpus: tuple[str, ...]
    only: tuple[str, ...]
    drop_headlines: bool
    systems: list[str]
    metrics: list[str]
    output: str
    every: int
    seconds: float
    jobs: int
    folds: str | None
    by: tuple[str, ...]
    refresh: list[str]
    time: int
    growth: bool
    table: str | None
    install: list[str]


@click.command()
@given(_OPTIONS)
def bench(**options: Any) -> int:
    """Measure extractors on pages whose truth is known.

    Every page is read in a process that can be stopped; outputs and scores are kept as they come, so that a run can be
    ended at any moment and goes on where it was. Writes report.html, report.md and report.json.
    """
    asked = _Asked(**options)
    if not asked.corpus and not asked.install:
        raise click.UsageError("give at least one --corpus")
    if asked.folds and "out-of-fold" not in asked.systems:
        raise click.UsageError("--folds is for the system out-of-fold: name it in --systems")
    try:
        _installed(asked.install)
        if not asked.corpus:
            return 0
        return _print_table(_order(asked), asked.table) if asked.table else _print_report(_order(asked), asked.by)
    except BonmunError as error:
        raise click.UsageError(str(error)) from error


def _order(asked: _Asked) -> "Bench":
    """Return what is to be measured; a paper's table names its own systems."""
    from bonmun.cli.jobs import cores
    from bonmun.evaluate.benchmark import Bench, roster
    from bonmun.evaluate.corpora import open_corpus
    from bonmun.evaluate.metrics import METRICS, metric

    folds = Path(asked.folds) if asked.folds else None
    return Bench(
        corpora=[open_corpus(path, asked.only, headlines=not asked.drop_headlines) for path in asked.corpus],
        roster=roster([] if asked.table and asked.systems == ["all"] else asked.systems, folds),
        metrics=list(METRICS.values()) if asked.metrics == ["all"] else [metric(name) for name in asked.metrics],
        output=Path(asked.output),
        every=asked.every,
        seconds=asked.seconds,
        jobs=asked.jobs or cores(),
        refresh=frozenset(asked.refresh),
        time_every=asked.time,
        growth=asked.growth,
        folds=folds,
    )


def _installed(peers: list[str]) -> None:
    from bonmun.evaluate.runtimes import cache_folder, install

    for peer in peers:
        install(peer)
        click.echo(f"bonmun: {peer} is installed in {cache_folder()}", err=True)


def _print_table(asked: "Bench", name: str) -> int:
    from rich.console import Console

    from bonmun.evaluate.benchmark import run_table
    from bonmun.evaluate.report.terminal import show

    show(run_table(asked, name, stage), Console(width=None if sys.stdout.isatty() else 200))
    return 0


def _print_report(asked: "Bench", by: tuple[str, ...]) -> int:
    from rich.console import Console

    from bonmun.evaluate.benchmark import run_bench
    from bonmun.evaluate.report.terminal import show
    from bonmun.evaluate.report.text import growth, parts, ranking, speed, where

    if not asked.roster.systems:
        raise click.UsageError("no system to measure: name at least one in --systems")
    for line in asked.roster.missing:
        click.echo(f"bonmun: {line}", err=True)
    found = run_bench(asked, stage)
    console = Console(width=None if sys.stdout.isatty() else 160)
    for corpus in found.corpora:
        inside = [parts(corpus, part) for part in by]
        show([ranking(corpus), *inside, *([speed(corpus)] if corpus.speed else [])], console)
    if found.growth:
        show([growth(found.growth)], console)
    console.print(f"{where(found)} The report is in {asked.output / 'report.html'}", style="dim")
    return 0
