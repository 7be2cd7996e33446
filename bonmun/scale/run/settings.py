"""What a batch run asks for."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from bonmun import __version__
from bonmun.errors import UnknownName
from bonmun.inputs.member import Columns
from bonmun.scale.schema import SCHEMA_VERSION
from bonmun.scale.settings import BatchSettings
from bonmun.scale.sieve.filters import Filters

SUFFIXES = {"parquet": ".parquet", "jsonl": ".jsonl", "jsonl.zst": ".jsonl.zst", "wet": ".warc.wet.gz"}
"""The output formats, and the suffixes of their files."""
_BATCH = BatchSettings(timings=False)
_FILTERS = Filters()
_COLUMNS = Columns()


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a batch run extracts and writes.

    >>> RunSettings(format="jsonl", jobs=2).suffix
    '.jsonl'
    """

    batch: BatchSettings = _BATCH
    """How pages are extracted. Without timings, equal inputs give equal files."""
    format: str = "parquet"
    """`parquet`, `jsonl`, `jsonl.zst` or `wet`."""
    filters: Filters = _FILTERS
    """Which pages are kept. Failed ones always are."""
    jobs: int = 0
    """Worker processes; 0 for one on each core."""
    columns: Columns = _COLUMNS
    """The names of fields of JSON lines, and of columns of Parquet files."""
    learn_sites: bool = False
    """Learn the templates of every host with enough pages first, and extract by them."""
    part: tuple[int, int] = (1, 1)
    """K and N: only every N-th shard, from the K-th on."""
    restart: bool = False
    """Remove the results of an earlier run first."""

    def __post_init__(self) -> None:
        if self.format not in SUFFIXES:
            raise UnknownName("output format", self.format, SUFFIXES)
        number, parts = self.part
        if not 1 <= number <= parts:
            raise ValueError(f"RunSettings.part must be K/N with K from 1 to N, not {number}/{parts}")
        if self.restart and parts > 1:
            raise ValueError("RunSettings.restart removes the results of all parts: use it without part")
        if self.learn_sites and self.batch.sites is not None:
            raise ValueError("RunSettings.learn_sites learns sites: it takes no others")
        if self.in_order and parts > 1:
            raise ValueError("duplicates are removed across all shards: RunSettings.part cannot be used with them")
        if self.format == "wet" and "text" not in self.batch.texts:
            raise ValueError("RunSettings.format 'wet' needs 'text' in the texts of the batch")

    @property
    def suffix(self) -> str:
        """The suffix of the parts."""
        return SUFFIXES[self.format]

    @property
    def in_order(self) -> bool:
        """Whether what is kept of a shard depends on the shards before it."""
        return self.filters.unique or self.filters.near_duplicates is not None

    def identity(self) -> dict[str, Any]:
        """Return everything that decides what is written, as values of JSON."""
        batch = self.batch
        return {
            "bonmun": __version__,
            "schema": SCHEMA_VERSION,
            "format": self.format,
            "texts": list(batch.texts),
            "blocks": batch.blocks,
            "timings": batch.timings,
            "method": batch.method if isinstance(batch.method, str) else batch.method.name,
            "prefer": batch.prefer,
            "abstain_below": batch.abstain_below,
            "output": asdict(batch.output),
            "limits": asdict(batch.limits),
            "learn_sites": self.learn_sites,
            "columns": asdict(self.columns),
            "filters": {**asdict(self.filters), "languages": list(self.filters.languages)},
        }


def differences(old: dict[str, Any], new: dict[str, Any], above: str = "") -> Iterator[str]:
    """Yield what differs between two identities, in words.

    >>> list(differences({"format": "wet", "limits": {"seconds": 30}}, {"format": "wet", "limits": {"seconds": 5}}))
    ['limits.seconds was 30, is now 5']
    """
    for name in sorted(old.keys() | new.keys()):
        before, now = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            yield from differences(before, now, f"{above}{name}.")
        elif before != now:
            yield f"{above}{name} was {_shown(before)}, is now {_shown(now)}"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
