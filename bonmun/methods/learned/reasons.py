"""Why a block was kept or dropped: what moved its score further than the scores of the page's other blocks."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import compress
from struct import Struct
from typing import Final, NamedTuple

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions, Rows
from bonmun.methods.learned.phrases import OF_BLOCKS, PHRASES, SHARED, BlockRow, Decision
from bonmun.methods.learned.phrases.decision_table import NONE, UNSURE, DecisionTable
from bonmun.methods.learned.ranks import ColumnGroups, Ranks
from bonmun.model.block import KINDS, Kind
from bonmun.model.lazy import lazy
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_MOST_REASONS: Final = 3
_LEAST: Final = 0.02  # log-odds; they move a probability by half a percent at most
_NUMBERS: Final = Struct(f"{_MOST_REASONS}i")
_AROUND: Final = 512  # blocks; the reasons of those among them with the same verdict are worked out at once
_ASKED: Final = 6  # groups of columns whose phrases are asked for; more if these have too few phrases
_UNDECIDED: Final = "no single sign decided"
_TURNED: Final = bytes([1, 0]) + bytes(254)
_IMAGE: Final = KINDS.index(Kind.IMAGE)
_PICTURE_INSIDE: Final = Reason("inside", "the text before and after the picture is kept")
_PICTURE_OUTSIDE: Final = Reason("lone-image", "the text before or after the picture is not kept")


def _groups() -> tuple[tuple[Decision, tuple[int, ...]], ...]:
    """The columns that share a phrase function, since they mean the same to a person."""
    groups = defaultdict[Decision, list[int]](list)
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


@cache
def decisions(keep: bool) -> DecisionTable:
    """The decision lists of kept or of dropped blocks, made when first asked for: most processes give no reasons."""
    return DecisionTable(_GROUPS, _ALONE[keep], len(COLUMNS), keep)


class _Made(dict[str, Reason]):
    """The reasons of a name by their phrases, made once: the blocks of a page have most in common."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __missing__(self, phrase: str) -> Reason:
        made = self[phrase] = Reason(self._name, phrase)
        return made


class _Ranked(NamedTuple):
    """The ranks of blocks that have the same verdict."""

    rows: Rows
    phrases: bytes
    """The numbers of the phrases of each row, as the compiled twin knows them; empty without it."""


_Known = dict[bytes, tuple[Reason, ...]]
"""Reasons by the numbers of their phrases: the blocks of a page have most in common."""


class Reasons(Sequence[tuple[Reason, ...]]):
    """Why each block was kept or dropped, worked out when somebody asks.

    At most three phrases for each block, the strongest first. The contributions of features that mean the same to a
    person are summed, and only phrases that are true of the block and speak for its verdict are given.
    """

    def __init__(
        self, contributions: Contributions, page: Page, keep: Sequence[int], overruled: Mapping[int, Reason]
    ) -> None:
        self._contributions, self._page, self._keep, self._overruled = contributions, page, keep, overruled
        self._latest: list[_Ranked | None] = [None, None]  # of dropped and of kept blocks: most callers ask for either

    @lazy
    def _made(self) -> tuple[_Made, _Made]:
        """The reasons of dropped and of kept blocks."""
        return _Made("boilerplate-like"), _Made("content-like")

    @lazy
    def _known(self) -> tuple[_Known, _Known]:
        """The reasons of blocks that may have them in common."""
        return {}, {}

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
        ranked = self._ranked(index, keep)
        at = ranked.rows.place[index] * _NUMBERS.size
        numbers = ranked.phrases[at : at + _NUMBERS.size]
        known = self._known[keep].get(numbers)
        return known or self._worded(ranked, index, keep, numbers)

    def _worded(self, ranked: _Ranked, index: int, keep: bool, numbers: bytes) -> tuple[Reason, ...]:
        """The reasons for the verdict on a block; kept if other blocks may have the same."""
        made, table = self._made[keep], decisions(keep)
        found = _NUMBERS.unpack(numbers) if numbers else (UNSURE,)
        if found[0] != UNSURE and max(found) < len(table.texts):
            texts = [table.texts[number] for number in found if number != NONE] or (_UNDECIDED,)
            reasons = self._known[keep][numbers] = tuple([made[text] for text in texts])
            return reasons
        row = BlockRow(ranked.rows.features_of(index), self._page, index)
        if found[0] != UNSURE:
            return tuple([made[table.phrase(number, row)] for number in found if number != NONE])
        ranks = _COLUMN_GROUPS.of_rows(ranked.rows.contributions_of(index), self._contributions.mean, keep=keep)
        return tuple([made[phrase] for phrase in _phrases(ranks, row, keep) or (_UNDECIDED,)])

    def __reduce__(self) -> tuple[Callable[..., Sequence[tuple[Reason, ...]]], tuple[object, ...]]:
        """Pickle the inputs, since computing all reasons takes several times as long as judging the page."""
        if self._contributions.recomputable:
            return Reasons, (self._contributions, self._page, self._keep, self._overruled)
        return tuple, (tuple(self),)

    def _ranked(self, index: int, keep: bool) -> "_Ranked":
        """The ranks of the kept blocks around a kept one, or of the dropped ones around a dropped one."""
        latest = self._latest[keep]
        if latest is None or index not in latest.rows.place:
            first = index - index % _AROUND
            kept = bytes(map(bool, self._keep[first : first + _AROUND]))
            alike = compress(range(first, first + len(kept)), kept if keep else kept.translate(_TURNED))
            kinds, overruled = self._page.blocks.kind_code, self._overruled
            rows = self._contributions.rows(
                [block for block in alike if block not in overruled and kinds[block] != _IMAGE]
            )
            features, mean = (rows.features, rows.picked), self._contributions.mean
            arrays = decisions(keep).arrays
            phrases = _COLUMN_GROUPS.phrases_of_rows(rows.contributions, mean, features, arrays, keep=keep)
            self._latest[keep] = latest = _Ranked(rows, phrases)
        return latest


def _phrases(ranks: Ranks, row: BlockRow, keep: bool) -> list[str]:
    """The phrases whose groups of columns contributed most to the verdict, the strongest first."""
    weights: dict[str, float] = {}
    alone, in_order = _ALONE[keep], True
    for asked, (weight, group, first, second, third) in enumerate(ranks.of(0)):
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
