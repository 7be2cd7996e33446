"""Why a block was kept or dropped: what moved its score further than the scores of the page's other blocks."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions, Tile
from bonmun.methods.learned.phrases import OF_BLOCKS, PHRASES, SHARED, BlockRow, Phrase
from bonmun.methods.learned.ranks import ColumnGroups, Ranks
from bonmun.model.block import KINDS, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_MOST_REASONS: Final = 3
_LEAST: Final = 0.02  # log-odds; they move a probability by half a percent at most
_ASKED: Final = 6  # groups of columns whose phrases are asked for; more if these have too few phrases
_UNDECIDED: Final = "no single sign decided"
_TURNED: Final = bytes([1, 0]) + bytes(254)
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
_PHRASES: Final = [phrase for phrase, _ in _GROUPS]
_ALONE: Final = [[phrase not in shared for phrase in _PHRASES] for shared in SHARED]
"""For dropped and for kept blocks: the groups whose phrases no other group gives."""
_WHOLE: Final = frozenset(number for number, phrase in enumerate(_PHRASES) if phrase in OF_BLOCKS)
_COLUMN_GROUPS: Final = ColumnGroups([columns for _, columns in _GROUPS], _WHOLE)


class _Made(dict[str, Reason]):
    """The reasons of a name by their phrases, made once: the blocks of a page have most in common."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __missing__(self, phrase: str) -> Reason:
        made = self[phrase] = Reason(self._name, phrase)
        return made


class _Ranked(NamedTuple):
    """The ranks of blocks in a row that have the same verdict."""

    first: int
    stop: int
    keep: bool
    tile: Tile
    ranks: Ranks


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, worked out when somebody asks.

    At most three phrases for each block, the strongest first. The contributions of features that mean the same to a
    person are summed, and only phrases that are true of the block and speak for its verdict are given.
    """

    def __init__(
        self, contributions: Contributions, page: Page, keep: Sequence[int], overruled: Mapping[int, Reason]
    ) -> None:
        self._contributions, self._page, self._keep, self._overruled = contributions, page, keep, overruled
        self._latest: _Ranked | None = None
        self._made = _Made("boilerplate-like"), _Made("content-like")

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
        made = self._made[keep]
        return tuple([made[phrase] for phrase in self._phrases(index, keep) or (_UNDECIDED,)])

    def __reduce__(self) -> tuple[Callable[..., Sequence[tuple[Reason, ...]]], tuple[object, ...]]:
        """Pickle the inputs, since computing all reasons takes several times as long as judging the page."""
        if self._contributions.recomputable:
            return Reasons, (self._contributions, self._page, self._keep, self._overruled)
        return tuple, (tuple(self),)

    def _ranked(self, index: int, keep: bool) -> "_Ranked":
        """The ranks of the kept blocks of a tile, or of the dropped ones: most callers ask for either."""
        latest = self._latest
        if latest is None or latest.keep is not keep or not latest.first <= index < latest.stop:
            tile = self._contributions.tile(index)
            kept = bytes(map(bool, self._keep[tile.first : tile.first + len(tile)]))
            wanted = kept if keep else kept.translate(_TURNED)
            ranks = _COLUMN_GROUPS.of_rows(tile.contributions, self._contributions.mean, kept, wanted)
            self._latest = latest = _Ranked(tile.first, tile.first + len(tile), keep, tile, ranks)
        return latest

    def _phrases(self, index: int, keep: bool) -> list[str]:
        """The phrases whose groups of columns contributed most to the verdict, the strongest first."""
        ranked = self._ranked(index, keep)
        row = BlockRow(ranked.tile.features_of(index), self._page, index)
        weights: dict[str, float] = {}
        alone, in_order = _ALONE[keep], True
        for asked, (weight, group, first, second, third) in enumerate(ranked.ranks.of(index - ranked.first)):
            if weight < _LEAST or (asked >= _ASKED and len(weights) >= _MOST_REASONS):
                break
            if len(weights) >= _MOST_REASONS and alone[group]:
                continue  # weaker than those that there are, and none of them
            phrase = _PHRASES[group]
            worded = phrase(row, first, keep)
            if not worded and second >= 0:
                worded = phrase(row, second, keep) or (phrase(row, third, keep) if third >= 0 else "")
            if worded in weights:
                weights[worded] += weight
                in_order = False
            elif worded:
                weights[worded] = weight
        phrases = list(weights) if in_order else sorted(weights, key=weights.__getitem__, reverse=True)
        return phrases[:_MOST_REASONS]
