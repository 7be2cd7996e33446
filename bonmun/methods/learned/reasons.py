"""Why a block was kept or dropped: what moved its score further than the scores of the page's other blocks."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter, sub
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.phrases import PHRASES, BlockRow, Phrase
from bonmun.model.block import KINDS, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_MOST_REASONS: Final = 3
_LEAST: Final = 0.02  # log-odds; they move a probability by half a percent at most
_ASKED: Final = 6  # groups of columns whose phrases are asked for; more if these have too few phrases
_TRIED: Final = 3  # columns of a group that may give its phrase
_UNDECIDED: Final = "no single sign decided"
_IMAGE: Final = KINDS.index(Kind.IMAGE)
_PICTURE_INSIDE: Final = Reason("inside", "the text before and after the picture is kept")
_PICTURE_OUTSIDE: Final = Reason("lone-image", "the text before or after the picture is not kept")


def _groups() -> tuple[tuple[Phrase, tuple[int, ...]], ...]:
    """The columns that share a phrase function, since they mean the same to a person."""
    groups = defaultdict[Phrase, list[int]](list)
    for number, column in enumerate(COLUMNS):
        if column in PHRASES:
            groups[PHRASES[column]].append(number)
    return tuple((phrase, tuple(numbers)) for phrase, numbers in groups.items())


_GROUPS: Final = _groups()
_STOPS: Final = tuple(accumulate(len(columns) for _, columns in _GROUPS))
_in_order_of_groups: Final = itemgetter(*(column for _, columns in _GROUPS for column in columns))
_at_starts: Final = itemgetter(0, *_STOPS[:-1])
_at_stops: Final = itemgetter(*_STOPS)


def _by_group(numbers: Sequence[float]) -> Iterator[float]:
    """The sum of each group's columns, as a difference of prefix sums: JSON output asks for thousands of reasons."""
    before = tuple(accumulate(_in_order_of_groups(numbers), initial=0.0))
    return map(sub, _at_stops(before), _at_starts(before))


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, worked out when somebody asks.

    At most three phrases for each block, the strongest first. The contributions of features that mean the same to a
    person are summed, and only phrases that are true of the block and speak for its verdict are given.
    """

    def __init__(
        self, contributions: Contributions, page: Page, keep: Sequence[int], overruled: Mapping[int, Reason]
    ) -> None:
        self._contributions, self._page, self._keep, self._overruled = contributions, page, keep, overruled

    def __len__(self) -> int:
        return len(self._keep)

    def __getitem__(self, index: int) -> tuple[Reason, ...]:  # type: ignore[override]
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index in self._overruled:
            return (self._overruled[index],)
        keep = bool(self._keep[index])
        if self._page.blocks.kind_code[index] == _IMAGE:
            return (_PICTURE_INSIDE if keep else _PICTURE_OUTSIDE,)
        weights = self._phrases(index, keep)
        strongest = sorted(weights, key=weights.__getitem__, reverse=True)[:_MOST_REASONS]
        name = "content-like" if keep else "boilerplate-like"
        return tuple([Reason(name, phrase) for phrase in strongest or [_UNDECIDED]])

    def __reduce__(self) -> tuple[Callable[..., Sequence[tuple[Reason, ...]]], tuple[object, ...]]:
        """Pickle the inputs, since computing all reasons takes several times as long as judging the page."""
        if self._contributions.recomputable:
            return Reasons, (self._contributions, self._page, self._keep, self._overruled)
        return tuple, (tuple(self),)

    @cached_property
    def _mean_by_group(self) -> list[float]:
        return list(_by_group(self._contributions.mean))

    def _phrases(self, index: int, keep: bool) -> dict[str, float]:
        """The phrases of the strongest groups of columns, with the groups' contributions to the verdict."""
        moved = self._contributions.of_block(index)
        moved_by_group = list(map(sub, _by_group(moved), self._mean_by_group))
        row = BlockRow(self._contributions.features(index), self._page, index)
        weights: dict[str, float] = {}
        groups = sorted(range(len(_GROUPS)), key=moved_by_group.__getitem__, reverse=keep)
        for rank, group in enumerate(groups):
            weight = moved_by_group[group] if keep else -moved_by_group[group]
            if weight < _LEAST or (rank >= _ASKED and len(weights) >= _MOST_REASONS):
                break
            phrase = self._phrase(group, moved, row, keep)
            if phrase:
                weights[phrase] = weights.get(phrase, 0.0) + weight
        return weights

    def _phrase(self, group: int, moved: Sequence[float], row: BlockRow, keep: bool) -> str:
        """The phrase of a group: that of its strongest column that has one."""
        phrase, columns = _GROUPS[group]
        if len(columns) == 1:
            return phrase(row, COLUMNS[columns[0]], keep)
        mean = self._contributions.mean
        strongest = sorted([(moved[column] - mean[column], column) for column in columns], reverse=keep)
        for _, column in strongest[:_TRIED]:
            worded = phrase(row, COLUMNS[column], keep)
            if worded:
                return worded
        return ""
