"""``POST /v1/fetch``: a page by its URL, kept for the requests that follow."""

from datetime import datetime

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from bonmun.middleware.exchange import NetworkFacts
from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.page_input import fetched_page
from bonmun.serve.problems import PAGE_PROBLEMS
from bonmun.serve.request_model import RequestModel

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("fetch"))])


class FetchInput(RequestModel):
    """The address of a page."""

    url: str = Field(min_length=1, max_length=8000)


class NetworkAnswer(BaseModel):
    """How a page was fetched."""

    status: int
    http_version: str
    redirects: list[str]
    """The URLs that redirected, the requested one first."""
    received_bytes: int
    """Bytes of the body before decompression."""
    seconds: float
    fetched_at: datetime


class FetchedPage(BaseModel):
    """A page that was fetched, without its content."""

    page: str
    """The id for further requests on the page."""
    url: str
    """The final address."""
    bytes: int
    content_type: str | None
    network: NetworkAnswer


@router.post("/fetch", responses=PAGE_PROBLEMS)
async def fetch(asked: FetchInput, service: TheService, owner: Owner) -> FetchedPage:
    """Fetch a page and keep it; `page` names it in further requests.

    A request of a person for one page: the site's robots.txt is not consulted.
    """
    page = await fetched_page(service, asked.url)
    assert page.network is not None and page.url is not None
    return FetchedPage(
        page=await service.keep(owner, page),
        url=page.url,
        bytes=len(page.content),
        content_type=page.content_type,
        network=_network_answer(page.network),
    )


def _network_answer(facts: NetworkFacts) -> NetworkAnswer:
    return NetworkAnswer(
        status=facts.status,
        http_version=facts.http_version,
        redirects=list(facts.redirects),
        received_bytes=facts.received_bytes,
        seconds=facts.seconds,
        fetched_at=facts.fetched_at,
    )
