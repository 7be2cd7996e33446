"""Filters over the answers of `extract_batch`."""

from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa

from bonmun.scale.settings import TEXTS, BatchSettings
from bonmun.scale.sieve.filters import Filters, Traits
from bonmun.scale.sieve.seen import Seen

MARKS = "sieve"
"""The column that `Marking` adds and `Sieve.keep` drops."""
_TYPE = pa.struct([("chars", pa.int64()), ("digest", pa.binary()), ("signature", pa.binary())])


@dataclass(frozen=True, slots=True)
class Marking:
    """Adds a column to an answer with what the filters have to know of its texts: the costly part of a decision.

    It is picklable, to be called in worker processes. The text is the column `text`, else `markdown`, else `html`:
    `asked` makes sure of the first.

    >>> batch = pa.RecordBatch.from_pydict({"status": ["ok"], "text": ["Tea is ready"]})
    >>> Marking(Filters(min_chars=10))(batch).column("sieve").to_pylist()
    [{'chars': 12, 'digest': None, 'signature': None}]
    """

    filters: Filters

    def asked(self, settings: BatchSettings) -> BatchSettings:
        """Return settings with the column `text`, which the caller drops if it is not wanted."""
        return settings if "text" in settings.texts else replace(settings, texts=(*settings.texts, "text"))

    def __call__(self, answer: pa.RecordBatch) -> pa.RecordBatch:
        """Return an answer with the column `sieve`."""
        name = next((name for name in TEXTS if name in answer.schema.names), None)
        texts = answer.column(name).to_pylist() if name else [None] * answer.num_rows
        traits = [Traits.of(text or "", None, None, self.filters) for text in texts]
        rows = [
            {"chars": one.chars, "digest": one.digest or None, "signature": one.signature or None} for one in traits
        ]
        return answer.append_column(MARKS, pa.array(rows, _TYPE))


class Sieve:
    """Decides on rows in the order of pages, and remembers the texts that were kept.

    Failed rows always stay: they are part of the accounting. A row without text is too short for any `min_chars` above
    0, and never a duplicate.

    >>> texts = ["Tea is made of leaves", "Tea", "Tea is made  of leaves", None]
    >>> status = ["ok", "ok", "ok", "failed"]
    >>> sieve = Sieve(Filters(min_chars=10, unique=True))
    >>> kept, dropped = sieve.keep(pa.RecordBatch.from_pydict({"status": status, "text": texts}))
    >>> kept.column("text").to_pylist(), dict(dropped)
    (['Tea is made of leaves', None], {'too_short': 1, 'duplicate': 1})
    """

    def __init__(self, filters: Filters) -> None:
        self._marking = Marking(filters)
        self._seen = Seen(filters)

    def keep(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Counter[str]]:
        """Return the rows to keep, and how many were dropped for which reason."""
        marked = batch if MARKS in batch.schema.names else self._marking(batch)
        dropped: Counter[str] = Counter()
        mask = []
        for status, traits in _rows(marked):
            reason = self._seen.decide(traits) if status != "failed" else None
            mask.append(reason is None)
            if reason is not None:
                dropped[reason.reason] += 1
        plain = marked.drop_columns([MARKS])
        return (plain.filter(pa.array(mask, pa.bool_())) if dropped else plain), dropped

    def state(self) -> bytes:
        """Return what was kept since the last state: that of a shard, if it is called at the end of each."""
        return self._seen.state()

    def load(self, state: bytes) -> None:
        """Remember what a shard kept. After the states of all shards before, decisions are as without interruption.

        `SourceError` for a state that is damaged, out of order, or of other filters.
        """
        self._seen.load(state)


def _rows(batch: pa.RecordBatch) -> list[tuple[str, Traits]]:
    count = batch.num_rows
    columns = [
        batch.column(name).to_pylist() if name in batch.schema.names else [None] * count
        for name in ("status", "language", "confidence", MARKS)
    ]
    return [
        (
            status,
            Traits(language, marks["chars"], _exact(confidence), marks["digest"] or b"", marks["signature"] or b""),
        )
        for status, language, confidence, marks in zip(*columns, strict=True)
    ]


def _exact(confidence: float | None) -> float | None:
    """Return 0.7 for what a column of 32 bits makes of it, 0.699999988."""
    return None if confidence is None else round(confidence, 6)
