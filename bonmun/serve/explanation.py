"""A page with the verdict on every block, as the screens show it."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from pydantic import BaseModel

from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.pipeline import extract
from bonmun.serve.extraction import judged
from bonmun.serve.given_page import GivenPage
from bonmun.serve.rendered_page import RenderedAnswer, rendered_answer, rendered_page, rendering_seconds
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
    rendered: RenderedAnswer | None
    """The page as a browser drew it, if the request has `rendered` or the method needs it; else null."""
    seconds: dict[str, float]
    """The time of each step: `extract` and `write` (in the worker), `fetch` if it was fetched, `render`."""


@dataclass(frozen=True, slots=True)
class ExplainWork:
    """Extract a page and explain the verdict on every block."""

    page: GivenPage
    method: str
    prefer: str | float
    limits: Limits
    site: Site | None = None
    """The known site of the page, whose rules decide instead of `auto`."""
    rendered: bool = False
    """Whether a browser draws the page first, with a screenshot."""

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output; and the time of the browser."""
        browser = rendering_seconds() if self.rendered else drawing_seconds(self.method)
        return 2 * self.limits.seconds + browser

    def run(self) -> Explanation:
        """Return the page with every verdict."""
        seconds = {} if self.page.network is None else {"fetch": self.page.network.seconds}
        start = perf_counter()
        if self.rendered:
            page = rendered_page(self.page, self.limits)
            seconds["render"] = perf_counter() - start
            start = perf_counter()
            document = extract(page, method=self.method, prefer=self.prefer, limits=self.limits, sites=self.site)
        else:
            document = judged(self.page, self.method, self.prefer, self.limits, self.site)
        return _explanation(self.page, document, start, seconds)


def _explanation(page: GivenPage, document: Document, start: float, seconds: dict[str, float]) -> Explanation:
    extracted = perf_counter()
    metadata: Any = document.to_dict()["metadata"]
    blocks, drawing, rendered = _blocks(document), framed_page.write(document, FRAME_STYLE), rendered_answer(document)
    seconds = {"extract": extracted - start, "write": perf_counter() - extracted, **seconds}
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
        warnings=_warnings(document),
        metadata=metadata,
        blocks=blocks,
        drawing=drawing,
        rendered=rendered,
        seconds=seconds,
    )


def _warnings(document: Document) -> list[str]:
    """The warnings without the note on the browser, which is in `rendered`."""
    layout = document.page.layout
    return [warning for warning in document.warnings if layout is None or warning != layout.note]


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
