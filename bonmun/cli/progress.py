"""The progress bar of every command: on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from bonmun.evaluate.stage import Advance


@contextmanager
def progress(title: str, total: int | None = None, *, hidden: bool = False) -> "Iterator[Advance]":
    """Show a progress bar and yield the function that advances it; a counter if the total is unknown.

    Lines that are written to standard error meanwhile appear above the bar.
    """
    if hidden or not (sys.stderr and sys.stderr.isatty()):
        yield lambda steps=1: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(*_columns(total), console=Console(stderr=True), transient=True, redirect_stdout=False) as bars:
        bar = bars.add_task(title, total=total)
        yield lambda steps=1: bars.advance(bar, steps)


def _columns(total: int | None) -> "list[ProgressColumn]":
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    title, count = TextColumn("{task.description}"), MofNCompleteColumn()
    if total is None:
        return [SpinnerColumn(), title, count, TimeElapsedColumn()]
    return [title, BarColumn(), count, TimeRemainingColumn()]
