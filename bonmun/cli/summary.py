"""The end line: how many documents there were, and how long they took."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Summary:
    """Counts of a command's pages.

    >>> Summary(Counter(ok=375, empty=2), failed=1, filtered=Counter({"too short": 2, "language": 1})).line(6.2)
    '375 ok, 2 empty, 3 filtered (2 too short, 1 language), 1 failed in 6 s'
    """

    documents: Counter[str] = field(default_factory=Counter)
    """Documents that were written, by status."""
    failed: int = 0
    filtered: Counter[str] = field(default_factory=Counter)
    """Documents that were dropped, by filter."""

    @property
    def pages(self) -> int:
        """The number of all pages."""
        return self.documents.total() + self.filtered.total() + self.failed

    def line(self, seconds: float) -> str:
        """Return all counts in one line."""
        parts = [f"{self.documents['ok']:,} ok"]
        parts += [f"{count:,} {status}" for status, count in sorted(self.documents.items()) if status != "ok"]
        if self.filtered:
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in self.filtered.most_common())
            parts.append(f"{self.filtered.total():,} filtered ({reasons})")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        return f"{', '.join(parts)} in {seconds:,.{0 if seconds >= 2 else 1}f} s"
