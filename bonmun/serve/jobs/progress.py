"""Counts of a job, which outlive the process."""

from collections import Counter
from collections.abc import Mapping
from threading import Lock
from typing import Final

from bonmun.run.tally import Tally
from bonmun.store.job_pages import JobPages

COUNTS: Final = ("taken", "skipped", "fetched", "extracted", "stored", "failed", "sources", "sources_read")
"""Pages: found, stored already, and how far they came; and sources."""


def counted(pages: JobPages, before: Mapping[str, int]) -> dict[str, int]:
    """Count what the rows of a job say; the rest is as it was before."""
    by_state, sources = pages.totals(), pages.totals("source")
    return {
        "taken": sum(by_state[state] for state in ("pending", "taken", "done", "failed")),
        "skipped": by_state["skipped"],
        "fetched": before.get("fetched", 0),
        "extracted": max(before.get("extracted", 0), by_state["done"]),
        "stored": by_state["done"],
        "failed": by_state["failed"],
        "sources": sources.total(),
        "sources_read": sources["done"],
    }


class Progress:
    """Counts pages. Thread-safe.

    >>> progress = Progress({"stored": 2}, settled=2)
    >>> progress.ended("stored"), progress.counts()["stored"]
    (3, 3)
    """

    def __init__(self, counts: Mapping[str, int], settled: int) -> None:
        self._counts = Counter({name: counts.get(name, 0) for name in COUNTS})
        self._settled = settled
        self._tally = Tally()
        self._lock = Lock()

    def count(self, name: str, number: int = 1) -> None:
        """Count pages that have come to a stage."""
        with self._lock:
            self._counts[name] += number

    def ended(self, name: str) -> int:
        """Count a page that is `stored` or `failed`; return its place in the order of ends."""
        self._tally.count("failed" if name == "failed" else "analysed", "")
        with self._lock:
            self._counts[name] += 1
            self._settled += 1
            return self._settled

    def settled(self) -> int:
        """Return a place in the order of ends for what is not counted."""
        with self._lock:
            self._settled += 1
            return self._settled

    def counts(self) -> dict[str, int]:
        """Return all counts."""
        with self._lock:
            return {name: self._counts[name] for name in COUNTS}

    @property
    def rate(self) -> float:
        """Pages a second that ended, over the last minute."""
        rates = self._tally.snapshot(most_hosts=0).rates
        return round(rates["analysed"] + rates["failed"], 3)
