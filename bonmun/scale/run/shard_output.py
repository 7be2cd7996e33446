"""The part of one shard while it is written."""

from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

import pyarrow as pa

from bonmun.scale.run.account import Tally
from bonmun.scale.run.durable import DurableFile, write_durably, writing
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.marker import Marker, PartRecord
from bonmun.scale.run.writers import part_writer

if TYPE_CHECKING:
    from bonmun.inputs.member import Damage
    from bonmun.scale.shards import Shard


class ShardOutput:
    """Counts and writes the rows of a shard; nothing of it is left unless `finish` has written the marker."""

    def __init__(self, folder: OutputFolder, number: int, shard: "Shard", format: str, schema: pa.Schema) -> None:
        self.shard, self.number, self.tally = shard, number, Tally()
        self._folder, self._format = folder, format
        self._path = folder.part_path(number)
        with writing(folder.path, self._path.name):
            self._file = DurableFile(self._path)
            try:
                self._writer = part_writer(format, self._file, schema, shard)
            except BaseException:
                self._file.discard()
                raise

    def add(self, rows: pa.RecordBatch) -> None:
        """Write rows, and count their statuses."""
        self.tally.statuses.update(rows.column("status").to_pylist())
        with writing(self._folder.path, self._path.name):
            self._writer.write(rows)

    def damage(self, damage: "Damage") -> None:
        """Record what could not be read."""
        self.tally.damages.append(asdict(damage))

    def finish(self, seen: bytes | None = None) -> Marker:
        """Put the part in its place, then what it adds to the index of duplicates, then the marker."""
        with writing(self._folder.path, self._path.name):
            rows = self._writer.finish()
            self.tally.check(self.shard.name, rows, self._format)
            self._file.commit()
            if seen is not None:
                write_durably(self._folder.seen_path(self.number), seen)
            part = PartRecord(self._path.name, rows, self._file.size, self._file.sha256)
            marker = Marker.of(self.shard, part, self.tally)
            write_durably(self._folder.marker_path(self.number), marker.to_json())
        return marker

    def discard(self) -> None:
        """Remove everything of the shard."""
        self._file.discard()
        with suppress(Exception):  # A writer of pyarrow that was never closed complains later.
            self._writer.finish()
        with suppress(Exception):  # The error that led here is the one to show.
            self._folder.forget(self.number)
