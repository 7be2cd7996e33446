"""Several methods on one page, block by block."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from pydantic import BaseModel, Field

from bonmun import registry
from bonmun.deadline import check, within
from bonmun.errors import BonmunError, LimitExceeded, NotStored, PluginError
from bonmun.limits import Limits
from bonmun.model.block import rows_shown
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN
from bonmun.model.verdict import Verdicts
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.serve.analyser_loading import load_analyser
from bonmun.serve.given_page import GivenPage
from bonmun.serve.problems import ProblemDocument, problem_of
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

_MOST_CHARACTERS: Final = 64_000_000
"""Texts and xpaths of one answer: tag names of a hostile page make each xpath as long as they like."""


class ComparedMethod(BaseModel):
    """The answer of one method as a whole."""

    name: str
    status: str | None = Field(description="ok, empty or abstained; null if the method failed")
    confidence: float | None
    page_type: str | None
    kept_blocks: int
    kept_characters: int
    seconds: float
    """The time of the method alone; the page is read once for all."""
    warnings: list[str]
    notes: list[str]
    """Reasons that concern the page as a whole."""
    problem: ProblemDocument | None


class ComparedBlock(BaseModel):
    """A block of the page with the verdict of each method, in the order of `methods`."""

    index: int
    kind: str
    level: int
    text: str
    """Of a picture, its description."""
    xpath: str
    hidden: bool
    keep: list[bool | None]
    """Null for a method that failed."""
    partial: list[bool]
    """Whether a method keeps only a part of the block."""
    score: list[float | None]


class Comparison(BaseModel):
    """Several methods on one page."""

    page: str
    """The id for further requests on the same page."""
    url: str | None
    characters: int
    methods: list[ComparedMethod]
    blocks: list[ComparedBlock]
    agreement: list[list[float | None]]
    """The share of characters on which two methods agree; null where one failed."""
    seconds: float
    """The time to read the page."""


@dataclass(frozen=True, slots=True)
class _Column:
    """One method's verdicts, or its error."""

    name: str
    document: Document | None
    error: BonmunError | None
    seconds: float


@dataclass(frozen=True, slots=True)
class CompareWork:
    """Judge a page by several methods."""

    page: GivenPage
    methods: tuple[str, ...]
    limits: Limits
    site: Site | None = None
    """The site of the page, for the method `template`."""

    @property
    def seconds(self) -> float:
        """The limit for reading, for each method, and for the answer."""
        return (len(self.methods) + 2) * self.limits.seconds + drawing_seconds(*self.methods)

    def run(self) -> bytes:
        """Return a `Comparison` as JSON."""
        start = perf_counter()
        with within(self.limits.seconds):
            page = read_page(
                self.page.content, url=self.page.url, charset=self.page.content_type, limits=self.limits
            )  # fmt: skip
        read = perf_counter() - start
        load_analyser(page, self.methods)
        columns = list(self._columns(page))
        with within(self.limits.seconds):
            answer = {
                "page": self.page.id,
                "url": self.page.url,
                "characters": sum(page.blocks.chars),
                "methods": [_summary(column) for column in columns],
                "blocks": _blocks(page, columns),
                "agreement": _agreement(page, columns),
                "seconds": read,
            }
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def _columns(self, page: Page) -> Iterator[_Column]:
        """The methods one after the other; a page that a browser has drawn for one serves the next that needs it."""
        drawn = page
        for name in self.methods:
            column = self._column(drawn if registry.needs_layout(name) else page, name)
            if column.document is not None and column.document.page.layout is not None:
                drawn = column.document.page
            yield column

    def _column(self, page: Page, name: str) -> _Column:
        """A method's verdicts; its failure is a problem of this column alone."""
        start = perf_counter()
        try:
            document = extract(page, method=self._method(name), limits=self.limits)
        except BonmunError as error:
            return _Column(name, None, error, perf_counter() - start)
        except Exception as error:
            if name in registry.METHODS:
                raise
            failure = PluginError(name, "methods", f"{type(error).__name__}: {error}")
            return _Column(name, None, failure, perf_counter() - start)
        return _Column(name, document, None, perf_counter() - start)

    def _method(self, name: str) -> "str | Site":
        if name != "template":
            return name
        if self.site is None:
            raise NotStored("no templates of this page's site are known; learn the site from some of its pages first")
        return self.site


def _summary(column: _Column) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "name": column.name, "status": None, "confidence": None, "page_type": None, "kept_blocks": 0,
        "kept_characters": 0, "seconds": column.seconds, "warnings": [], "notes": [], "problem": None,
    }  # fmt: skip
    if column.error is not None:
        return {**summary, "problem": problem_of(column.error).document()}
    document = column.document
    assert document is not None
    kept = [block for block in document.all_blocks if block.keep]
    return {
        **summary,
        "status": document.status.value,
        "confidence": round(document.confidence, 4),
        "page_type": document.page_type,
        "kept_blocks": len(kept),
        "kept_characters": sum(len(block.text) for block in kept),
        "warnings": list(document.warnings),
        "notes": [str(note) for note in document.reasons],
    }


def _blocks(page: Page, columns: Sequence[_Column]) -> list[dict[str, Any]]:
    """Every block with the verdicts of all methods."""
    shown, xpath, rows = page.shown_blocks, page.nodes.xpath, page.xpath_rows
    answers = [column.document.verdicts if column.document else None for column in columns]
    listed, size = list[dict[str, Any]](), 0
    for index, kind in enumerate(shown.kind):
        check()
        text = shown.text_at(index) or page.nodes.attr(shown.first[index], "alt") or ""
        path = xpath(rows[index])
        size += len(text) + len(path)
        if size > _MOST_CHARACTERS:
            raise LimitExceeded("output", size, _MOST_CHARACTERS)
        listed.append(
            {
                "index": index,
                "kind": kind.value,
                "level": shown.level[index],
                "text": text,
                "xpath": path,
                "hidden": bool(shown.flags[index] & HIDDEN),
                "keep": [bool(one.keep[index]) if one else None for one in answers],
                "partial": [bool(one and index in one.parts) for one in answers],
                "score": [round(one.score[index], 4) if one else None for one in answers],
            }
        )
    return listed


def _agreement(page: Page, columns: Sequence[_Column]) -> list[list[float | None]]:
    """For each two methods the share of characters that both keep or both drop."""
    answers = [column.document.verdicts if column.document else None for column in columns]
    matrix: list[list[float | None]] = [[None] * len(answers) for _ in answers]
    for one, first in enumerate(answers):
        for two, second in enumerate(answers[: one + 1]):
            if first is not None and second is not None:
                matrix[one][two] = matrix[two][one] = round(agreement(page, first, second), 4)
    return matrix


def agreement(page: Page, one: Verdicts, two: Verdicts) -> float:
    """Return the share of a page's characters on which two verdicts agree; 1 on a page without any.

    >>> from bonmun.pipeline import extract
    >>> page = extract("<p>Tea</p><p>and water</p>").page
    >>> first, second = Verdicts([1, 1], [], [], 1.0), Verdicts([1, 0], [], [], 1.0)
    >>> agreement(page, first, second)
    0.25
    """
    total = sum(page.blocks.chars)
    if not total:
        return 1.0
    agreed = 0.0
    for index, chars in enumerate(page.blocks.chars):
        if index in one.parts or index in two.parts:
            agreed += chars * _shared_part(page, index, one, two)
        elif bool(one.keep[index]) == bool(two.keep[index]):
            agreed += chars
    return agreed / total


def _shared_part(page: Page, index: int, one: Verdicts, two: Verdicts) -> float:
    """The share of a block, by its text nodes, on which two verdicts agree."""
    blocks, nodes = page.blocks, page.nodes
    shown = rows_shown(nodes, blocks.first[index], blocks.stop[index], bool(blocks.flags[index] & HIDDEN))
    rows = [row for row in shown if nodes.chars[row]]
    kept = [set(each.parts.get(index, rows) if each.keep[index] else ()) for each in (one, two)]
    same = sum(nodes.chars[row] for row in rows if (row in kept[0]) == (row in kept[1]))
    return same / (sum(nodes.chars[row] for row in rows) or 1)
