"""A progress bar on a terminal, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Yield what to call after each source; lines written to standard error meanwhile stand above the bar."""
    if quiet or total < 2 or not (sys.stderr and sys.stderr.isatty()):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("pages", total=total)
        yield lambda: bar.advance(task)
