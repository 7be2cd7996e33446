"""``bonmun run``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bonmun.cli.messages import one_line
from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from bonmun.run.plan import Plan
    from bonmun.run.process import RunResult

_NEEDED = frozenset({"prometheus_client", "httpx2", "hishel", "protego", "sqlalchemy", "rensa"})


@click.command()
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Check the configuration and what it names, then exit.")
@click.option("--once", is_flag=True, help="Ask every source once, whatever its schedule, then exit.")
@click.option("--screen/--no-screen", default=None,
              help="Show live progress; on by default if standard error is a terminal.")  # fmt: skip
def run(config: Path, check: bool, once: bool, screen: bool | None) -> int:
    """Fetch, extract and store the pages of the sources in CONFIG, a TOML file.

    Ends when the sources do; with a schedule, at Ctrl-C or SIGTERM: pages that were fetched are stored first, and the
    next run goes on with the rest. A second Ctrl-C ends it at once.
    """
    try:
        from bonmun.run.plan import plan
        from bonmun.run.process import run as run_plan
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise MissingExtra("runs", "run") from error
    planned = plan(config, once=once)
    if check:
        click.echo(_summary(planned))
        return 0
    on_terminal = bool(sys.stderr and sys.stderr.isatty())
    shown = on_terminal if screen is None else screen
    try:
        result = run_plan(planned, screen=shown)
    except KeyboardInterrupt:
        return 130
    if shown:
        click.echo(_end(result), err=True)
    return result.exit_code


def _summary(plan: "Plan") -> str:
    from bonmun.store.address import without_password

    parts = [_count(len(plan.sources), "source"), _count(len(plan.wrappers), "wrapper") if plan.wrappers else ""]
    return f"{plan.title}: {', '.join(filter(None, parts))}, store {without_password(plan.config.store)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _end(result: "RunResult") -> str:
    from bonmun.run.durations import duration_of

    counts = result.counts
    stages = ", ".join(f"{count:,} {stage}" for stage, count in counts.counts.items())
    left = f", {counts.waiting:,} left for the next run" if counts.waiting else ""
    failed = "".join(f"\nsource failed: {one_line(name)}" for name in result.failed_sources)
    return f"{stages} in {duration_of(counts.time - counts.started)}{left}{failed}"
