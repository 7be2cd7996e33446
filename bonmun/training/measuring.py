"""Features, labels and words of pages, cached in a folder: an interrupted run continues where it stopped."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import tee
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.systems import code_stamp
from bonmun.evaluate.tokens import tokens, without_spaces
from bonmun.features.table import measure_page
from bonmun.model.page import Page
from bonmun.model.segmentation import segmentation_digest
from bonmun.read.page import read_page
from bonmun.training.block_labels import shares
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_SECONDS = 600.0
"""Time limit for a page: labels need seconds on the largest pages."""
_CODE = ("evaluate", "training")
"""Folders whose code a measurement may run, beside the code of an extraction."""


@dataclass(frozen=True)
class Info:
    """Metadata of a page."""

    id: str
    corpus: str
    domain: str
    group: str | None
    lang: str
    page_type: str


@dataclass(frozen=True)
class Lists:
    """Lists of numbers, concatenated."""

    start: NDArray[np.int64]
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> "Lists":
        """Pack lists."""
        start = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls(start, np.array([number for one in lists for number in one], np.int32))


@dataclass(frozen=True)
class Measurements:
    """One page as training sees it. It holds no text: words are numbers that are valid on this page only."""

    columns: tuple[str, ...]
    table: NDArray[np.float32]
    labels: NDArray[np.float32]
    """The share of each block that is in the gold."""
    words: Lists
    golds: Lists
    terms: Lists
    names: Lists
    heading: NDArray[np.int32]


def measured(
    corpora: Sequence[Corpus], folder: Path, jobs: int, advance: Callable[[], None], failed: Callable[[str, str], None]
) -> Iterator[tuple[Info, Measurements]]:
    """Yield every page with its measurements, in the order of the corpora; call `failed` for pages without."""
    folder.mkdir(parents=True, exist_ok=True)
    items, pages = tee((corpus.name, case) for corpus in corpora for case in corpus.cases())
    with WorkerPool(partial(_store, folder), jobs=jobs, seconds=_SECONDS) as pool:
        results = pool.map(case for _, case in items)
        for result, (name, case) in zip(results, pages, strict=True):
            advance()
            if isinstance(result, Failure):
                if not isinstance(result.error, BonmunError):  # A bug, or a full disk: no page is the cause.
                    raise result.exception()
                failed(case.id, result.message)
                continue
            info = Info(case.id, name, case.domain, case.group, case.lang, case.page_type)
            yield info, _load(folder / case_file(case))


def case_file(case: Case) -> str:
    """The name of a page's measurements: a hash of markup, golds and code."""
    content = json.dumps([case.html, case.golds, case.lang, case.keep]).encode(errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=16, key=_code()).hexdigest() + ".npz"


def _store(folder: Path, case: Case) -> None:
    """Measure a page and write the measurements, unless they are there; runs in a worker process."""
    path = folder / case_file(case)
    if path.exists():
        return
    page = measure(case)
    parts: dict[str, Any] = {"columns": np.array(page.columns), "table": page.table, "labels": page.labels}
    parts["heading"] = page.heading
    for name in ("words", "golds", "terms", "names"):
        lists: Lists = getattr(page, name)
        parts[f"{name}_start"], parts[f"{name}_numbers"] = lists.start, lists.numbers
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, **parts)
    unfinished.replace(path)


def _load(path: Path) -> Measurements:
    with np.load(path, allow_pickle=False) as parts:
        lists = {
            name: Lists(parts[f"{name}_start"], parts[f"{name}_numbers"])
            for name in ("words", "golds", "terms", "names")
        }
        columns = tuple(map(str, parts["columns"]))
        return Measurements(columns, parts["table"], parts["labels"], heading=parts["heading"], **lists)


def measure(case: Case) -> Measurements:
    """Measure one page."""
    page = read_page(case.html, url=case.url)
    texts = page.blocks.text
    golds = case.golds or ("",)
    by_character = without_spaces(case.lang, golds[0])
    table, buckets = measure_page(page)
    numbers: dict[str, int] = {}

    def numbered(text: str) -> list[int]:
        return [numbers.setdefault(word, len(numbers)) for word in tokens(text, by_character)]

    words = [numbered(text) for text in texts]
    return Measurements(
        columns=tuple(table),
        table=np.array(list(table.values()), np.float32).T.reshape(len(texts), len(table)),
        labels=np.array(_labels(case, page, words, by_character), np.float32),
        words=Lists.of(words),
        golds=Lists.of([numbered(gold) for gold in golds]),
        terms=Lists.of(buckets.terms),
        names=Lists.of(buckets.names),
        heading=np.array(buckets.heading, np.int32),
    )


def _labels(case: Case, page: Page, words: Sequence[Sequence[int]], by_character: bool) -> Sequence[float]:
    """Return the label of each block: as a person gave it if these are the labelled blocks, else by the gold.

    A block without words, such as a picture, is 0 in both: pictures are decided by the text around them.
    """
    if case.keep and case.segmentation == segmentation_digest(page.blocks):
        return [float(keep and bool(held)) for keep, held in zip(case.keep, words, strict=True)]
    return shares(page.blocks.text, case.golds[0] if case.golds else "", by_character)


@cache
def _code() -> bytes:
    """A hash of all code that a measurement may run: a list of single files would miss some."""
    package = Path(__file__).parents[1]
    total = hashlib.blake2b(code_stamp().encode(), digest_size=16)
    for path in sorted(path for folder in _CODE for path in (package / folder).rglob("*.py")):
        total.update(path.relative_to(package).as_posix().encode())
        total.update(path.read_bytes())
    return total.digest()
