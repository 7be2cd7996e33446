"""The intermediate results of a method, linked to the blocks of the page: the papers' analysis screens."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from bonmun.deadline import within
from bonmun.limits import Limits
from bonmun.methods.logical import LogicalAnalysis
from bonmun.methods.xpath_groups import XPathAnalysis
from bonmun.model.document import Document
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.serve.analyser_loading import load_analyser
from bonmun.serve.analysis_lists import Window, logical_lists, xpath_panes
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds

MOST_ENTRIES: Final = 20_000
"""Entries of a list in one answer: 4 MB on a real page. The largest of 3,717 pages has about as many text nodes."""


class TextNodeEntry(BaseModel):
    """A text node of the page."""

    path: str
    """Tag names from the root: its ID in the paper."""
    length: int
    text: str
    block: int | None
    """The index of its block; null for a text that belongs to none."""
    xpath: str


class GroupEntry(BaseModel):
    """Consecutive text nodes with the same path."""

    index: int
    path: str
    first: int
    """The index of its first text node."""
    count: int
    length: int


class XPathPanes(BaseModel):
    """The four panes of the paper's analysis screen, and its table 3."""

    offset: int
    """The index of the first text node of this answer."""
    total: int
    """All text nodes of the page."""
    text_nodes: list[TextNodeEntry]
    total_groups: int
    groups: list[GroupEntry]
    """The groups with a text node in this answer."""
    chosen: GroupEntry | None
    """Null on a page without text."""
    text: list[str]
    """The texts of the chosen group, all of them."""
    distinct_paths: int
    total_length: int


class LeafEntry(BaseModel):
    """A leaf block: a `div`, `p` or `span` none of whose child elements carries text."""

    id: int
    xpath: str
    length: int
    weight: int
    length_rank: int
    """From 0, the longest first."""
    weight_rank: int | None
    """From 0, the heaviest first; null for a block without weight."""
    nouns: list[tuple[str, int]]
    """The nouns that occur twice on the page, with their count in the block."""
    text: str
    blocks: list[int]
    """The indexes of the blocks of the page that it is in."""
    candidate: bool
    in_region: bool


class KeywordEntry(BaseModel):
    """A noun that occurs more than once."""

    noun: str
    frequency: int
    in_region: bool


class ClusterEntry(BaseModel):
    """The candidates of one parent."""

    xpath: str
    leaves: list[int]


class RegionEntry(BaseModel):
    """A region that clusters share."""

    xpath: str
    weight: int
    chosen: bool


class LogicalLists(BaseModel):
    """The lists of the logical method: length list, keyword list, candidates, regions."""

    offset: int
    """The id of the first leaf block of this answer."""
    total: int
    leaves: list[LeafEntry]
    language: str
    analyser: str
    warnings: list[str]
    notes: list[str]
    top: int
    """A candidate is among so many of both lists."""
    total_keywords: int
    keywords: list[KeywordEntry]
    candidates: list[int]
    clusters: list[ClusterEntry]
    regions: list[RegionEntry]
    region: str | None
    """The xpath of the chosen region; null on a page without leaf blocks."""
    kept: list[int]
    """The indexes of the blocks that the method keeps."""
    text: list[str]
    """Their texts."""


class XPathAnswer(BaseModel):
    """The analysis of the method `xpath`."""

    page: str
    method: Literal["xpath"]
    analysis: XPathPanes


class LogicalAnswer(BaseModel):
    """The analysis of the method `logical`."""

    page: str
    method: Literal["logical"]
    analysis: LogicalLists


AnalysisAnswer = Annotated[XPathAnswer | LogicalAnswer, Field(discriminator="method")]


@dataclass(frozen=True, slots=True)
class AnalysisWork:
    """Judge a page by a method and list its intermediate results."""

    page: GivenPage
    method: Literal["xpath", "logical"]
    window: Window
    limits: Limits

    @property
    def seconds(self) -> float:
        """Three times the limit: reading, judging, and the lists."""
        return 3 * self.limits.seconds + drawing_seconds(self.method)

    def run(self) -> bytes:
        """Return an `AnalysisAnswer` as JSON."""
        given = self.page
        with within(self.limits.seconds):
            page = read_page(given.content, url=given.url, charset=given.content_type, limits=self.limits)
        load_analyser(page, [self.method])
        document = extract(page, method=self.method, limits=self.limits)
        with within(self.limits.seconds):
            answer = {"page": given.id, "method": self.method, "analysis": self._lists(document)}
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def _lists(self, document: Document) -> dict[str, Any]:
        analysis = document.analysis
        if isinstance(analysis, LogicalAnalysis):
            return logical_lists(document, analysis, self.window)
        assert isinstance(analysis, XPathAnalysis)
        return xpath_panes(document, analysis, self.window)
