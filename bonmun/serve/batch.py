"""A batch: lines of JSON in, lines of JSON out, in the same order, with a bounded number on the way."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from secrets import token_hex
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bonmun.errors import BonmunError
from bonmun.serve.batch_line import Answer, LineWork, Wanted, failed_line
from bonmun.serve.current_request import CurrentRequest, too_large
from bonmun.serve.lines import TOO_LONG, lines
from bonmun.serve.page_input import fetched_page
from bonmun.serve.problems import EarlyProblem, Problem, problem_of, unavailable
from bonmun.serve.service import Service
from bonmun.serve.spool import Spool

MEDIA_TYPE = "application/x-ndjson"
_AHEAD_BYTES = 64 << 20
"""Bytes of the lines of a batch that are on the way."""
_ESCAPED = 2
"""A page as a JSON string is longer than itself, but hardly more than twice as long."""
_log = logging.getLogger("bonmun.serve")


class BatchResponse(Response):
    """Reads the request and answers it at the same time."""

    media_type = MEDIA_TYPE

    def __init__(self, service: Service, request: CurrentRequest) -> None:
        self.status_code, self.background = 200, None
        self.init_headers({"X-Content-Type-Options": "nosniff", "X-Accel-Buffering": "no", "Cache-Control": "no-store"})
        self._service = service
        self._request = request
        self._window = _Window(2 * service.workers, _AHEAD_BYTES)
        self._complete = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the lines until the body ends, or the client goes away: then what waits is cancelled."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        self._service.batches += 1
        with Spool() as spool:
            whole = asyncio.create_task(self._exchange(receive, send, spool))
            gone = asyncio.create_task(self._gone())
            try:
                await asyncio.wait((whole, gone), return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._service.batches -= 1
                await _cancelled(whole, gone)

    async def _exchange(self, receive: Receive, send: Send, spool: Spool) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._read(receive, spool))
            group.create_task(_send_all(spool, send))

    async def _gone(self) -> None:
        """Wait for the client's departure, which only its silence after the body tells."""
        await self._complete.wait()
        departure = self._request.departure()
        assert departure is not None
        await asyncio.shield(departure)

    async def _read(self, receive: Receive, spool: Spool) -> None:
        """Start the work on each line as soon as the window has room; put the answers in order into the spool."""
        answers: asyncio.Queue[asyncio.Task[Answer] | None] = asyncio.Queue()
        most = _ESCAPED * self._service.settings.limits.bytes + 65_536
        async with asyncio.TaskGroup() as group:
            group.create_task(self._collect(answers, spool))
            async with aclosing(lines(_pieces(receive, self._complete), most)) as numbered:
                async for number, line in numbered:
                    await self._window.enter(len(line))
                    answers.put_nowait(group.create_task(self._answer(number, line, most)))
            answers.put_nowait(None)

    async def _collect(self, answers: "asyncio.Queue[asyncio.Task[Answer] | None]", spool: Spool) -> None:
        while (task := await answers.get()) is not None:
            answer = await task
            self._service.metrics.line("problem" if answer.failed else "ok")
            await spool.put(answer.content)
            self._window.leave()
        await spool.end()

    async def _answer(self, number: int, line: bytes, most: int) -> Answer:
        """The answer to a line, whatever happens to it."""
        if line == TOO_LONG:
            return failed_line(number, None, too_large(most))
        if self._service.closing.is_set():
            return failed_line(number, None, unavailable("shutting down", "the service is shutting down"))
        work = LineWork(number, line, self._service.settings.limits)
        id: str | int | None = None
        try:
            result = await self._service.perform_in_turn(work)
            if isinstance(result, Wanted):
                id = result.id
                page = await fetched_page(self._service, result.url)
                result = await self._service.perform_in_turn(LineWork(number, line, work.limits, page))
            assert isinstance(result, Answer)
            return result
        except Problem as problem:
            return failed_line(number, id, problem)
        except BonmunError as error:
            return failed_line(number, id, problem_of(error))
        except Exception as error:
            return failed_line(number, id, _defect(error))


class _Window:
    """The lines on the way: a number of them, and a number of bytes. The oldest leaves first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._sizes: list[int] = []
        self._left = asyncio.Event()

    async def enter(self, size: int) -> None:
        while self._sizes and (len(self._sizes) >= self._most or sum(self._sizes) + size > self._most_bytes):
            self._left.clear()
            await self._left.wait()
        self._sizes.append(size)

    def leave(self) -> None:
        del self._sizes[0]
        self._left.set()


async def _pieces(receive: Receive, complete: asyncio.Event) -> AsyncIterator[bytes]:
    """The body, and an event at its end; a client that goes away before its end raises `ConnectionResetError`."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        if not (more := message.get("more_body", False)):
            complete.set()
        yield message.get("body", b"")


async def _send_all(spool: Spool, send: Send) -> None:
    while content := await spool.get():
        await send({"type": "http.response.body", "body": content, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _cancelled(whole: "asyncio.Task[None]", gone: "asyncio.Task[None]") -> None:
    """End both; raise the error of the whole, unless the client went away or has nothing more to say."""
    whole.cancel()
    gone.cancel()
    outcome: Any = (await asyncio.gather(whole, gone, return_exceptions=True))[0]
    departed = (
        isinstance(outcome, ExceptionGroup) and outcome.subgroup((ConnectionResetError, EarlyProblem)) is not None
    )
    if isinstance(outcome, Exception) and not departed:
        raise outcome


def _defect(error: Exception) -> Problem:
    number = token_hex(8)
    _log.error("line of a batch %s failed", number, exc_info=error)
    detail = "the service failed; its log has the reason under this id"
    return Problem(500, "internal error", detail, "urn:bonmun:problem:internal", fields={"id": number})
