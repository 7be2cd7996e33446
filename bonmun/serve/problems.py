"""Errors as problem documents (RFC 9457).

A 5xx status says that the service is at fault, or busy. A page that cannot be fetched, read or extracted within its
limits is a 4xx: the same request will fail again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path

from bonmun import errors
from bonmun.errors import BonmunError

MEDIA_TYPE = "application/problem+json"
_STATUS: Mapping[type[BonmunError], int] = MappingProxyType(
    {
        errors.NotStored: 404,
        errors.NotAPage: 415,
        errors.WorkerTimeout: 422,
        errors.WorkerOutOfMemory: 422,
        errors.WorkerDied: 422,
        errors.LimitExceeded: 422,
        errors.UnknownName: 422,
        errors.UnsupportedPreference: 422,
        errors.InputError: 422,
        errors.AddressRefused: 403,
        errors.RobotsDisallowed: 403,
        errors.FetchError: 424,
        errors.QueueFull: 503,
        errors.WorkerNotStarted: 503,
        errors.StoreLocked: 503,
        errors.StoreUnreachable: 503,
        errors.StoreFull: 507,
        errors.RenderError: 422,
        errors.MissingBrowser: 501,
        errors.MissingExtra: 501,
    }
)
"""The status of an error is that of its nearest listed base; 500 for the rest."""
_MEANINGS: Mapping[int, str] = MappingProxyType(
    {
        400: "A malformed request.",
        401: "A token is missing or invalid.",
        403: "Not allowed: by the token's scopes, by the origin, or an address that is not public.",
        404: "Not found.",
        406: "No format that the Accept header names.",
        408: "The request took too long to arrive.",
        409: "In conflict with the state of the resource.",
        410: "The page of an earlier request is not kept any more; send it again.",
        413: "The request is too large.",
        415: "Not a web page, or a media type that is not read.",
        421: "The request is for another host.",
        422: "The request does not fit the schema, or the page exceeds a limit or was not drawn by the browser.",
        424: "The URL gave no page.",
        429: "Too many requests of this token.",
        500: "A defect of the service; the `id` is in its log.",
        501: "An optional package, or the browser that a method needs, is not installed.",
        503: "The queue is full, or the service starts or shuts down; try again after Retry-After seconds.",
        507: "The disk is full.",
    }
)
RETRY_AFTER = 1
"""Seconds after which a client may try again, unless more is known."""
_LONGEST = 2000
"""Characters of a detail: a message may quote the request."""
_MOST_ERRORS = 20


class ProblemDocument(BaseModel):
    """A problem (RFC 9457). `type` is for machines, `detail` for people; some types have further members."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="A URI that names the type of problem, such as `urn:bonmun:problem:QueueFull`.")
    title: str
    status: int
    detail: str


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of problem responses, for `responses=` of a route.

    >>> list(problem_responses(404, 410))
    [404, 410]
    """
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    return {
        status: {"description": _MEANINGS[status], "content": content | (_BY_SERVER if status in (400, 503) else {})}
        for status in statuses
    }


_BY_SERVER: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
"""What is not HTTP, such as an endless URL, and connections beyond its limit are answered by the server itself."""
PROBLEMS = problem_responses(400, 401, 403, 408, 413, 421, 422, 429, 500, 503)
"""The problems of any request: `create_app` adds them to every route."""
PAGE_PROBLEMS = problem_responses(410, 415, 424, 501)
"""The further problems of a request about a page: one that has the fields of `PageInput`."""


@dataclass(eq=False)  # not frozen: raising it sets its traceback
class Problem(Exception):
    """An answer that is a problem document: raise it in a route."""

    status: int
    title: str
    """Always the same for a type of problem."""
    detail: str = ""
    type: str = "about:blank"
    headers: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the document."""

    def document(self) -> dict[str, Any]:
        """The problem as data."""
        detail = self.detail if len(self.detail) <= _LONGEST else self.detail[:_LONGEST] + "…"
        document = {"type": self.type, "title": self.title, "status": self.status, "detail": detail}
        return {**document, **jsonable_encoder(dict(self.fields))}

    def response(self) -> Response:
        """The problem as a response."""
        text = json.dumps(self.document(), ensure_ascii=False, separators=(",", ":"))
        return Response(text.encode("utf-8", "replace"), self.status, dict(self.headers), MEDIA_TYPE)


class EarlyProblem(HTTPException):
    """A problem raised while the body is read: there, FastAPI passes on none but its own errors."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status, problem.title)
        self.problem = problem


def problem_of(error: BonmunError) -> Problem:
    """Return the problem that an error of ours is.

    >>> problem_of(errors.AddressRefused("http://10.0.0.1/: private address")).status
    403
    >>> problem_of(errors.LimitExceeded("bytes", 50_000_000, 20_000_000)).fields
    {'limit': 'bytes', 'allowed': 20000000}
    """
    kind = next((base for base in type(error).__mro__ if base in _STATUS), None)
    status = _STATUS[kind] if kind else 500
    headers = {"Retry-After": str(getattr(error, "retry_after", RETRY_AFTER))} if status == 503 else {}
    name = next(base.__name__ for base in type(error).__mro__ if not base.__name__.startswith("_"))
    return Problem(status, name, str(error), f"urn:bonmun:problem:{name}", headers, _limit_of(error))


def _limit_of(error: BonmunError) -> dict[str, Any]:
    if isinstance(error, errors.LimitExceeded):
        return {"limit": error.limit, "allowed": error.allowed}
    return {"limit": "memory", "allowed": error.allowed} if isinstance(error, errors.WorkerOutOfMemory) else {}


def unavailable(title: str, detail: str) -> Problem:
    """Return the problem of a service that cannot work now: it starts, or it shuts down.

    >>> unavailable("shutting down", "the service is shutting down").type
    'urn:bonmun:problem:shutting-down'
    """
    return Problem(503, title, detail, f"urn:bonmun:problem:{title.replace(' ', '-')}", {"Retry-After": "5"})


def invalid_request(fields: list[dict[str, Any]]) -> Problem:
    """Return the problem of a request that does not fit the schema; `fields` are pydantic's errors."""
    shown = [{"at": [_short(at) for at in one["loc"]], "problem": _short(one["msg"])} for one in fields[:_MOST_ERRORS]]
    detail = "; ".join(f"{'.'.join(map(str, one['at']))}: {one['problem']}" for one in shown)
    return Problem(422, "invalid request", detail, "urn:bonmun:problem:invalid-request", {}, {"errors": shown})


def _short(part: Any) -> Any:
    """A part of a message; a key of the request can be as long as the request."""
    return part[:200].encode("utf-8", "replace").decode() if isinstance(part, str) else part


async def on_problem(_: Request, error: Exception) -> Response:
    """Answer a `Problem`."""
    assert isinstance(error, Problem)
    return error.response()


async def on_bonmun_error(_: Request, error: Exception) -> Response:
    """Answer an error of ours."""
    assert isinstance(error, BonmunError)
    return problem_of(error).response()


async def on_invalid_request(_: Request, error: Exception) -> Response:
    """Answer a request that does not fit the schema."""
    assert isinstance(error, RequestValidationError)
    return invalid_request(list(error.errors())).response()


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer an error of the framework, such as 404 and 405."""
    assert isinstance(error, HTTPException)
    if isinstance(error, EarlyProblem):
        return error.problem.response()
    headers = dict(error.headers or {})
    if error.status_code == 405 and (methods := _methods(request)):
        headers["Allow"] = ", ".join(methods)
    detail = f"nothing at {request.url.path}: /openapi.json lists all paths" if error.status_code == 404 else ""
    return Problem(error.status_code, error.detail, detail, headers=headers).response()


def _methods(request: Request) -> list[str]:
    """Return the described methods of a path: each of its routes knows its own only."""
    path = request.url.path
    paths: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    found = paths.get(path) or next((paths[one] for one in paths if compile_path(one)[0].match(path)), {})
    return sorted(method.upper() for method in found)


HANDLERS = {
    Problem: on_problem,
    BonmunError: on_bonmun_error,
    RequestValidationError: on_invalid_request,
    HTTPException: on_http_error,
}
