"""A batch as it is uploaded: NDJSON, one page on a line. A line that is none fails alone."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from pydantic import Field, StrictInt, StrictStr

from bonmun.serve.batch_line import id_of
from bonmun.serve.current_request import too_large
from bonmun.serve.extract_input import validated
from bonmun.serve.given_page import utf8
from bonmun.serve.jobs.jobs import Jobs
from bonmun.serve.jobs.recorded import compressed
from bonmun.serve.lines import TOO_LONG, lines
from bonmun.serve.problems import Problem
from bonmun.serve.request_model import RequestModel
from bonmun.store.job_pages import JobPage

_GROUP = 1 << 20
"""Bytes of lines that are read into the store together."""
_LINES = 100

Line = tuple[int, bytes]
"""A line with its number."""


class BatchLine(RequestModel):
    """A page of a batch."""

    html: str
    url: str | None = Field(None, max_length=8000, description="The address of the page; it is not fetched.")
    id: StrictStr | StrictInt | None = Field(None, description="Repeated in the result.")


async def line_groups(stream: AsyncIterator[bytes], longest: int, most: int) -> AsyncIterator[list[Line]]:
    """Yield the lines of a body in groups that are small enough to work on; raise a `Problem` beyond `most` bytes."""
    group: list[Line] = []
    size = 0
    async with aclosing(lines(_counted(stream, most), longest)) as numbered:
        async for number, line in numbered:
            group.append((number, line))
            size += len(line)
            if size > _GROUP or len(group) >= _LINES:
                yield group
                group, size = [], 0
    if group:
        yield group


async def _counted(stream: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    received = 0
    async for piece in stream:
        received += len(piece)
        if received > most:
            raise too_large(most)
        yield piece


async def whole(stream: AsyncIterator[bytes], most: int) -> bytes:
    """Return a body of at most so many bytes; raise a `Problem` for a larger one."""
    return b"".join([piece async for piece in _counted(stream, most)])


def add_lines(jobs: Jobs, job_id: str, group: Sequence[Line]) -> int:
    """Add some lines to a batch; return their number."""
    return jobs.add_pages(job_id, [_row(line, jobs.longest_line) for line in group])


def _row(line: Line, longest: int) -> JobPage:
    """The row of a line; of one that is no page, a failed one."""
    number, text = line
    if text == TOO_LONG:
        return _failed(number, None, too_large(longest))
    try:
        page: BatchLine = validated(BatchLine, text, "line")
    except Problem as problem:
        return _failed(number, id_of(text), problem)
    return JobPage(
        key=f"line:{number}",
        url=page.url or "",
        number=number,
        label=json.dumps(page.id),
        content=compressed(utf8(page.html)),
        content_type="text/html; charset=utf-8",
    )


def _failed(number: int, id: str | int | None, problem: Problem) -> JobPage:
    return JobPage(
        key=f"line:{number}",
        url="",
        number=number,
        label=json.dumps(id),
        state="failed",
        stage="input",
        error=problem.title,
        message=problem.detail[:500],
        result=problem_result(problem),
        settled=number,
    )


def problem_result(problem: Problem) -> bytes:
    """Return the result of a page that failed."""
    return compressed(json.dumps({"problem": problem.document()}).encode())
