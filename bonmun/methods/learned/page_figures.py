"""The summary of a page: a few dozen figures from which its type and the expected F1 are predicted."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, pairwise
from math import log2
from operator import mul
from typing import Final

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.in_order import total
from bonmun.model.block import KINDS

WHOLE: Final = tuple(name for name in COLUMNS if name.startswith("page_"))
"""The columns that are the same for every block of a page."""
_MEANS: Final = tuple(
    "size link_share sentences digit_share currencies dates title_share path_count path_parents style_count"
    " style_parents core_share up3_density up3_mean region_link named_article named_card named_comments named_docs"
    " named_forum named_price named_product named_review named_faq in_article in_main in_table in_ul term_score"
    " name_score".split()
)
"""The columns whose mean over the kept blocks is a figure."""
_CHOICE: Final = (
    "expected_f1",
    "expected_size",
    "expected_precision",
    "expected_recall",
    "kept_size",
    "kept_share",
    "kept_blocks",
    "kept_runs",
    "kept_first",
    "kept_last",
    "probability_mean",
    "probability_max",
    "unsure",
    "unsure_kept",
    "unsure_dropped",
    "torn",
)
SUMMARY: Final = (*WHOLE, *_CHOICE, *(f"kept_{kind}" for kind in KINDS), *(f"kept_mean_{name}" for name in _MEANS))
"""The names of the figures, in order."""
_DENSE: Final = 2
"""One kept block in so many from which on a pass over a whole column is faster than picking cells."""
_TORN: Final = (0.3, 0.7)  # probabilities between which a block is undecided


@dataclass(frozen=True)
class PageFigures:
    """The analysis of the method ``"auto"``: figures of the page as a whole, and the raw numbers behind reasons."""

    page_type: str
    page_type_probability: float
    expected_f1: float
    """Of the choice, if the scores are right; `confidence` also accounts for their errors."""
    figures: Sequence[float]
    """In the order of `SUMMARY`."""
    _contributions: Contributions | None = field(default=None, repr=False, compare=False)

    def contributions(self, index: int) -> Mapping[str, float]:
        """How far each feature moved the score of a block, by column: above 0 towards keeping it, below 0 against.

        Units are log-odds. They are computed for the whole page when first asked for. Those of a model of your own are
        not pickled.
        """
        if self._contributions is None:
            raise LookupError("contributions of a model of your own are not pickled: extract the page again")
        if not 0 <= index < len(self._contributions):
            raise IndexError(f"block {index} does not exist: the page has {len(self._contributions)} blocks")
        return dict(zip(COLUMNS, self._contributions.of_block(index), strict=True))

    def to_dict(self) -> dict[str, object]:
        """The figures by name."""
        return {
            "page_type": self.page_type,
            "page_type_probability": self.page_type_probability,
            "expected_f1": self.expected_f1,
            "figures": dict(zip(SUMMARY, self.figures, strict=True)),
        }

    def __getstate__(self) -> dict[str, object]:
        contributions = self._contributions
        pickled = contributions is not None and contributions.recomputable
        return {**self.__dict__, "_contributions": contributions if pickled else None}


def summary(
    columns: tuple[str, ...],
    tiles: Iterable[tuple[int, bytes]],
    probabilities: Sequence[float],
    sizes: Sequence[float],
    keep: Sequence[int],
) -> list[float]:
    """Return the figures of `SUMMARY` for a page.

    `tiles` are the features of its blocks as 32-bit floats, a row for each block, each tile with the number of its
    first block; sizes are in words, probabilities and `keep` as in `choose`. A page without blocks has only zeros.
    """
    if not len(probabilities):
        return [0.0] * len(SUMMARY)
    width = len(columns)
    whole, kind, means = _places(columns)
    kept = array("i", compress(range(len(keep)), keep))
    kept_sizes = array("d", map(sizes.__getitem__, kept))
    of_page, kinds, sums = list[float](), array("i"), [0.0] * len(means)
    for first, tile in tiles:
        values = memoryview(tile).cast("f")
        of_page = of_page or [values[column] for column in whole]
        inside = kept[bisect_left(kept, first) : bisect_left(kept, first + len(values) // width)]
        rows = [(number - first) * width for number in inside]
        kinds.extend([int(values[row + kind]) for row in rows])
        if len(rows) * _DENSE * width > len(values):
            chosen = keep[first : first + len(values) // width]
            added = [total(compress(values[column::width], chosen)) for column in means]
        else:
            added = [total([values[row + column] for row in rows]) for column in means]
        sums = [before + more for before, more in zip(sums, added, strict=True)]
    figures = of_page + _of_choice(probabilities, sizes, kept, kept_sizes) + _by_kind(kinds, kept_sizes)
    return figures + [added / len(kept) if kept else 0.0 for added in sums]


@lru_cache(maxsize=8)
def _places(columns: tuple[str, ...]) -> tuple[list[int], int, list[int]]:
    """The numbers of the page's columns, of the kind, and of the columns of the means."""
    number_of = {name: number for number, name in enumerate(columns)}
    return [number_of[name] for name in WHOLE], number_of["kind"], [number_of[name] for name in _MEANS]


def _of_choice(
    probabilities: Sequence[float], sizes: Sequence[float], kept: Sequence[int], kept_sizes: Sequence[float]
) -> list[float]:
    """The figures of `_CHOICE`."""
    count, size, out = len(probabilities), total(sizes), total(kept_sizes)
    mine = array("d", map(probabilities.__getitem__, kept))
    expected = total(map(mul, probabilities, sizes))
    hits = total(map(mul, mine, kept_sizes))
    unsure = expected - total(map(mul, map(mul, probabilities, probabilities), sizes))
    unsure_kept = hits - total(map(mul, map(mul, mine, mine), kept_sizes))
    low, high = _TORN
    torn = total(words for one, words in zip(probabilities, sizes, strict=True) if low < one < high)
    return [
        _share(2 * hits, out + expected),
        log2(1 + expected),
        _share(hits, out),
        _share(hits, expected),
        log2(1 + out),
        _share(out, size),
        len(kept) / count,
        log2(1 + sum(b - a > 1 for a, b in pairwise(kept)) + bool(kept)),
        kept[0] / count if kept else 1.0,
        (kept[-1] + 1) / count if kept else 0.0,
        _share(expected, size),
        max(probabilities),
        _share(unsure, size),
        _share(unsure_kept, out),
        _share(unsure - unsure_kept, expected),
        _share(torn, expected),
    ]


def _by_kind(kinds: Sequence[int], sizes: Sequence[float]) -> list[float]:
    """The share of each kind of block in the kept text."""
    by_kind = [0.0] * len(KINDS)
    for kind, size in zip(kinds, sizes, strict=True):
        by_kind[kind] += size
    out = total(sizes)
    return [_share(size, out) for size in by_kind]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
