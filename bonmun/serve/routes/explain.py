"""``POST /v1/explain``: every block with its verdict."""

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.responses import Response

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.explanation import ExplainWork, Explanation
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import JudgedInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS
from bonmun.serve.work import AsJson

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])


class ExplainInput(JudgedInput):
    """A page, the method that judges it, and whether a browser draws it."""

    rendered: bool = Field(
        False, strict=True, description="Add a screenshot of the page with the boxes of its blocks; needs Chromium."
    )


@router.post("/explain", response_model=Explanation, responses=PAGE_PROBLEMS)
async def explain(asked: ExplainInput, service: TheService, owner: Owner) -> Response:
    """Return the page with the verdict on every block: score, reasons, xpath; and the page drawn.

    With `rendered` a browser draws the page, without scripts and requests; the answer has a screenshot and the box of
    every block on it. A service without Chromium answers 501.
    """
    page = await given_page(service, owner, asked)
    site = await known_site(service, page, asked.method, asked.sites)
    work = ExplainWork(page, asked.method, asked.prefer, service.settings.limits, site, asked.rendered)
    return Response(await service.perform(AsJson(work)), media_type="application/json")
