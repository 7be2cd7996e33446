"""A page with the verdict on every block, as the screens show it."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from pydantic import BaseModel

from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.serve.extraction import judged
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site
from bonmun.write import framed_page

FRAME_STYLE = "/static/frame.css"
"""The style sheet of the drawn page: without a version, since the worker that draws knows no static files."""


class ReasonAnswer(BaseModel):
    """A reason: a name for machines, a detail for people."""

    name: str
    detail: str


class BlockAnswer(BaseModel):
    """A block of the page with its verdict."""

    index: int
    kind: str
    level: int
    text: str
    keep: bool
    partial: bool
    score: float
    hidden: bool
    comment: bool
    xpath: str
    reasons: list[ReasonAnswer]


class Explanation(BaseModel):
    """The page with every verdict."""

    page: str
    """The id for further requests on the same page."""
    url: str | None
    bytes: int
    encoding: str | None
    status: str
    method: str
    confidence: float
    page_type: str | None
    reasons: list[ReasonAnswer]
    warnings: list[str]
    metadata: dict[str, Any]
    blocks: list[BlockAnswer]
    drawing: str
    """The page drawn as a safe HTML document: no scripts, links, forms or anything to load."""
    seconds: dict[str, float]
    """The time of each step: `extract` and `write` (in the worker), `fetch` if it was fetched."""


@dataclass(frozen=True, slots=True)
class ExplainWork:
    """Extract a page and explain the verdict on every block."""

    page: GivenPage
    method: str
    prefer: str | float
    limits: Limits
    site: Site | None = None
    """The known site of the page, whose rules decide instead of `auto`."""

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output."""
        return 2 * self.limits.seconds + drawing_seconds(self.method)

    def run(self) -> Explanation:
        """Return the page with every verdict."""
        start = perf_counter()
        page = self.page
        document = judged(page, self.method, self.prefer, self.limits, self.site)
        extracted = perf_counter()
        return _explanation(page, document, start, extracted)


def _explanation(page: GivenPage, document: Document, start: float, extracted: float) -> Explanation:
    metadata: Any = document.to_dict()["metadata"]
    blocks, drawing = _blocks(document), framed_page.write(document, FRAME_STYLE)
    seconds = {"extract": extracted - start, "write": perf_counter() - extracted}
    if page.network is not None:
        seconds["fetch"] = page.network.seconds
    return Explanation(
        page=page.id,
        url=document.url,
        bytes=len(page.content),
        encoding=document.page.encoding,
        status=document.status.value,
        method=document.method,
        confidence=document.confidence,
        page_type=document.page_type,
        reasons=[ReasonAnswer(name=reason.name, detail=reason.detail) for reason in document.reasons],
        warnings=list(document.warnings),
        metadata=metadata,
        blocks=blocks,
        drawing=drawing,
        seconds=seconds,
    )


def _blocks(document: Document) -> list[BlockAnswer]:
    comments = document.verdicts.comments or bytes(len(document.all_blocks))
    return [
        BlockAnswer(
            index=block.index,
            kind=block.kind.value,
            level=block.level,
            text=block.text,
            keep=block.keep,
            partial=block.part is not None,
            score=round(block.score, 4),
            hidden=block.hidden,
            comment=bool(comments[block.index]),
            xpath=block.xpath,
            reasons=[ReasonAnswer(name=reason.name, detail=reason.detail) for reason in block.reasons],
        )
        for block in document.all_blocks
    ]
