"""The filters of a run; the index of duplicates is rebuilt from what the finished shards left."""

from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

from bonmun.scale.reading import PAGE_SCHEMA
from bonmun.scale.run.durable import reading
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.settings import RunSettings
from bonmun.scale.schema import output_schema
from bonmun.scale.sieve.sieve import Marking, Sieve

if TYPE_CHECKING:
    from bonmun.scale.run.plan import Plan


class Filtering:
    """Keeps or drops rows in the order of pages."""

    def __init__(self, settings: RunSettings, folder: OutputFolder, plan: "Plan") -> None:
        self._settings, self._folder = settings, folder
        self._done = [number for number in plan.done if not plan.todo or number < min(plan.todo)]
        self.written_schema = output_schema(PAGE_SCHEMA, settings.batch)
        self.marking = Marking(settings.filters) if settings.filters.any else None
        self.asked = self.marking.asked(settings.batch) if self.marking else settings.batch
        """The settings of the workers: filters need the text, whether it is written or not."""
        self._sieve = self._loaded()

    def keep(self, rows: pa.RecordBatch) -> tuple[pa.RecordBatch, Counter[str]]:
        """Return the rows to write, and how many were dropped by which filter."""
        if self._sieve is None:
            return rows, Counter()
        kept, dropped = self._sieve.keep(rows)
        return kept.select(self.written_schema.names), Counter({_words(name): dropped[name] for name in dropped})

    def finish(self, number: int) -> bytes | None:
        """Return what a shard adds to the index of duplicates; None without one."""
        self._done.append(number)
        return self._sieve.state() if self._sieve and self._settings.in_order else None

    def forget(self) -> None:
        """Forget the texts of a shard that was not finished."""
        self._sieve = self._loaded()

    def _loaded(self) -> Sieve | None:
        if self.marking is None:
            return None
        sieve = Sieve(self._settings.filters)
        for number in self._done if self._settings.in_order else ():
            path = self._folder.seen_path(number)
            with reading(self._folder.path, path.name):
                sieve.load(path.read_bytes())
        return sieve


def _words(reason: str) -> str:
    return reason.replace("_", " ")
