"""Answers into parts, one shard after the other."""

from collections.abc import Iterable

import pyarrow as pa

from bonmun.errors import WrongAccount
from bonmun.inputs.member import Damage
from bonmun.scale.run.filtering import Filtering
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.intake import Begin, End, Taken
from bonmun.scale.run.marker import Marker, damage_line
from bonmun.scale.run.progress import Progress
from bonmun.scale.run.shard_output import ShardOutput


class Delivery:
    """Takes answers and the steps between them, in order; a context manager that leaves nothing half-written."""

    def __init__(self, folder: OutputFolder, format: str, filtering: Filtering, progress: Progress) -> None:
        self._folder, self._format, self._filtering, self._progress = folder, format, filtering, progress
        self._open: ShardOutput | None = None
        self.markers: dict[int, Marker] = {}
        """The shards that were finished."""
        self.failed: list[str] = []
        """The shards that have no result, a line for each."""

    def __enter__(self) -> "Delivery":
        return self

    def __exit__(self, *_: object) -> None:
        self._discard()

    def steps(self, steps: Iterable[Begin | Damage | End]) -> None:
        """Begin and end shards, and record damages."""
        for step in steps:
            if isinstance(step, Begin):
                self._open = ShardOutput(
                    self._folder, step.number, step.shard, self._format, self._filtering.written_schema
                )
                continue
            output = self._current
            if isinstance(step, Damage):
                output.damage(step)
                self._progress.note(damage_line(output.tally.damages[-1]))
            else:
                output.tally.skipped, output.tally.truncated = step.pages.skipped, step.pages.truncated
                self._end()

    def answer(self, taken: Taken, rows: pa.RecordBatch) -> None:
        """Filter and write the answer to a batch."""
        output = self._current
        if rows.num_rows != taken.rows:
            raise WrongAccount(output.shard.name, f"{taken.rows:,} pages given, {rows.num_rows:,} answered")
        output.tally.read += taken.rows
        kept, dropped = self._filtering.keep(rows)
        output.tally.filtered.update(dropped)
        output.add(kept)
        self._progress.pages(output.shard, taken.rows, taken.position)

    @property
    def _current(self) -> ShardOutput:
        assert self._open is not None, "an answer before its shard"
        return self._open

    def _end(self) -> None:
        output = self._current
        if output.tally.damages and not output.tally.read:  # Unreadable as a whole: the next run tries it again.
            self._discard()
            self._filtering.forget()
            self.failed += map(damage_line, output.tally.damages)
        else:
            self.markers[output.number] = output.finish(self._filtering.finish(output.number))
            self._open = None
        self._progress.finished(output.shard)

    def _discard(self) -> None:
        output, self._open = self._open, None
        if output is not None:
            output.discard()
