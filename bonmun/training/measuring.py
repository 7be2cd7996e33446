"""Features, labels and words of pages, cached in a folder: an interrupted run continues where it stopped."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import tee
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.systems import code_stamp
from bonmun.evaluate.tokens import tokens, without_spaces
from bonmun.features.table import measure_page
from bonmun.read.page import read_page
from bonmun.training.conventions import DEFAULT, Convention, convention_of
from bonmun.training.page_labels import page_labels
from bonmun.training.variants import TrainingPage
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_SECONDS = 600.0
"""Time limit for a page: labels need seconds on the largest pages."""
_ARRAYS = ("table", "labels", "known", "heading")
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
    variant: bool = False
    """Whether the page is learned beside its original; it has no part in results."""
    lines_only: bool = False
    """Whether only some lines of its main text are known, so that it has no F1."""


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
    known: NDArray[np.float32]
    """1 where the corpus says what a block is, else 0."""
    words: Lists
    golds: Lists
    terms: Lists
    names: Lists
    heading: NDArray[np.int32]


def measured(
    training: Iterable[TrainingPage],
    folder: Path,
    jobs: int,
    advance: Callable[[], None],
    failed: Callable[[str, str], None],
) -> Iterator[tuple[Info, Measurements]]:
    """Yield every page with its measurements, in order; call `failed` for pages without."""
    folder.mkdir(parents=True, exist_ok=True)
    items, pages = tee(training)
    with WorkerPool(partial(_store, folder), jobs=jobs, seconds=_SECONDS) as pool:
        results = pool.map((item.case, convention_of(item.corpus)) for item in items)
        for result, item in zip(results, pages, strict=True):
            case, convention = item.case, convention_of(item.corpus)
            advance()
            if isinstance(result, Failure):
                if not isinstance(result.error, BonmunError):  # A bug, or a full disk: no page is the cause.
                    raise result.exception()
                failed(case.id, result.message)
                continue
            info = Info(
                *(case.id, item.corpus, case.domain, case.group, case.lang, case.page_type),
                variant=item.variant,
                lines_only=convention.lines_only,
            )
            yield info, _load(folder / case_file(case, convention))


def case_file(case: Case, convention: Convention = DEFAULT) -> str:
    """The name of a page's measurements: a hash of markup, golds and code."""
    kinds = sorted(kind.value for kind in convention.open_inside)
    lines = case.present if convention.lines_only else ()
    content = json.dumps([case.html, case.golds, case.lang, case.keep, kinds, lines]).encode(errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=16, key=_code()).hexdigest() + ".npz"


def _store(folder: Path, item: tuple[Case, Convention]) -> None:
    """Measure a page and write the measurements, unless they are there; runs in a worker process."""
    path = folder / case_file(*item)
    if path.exists():
        return
    page = measure(*item)
    parts: dict[str, Any] = {"columns": np.array(page.columns)}
    parts |= {name: getattr(page, name) for name in _ARRAYS}
    for name in ("words", "golds", "terms", "names"):
        lists: Lists = getattr(page, name)
        parts[f"{name}_start"], parts[f"{name}_numbers"] = lists.start, lists.numbers
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, **parts)
    unfinished.replace(path)


def _load(path: Path) -> Measurements:
    with np.load(path, allow_pickle=False) as parts:
        lists: dict[str, Any] = {
            name: Lists(parts[f"{name}_start"], parts[f"{name}_numbers"])
            for name in ("words", "golds", "terms", "names")
        }
        columns = tuple(map(str, parts["columns"]))
        return Measurements(columns, **{name: parts[name] for name in _ARRAYS}, **lists)


def measure(case: Case, convention: Convention = DEFAULT) -> Measurements:
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
    labels = page_labels(case, page, words, by_character, convention)
    return Measurements(
        columns=tuple(table),
        table=np.array(list(table.values()), np.float32).T.reshape(len(texts), len(table)),
        labels=np.array(labels.content, np.float32),
        known=np.array(labels.known, np.float32),
        words=Lists.of(words),
        golds=Lists.of([numbered(gold) for gold in golds]),
        terms=Lists.of(buckets.terms),
        names=Lists.of(buckets.names),
        heading=np.array(buckets.heading, np.int32),
    )


@cache
def _code() -> bytes:
    """A hash of all code that a measurement may run: a list of single files would miss some."""
    package = Path(__file__).parents[1]
    total = hashlib.blake2b(code_stamp().encode(), digest_size=16)
    for path in sorted(path for folder in _CODE for path in (package / folder).rglob("*.py")):
        total.update(path.relative_to(package).as_posix().encode())
        total.update(path.read_bytes())
    return total.digest()
