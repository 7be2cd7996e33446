"""A method's answer for a page: one verdict per block, as columns."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from bonmun.core import core
from bonmun.model.lazy import lazy

if TYPE_CHECKING:
    from bonmun.model.metadata import Metadata
    from bonmun.model.page import Page

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

    def __reduce__(self) -> tuple[type["Reason"], tuple[str, str]]:
        return Reason, (self.name, self.detail)  # half the size and time of a slotted dataclass's default


class Analysis(Protocol):
    """A method's intermediate results, kept with the document."""

    def to_dict(self) -> dict[str, object]:
        """The results as plain data."""


class Later(Sequence[T]):
    """A lazy column, computed at first access: unused scores and reasons cost nothing.

    Pickled, it becomes a tuple. Only a `functools.partial` of a picklable function that has not been called yet is
    sent as such, and called on the other side.

    >>> squares = Later(3, lambda: [n * n for n in range(3)])
    >>> len(squares), squares[2]
    (3, 4)
    """

    def __init__(self, length: int, compute: Callable[[], Sequence[T]]) -> None:
        self._length, self._compute = length, compute

    @lazy
    def column(self) -> Sequence[T]:
        """The column itself."""
        return self._compute()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.column[index]

    def __reduce__(self) -> tuple[Callable[..., Sequence[T]], tuple[object, ...]]:
        if "column" not in vars(self) and isinstance(self._compute, partial):
            return Later, (self._length, self._compute)
        return tuple, (list(self.column),)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry per block of the page, in the same order.

    Two are equal if their entries are, lazy or not, and their analyses as plain data. Picklable: see `__getstate__`.

    >>> kept, dropped = (Reason("long"),), (Reason("short"),)
    >>> verdicts = Verdicts(keep=[1, 0], score=[0.9, 0.2], reasons=[kept, dropped], confidence=0.8)
    >>> verdicts.unless_below(0.9).notes
    (Reason(name='abstained', detail='confidence 0.80 is below 0.90'),)
    """

    keep: Sequence[int]
    """1 for a block of the main content."""
    score: Sequence[float]
    """0 … 1, the method's confidence that the block is main content."""
    reasons: Sequence[tuple[Reason, ...]]
    confidence: float
    """0 … 1, the method's confidence in its answer for the page as a whole."""
    parts: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Blocks kept only in part: the rows of the kept text nodes."""
    notes: tuple[Reason, ...] = ()
    """Reasons that concern the page as a whole, such as why nothing was kept."""
    warnings: tuple[str, ...] = ()
    """Degradations of the method, such as a missing language analyser."""
    analysis: Analysis | None = None
    page_type: str | None = None
    comments: Sequence[int] = ()
    """1 for a block of a reader's comment; empty if the method does not detect comments."""
    abstained: bool = False
    """The method declined to answer: nothing is kept, the scores remain."""
    read_metadata: "Callable[[Page], Metadata] | None" = None
    """Reads the page's metadata by the method's own rules; `None`: `bonmun.read.metadata` does. Has to be picklable."""

    @property
    def kept(self) -> "array[int]":
        """The indexes of the kept blocks, in order.

        >>> list(Verdicts(keep=[1, 0, 1], score=[0.9, 0.2, 0.8], reasons=[(), (), ()], confidence=0.8).kept)
        [0, 2]
        """
        compiled, keep = core(), self.keep
        if compiled and isinstance(keep, bytes | bytearray):
            return array("i", compiled.kept_blocks(keep))
        return array("i", list(compress(range(len(keep)), keep)))

    def unless_below(self, minimum: float) -> "Verdicts":
        """These verdicts, or none if their confidence is below the minimum."""
        if minimum <= 0 or self.confidence >= minimum or not any(self.keep):
            return self
        note = Reason("abstained", f"confidence {self.confidence:.2f} is below {minimum:.2f}")
        return replace(self, keep=bytearray(len(self.keep)), parts={}, notes=(*self.notes, note), abstained=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdicts):
            return NotImplemented
        return self is other or all(
            _plain(getattr(self, name.name)) == _plain(getattr(other, name.name)) for name in fields(self)
        )

    def __hash__(self) -> int:
        return hash((bytes(self.keep), self.confidence))

    def __getstate__(self) -> dict[str, Any]:
        """The fields, picklable: lazy columns computed, except those with a `__reduce__` of their own."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        columns = {name: _picklable(own[name]) for name in ("keep", "score", "reasons", "comments")}
        return {**own, **columns, "parts": dict(self.parts)}


def _picklable(column: Sequence[T]) -> Sequence[T]:
    """A column as it is if pickle can take it, else as a tuple."""
    plain = isinstance(column, tuple | list | bytes | bytearray | array)
    return column if plain or type(column).__reduce__ is not object.__reduce__ else tuple(column)


def _plain(value: Any) -> Any:
    """A field of `Verdicts` in a form that compares by content."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | array) and not isinstance(value, str):
        return list(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def nothing(blocks: int, note: Reason, analysis: Analysis | None = None) -> Verdicts:
    """The verdicts on a page with nothing to keep."""
    return Verdicts(
        keep=bytearray(blocks),
        score=array("d", bytes(8 * blocks)),
        reasons=[(note,)] * blocks,
        confidence=0.0,
        notes=(note,),
        analysis=analysis,
    )
