"""Pages measured once: features, labels and words of each, kept in a folder so that a second start goes on."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.systems import code_stamp
from bonmun.evaluate.tokens import tokens, without_spaces
from bonmun.features.table import measure_page
from bonmun.read.page import read_page
from bonmun.training.labels import shares

_AHEAD = 8
"""Pages for each process that may wait: a corpus does not have to fit into memory."""
_CODE = ("evaluate", "training")
"""Folders that a measurement may run through, beside all that an extraction does."""


@dataclass(frozen=True)
class Info:
    """What is known of a page beside its measurements."""

    id: str
    corpus: str
    domain: str
    group: str | None
    lang: str
    page_type: str


@dataclass(frozen=True)
class Lists:
    """Lists of numbers, one behind the other."""

    start: NDArray[np.int64]
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> "Lists":
        """Pack lists."""
        start = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls(start, np.array([number for one in lists for number in one], np.int32))


@dataclass(frozen=True)
class Measurements:
    """One page as training sees it. No text is in it: words are numbers that mean something on this page only."""

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
    """Yield every page with its measurements, in the order of the corpora; pages that cannot be read are told."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = ((corpus.name, case) for corpus in corpora for case in corpus.cases())
    for name, case, problem in _in_order(cases, folder, jobs):
        advance()
        if problem is not None:
            failed(case.id, problem)
            continue
        info = Info(case.id, name, case.domain, case.group, case.lang, case.page_type)
        yield info, _load(folder / case_file(case))


def case_file(case: Case) -> str:
    """The name of a page's measurements: other markup, golds or code give another."""
    told = json.dumps([case.html, case.golds, case.lang]).encode(errors="surrogatepass")
    return hashlib.blake2b(told, digest_size=16, key=_code()).hexdigest() + ".npz"


def _in_order(cases: Iterable[tuple[str, Case]], folder: Path, jobs: int) -> Iterator[tuple[str, Case, str | None]]:
    """Yield cases once their measurements are there, with what went wrong."""
    if jobs == 1:
        for name, case in cases:
            yield name, case, _keep(case, folder)
        return
    waiting: list[tuple[str, Case, Future[str | None] | None]] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for name, case in cases:
            there = (folder / case_file(case)).exists()
            waiting.append((name, case, None if there else pool.submit(_keep, case, folder)))
            if len(waiting) >= _AHEAD * jobs:
                first, one, answer = waiting.pop(0)
                yield first, one, answer.result() if answer else None
        for first, one, answer in waiting:
            yield first, one, answer.result() if answer else None


def _keep(case: Case, folder: Path) -> str | None:
    """Measure a page unless that was done, and write it down; what went wrong, if anything."""
    path = folder / case_file(case)
    if path.exists():
        return None
    try:
        found = measure(case)
    except BonmunError as error:
        return str(error)
    parts: dict[str, Any] = {"columns": np.array(found.columns), "table": found.table, "labels": found.labels}
    parts["heading"] = found.heading
    for name in ("words", "golds", "terms", "names"):
        lists: Lists = getattr(found, name)
        parts[f"{name}_start"], parts[f"{name}_numbers"] = lists.start, lists.numbers
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, **parts)
    unfinished.replace(path)
    return None


def _load(path: Path) -> Measurements:
    with np.load(path, allow_pickle=False) as found:
        lists = {
            name: Lists(found[f"{name}_start"], found[f"{name}_numbers"])
            for name in ("words", "golds", "terms", "names")
        }
        columns = tuple(map(str, found["columns"]))
        return Measurements(columns, found["table"], found["labels"], heading=found["heading"], **lists)


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

    return Measurements(
        columns=tuple(table),
        table=np.array(list(table.values()), np.float32).T.reshape(len(texts), len(table)),
        labels=np.array(shares(texts, golds[0], by_character), np.float32),
        words=Lists.of([numbered(text) for text in texts]),
        golds=Lists.of([numbered(gold) for gold in golds]),
        terms=Lists.of(buckets.terms),
        names=Lists.of(buckets.names),
        heading=np.array(buckets.heading, np.int32),
    )


@cache
def _code() -> bytes:
    """A hash of the code that measures, and of more: a list of single files would miss some."""
    package = Path(__file__).parents[1]
    total = hashlib.blake2b(code_stamp().encode(), digest_size=16)
    for path in sorted(path for folder in _CODE for path in (package / folder).rglob("*.py")):
        total.update(path.relative_to(package).as_posix().encode())
        total.update(path.read_bytes())
    return total.digest()
