"""The progress of a batch: a bar on a terminal, else a line now and then."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

from bonmun.cli.messages import one_line
from bonmun.run.durations import duration_of

if TYPE_CHECKING:
    from rich.progress import Progress

    from bonmun.scale.run.plan import Plan
    from bonmun.scale.shards import Shard

_LINE_SECONDS = 30.0
"""From one line to the next, where there is no terminal."""


class Course:
    """How far a batch is: by the bytes of its shards, as the number of their pages is not known before."""

    def __init__(self) -> None:
        self.shards = self.finished_shards = self.pages_done = 0
        self.bytes = self._finished = self._position = 0
        self._started = monotonic()

    def begin(self, plan: "Plan") -> None:
        """Take the shards of a run."""
        self.shards = len(plan.done) + len(plan.todo)
        self.finished_shards = len(plan.done)
        self.bytes = sum(shard.size for shard in plan.todo.values())
        self._started = monotonic()

    def pages(self, shard: "Shard", count: int, position: int) -> None:
        """Count pages of a shard."""
        self.pages_done += count
        self._position = min(position, shard.size)

    def finished(self, shard: "Shard") -> None:
        """Count a shard."""
        self.finished_shards += 1
        self._finished += shard.size
        self._position = 0

    @property
    def bytes_done(self) -> int:
        """The bytes of the shards so far."""
        return self._finished + self._position

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages_done / max(monotonic() - self._started, 0.001)

    @property
    def seconds_left(self) -> float | None:
        """The time that the rest will take; None while nothing tells."""
        done = self.bytes_done
        return (monotonic() - self._started) * (self.bytes - done) / done if done else None

    def learning(self, stage: str, done: int, total: int | None) -> str:
        """Return how far the learning of sites is, in words."""
        things = "hosts" if stage == "learning" else "pages read"
        return f"learning sites: {done:,}{f' of {total:,}' if total else ''} {things}"

    def line(self) -> str:
        """Return where the batch is, in words."""
        left = self.seconds_left
        words = (
            f"{self.finished_shards:,} of {self.shards:,} shards, {self.pages_done:,} pages, {self.rate:,.0f} pages/s"
        )
        return words + (f", about {duration_of(left)} left" if left is not None else "")


class LineProgress:
    """Says where the batch is every half minute."""

    def __init__(self) -> None:
        self._course = Course()
        self._said = monotonic()

    def begin(self, plan: "Plan") -> None:
        """Take the shards of a run."""
        self._course.begin(plan)
        for line in plan.notes:
            self.note(line)

    def learning(self, stage: str, done: int, total: int | None) -> None:
        """Say how far the learning of sites is."""
        self._say(self._course.learning(stage, done, total))

    def pages(self, shard: "Shard", count: int, position: int) -> None:
        """Count pages; say so now and then."""
        self._course.pages(shard, count, position)
        self._say(self._course.line())

    def finished(self, shard: "Shard") -> None:
        """Count a shard."""
        self._course.finished(shard)

    def note(self, line: str) -> None:
        """Write a line to standard error."""
        click.echo(f"bonmun: {one_line(line)}", err=True)

    def _say(self, line: str) -> None:
        if monotonic() - self._said >= _LINE_SECONDS:
            self._said = monotonic()
            self.note(line)


class BarProgress(LineProgress):
    """Shows a bar; lines appear above it."""

    def __init__(self, bars: "Progress") -> None:
        super().__init__()
        self._bars, self._task = bars, bars.add_task("", total=None, line="")

    def begin(self, plan: "Plan") -> None:
        """Take the shards of a run."""
        super().begin(plan)
        self._show()

    def finished(self, shard: "Shard") -> None:
        """Count a shard."""
        super().finished(shard)
        self._show()

    def _say(self, line: str) -> None:
        self._bars.update(self._task, completed=self._course.bytes_done, line=line)

    def _show(self) -> None:
        course = self._course
        self._bars.update(self._task, total=course.bytes, completed=course.bytes_done, line=course.line())


@contextmanager
def batch_progress() -> Iterator[LineProgress]:
    """Yield the progress for standard error."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield LineProgress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (BarColumn(bar_width=None), TaskProgressColumn(), TextColumn("{task.fields[line]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, expand=True) as bars:
        yield BarProgress(bars)
