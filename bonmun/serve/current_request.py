"""The request that is being answered: its body is counted while it comes in, its client may go away."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonmun.serve.access import scopes as access
from bonmun.serve.problems import EarlyProblem, Problem

T = TypeVar("T")

STREAMED = frozenset({"/v1/batch", "/v1/jobs"})
"""Routes that read their body piece by piece, with limits of their own."""
_WORK = frozenset({"/v1/extract", "/v1/explain", "/v1/compare", "/v1/analysis", "/v1/documents", "/v1/labels"})
_ARRIVAL_SECONDS = 120.0
"""Time for the body of a request; of one that is read piece by piece, for each piece. Slow ones would hold what all
bodies may take together, or the places of all batches."""
_HELD = 8
"""The bodies of all requests together may be as large as so many of the largest."""
_current: ContextVar["CurrentRequest | None"] = ContextVar("current_request", default=None)


def is_streamed(scope: Scope) -> bool:
    """Whether the body of a request is read piece by piece."""
    return scope["path"] in STREAMED


def _is_for_work(scope: Scope) -> bool:
    """Whether a request brings a page, or names one, for a worker."""
    return scope["method"] == "POST" and scope["path"] in _WORK


class CurrentRequest:
    """A request on its way: what has been received of it, and whether its client is still there."""

    def __init__(self, scope: Scope, receive: Receive, take: Callable[[int], object]) -> None:
        self._scope, self._receive, self._take = scope, receive, take
        self.began = monotonic()
        self._complete = not {b"content-length", b"transfer-encoding"} & {*dict(scope["headers"])}
        self._is_streamed = is_streamed(scope)
        self._departure: asyncio.Task[None] | None = None

    async def receive(self) -> Message:
        """Return the next message of the client; raise a problem if the body is too large or too slow."""
        if self._departure is not None:
            await asyncio.shield(self._departure)
            return {"type": "http.disconnect"}
        try:
            async with asyncio.timeout_at(self._end()):
                message = await self._receive()
        except TimeoutError:
            detail = f"the request did not arrive in {_ARRIVAL_SECONDS:g} seconds"
            raise EarlyProblem(Problem(408, "request too slow", detail, "urn:bonmun:problem:too-slow")) from None
        if message["type"] == "http.request":
            self._take(len(message.get("body", b"")))
            self._complete = self._complete or not message.get("more_body", False)
        return message

    def _end(self) -> float | None:
        """When the next message has to be there; a client that has sent everything may stay silent."""
        if self._complete:
            return None
        return (monotonic() if self._is_streamed else self.began) + _ARRIVAL_SECONDS

    def departure(self) -> "asyncio.Task[None] | None":
        """Return a task that is done once the client is gone; `None` while the body is not read."""
        if self._departure is None and self._complete:
            self._departure = asyncio.create_task(self._wait_for_departure())
        return self._departure

    def require(self, scope: access.Scope) -> None:
        """Raise a problem (403) unless the request's token has a scope."""
        access.require(HTTPConnection(self._scope), scope)

    def end(self) -> None:
        """Stop waiting for the client's departure."""
        if self._departure is not None:
            self._departure.cancel()

    async def _wait_for_departure(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


def current_request() -> CurrentRequest | None:
    """Return the request that is being answered; `None` outside of one."""
    return _current.get()


async def unless_gone(work: "asyncio.Future[T]") -> T:
    """Return the result of work for the current request; cancel it if the client goes away meanwhile."""
    request = current_request()
    departure = request.departure() if request is not None else None
    if departure is None:
        return await work
    try:
        await asyncio.wait((work, departure), return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not work.done():
            work.cancel()
    if work.cancelled():
        raise Problem(499, "client closed request", "the client went away")
    return work.result()


class RequestMiddleware:
    """Limits the size of bodies, of one and of all together, and makes each request the current one."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most, self._left = app, most, _HELD * most
        self._active = 0
        """Requests for work that are being read, wait or run."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not _is_for_work(scope):
            await self._handle(scope, receive, send)
            return
        refusal = scope["app"].state.service.refusal(self._active)
        if refusal is not None:  # before its body is read: that costs more than to refuse it
            await refusal.response()(scope, receive, send)
            return
        self._active += 1
        try:
            await self._handle(scope, receive, send)
        finally:
            self._active -= 1

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        held = _Held(self, None if is_streamed(scope) else self._limit(scope))
        request = CurrentRequest(scope, receive, held.take)
        token = _current.set(request)
        try:
            refusal = held.refusal(scope)
            if refusal is None:
                await self._app(scope, request.receive, send)
            else:
                await refusal.response()(scope, receive, send)
        finally:
            _current.reset(token)
            request.end()
            held.release()

    def _limit(self, scope: Scope) -> int:
        """The limit of the service, or the lower one of the token."""
        own: int | None = scope.get("state", {}).get("max_bytes")
        return self._most if own is None else min(own, self._most)

    def free(self, size: int) -> None:
        """Give the bytes of a body back."""
        self._left += size

    def hold(self, size: int) -> None:
        """Count bytes of bodies in memory; raise a problem if they are too many."""
        self._left -= size
        if self._left < 0:
            detail = "the requests that are being read are too large together; try again"
            problem = Problem(503, "too much to read", detail, "urn:bonmun:problem:busy", {"Retry-After": "1"})
            raise EarlyProblem(problem)


class _Held:
    """The bytes of one request's body."""

    def __init__(self, middleware: RequestMiddleware, most: int | None) -> None:
        self._middleware, self._most, self._size = middleware, most, 0

    def take(self, size: int) -> None:
        if self._most is None:
            return
        if self._size + size > self._most:
            raise EarlyProblem(too_large(self._most))
        self._size += size
        self._middleware.hold(size)

    def release(self) -> None:
        self._middleware.free(self._size)

    def refusal(self, scope: Scope) -> Problem | None:
        """The problem of a body that says itself that it is too large."""
        stated = dict(scope["headers"]).get(b"content-length", b"0")
        exceeds = self._most is not None and stated.isdigit() and int(stated[:20]) > self._most
        return too_large(self._most or 0) if exceeds else None


def too_large(most: int) -> Problem:
    """Return the problem of a request that is too large."""
    detail = f"the request has more than {most:,} bytes"
    kind = "urn:bonmun:problem:too-large"
    return Problem(413, "request too large", detail, kind, fields={"allowed": most})
