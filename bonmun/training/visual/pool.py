"""The rows of all tables on the device, in all variants that plans need, and the rows of each plan's parts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bonmun.training.visual.plans import Part, Plan, Variant, part

_COVERAGE = 0.5
"""The least share of the gold that must be on a page to learn from it."""
_CATEGORICAL = (1, 5)
_LEFT, _TOP, _RIGHT, _BOTTOM, _VIEWPORT_WIDTH, _DOCUMENT_HEIGHT = 6, 7, 8, 9, 12, 15
_DISTANCES = 16


class PageLike(Protocol):
    """What the pool needs to know of a page."""

    @property
    def domain(self) -> str:
        """The site."""

    @property
    def coverage(self) -> float:
        """The share of the gold that is on the page."""


class TableLike(Protocol):
    """What the pool needs of a `RowTable`."""

    @property
    def pages(self) -> Sequence[PageLike]:
        """All pages."""

    @property
    def page(self) -> NDArray[np.int64]:
        """The page of each row."""

    @property
    def matrix(self) -> NDArray[np.float32]:
        """The columns of each row."""

    @property
    def labels(self) -> Mapping[str, NDArray[np.uint8]]:
        """The labels of each row."""


@dataclass(frozen=True)
class RowSet:
    """Some rows of the pool: their numbers, and their pages numbered from 0."""

    index: Tensor
    page: Tensor
    pages: int


class Pool:
    """All rows on a device."""

    def __init__(self, tables: Mapping[str, TableLike], plans: Iterable[Plan], device: str = "cpu") -> None:
        self._tables = tables
        self._start: dict[tuple[str, Variant], int] = {}
        self.label_names = ("share", "single")
        self.device = device
        matrices: list[Any] = []
        total = 0
        variants: list[Variant] = sorted({plan.variant for plan in plans})
        for name, table in tables.items():
            for variant in variants:
                self._start[name, variant] = total
                matrices.append(torch.from_numpy(with_variant(table.matrix, variant)).to(device))
                total += len(table.matrix)
        self.x = torch.cat(matrices)
        self._size = total
        labels = [
            torch.from_numpy(table.labels[name].astype(np.int64))
            for name in self.label_names
            for table in tables.values()
            for _ in variants
        ]
        self.y = torch.cat(labels).to(device)
        """The labels of each kind, one after the other."""

    def label_start(self, plan: Plan) -> int:
        """Where the labels of a plan's kind start."""
        return self.label_names.index(plan.label) * self._size

    def labels(self, plan: Plan, rows: RowSet) -> Tensor:
        """The labels of rows."""
        return self.y[self.label_start(plan) + rows.index]

    def of_part(self, plan: Plan, wanted: Part) -> RowSet:
        """Return the rows of a part of the plan's corpus; pages whose gold was not found have no part."""
        table = self._tables[plan.corpus]
        chosen = [page.coverage >= _COVERAGE and part(page.domain, plan.seed) == wanted for page in table.pages]
        return self._of_pages(plan, plan.corpus, np.array(chosen))

    def of_test_decile(self, plan: Plan, corpus: str) -> RowSet:
        """Return the rows of all pages of a corpus's test decile, with or without gold."""
        chosen = [part(page.domain, plan.seed) == "test" for page in self._tables[corpus].pages]
        return self._of_pages(plan, corpus, np.array(chosen))

    def of_corpus(self, plan: Plan, corpus: str) -> RowSet:
        """Return all rows of a corpus."""
        return self._of_pages(plan, corpus, np.ones(len(self._tables[corpus].pages), np.bool_))

    def _of_pages(self, plan: Plan, corpus: str, chosen: NDArray[np.bool_]) -> RowSet:
        page = self._tables[corpus].page
        rows = np.flatnonzero(chosen[page])
        number = np.cumsum(chosen) - 1
        index = torch.from_numpy(rows + self._start[corpus, plan.variant]).to(self.device)
        return RowSet(index, torch.from_numpy(number[page[rows]]).to(self.device), int(chosen.sum()))


def with_variant(matrix: NDArray[np.float32], variant: Variant) -> NDArray[np.float32]:
    """Return the columns in a variant; those of the raw one are not copied.

    `centre`: the window is scrolled to where an element is nearest to its centre, so that D0 is a horizontal distance;
    the document's centre is that of its first screen's width.
    """
    if variant == "raw":
        return matrix
    changed = matrix.copy()
    if variant.endswith("permuted"):
        order = np.random.default_rng(0).permutation(len(matrix))
        changed[:, _DISTANCES:] = matrix[order, _DISTANCES:]
    if variant.startswith("log"):
        changed = (np.sign(changed) * np.log1p(np.abs(changed))).astype(np.float32)
        changed[:, _CATEGORICAL] = matrix[:, _CATEGORICAL]
    if variant == "centre":
        across = (matrix[:, _LEFT] + matrix[:, _RIGHT] - matrix[:, _VIEWPORT_WIDTH]) / 2
        down = (matrix[:, _TOP] + matrix[:, _BOTTOM] - matrix[:, _DOCUMENT_HEIGHT]) / 2
        changed[:, _DISTANCES] = np.abs(across)
        changed[:, _DISTANCES + 1] = np.hypot(across, down)
    return changed


class Batches:
    """The order of the rows of one plan: shuffled anew each epoch, or drawn with the weights of its sampling."""

    def __init__(self, pool: Pool, plan: Plan) -> None:
        self._rows = pool.of_part(plan, "train")
        self._weights = _weights(pool, plan, self._rows)
        device = pool.device
        self._random = torch.Generator(device).manual_seed(plan.seed)
        self._order = torch.empty(0, dtype=torch.int64, device=device)

    def __len__(self) -> int:
        return len(self._rows.index)

    def take(self, count: int) -> Tensor:
        """Return the next rows."""
        taken = []
        while count:
            if not len(self._order):
                self._order = self._rows.index[self._epoch()]
            taken.append(self._order[:count])
            self._order = self._order[count:]
            count -= len(taken[-1])
        return torch.cat(taken)

    def _epoch(self) -> Tensor:
        if self._weights is None:
            return torch.randperm(len(self), generator=self._random, device=self._random.device)
        places = torch.rand(len(self), generator=self._random, device=self._random.device, dtype=torch.float64)
        return torch.searchsorted(self._weights, places).clamp_max(len(self) - 1)


def _weights(pool: Pool, plan: Plan, rows: RowSet) -> Tensor | None:
    """The cumulative distribution of a plan's sampling over its rows; `None` if all are equally likely."""
    if plan.sampling == "rows":
        return None
    group = rows.page if plan.sampling == "pages" else pool.labels(plan, rows)
    weight = 1 / torch.bincount(group).double()[group]
    total = weight.cumsum(0)
    return total / total[-1]
