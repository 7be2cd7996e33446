"""Why a block was kept: the features that moved its sum further than those of the page's other blocks."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.phrases import phrase
from bonmun.model.verdict import Reason

_OF_A_BLOCK: Final = tuple(number for number, name in enumerate(COLUMNS) if not name.startswith("page_"))
_TELLING: Final = 3  # features that are named as reasons


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, looked up when somebody asks.

    A reason is a feature that moved the block's sum further than it moves that of the page's blocks on the whole: what
    sets the block apart from the others.
    """

    def __init__(self, trees: Forest, matrix: bytes, keep: Sequence[int], overruled: Mapping[int, Reason]) -> None:
        self._trees, self._matrix, self._keep, self._overruled = trees, matrix, keep, overruled

    def __len__(self) -> int:
        return len(self._keep)

    def __getitem__(self, at: int) -> tuple[Reason, ...]:  # type: ignore[override]
        if not 0 <= at < len(self):
            raise IndexError(at)
        if at in self._overruled:
            return (self._overruled[at],)
        width = len(COLUMNS)
        row = slice(at * width, (at + 1) * width)
        name, sign = ("content-like", 1) if self._keep[at] else ("boilerplate-like", -1)
        said = [sign * (mine - usual) for mine, usual in zip(self._moved[row], self._usual, strict=True)]
        loudest = sorted(_OF_A_BLOCK, key=lambda column: -said[column])[:_TELLING]
        values = memoryview(self._matrix).cast("f")[row]
        return tuple(Reason(name, phrase(COLUMNS[column], values[column])) for column in loudest if said[column] > 0)

    @cached_property
    def _moved(self) -> "memoryview[float]":
        """How far each feature moved each block's sum."""
        return self._trees.contributions(self._matrix, len(COLUMNS))

    @cached_property
    def _usual(self) -> list[float]:
        """How far each feature moves the sums of the page, on average."""
        return [sum(self._moved[column :: len(COLUMNS)]) / len(self) for column in range(len(COLUMNS))]
