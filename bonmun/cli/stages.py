"""A bar for each stage of a long command."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stage(title: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a bar for one stage on a terminal, nothing elsewhere; what it yields is called when steps are done."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _=1: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=total)
        yield lambda count=1: bars.advance(bar, count)
