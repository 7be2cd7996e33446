"""The account of a run: where every page went."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bonmun.errors import WrongAccount

STATUSES = ("ok", "empty", "abstained", "failed")


@dataclass(slots=True)
class Tally:
    """The pages of one shard, counted while they pass."""

    read: int = 0
    """Pages that the shard gave."""
    statuses: Counter[str] = field(default_factory=Counter)
    """Rows that were kept, by status."""
    filtered: Counter[str] = field(default_factory=Counter)
    """Pages that were dropped, by filter."""
    damages: list[dict[str, Any]] = field(default_factory=list)
    """What could not be read: where, what, and how many pages were lost, if known."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Records of a web archive that are no pages, by reason."""
    truncated: int = 0
    """Pages that the crawler cut; they are read as they are."""

    def check(self, shard: str, written: int, format: str) -> None:
        """Raise `WrongAccount` unless every page that was read is a row in the file, or was filtered.

        >>> Tally(3, Counter(ok=2), Counter({"too short": 1})).check("a.warc.gz", 2, "parquet")
        >>> Tally(3, Counter(ok=2)).check("a.warc.gz", 2, "parquet")
        Traceback (most recent call last):
        bonmun.errors.WrongAccount: a.warc.gz: the account is wrong: 3 pages read, 2 accounted for; please report this
        """
        accounted = self.statuses.total() + self.filtered.total()
        if unknown := set(self.statuses) - set(STATUSES):
            raise WrongAccount(shard, f"pages with a status {unknown.pop()!r}")
        if self.read != accounted:
            raise WrongAccount(shard, f"{self.read:,} pages read, {accounted:,} accounted for")
        expected = self.statuses["ok"] if format == "wet" else self.statuses.total()
        if written != expected:
            raise WrongAccount(shard, f"{expected:,} rows to write, {written:,} in the file")


@dataclass(frozen=True, slots=True)
class Account:
    """Where every page of a run went: `pages` = ok + empty + abstained + failed + filtered.

    >>> account = Account(pages=9, statuses={"ok": 5, "failed": 1}, filtered={"too short": 3}, shards=2)
    >>> account.line()
    '9 pages in = 5 ok + 1 failed + 3 filtered (3 too short); 2 shards'
    """

    pages: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    filtered: dict[str, int] = field(default_factory=dict)
    shards: int = 0
    """Shards that are done, in this run or before."""
    resumed: int = 0
    """Those of them that were done before."""
    damages: tuple[str, ...] = ()
    """What could not be read, a line for each."""
    failed_shards: tuple[str, ...] = ()
    """Shards that have no result, a line for each; the next run tries them again."""
    new_pages: int = 0
    """Pages of this run alone."""
    seconds: float = 0.0

    @classmethod
    def of(cls, tallies: Iterable[Tally], **others: Any) -> "Account":
        """Return the sum of the shards.

        >>> Account.of([Tally(1, Counter(ok=1)), Tally(2, Counter(ok=1, empty=1))], shards=2).statuses
        {'ok': 2, 'empty': 1}
        """
        pages, statuses, filtered = 0, Counter[str](), Counter[str]()
        for tally in tallies:
            pages += tally.read
            statuses += tally.statuses
            filtered += tally.filtered
        by_status = {status: statuses[status] for status in STATUSES if statuses[status]}
        return cls(pages, by_status, dict(sorted(filtered.items())), **others)

    @property
    def is_clean(self) -> bool:
        """Whether no page failed, and nothing was damaged."""
        return not (self.statuses.get("failed") or self.damages or self.failed_shards)

    def line(self) -> str:
        """Return the account in one line."""
        parts = [f"{count:,} {status}" for status, count in self.statuses.items()]
        if self.filtered:
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in self.filtered.items())
            parts.append(f"{sum(self.filtered.values()):,} filtered ({reasons})")
        pages = f"{self.pages:,} page{'' if self.pages == 1 else 's'}"
        return f"{pages} in = {' + '.join(parts) or '0 ok'}; {self._shards()}{self._times()}"

    def _shards(self) -> str:
        words = f"{self.shards:,} shard{'' if self.shards == 1 else 's'}"
        words += f" ({self.resumed:,} done before)" if self.resumed else ""
        words += _count(self.damages, "damaged place")
        return words + (f", {len(self.failed_shards):,} failed" if self.failed_shards else "")

    def _times(self) -> str:
        if not self.new_pages or not self.seconds:
            return ""
        return f"; {self.new_pages / self.seconds:,.0f} pages/s in {self.seconds:,.0f} s"


def _count(things: Sequence[str], noun: str) -> str:
    return f", {len(things):,} {noun}{'' if len(things) == 1 else 's'}" if things else ""
