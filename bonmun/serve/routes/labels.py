"""``/v1/labels``: corrected verdicts, kept as labelled pages for ``bonmun train``."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from pydantic import BaseModel, FailFast, Field, StrictBool
from starlette.responses import StreamingResponse

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.given_page import GivenPage
from bonmun.serve.known_site import known_site
from bonmun.serve.labelling import LabelWork
from bonmun.serve.page_input import JudgedInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS, problem_responses
from bonmun.serve.stored import Limit, Offset, RowId, in_store

router = APIRouter(prefix="/v1/labels", tags=["labels"])
_READ, _WRITE = [Depends(needs("read"))], [Depends(needs("write"))]
_MISSING = problem_responses(404)
NDJSON = "application/x-ndjson"
LEAST_SITES: Final = 5
"""The folds of ``bonmun train``, which needs pages of as many sites."""
_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One JSON object a line: id, url, html, gold_text, lang, keep, segmentation, …",
        "content": {NDJSON: {"schema": {"type": "string"}}},
    }
}


class LabelInput(JudgedInput):
    """A page, the method whose verdicts were corrected, and the corrected verdicts."""

    keep: Annotated[list[StrictBool], Field(max_length=1_000_000), FailFast()] = Field(
        description="For each block of the page, in order, whether it belongs to the main content."
    )
    note: str = Field("", max_length=2_000)


class LabelSaved(BaseModel):
    """A saved label."""

    id: int
    corrections: int = Field(description="Blocks whose verdict was corrected.")
    total_pages: int
    total_corrections: int


class LabelSummary(BaseModel):
    """A labelled page in a list."""

    id: int
    url: str
    host: str
    title: str
    language: str
    page_type: str
    method: str
    prefer: str
    model: str
    note: str
    saved_at: datetime
    blocks: int
    kept: int
    corrections: int


class Training(BaseModel):
    """What ``bonmun train`` would use."""

    pages: int
    sites: int
    blocks: int
    least_sites: int = Field(description="Sites that the cross-validation needs.")
    ready: bool


class LabelList(BaseModel):
    """A part of the labelled pages, the latest first, with totals of all."""

    total: int
    total_corrections: int
    labels: list[LabelSummary]
    training: Training


class LabelAnswer(BaseModel):
    """A labelled page; `page` is its id for further requests."""

    id: int
    page: str
    url: str
    method: str
    prefer: str
    note: str
    keep: list[bool]
    before: list[bool]


@router.post("", dependencies=_WRITE, responses=PAGE_PROBLEMS | problem_responses(507))
async def save_label(asked: LabelInput, service: TheService, owner: Owner) -> LabelSaved:
    """Save the corrected verdicts on a page; they replace earlier ones on the same page."""
    page = await given_page(service, owner, asked)
    site = await known_site(service, page, asked.method, asked.sites)
    work = LabelWork(page, tuple(asked.keep), asked.method, asked.prefer, asked.note, service.settings.limits, site)
    label = await service.perform(work)
    id, totals = await in_store(service, lambda store: (store.save_label(label), store.label_totals()))
    return LabelSaved(
        id=id, corrections=label.corrections, total_pages=totals.pages, total_corrections=totals.corrections
    )


@router.get("", dependencies=_READ)
async def list_labels(service: TheService, limit: Limit = 20, offset: Offset = 0) -> LabelList:
    """Return the labelled pages, and what ``bonmun train`` would use."""
    totals, found = await in_store(service, lambda store: (store.label_totals(), store.labels(limit, offset)))
    names = list(LabelSummary.model_fields)
    return LabelList(
        total=totals.pages,
        total_corrections=totals.corrections,
        labels=[LabelSummary(**{name: getattr(one, name) for name in names}) for one in found],
        training=Training(
            pages=totals.pages, sites=totals.sites, blocks=totals.blocks, least_sites=LEAST_SITES,
            ready=totals.sites >= LEAST_SITES,
        ),
    )  # fmt: skip


@router.get("/export", dependencies=_READ, response_class=StreamingResponse, responses=_LINES)
async def export_labels(service: TheService) -> StreamingResponse:
    """Return all labelled pages as a corpus: save it as ``labels.jsonl`` for ``bonmun train --corpus``."""

    def lines() -> Iterator[bytes]:
        for line in service.store.label_lines():
            yield line.encode()

    headers = {"Content-Disposition": 'attachment; filename="labels.jsonl"', "X-Content-Type-Options": "nosniff"}
    return StreamingResponse(lines(), headers=headers, media_type=NDJSON)


@router.get("/{id:int}", dependencies=_READ, responses=_MISSING)
async def show_label(id: RowId, service: TheService, owner: Owner) -> LabelAnswer:
    """Return the verdicts of a labelled page; the page can be asked for by `page` afterwards."""
    label = await in_store(service, lambda store: store.label(id))
    page = GivenPage(label.html.encode(), label.url or None, "text/html; charset=utf-8")
    return LabelAnswer(
        id=id, page=await service.keep(owner, page), url=label.url, method=label.method, prefer=label.prefer,
        note=label.note, keep=list(label.keep), before=list(label.before),
    )  # fmt: skip


@router.delete("/{id:int}", status_code=204, dependencies=_WRITE, responses=_MISSING)
async def delete_label(id: RowId, service: TheService) -> None:
    """Remove a label."""
    await in_store(service, lambda store: store.delete_label(id))
