"""The filters of a run: their index of duplicates is rebuilt from what the finished shards left."""

from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

from bonmun.scale.reading import PAGE_SCHEMA
from bonmun.scale.run.folder import OutputFolder
from bonmun.scale.run.settings import RunSettings
from bonmun.scale.schema import output_schema

if TYPE_CHECKING:
    from bonmun.scale.run.plan import Plan


class Filtering:
    """Keeps or drops rows in the order of pages."""

    def __init__(self, settings: RunSettings, folder: OutputFolder, plan: "Plan") -> None:
        self.asked = settings.batch
        self.written_schema = output_schema(PAGE_SCHEMA, settings.batch)

    def keep(self, rows: pa.RecordBatch) -> tuple[pa.RecordBatch, Counter[str]]:
        return rows, Counter()

    def state(self) -> bytes | None:
        return None

    def forget(self) -> None:
        pass
