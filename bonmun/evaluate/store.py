"""Persistent results: outputs, scores and timings in one SQLite file.

Every answer is committed at once: a killed run loses only the pages in progress, and the next run resumes with the
missing ones. An output belongs to a system, its version and the page's content; a new version is measured anew and the
old rows stay.
"""

import json
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from bonmun.errors import SourceError
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.metrics.metric import Values
from bonmun.evaluate.system_worker import Answer, Outcome
from bonmun.evaluate.systems import System

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    system TEXT, version TEXT, corpus TEXT, page TEXT, digest TEXT,
    status TEXT, output BLOB, cpu REAL, wall REAL, memory INTEGER, note TEXT,
    PRIMARY KEY (system, version, corpus, page));
CREATE TABLE IF NOT EXISTS scores (
    system TEXT, version TEXT, corpus TEXT, page TEXT, metric TEXT, stamp TEXT, value TEXT,
    PRIMARY KEY (system, version, corpus, page, metric));
CREATE TABLE IF NOT EXISTS timings (
    system TEXT, version TEXT, corpus TEXT, page TEXT, round INTEGER, cpu REAL, memory INTEGER,
    html INTEGER, text INTEGER, main INTEGER,
    PRIMARY KEY (system, version, corpus, page, round));
"""

_PATIENCE = 60.0
"""Seconds to wait for another process that uses the file."""


class Store:
    """The file of results: thread-safe, a context manager."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=_PATIENCE)
            _write_ahead(self._db)
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise SourceError(f"cannot open the results file {path}: {error}") from error

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def answered(self, system: System, corpus: str) -> dict[str, str]:
        """Return the answered pages of a system, each with the digest of the page at that time."""
        rows = self._ask(
            "SELECT page, digest FROM answers WHERE system = ? AND version = ? AND corpus = ?", system, corpus
        )
        return dict(rows)

    def put_answer(self, system: System, corpus: str, case: Case, answer: Answer) -> None:
        """Store an answer; replaces an older one and deletes its scores."""
        row = (
            *(system.name, system.version, corpus, case.id, case.digest, str(answer.status)),
            zlib.compress(answer.output.encode(errors="replace"), 6),
            *(answer.cpu, answer.wall, answer.memory, answer.note),
        )
        with self._lock, self._db:
            self._db.execute("BEGIN")
            self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._db.execute("DELETE FROM scores WHERE system = ? AND version = ? AND corpus = ? AND page = ?", row[:4])

    def answer(self, system: System, corpus: str, page: str) -> Answer | None:
        """Return the answer of a system for a page."""
        rows = self._ask(
            "SELECT status, output, cpu, wall, memory, note FROM answers"
            " WHERE system = ? AND version = ? AND corpus = ? AND page = ?",
            system, corpus, page,
        )  # fmt: skip
        for status, output, cpu, wall, memory, note in rows:
            return Answer(Outcome(status), zlib.decompress(output).decode(), cpu, wall, memory, note)
        return None

    def forget(self, system: System, corpus: str) -> None:
        """Delete all results of this version of a system, so that it runs again."""
        for table in ("answers", "scores", "timings"):
            self._ask(f"DELETE FROM {table} WHERE system = ? AND version = ? AND corpus = ?", system, corpus)

    def scores(self, system: System, corpus: str, metric: str) -> dict[str, tuple[str, Values]]:
        """Return the scores of a system by page, each with its stamp (see `scoring`)."""
        rows = self._ask(
            "SELECT page, stamp, value FROM scores"
            " WHERE system = ? AND version = ? AND corpus = ? AND metric = ?",
            system, corpus, metric,
        )  # fmt: skip
        return {page: (stamp, tuple(json.loads(value))) for page, stamp, value in rows}

    def put_scores(self, system: System, corpus: str, page: str, scores: Iterable[tuple[str, str, Values]]) -> None:
        """Store the scores of one answer: (metric, stamp, values)."""
        key = (system.name, system.version, corpus, page)
        rows = [(*key, metric, stamp, json.dumps(values)) for metric, stamp, values in scores]
        with self._lock, self._db:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def costs(self, system: System, corpus: str) -> dict[str, Answer]:
        """Return status, time, memory and note of every answer, without the outputs."""
        rows = self._ask(
            "SELECT page, status, cpu, wall, memory, note FROM answers"
            " WHERE system = ? AND version = ? AND corpus = ?",
            system, corpus,
        )  # fmt: skip
        return {page: Answer(Outcome(status), "", *rest) for page, status, *rest in rows}

    def timings(self, system: System, corpus: str) -> list[tuple[Any, ...]]:
        """Return (page, round, cpu, memory, html, text, main) of every timed page."""
        return self._ask(
            "SELECT page, round, cpu, memory, html, text, main FROM timings"
            " WHERE system = ? AND version = ? AND corpus = ? ORDER BY rowid",
            system, corpus,
        )  # fmt: skip

    def put_timings(self, corpus: str, page: str, round: int, rows: Iterable[tuple[System, Sequence[float]]]) -> None:
        """Store one round of timings of a page, all systems in one transaction: a partial round is no comparison."""
        full = [(system.name, system.version, corpus, page, round, *values) for system, values in rows]
        with self._lock, self._db:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO timings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", full)

    def _ask(self, query: str, system: System, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(query, (system.name, system.version, *values)).fetchall()


def _write_ahead(database: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait here for another process that does the same."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
