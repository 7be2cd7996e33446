"""Rows and labels of a corpus's pages, from its saved layouts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import BonmunError, InputError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.layouts import SavedLayouts, with_saved_layout
from bonmun.evaluate.tokens import tokens, without_spaces
from bonmun.methods.visual.rows import COLUMNS, Rows
from bonmun.model.page import Page
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.rendering.tying import DrawnElements
from bonmun.training.block_labels import shares
from bonmun.training.visual.labels import (
    LABELS,
    Flags,
    gold_characters,
    inside,
    labels_by_share,
    labels_by_single,
    row_at,
)
from bonmun.training.visual.row_table import RowTable, TablePage
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

LabelSource = Literal["gold", "auto"]
_SECONDS = 600.0
_CONTENT = frozenset({"Content", "Article"})


@dataclass(frozen=True, eq=False)
class _PageRows:
    page: TablePage
    matrix: NDArray[np.float32]
    labels: dict[str, NDArray[np.uint8]]


def table_of(
    corpus: Corpus, layouts: SavedLayouts, labels: LabelSource = "gold", *, jobs: int = 1, only: int | None = None
) -> RowTable:
    """Make the table of a corpus from its saved layouts; pages without layout are left out.

    `labels`: from the gold texts, or from what `auto` keeps. `only` is the number of pages to read, for a trial.
    """
    cases = (case for case in corpus.cases() if case.id in layouts)
    marked = _marked(corpus) if labels == "gold" else {}
    items = (
        (case, layouts[case.id], marked.get(case.id, ()) if marked else None)
        for _, case in zip(_numbers(only), cases, strict=False)
    )
    with WorkerPool(partial(_rows, labels), jobs=jobs, seconds=_SECONDS) as pool:
        rows = [page for result in pool.map(items) for page in _checked(result)]
    if not rows:
        raise InputError(f"{corpus.name}: no page has a saved layout")
    first = np.cumsum([0, *(len(page.matrix) for page in rows)], dtype=np.int64)
    names = rows[0].labels
    return RowTable(
        tuple(page.page for page in rows),
        first,
        COLUMNS,
        np.concatenate([page.matrix for page in rows]),
        {name: np.concatenate([page.labels[name] for page in rows]) for name in names},
    )


def _numbers(only: int | None) -> Iterator[int]:
    number = 0
    while only is None or number < only:
        yield number
        number += 1


def _checked(result: "_PageRows | Failure") -> Iterator[_PageRows]:
    """Yield the rows of a page; none if it could not be read."""
    if not isinstance(result, Failure):
        yield result
    elif not isinstance(result.error, BonmunError):
        raise result.exception()


def _rows(source: LabelSource, item: tuple[Case, DrawnElements, Sequence[str] | None]) -> _PageRows:
    """Rows and labels of one page; runs in a worker process."""
    case, drawn, marked = item
    page = with_saved_layout(read_page(case.html, url=case.url), drawn)
    rows = Rows.of(page)
    by_block, coverage = _kept(page) if source == "auto" else _gold(case, page)
    gold = gold_characters(page, by_block)
    flags: dict[str, Flags] = dict(
        zip(LABELS, (labels_by_share(page.nodes, gold), labels_by_single(page.nodes, gold)), strict=True)
    )
    if marked is not None:
        found = [row for row in (row_at(page.nodes, xpath) for xpath in marked) if row >= 0]
        flags["marked"] = inside(page.nodes, found) if found else flags["share"]
    labels = {name: flag[rows.row].astype(np.uint8) for name, flag in flags.items()}
    return _PageRows(TablePage(case.id, case.domain, case.lang, coverage), rows.matrix, labels)


def _kept(page: Page) -> tuple[Sequence[float], float]:
    """What `auto` keeps, as the share of each block."""
    keep = [float(kept) for kept in extract(page).verdicts.keep]
    return keep, 1.0 if any(keep) else 0.0


def _gold(case: Case, page: Page) -> tuple[Sequence[float], float]:
    """The share of each block that is gold, and how much of the gold was found."""
    texts = page.blocks.text
    if not case.golds:
        return [0.0] * len(texts), 0.0
    by_character = without_spaces(case.lang, case.golds[0])
    by_block = shares(texts, case.golds[0], by_character)
    found = sum(share * len(tokens(text, by_character)) for share, text in zip(by_block, texts, strict=True))
    return by_block, round(found / max(len(tokens(case.golds[0], by_character)), 1), 4)


def _marked(corpus: Corpus) -> dict[str, list[str]]:
    """The xpaths of content blocks that a person marked, where the corpus has them."""
    if not corpus.path.name.endswith((".jsonl", ".jsonl.zst")):
        return {}
    marked = {}
    for record in _records(corpus.path):
        blocks = (record.get("extra") or {}).get("blocks") or []
        xpaths = [block["xpath"] for block in blocks if block.get("type") in _CONTENT]
        if xpaths:
            marked[str(record["id"])] = xpaths
    return marked


def _records(path: Path) -> Iterator[dict[str, Any]]:
    import zstandard

    packed = path.suffix == ".zst"
    with zstandard.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
