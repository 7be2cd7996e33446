"""What a run tells while it works."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bonmun.scale.run.plan import Plan
    from bonmun.scale.shards import Shard


class Progress(Protocol):
    """Hears of a run, in the thread that writes."""

    def begin(self, plan: "Plan") -> None:
        """The run knows its shards."""

    def learning(self, stage: str, done: int, total: int | None) -> None:
        """Sites are learned: pages read (stage `reading`), or hosts learned (`learning`)."""

    def pages(self, shard: "Shard", count: int, position: int) -> None:
        """Some pages of a shard are done, up to a position in its bytes."""

    def finished(self, shard: "Shard") -> None:
        """A shard is done, or failed."""

    def note(self, line: str) -> None:
        """Something has to be said: a damage, a shard that failed or is done anew."""


class Silent:
    """Says nothing."""

    def begin(self, plan: "Plan") -> None:
        """Say nothing."""

    def learning(self, stage: str, done: int, total: int | None) -> None:
        """Say nothing."""

    def pages(self, shard: "Shard", count: int, position: int) -> None:
        """Say nothing."""

    def finished(self, shard: "Shard") -> None:
        """Say nothing."""

    def note(self, line: str) -> None:
        """Say nothing."""


SILENT = Silent()
"""The progress that nobody sees."""
