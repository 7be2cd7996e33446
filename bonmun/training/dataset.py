"""The training set: one row per block, the pages concatenated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import InputError
from bonmun.features.element_names import RANGES
from bonmun.features.hashing import BUCKETS
from bonmun.features.measured_page import words_of_size
from bonmun.features.table import spread_scores
from bonmun.training.conventions import convention_of
from bonmun.training.measuring import Info, Lists, Measurements
from bonmun.training.recipe import Recipe

SCORES = tuple(spread_scores([], [], []))
"""The columns of the two linear scores."""
Numbers = NDArray[np.float64]
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Dataset:
    """Features, labels and words of all pages."""

    infos: list[Info]
    columns: tuple[str, ...]
    """Names of the table's columns, then of the linear scores."""
    table: NDArray[np.float32]
    labels: Numbers
    known: Rows
    """Whether the corpus says what a row is."""
    first: NDArray[np.int64]
    """The first row of each page, and the end."""
    heading: NDArray[np.int64]
    """The row of each block's heading."""
    terms: Any
    names: Any
    words: list[tuple[Lists, Lists]]
    """The words of each page's blocks, and of its golds."""

    @classmethod
    def of(cls, pages: Iterable[tuple[Info, Measurements]]) -> "Dataset":
        """Concatenate pages; raises `InputError` if none has blocks."""
        measured = list(pages)
        if not measured or not any(len(page.labels) for _, page in measured):
            raise InputError("no page with text to learn from")
        first = np.cumsum([0, *(len(page.labels) for _, page in measured)], dtype=np.int64)
        heads = [page.heading + start for (_, page), start in zip(measured, first, strict=False)]
        return cls(
            infos=[info for info, _ in measured],
            columns=(*measured[0][1].columns, *SCORES),
            table=np.concatenate([page.table for _, page in measured]),
            labels=np.concatenate([page.labels for _, page in measured]).astype(np.float64),
            known=np.concatenate([page.known for _, page in measured]) > 0,
            first=first,
            heading=np.concatenate(heads).astype(np.int64),
            terms=_bags([page.terms for _, page in measured], BUCKETS),
            names=_bags([page.names for _, page in measured], RANGES * BUCKETS),
            words=[(page.words, page.golds) for _, page in measured],
        )

    @cached_property
    def page(self) -> NDArray[np.int64]:
        """The page number of each row."""
        return np.repeat(np.arange(len(self.infos)), np.diff(self.first))

    @cached_property
    def sizes(self) -> Numbers:
        """The number of words of each block."""
        return np.array([words_of_size(size) for size in self.table[:, self.columns.index("size")].tolist()])

    def rows(self, page: int) -> slice:
        """The rows of a page."""
        return slice(int(self.first[page]), int(self.first[page + 1]))

    @cached_property
    def judged(self) -> Rows:
        """Whether a page has a part in the results: not the variants, nor pages of which only some lines are known."""
        return np.array([not info.variant and not info.lines_only for info in self.infos])

    @cached_property
    def originals(self) -> Rows:
        """Whether a page is no variant."""
        return np.array([not info.variant for info in self.infos])

    @cached_property
    def lines_only(self) -> Rows:
        """Whether only some lines of a page are known."""
        return np.array([info.lines_only for info in self.infos])

    @cached_property
    def convention(self) -> NDArray[np.float32]:
        """The code of the convention of each row's corpus."""
        codes = [convention_of(info.corpus).code for info in self.infos]
        return np.array(codes, np.float32)[self.page]

    def only(self, pages: Rows) -> "Dataset":
        """Return the data of some pages."""
        rows = pages[self.page]
        first = np.cumsum([0, *np.diff(self.first)[pages]], dtype=np.int64)
        moved = np.zeros(len(pages), np.int64)
        moved[pages] = first[:-1] - self.first[:-1][pages]
        return Dataset(
            infos=[info for info, wanted in zip(self.infos, pages, strict=True) if wanted],
            columns=self.columns,
            table=self.table[rows],
            labels=self.labels[rows],
            known=self.known[rows],
            first=first,
            heading=(self.heading + moved[self.page])[rows],
            terms=self.terms[rows],
            names=self.names[rows],
            words=[words for words, wanted in zip(self.words, pages, strict=True) if wanted],
        )

    @cached_property
    def coverage(self) -> Numbers:
        """The share of each page's gold that is in its blocks; 1 for a page without gold."""
        shares = np.ones(len(self.infos))
        for number, (words, golds) in enumerate(self.words):
            gold_words = golds.start[1]
            if gold_words:
                hits = self.labels[self.rows(number)] @ np.diff(words.start)
                shares[number] = hits / gold_words
        return shares

    def weights(self, recipe: Recipe) -> Numbers:
        """The weight of each row: blocks by size inside a page, pages by their number of blocks."""
        pages, counts = len(self.infos), np.diff(self.first)
        total = np.maximum(np.bincount(self.page, self.sizes, pages), 1e-9)
        of_page = np.maximum(counts, 1) ** recipe.page_weight / total * self._rarity(recipe.rare)
        of_page = np.where(self.originals, of_page, of_page * recipe.variant_weight)
        weights = self.sizes * of_page[self.page]
        return np.asarray(weights / weights.mean())

    def _rarity(self, rare: float) -> Numbers:
        langs = [info.lang.partition("-")[0].lower() for info in self.infos]
        return np.array([4.0 if langs.count(lang) < rare * len(langs) else 1.0 for lang in langs])


def with_scores(data: Dataset, term: NDArray[np.float32], name: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the table with the linear scores of each block, its heading and its neighbours appended."""
    index = np.arange(len(term))
    before = np.where(index > data.first[:-1][data.page], np.roll(term, 1), 0)
    after = np.where(index < data.first[1:][data.page] - 1, np.roll(term, -1), 0)
    scores = [term, name, term[data.heading], name[data.heading], before, after]
    return np.concatenate([data.table, np.stack(scores, 1)], 1, dtype=np.float32)


def _bags(pages: Sequence[Lists], width: int) -> Any:
    """Return the words of each row as a sparse matrix, each row divided by the square root of its number of words."""
    from scipy.sparse import csr_matrix

    counts = np.concatenate([np.diff(page.start) for page in pages])
    start = np.concatenate([[0], np.cumsum(counts)])
    numbers = np.concatenate([page.numbers for page in pages])
    values = np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts).astype(np.float32)
    bags = csr_matrix((values, numbers, start), shape=(len(counts), width))
    bags.sum_duplicates()
    return bags
