"""Counts of a job, which outlive the process."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Final

from bonmun.run.tally import Tally
from bonmun.store.job_pages import JobPages

_PAGES: Final = ("taken", "skipped", "fetched", "extracted", "stored", "failed")
COUNTS: Final = (*_PAGES, "sources", "sources_read", "sources_failed")
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
        "sources_failed": sources["failed"],
    }


class Progress:
    """Counts pages. Thread-safe.

    >>> progress = Progress({"stored": 2}, settled=2)
    >>> with progress.ending("stored") as place:
    ...     print(place, progress.counts()["stored"])
    3 2
    >>> progress.counts()["stored"]
    3
    """

    def __init__(self, counts: Mapping[str, int], settled: int) -> None:
        self._counts = Counter({name: counts.get(name, 0) for name in COUNTS})
        self._settled = settled
        self._tally = Tally()
        self._lock, self._order = Lock(), Lock()

    def count(self, name: str, number: int = 1) -> None:
        """Count pages that have come to a stage."""
        with self._lock:
            self._counts[name] += number

    @contextmanager
    def ending(self, name: str = "") -> Iterator[int]:
        """Give what ends in the block its place in the order of ends; count it as `stored`, `failed` … at the end.

        One at a time, and counted once it is written: who sees the count finds all up to that place.
        """
        with self._order:
            self._settled += 1
            yield self._settled
            if name in ("stored", "failed"):
                self._tally.count("failed" if name == "failed" else "analysed", "")
            if name:
                self.count(name)

    def counts(self) -> dict[str, int]:
        """Return all counts."""
        with self._lock:
            return {name: self._counts[name] for name in COUNTS}

    @property
    def rate(self) -> float:
        """Pages a second that ended, over the last minute."""
        rates = self._tally.snapshot(most_hosts=0).rates
        return round(rates["analysed"] + rates["failed"], 3)
