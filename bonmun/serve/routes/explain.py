"""``POST /v1/explain``: every block with its verdict."""

from fastapi import APIRouter

from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.explanation import ExplainWork, Explanation
from bonmun.serve.page_input import JudgedInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS

router = APIRouter(prefix="/v1", tags=["extract"])


@router.post("/explain", responses=PAGE_PROBLEMS)
async def explain(asked: JudgedInput, service: TheService, owner: Owner) -> Explanation:
    """Return the page with the verdict on every block: score, reasons, xpath; and the page drawn."""
    page = await given_page(service, owner, asked)
    return await service.perform(ExplainWork(page, asked.method, asked.prefer, service.settings.limits))
