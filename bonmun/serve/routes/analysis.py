"""``POST /v1/analysis``: the intermediate results of the methods `xpath` and `logical`."""

from typing import Literal

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from bonmun.serve.access.scopes import needs
from bonmun.serve.analysis import MOST_ENTRIES, AnalysisAnswer, AnalysisWork
from bonmun.serve.analysis_lists import Window
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.page_input import PageInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])


class AnalysisInput(PageInput):
    """A page, the method, and the window of its long list: text nodes or leaf blocks."""

    method: Literal["xpath", "logical"]
    offset: int = Field(0, ge=0, le=1_000_000, strict=True)
    limit: int = Field(MOST_ENTRIES, ge=1, le=MOST_ENTRIES, strict=True)


@router.post("/analysis", response_model=AnalysisAnswer, responses=PAGE_PROBLEMS)
async def analysis(asked: AnalysisInput, service: TheService, owner: Owner) -> Response:
    """Return the steps of a method: text nodes, groups and choice, or length list, keyword list and region.

    A page with more entries than `limit` is asked for again with `offset`; an answer may have fewer than `limit`
    where the texts are long.
    """
    page = await given_page(service, owner, asked)
    work = AnalysisWork(page, asked.method, Window(asked.offset, asked.limit), service.settings.limits)
    return Response(await service.perform(work), media_type="application/json")
