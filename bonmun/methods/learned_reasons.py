"""Why a block was kept: the features that moved its sum further than those of the page's other blocks."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.features.ensemble import Ensemble
from bonmun.features.matrix import feature_matrix
from bonmun.features.phrases import phrase
from bonmun.methods.learned_model import shipped
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason

_OF_A_BLOCK: Final = tuple(number for number, name in enumerate(COLUMNS) if not name.startswith("page_"))
_TELLING: Final = 3  # features that are named as reasons


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, looked up when somebody asks.

    A reason is a feature that moved the block's sum further than it moves that of the page's blocks on the whole: what
    sets the block apart from the others.
    """

    def __init__(
        self,
        trees: Ensemble,
        matrix: bytes,
        keep: Sequence[int],
        overruled: Mapping[int, Reason],
        page: Page | None = None,
    ) -> None:
        self._trees, self._matrix, self._keep, self._overruled, self._page = trees, matrix, keep, overruled, page

    def __reduce__(self) -> tuple[Callable[..., Sequence[tuple[Reason, ...]]], tuple[object, ...]]:
        """Pickle the inputs of the shipped model's reasons: computing all of them takes 8 times as long as judging.

        The feature table, larger than the page, is computed again on the other side.
        """
        if self._page is None or self._trees is not shipped().trees:
            return tuple, (list(self),)
        return Later, (len(self), partial(_by_shipped_model, self._page, self._keep, self._overruled))

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


def _by_shipped_model(page: Page, keep: Sequence[int], overruled: Mapping[int, Reason]) -> Reasons:
    model = shipped()
    return Reasons(model.trees, feature_matrix(page, model.weights), keep, overruled, page)
