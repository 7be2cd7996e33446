"""``POST /v1/compare``: several methods on one page."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import AfterValidator, Field

from bonmun.serve.access.scopes import needs
from bonmun.serve.comparison import CompareWork, Comparison
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import PageInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])


def _distinct(names: list[str]) -> list[str]:
    if len({*names}) < len(names):
        raise ValueError("name each method once")
    return names


class CompareInput(PageInput):
    """A page and the methods that judge it."""

    methods: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100)]],
        Field(min_length=2, max_length=4, json_schema_extra={"uniqueItems": True}),
        AfterValidator(_distinct),
    ]


@router.post("/compare", response_model=Comparison, responses=PAGE_PROBLEMS)
async def compare(asked: CompareInput, service: TheService, owner: Owner) -> Response:
    """Return the verdict of each method on every block. A method that fails has a `problem` and no verdicts.

    The method `template` needs a known site: that of the page's URL.
    """
    page = await given_page(service, owner, asked)
    site = None
    if "template" in asked.methods:
        site = await known_site(service, page, "template")
    work = CompareWork(page, tuple(asked.methods), service.settings.limits, site)
    return Response(await service.perform(work), media_type="application/json")
