"""``POST /v1/explain``: every block with its verdict."""

from fastapi import APIRouter, Depends
from starlette.responses import Response

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.explanation import ExplainWork, Explanation
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import JudgedInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS
from bonmun.serve.work import AsJson

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])


@router.post("/explain", response_model=Explanation, responses=PAGE_PROBLEMS)
async def explain(asked: JudgedInput, service: TheService, owner: Owner) -> Response:
    """Return the page with the verdict on every block: score, reasons, xpath; and the page drawn."""
    page = await given_page(service, owner, asked)
    site = await known_site(service, page, asked.method, asked.sites)
    work = ExplainWork(page, asked.method, asked.prefer, service.settings.limits, site)
    return Response(await service.perform(AsJson(work)), media_type="application/json")
