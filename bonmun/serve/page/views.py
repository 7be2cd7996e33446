"""The routes of the screens."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bonmun.serve.page.rendering import Screen, render

router = APIRouter(include_in_schema=False)

EXTRACT: Final = Screen("extract.html", "extract", ("analysis",))
COMPARE: Final = Screen("compare.html", "compare", ("extract",))
SITES: Final = Screen("sites.html", "sites")
SITE: Final = Screen("site.html", "sites")
ARCHIVE: Final = Screen("archive.html", "archive")
DOCUMENT: Final = Screen("document.html", "archive")
JOBS: Final = Screen("jobs.html", "jobs")


@router.get("/")
async def extract(request: Request) -> Response:
    """One page: its verdicts, its text, corrections.

    An address in the link (`/?url=`) is fetched at once only if the reader came from this page or typed the link: a
    link on a foreign page must not make the service fetch anything.
    """
    return render(request, EXTRACT, start_at_once=_is_trusted(request))


@router.get("/compare")
async def compare(request: Request) -> Response:
    """Several methods on one page."""
    return render(request, COMPARE, start_at_once=_is_trusted(request))


@router.get("/sites")
async def sites(request: Request) -> Response:
    """The sites with learned rules."""
    return render(request, SITES)


@router.get("/sites/{host}")
async def site(request: Request, host: str) -> Response:
    """A site's rules."""
    return render(request, SITE, host=host)


@router.get("/archive")
async def archive(request: Request) -> Response:
    """Search in what was kept."""
    return render(request, ARCHIVE)


@router.get("/archive/{document}")
async def document(request: Request, document: str) -> Response:
    """A document with its versions."""
    return render(request, DOCUMENT, document=document)


@router.get("/jobs")
async def jobs(request: Request) -> Response:
    """Crawls and batches."""
    return render(request, JOBS)


def _is_trusted(request: Request) -> bool:
    """Whether the reader came from a screen of ours, or typed the address."""
    return request.headers.get("sec-fetch-site", "") in ("same-origin", "none")
