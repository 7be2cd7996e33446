"""The marker of a finished shard: which input it was, and where its pages went."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from bonmun.scale.run.account import Tally
from bonmun.scale.run.durable import json_bytes

if TYPE_CHECKING:
    from bonmun.scale.shards import Shard


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A file of the output."""

    name: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Marker:
    """What is known of a finished shard."""

    shard: str
    size: int
    modified: int
    """The modification time of the input, in nanoseconds."""
    part: PartRecord
    pages: int
    statuses: dict[str, int]
    filtered: dict[str, int] = field(default_factory=dict)
    damages: list[dict[str, Any]] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    truncated: int = 0

    @classmethod
    def of(cls, shard: "Shard", part: PartRecord, tally: Tally) -> "Marker":
        """Return the marker of a shard."""
        statuses, filtered, skipped = map(_sorted, (tally.statuses, tally.filtered, tally.skipped))
        counts = (tally.read, statuses, filtered, tally.damages, skipped, tally.truncated)
        return cls(shard.name, shard.size, shard.modified, part, *counts)

    @classmethod
    def from_json(cls, content: bytes) -> "Marker":
        """Read a marker; `ValueError`, `KeyError` or `TypeError` if it is none."""
        values = json.loads(content)
        return cls(**values | {"part": PartRecord(**values["part"])})

    def to_json(self) -> bytes:
        """Return the marker as JSON."""
        return json_bytes(asdict(self))

    def tally(self) -> Tally:
        """Return the counts of the shard."""
        statuses, filtered, skipped = map(Counter, (self.statuses, self.filtered, self.skipped))
        return Tally(self.pages, statuses, filtered, self.damages, skipped, self.truncated)

    def is_of(self, shard: "Shard") -> bool:
        """Whether the input is still the one that was read."""
        return (self.shard, self.size, self.modified) == (shard.name, shard.size, shard.modified)


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def damage_line(damage: dict[str, Any]) -> str:
    """Return a damage in words.

    >>> damage_line({"where": "a.warc.gz", "what": "the archive is truncated", "pages": None})
    'a.warc.gz: the archive is truncated'
    >>> damage_line({"where": "a.parquet, row group 2", "what": "cannot be read", "pages": 64})
    'a.parquet, row group 2: cannot be read (64 pages)'
    """
    pages = f" ({damage['pages']:,} pages)" if damage.get("pages") else ""
    return f"{damage['where']}: {damage['what']}{pages}"
