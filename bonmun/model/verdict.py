"""What a method thinks of a page: one verdict per block, as columns."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Protocol, TypeVar, overload

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a block was kept or dropped: a stable name for machines, a detail for people.

    >>> print(Reason("closing-notice", "copyright line"))
    closing-notice: copyright line
    """

    name: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}" if self.detail else self.name


class Analysis(Protocol):
    """A method's intermediate results, kept with the document."""

    def to_dict(self) -> dict[str, object]:
        """The results as plain data."""


class Later(Sequence[T]):
    """A column that is worked out when it is first looked at: scores and reasons that nobody asks for cost nothing.

    >>> squares = Later(3, lambda: [n * n for n in range(3)])
    >>> len(squares), squares[2]
    (3, 4)
    """

    def __init__(self, length: int, work_out: Callable[[], Sequence[T]]) -> None:
        self._length, self._work_out = length, work_out

    @cached_property
    def _column(self) -> Sequence[T]:
        return self._work_out()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._column[index]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry per block of the page, in the same order."""

    keep: Sequence[int]
    """1 = the block is what the reader came for."""
    score: Sequence[float]
    """0 … 1, how sure the method is that it is."""
    reasons: Sequence[tuple[Reason, ...]]
    confidence: float
    """0 … 1, how much the method trusts its answer for the page as a whole."""
    parts: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Blocks kept in part only: the rows of the text nodes that are kept."""
    notes: tuple[Reason, ...] = ()
    """What the method has to say of the page as a whole, such as why it found nothing."""
    warnings: tuple[str, ...] = ()
    """What the method had to do without, such as a language's analyser that is not installed."""
    analysis: Analysis | None = None
    page_type: str | None = None
    comments: Sequence[int] = ()
    """1 = the block is part of a reader's comment on the page; empty where the method does not tell."""
    abstained: bool = False
    """The method would rather say nothing: nothing is kept, the scores are there to look at."""

    def unless_below(self, least: float) -> "Verdicts":
        """These verdicts, or none where the method trusts them less than that."""
        if self.confidence >= least or not any(self.keep):
            return self
        why = Reason("abstained", f"confidence {self.confidence:.2f} is below {least:.2f}")
        return replace(self, keep=bytearray(len(self.keep)), parts={}, notes=(*self.notes, why), abstained=True)


def nothing(blocks: int, note: Reason, analysis: Analysis | None = None) -> Verdicts:
    """The verdict on a page in which there is nothing to keep."""
    return Verdicts(
        keep=bytearray(blocks),
        score=array("d", bytes(8 * blocks)),
        reasons=[(note,)] * blocks,
        confidence=0.0,
        notes=(note,),
        analysis=analysis,
    )
