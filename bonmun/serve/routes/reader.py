"""``GET /r/<url>``: a page as Markdown, by its address."""

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from bonmun.middleware.hops import quoted_location
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.extract_input import negotiated
from bonmun.serve.extraction import ExtractWork, Options
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import PageInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS, Problem, problem_responses
from bonmun.serve.reader import ReaderWork, target
from bonmun.serve.routes.extract import DOCUMENT_RESPONSE, document_response

router = APIRouter(tags=["extract"], dependencies=[Depends(needs("extract", "fetch"))])

_FORMATS = ("text", "markdown", "html", "json", "xml", "tei")
"""The first is the answer to a client that takes anything."""
_LONGEST = 8000
_WITH_TITLE = Output(title=True)


@router.get(
    "/r/{url:path}",
    response_class=Response,
    responses={**DOCUMENT_RESPONSE, **PAGE_PROBLEMS, **problem_responses(404, 406)},
)
async def read(url: str, request: Request, service: TheService, owner: Owner) -> Response:
    """Fetch a page and return its main content.

    The URL follows as it is, with its query, or percent-encoded as a whole. `text/plain`, the default, is Markdown
    under the lines `Title:`, `URL Source:`, `Published Time:` and `Markdown Content:`; the Accept header asks for
    `text/markdown`, `text/html`, `application/json`, `application/xml` or `application/tei+xml`.
    """
    address = _address(request, url)
    if len(address) > _LONGEST:
        raise Problem(422, "invalid URL", f"the URL has more than {_LONGEST:,} characters")
    format = negotiated(request.headers.get("accept"), _FORMATS)
    page = await given_page(service, owner, PageInput.model_validate({"url": address}))
    output = _WITH_TITLE if format in ("markdown", "html") else DEFAULT_OUTPUT
    options = Options("auto", "balance", format, output, service.settings.limits)
    site = await known_site(service, page, options.method)
    work = ReaderWork(page, options, site) if format == "text" else ExtractWork(page, options, site)
    return document_response(page, format, await service.perform(work))


def _address(request: Request, decoded: str) -> str:
    """The URL as it was sent: the server's `path` is percent-decoded, which would change it."""
    raw, query = request.scope.get("raw_path") or b"", request.scope["query_string"]
    _, found, rest = raw.partition(b"/r/")
    sent = quoted_location(rest.decode("latin-1")) if found else decoded
    return target(sent, quoted_location(query.decode("latin-1")))
