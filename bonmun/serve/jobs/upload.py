"""A batch as it is uploaded: NDJSON, one page on a line. A line that is none fails alone."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bonmun.serve.jobs.recorded import compressed
from bonmun.serve.problems import Problem, invalid_request
from bonmun.store.job_pages import JobPage

_CHUNK = 1 << 20
"""Bytes of lines that are read into the store together."""
_LINES = 100


class BatchLine(BaseModel):
    """A page of a batch."""

    model_config = ConfigDict(extra="forbid")

    html: str
    url: str | None = Field(None, max_length=8000, description="The address of the page; it is not fetched.")
    id: str | int | None = Field(None, description="Returned with the result.")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number; a too long one has no text."""

    number: int
    text: bytes | None


@dataclass(slots=True)
class LineSplitter:
    r"""Splits a stream of bytes into lines of at most `longest` bytes; blank ones are left out.

    >>> splitter = LineSplitter(longest=4)
    >>> [line.text for chunk in (b"tea\n\nwa", b"ter\nmi", b"lk") for line in splitter.add(chunk)] + [
    ...     line.text for line in splitter.end()
    ... ]
    [b'tea', None, b'milk']
    """

    longest: int
    _number: int = 0
    _rest: bytearray = field(default_factory=bytearray)
    _is_long: bool = False

    def add(self, chunk: bytes) -> Iterator[Line]:
        """Yield the lines that a chunk completes."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._extend(end)
            yield from self.end()
        self._extend(rest)

    def end(self) -> Iterator[Line]:
        """Yield the line that has come so far, as its end is reached."""
        self._number += 1
        if self._is_long:
            yield Line(self._number, None)
        elif self._rest.strip():
            yield Line(self._number, bytes(self._rest))
        self._rest, self._is_long = bytearray(), False

    def _extend(self, part: bytes) -> None:
        self._is_long = self._is_long or len(self._rest) + len(part) > self.longest
        if self._is_long:
            self._rest = bytearray()
        else:
            self._rest += part


async def line_groups(stream: AsyncIterator[bytes], longest: int, most: int) -> AsyncIterator[list[Line]]:
    """Yield the lines of a stream in groups that are small enough to work on; raise a `Problem` beyond `most` bytes."""
    splitter = LineSplitter(longest)
    group: list[Line] = []
    received = size = 0
    async for chunk in stream:
        received += len(chunk)
        if received > most:
            raise too_large(f"a batch has at most {most:,} bytes; send several")
        for line in splitter.add(chunk):
            group.append(line)
            size += len(line.text or b"")
            if size > _CHUNK or len(group) >= _LINES:
                yield group
                group, size = [], 0
    group.extend(splitter.end())
    if group:
        yield group


def too_large(detail: str) -> Problem:
    """Return the problem of a batch beyond a limit."""
    return Problem(413, "batch too large", detail, "urn:bonmun:problem:batch-too-large")


def row_of(line: Line) -> JobPage:
    """Return the row of a line; of one that is no page, a failed one."""
    if line.text is None:
        return _failed(line, Problem(413, "LimitExceeded", "the line is longer than a page may be"))
    try:
        page = BatchLine.model_validate_json(line.text)
        content = page.html.encode("utf-8", "surrogatepass")
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        return _failed(line, invalid_request([dict(one) for one in found]))
    return JobPage(
        key=f"line:{line.number}",
        url=page.url or "",
        number=line.number,
        label=json.dumps(page.id),
        content=compressed(content),
        content_type="text/html; charset=utf-8",
    )


def _failed(line: Line, problem: Problem) -> JobPage:
    return JobPage(
        key=f"line:{line.number}",
        url="",
        number=line.number,
        state="failed",
        stage="input",
        error=problem.title,
        message=problem.detail[:500],
        result=compressed(json.dumps(problem.document()).encode()),
        settled=line.number,
    )
