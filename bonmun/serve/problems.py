"""Errors as problem documents (RFC 9457)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bonmun import errors
from bonmun.errors import BonmunError

MEDIA_TYPE = "application/problem+json"
_STATUS: Mapping[type[BonmunError], int] = MappingProxyType(
    {
        errors.NotStored: 404,
        errors.NotAPage: 415,
        errors.WorkerTimeout: 422,
        errors.WorkerOutOfMemory: 422,
        errors.LimitExceeded: 422,
        errors.UnknownName: 422,
        errors.UnsupportedPreference: 422,
        errors.InputError: 422,
        errors.AddressRefused: 403,
        errors.FetchTimeout: 504,
        errors.FetchError: 502,
        errors.QueueFull: 503,
        errors.WorkerNotStarted: 503,
        errors.StoreLocked: 503,
        errors.StoreFull: 507,
        errors.MissingExtra: 501,
    }
)
"""The status of an error is that of its nearest listed base; 500 for the rest."""
RETRY_AFTER = 1
"""Seconds after which a client may try again."""


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

    def response(self) -> Response:
        """The problem as a response."""
        document = {"type": self.type, "title": self.title, "status": self.status, "detail": self.detail}
        return JSONResponse(
            {**document, **jsonable_encoder(dict(self.fields))}, self.status, dict(self.headers), MEDIA_TYPE
        )


def problem_of(error: BonmunError) -> Problem:
    """Return the problem that an error of ours is.

    >>> problem_of(errors.AddressRefused("http://10.0.0.1/: private address")).status
    403
    """
    kind = next((base for base in type(error).__mro__ if base in _STATUS), None)
    status = _STATUS[kind] if kind else 500
    headers = {"Retry-After": str(RETRY_AFTER)} if status == 503 else {}
    name = type(error).__name__
    return Problem(status, name, str(error), f"urn:bonmun:problem:{name}", headers)


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
    fields = [{"at": list(one["loc"]), "problem": one["msg"]} for one in error.errors()]
    detail = "; ".join(f"{'.'.join(map(str, one['at']))}: {one['problem']}" for one in fields)
    return Problem(
        422, "invalid request", detail, "urn:bonmun:problem:invalid-request", {}, {"errors": fields}
    ).response()


async def on_http_error(_: Request, error: Exception) -> Response:
    """Answer an error of the framework, such as 404 and 405."""
    assert isinstance(error, HTTPException)
    return Problem(error.status_code, error.detail, headers=error.headers or {}).response()


HANDLERS = {
    Problem: on_problem,
    BonmunError: on_bonmun_error,
    RequestValidationError: on_invalid_request,
    HTTPException: on_http_error,
}
