"""``POST /v1/extract``: the main content of a page, in any format."""

from typing import Any

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.extract_input import ExtractForm, ExtractInput, PlainOptions, plain_parameters, validated
from bonmun.serve.extraction import MEDIA_TYPES, Extracted, ExtractWork, Options
from bonmun.serve.given_page import GivenPage
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import given_page
from bonmun.serve.problems import PAGE_PROBLEMS, Problem, problem_responses
from bonmun.serve.service import Service

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])

PAGE_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain")
"""Media types of a body that is the page itself."""
FORM = "multipart/form-data"
CONTENT_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept",
}
"""Headers of an answer that has content of a page: a browser that shows it runs and loads nothing."""
_TEXT = {"schema": {"type": "string"}}
DOCUMENT_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The document in the format asked for.",
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Document"}},
            **{media_type: _TEXT for media_type in MEDIA_TYPES.values() if media_type != "application/json"},
        },
        "headers": {
            "X-Bonmun-Page": {"description": "The id for further requests on the page.", **_TEXT},
            "X-Bonmun-Status": {"schema": {"enum": ["ok", "empty", "abstained"], "type": "string"}},
            "X-Bonmun-Confidence": {"schema": {"type": "number", "minimum": 0, "maximum": 1}},
        },
    }
}
_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/ExtractInput"}},
        FORM: {"schema": {"$ref": "#/components/schemas/ExtractForm"}},
        **dict.fromkeys(PAGE_TYPES, _TEXT),
    },
}


@router.post(
    "/extract",
    response_class=Response,
    responses={**DOCUMENT_RESPONSE, **PAGE_PROBLEMS, **problem_responses(406)},
    openapi_extra={"requestBody": _BODY, "parameters": plain_parameters()},
)
async def extract(request: Request, service: TheService, owner: Owner) -> Response:
    """Return the main content of a page.

    The body is JSON, an upload (multipart), or the page itself. Options stand in the JSON, in the form's fields, or,
    beside a page as body, in the query. With the method `auto`, the rules of a learned site decide on its pages.
    """
    page, options = await _asked(request, service, owner)
    work = ExtractWork(page, options, await known_site(service, page, options.method, options.sites))
    return document_response(page, options.format, await service.perform(work))


def document_response(page: GivenPage, format: str, extracted: Extracted) -> Response:
    """Return a document as a response."""
    headers = {
        "X-Bonmun-Page": page.id,
        "X-Bonmun-Status": extracted.status,
        "X-Bonmun-Confidence": f"{extracted.confidence:.4f}",
        **CONTENT_HEADERS,
    }
    return Response(extracted.content, headers=headers, media_type=MEDIA_TYPES[format])


async def _asked(request: Request, service: Service, owner: str) -> tuple[GivenPage, Options]:
    """The page of a request and its options, by the type of its body."""
    kind = request.headers.get("content-type", "")
    media_type = kind.partition(";")[0].strip().lower()
    accept, limits = request.headers.get("accept"), service.settings.limits
    if media_type in PAGE_TYPES:
        plain: PlainOptions = validated(PlainOptions, dict(request.query_params), "query")
        page, options = GivenPage(await request.body(), plain.url, kind), plain.options(limits, accept)
    elif request.query_params:
        raise Problem(422, "invalid request", "options in the query need a page as the body; put them into the body")
    elif media_type == "application/json":
        asked: ExtractInput = validated(ExtractInput, await request.body(), "body")
        options = asked.options(limits, accept)
        return await given_page(service, owner, asked), options
    elif media_type == FORM:
        page, form = await _uploaded(request)
        options = form.options(limits, accept)
    else:
        known = ", ".join(("application/json", FORM, *PAGE_TYPES))
        raise Problem(415, "unsupported media type", f"Content-Type {kind!r} is none of {known}")
    await service.keep(owner, page)
    return page, options


async def _uploaded(request: Request) -> tuple[GivenPage, ExtractForm]:
    async with request.form(max_files=1, max_fields=len(ExtractForm.model_fields)) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Problem(422, "invalid request", "the form has no file named 'file'")
        asked: ExtractForm = validated(ExtractForm, {**form, "file": file.filename or ""}, "form")
        return GivenPage(await file.read(), asked.url, file.content_type), asked
