"""``POST /v1/batch``: many pages, a line of JSON each."""

from typing import Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from bonmun.errors import QueueFull
from bonmun.serve.access.scopes import needs
from bonmun.serve.batch import MEDIA_TYPE, BatchResponse
from bonmun.serve.current_request import current_request
from bonmun.serve.dependencies import TheService
from bonmun.serve.problems import Problem, problem_responses

router = APIRouter(prefix="/v1", tags=["extract"], dependencies=[Depends(needs("extract"))])

_TYPES = (MEDIA_TYPE, "application/jsonl", "application/ndjson")


def _lines_of(model: str) -> dict[str, Any]:
    lines = f"One `{model}` a line, each ended by a line feed."
    return {"schema": {"type": "string", "description": lines}}


@router.post(
    "/batch",
    response_class=Response,
    responses={
        200: {
            "description": "One `BatchAnswer` a line, in the order of the lines.",
            "content": {MEDIA_TYPE: _lines_of("BatchAnswer")},
        },
        **problem_responses(415),
    },
    openapi_extra={
        "requestBody": {"required": True, "content": {media_type: _lines_of("BatchInput") for media_type in _TYPES}}
    },
)
async def batch(request: Request, service: TheService) -> Response:
    """Extract many pages: lines of JSON in and out, streamed both ways, in the same order.

    A line that fails is answered by its problem; the others go on. A blank line is not answered.
    """
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() not in _TYPES:
        raise Problem(415, "unsupported media type", f"Content-Type {kind!r} is none of {', '.join(_TYPES)}")
    if service.batches >= service.settings.batches:
        raise QueueFull(f"{service.batches} batches are running; try again later")
    current = current_request()
    assert current is not None, "RequestMiddleware is not installed"
    return BatchResponse(service, current)
