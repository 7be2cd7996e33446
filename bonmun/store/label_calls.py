"""The store's calls on labels: pages whose verdicts a person corrected, as a corpus to train on."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, select

from bonmun.atomic_file import AtomicFile
from bonmun.errors import MissingExtra, NotStored, SourceError
from bonmun.model.valid_text import valid_text
from bonmun.store.clock import moment, now
from bonmun.store.database import Database
from bonmun.store.schema import LABELS
from bonmun.store.upsert import insert_replacing
from bonmun.store.urls import host_of, normalized

_BATCH = 20
_LARGEST = 2**63 - 1
_UNREAD = ("html", "keep", "before", "gold_text")
"""Columns that a list does not need."""


@dataclass(frozen=True, slots=True)
class Label:
    """A page with the verdict on every block as a person wants it.

    >>> Label("1", "<p>Tea<p>Menu", keep=(True, False), before=(True, True)).corrections
    1
    """

    key: str
    """The identity of the page: a second label of it replaces the first."""
    html: str
    keep: tuple[bool, ...]
    """Whether each block belongs to the main content."""
    before: tuple[bool, ...]
    """The verdicts of the method."""
    url: str = ""
    segmentation: str = ""
    """The digest of the page's blocks: `keep` holds for these only."""
    gold_text: str = ""
    """The text of the kept blocks."""
    language: str = ""
    title: str = ""
    page_type: str = ""
    method: str = ""
    prefer: str = "balance"
    model: str = ""
    """The version of the method's model."""
    note: str = ""

    @property
    def corrections(self) -> int:
        """The number of blocks whose verdict was corrected."""
        return sum(new != old for new, old in zip(self.keep, self.before, strict=True))


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """A line of the list of labels."""

    id: int
    key: str
    url: str
    host: str
    title: str
    language: str
    page_type: str
    method: str
    prefer: str
    model: str
    note: str
    saved_at: datetime
    blocks: int
    kept: int
    corrections: int


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """Counts of all labels."""

    pages: int = 0
    sites: int = 0
    """Hosts; a page without a host counts as one."""
    blocks: int = 0
    kept: int = 0
    corrections: int = 0


class LabelCalls:
    """The part of `Store` that keeps labels."""

    _database: Database

    def save_label(self, label: Label) -> int:
        """Store a labelled page; it replaces an earlier label of the page. Return its id."""
        row = _row(label)

        def work(connection: Connection) -> int:
            insert_replacing(connection, LABELS, row, ["key"], row)
            found: int = connection.execute(select(LABELS.c.id).where(LABELS.c.key == row["key"])).scalar_one()
            return found

        return self._database.write(work)

    def labels(self, limit: int = 100, offset: int = 0) -> tuple[LabelRecord, ...]:
        """Return the labelled pages, the latest first."""
        columns = [column for column in LABELS.c if column.name not in (*_UNREAD, "segmentation")]
        found = select(*columns).order_by(LABELS.c.saved_at.desc(), LABELS.c.id.desc())
        with self._database.reading() as connection:
            rows = connection.execute(found.limit(limit).offset(offset)).mappings().all()
        return tuple(LabelRecord(**{**row, "saved_at": moment(row["saved_at"])}) for row in rows)

    def label(self, id: int) -> Label:
        """Return a labelled page; raise `NotStored`."""
        with self._database.reading() as connection:
            row = connection.execute(select(LABELS).where(LABELS.c.id == _number(id))).first()
        if row is None:
            raise _missing(id)
        names = "key url segmentation gold_text language title page_type method prefer model note".split()
        plain = {name: getattr(row, name) for name in names}
        return Label(html=_html(row), keep=_flags(row.keep), before=_flags(row.before), **plain)

    def label_totals(self) -> LabelTotals:
        """Count the labelled pages, their sites, blocks and corrections."""
        sums = [func.coalesce(func.sum(LABELS.c[name]), 0) for name in ("blocks", "kept", "corrections")]
        site = func.coalesce(func.nullif(LABELS.c.host, ""), LABELS.c.key)
        with self._database.reading() as connection:
            row = connection.execute(select(func.count(), func.count(func.distinct(site)), *sums)).one()
        return LabelTotals(*map(int, row))

    def delete_label(self, id: int) -> None:
        """Remove a label; raise `NotStored`."""
        statement = delete(LABELS).where(LABELS.c.id == _number(id))
        if not self._database.write(lambda connection: connection.execute(statement).rowcount):
            raise _missing(id)

    def label_lines(self) -> Iterator[str]:
        """Yield each labelled page as a line of JSON: a corpus of ``bonmun train`` and ``bonmun bench``."""
        found, last = select(LABELS).order_by(LABELS.c.id).limit(_BATCH), 0
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(found.where(LABELS.c.id > last)).all()
            for row in rows:
                yield json.dumps(_record(row), ensure_ascii=False) + "\n"
            if len(rows) < _BATCH:
                return
            last = rows[-1].id

    def export_labels(self, path: str | Path) -> int:
        """Write all labelled pages as a corpus, `.jsonl` or `.jsonl.zst`; return their number."""
        path = Path(path)
        if not path.name.endswith((".jsonl", ".jsonl.zst")):
            raise SourceError(f"cannot write {path}: a corpus must end in .jsonl or .jsonl.zst")
        try:
            return _written(self.label_lines(), path)
        except OSError as error:
            raise SourceError(f"cannot write {path}: {error.strerror or error}") from error


def _row(label: Label) -> dict[str, Any]:
    names = "key segmentation gold_text language title page_type method prefer model note".split()
    url = normalized(label.url) if label.url else ""
    return {name: valid_text(getattr(label, name)) for name in names} | {
        "url": url,
        "host": host_of(url),
        "saved_at": now(),
        "keep": _digits(label.keep),
        "before": _digits(label.before),
        "blocks": len(label.keep),
        "kept": sum(label.keep),
        "corrections": label.corrections,
        "html": zlib.compress(label.html.encode("utf-8", "replace")),
    }


def _record(row: Any) -> dict[str, Any]:
    """Return a label in the layout of corpora; see `bonmun.evaluate.corpora`.

    The page type is left out: nobody checked it.
    """
    return {
        "id": row.key,
        "url": row.url,
        "html": _html(row),
        "gold_text": row.gold_text,
        "lang": row.language.partition("-")[0] or "und",
        "keep": [int(flag) for flag in _flags(row.keep)],
        "before": [int(flag) for flag in _flags(row.before)],
        "segmentation": row.segmentation,
        "method": row.method,
        "prefer": row.prefer,
        "model": row.model,
        "note": row.note,
        "labelled_at": row.saved_at,
    }


def _written(lines: Iterator[str], path: Path) -> int:
    count = 0
    file = AtomicFile(path)
    try:
        packed = _compressor(path)
        for line in lines:
            file.write(packed.compress(line.encode()) if packed else line.encode())
            count += 1
        if packed:
            file.write(packed.flush())
        file.close()
    except BaseException:
        file.discard()
        raise
    return count


def _compressor(path: Path) -> Any:
    if path.suffix != ".zst":
        return None
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("corpora packed with zstd", "bench") from None
    return zstandard.ZstdCompressor(10).compressobj()


def _html(row: Any) -> str:
    return zlib.decompress(row.html).decode()


def _digits(flags: tuple[bool, ...]) -> str:
    return "".join("1" if flag else "0" for flag in flags)


def _flags(digits: str) -> tuple[bool, ...]:
    return tuple(digit == "1" for digit in digits)


def _number(id: int) -> int:
    return id if 0 <= id <= _LARGEST else -1


def _missing(id: int) -> NotStored:
    return NotStored(f"no label {id} in this store")
