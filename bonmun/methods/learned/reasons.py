"""Why a block was kept or dropped: what moved its score further than the scores of the page's other blocks."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions, Tile
from bonmun.methods.learned.phrases import PHRASES, BlockRow, Phrase
from bonmun.methods.learned.ranks import ColumnGroups, Ranks
from bonmun.model.block import KINDS, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_MOST_REASONS: Final = 3
_LEAST: Final = 0.02  # log-odds; they move a probability by half a percent at most
_ASKED: Final = 6  # groups of columns whose phrases are asked for; more if these have too few phrases
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
_COLUMN_GROUPS: Final = ColumnGroups([columns for _, columns in _GROUPS])


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, worked out when somebody asks.

    At most three phrases for each block, the strongest first. The contributions of features that mean the same to a
    person are summed, and only phrases that are true of the block and speak for its verdict are given.
    """

    def __init__(
        self, contributions: Contributions, page: Page, keep: Sequence[int], overruled: Mapping[int, Reason]
    ) -> None:
        self._contributions, self._page, self._keep, self._overruled = contributions, page, keep, overruled
        self._latest: tuple[Tile, Ranks] | None = None

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

    def _phrases(self, index: int, keep: bool) -> dict[str, float]:
        """The phrases of the strongest groups of columns, with the groups' contributions to the verdict."""
        tile, latest = self._contributions.tile(index), self._latest
        if latest is None or latest[0] is not tile:
            kept = bytes(map(bool, self._keep[tile.first : tile.first + len(tile)]))
            latest = tile, _COLUMN_GROUPS.of_rows(tile.contributions, self._contributions.mean, kept)
            self._latest = latest
        row = BlockRow(self._contributions.features(index), self._page, index)
        weights: dict[str, float] = {}
        for asked, (group, weight, columns) in enumerate(latest[1].of(index - tile.first)):
            if weight < _LEAST or (asked >= _ASKED and len(weights) >= _MOST_REASONS):
                break
            phrase = _GROUPS[group][0]
            for column in columns:
                worded = phrase(row, COLUMNS[column], keep)
                if worded:
                    weights[worded] = weights.get(worded, 0.0) + weight
                    break
        return weights
