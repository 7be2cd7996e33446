"""``/v1/jobs``: crawls and long batches, their progress as server-sent events."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Path, Query
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from bonmun.serve.access.scopes import needs, require
from bonmun.serve.dependencies import TheService
from bonmun.serve.extract_input import validated
from bonmun.serve.jobs.answers import Job, JobFailureList, JobFailures, JobList, RetryInput
from bonmun.serve.jobs.events import all_events, job_events
from bonmun.serve.jobs.jobs import Jobs
from bonmun.serve.jobs.spec import BatchOptions, CrawlInput
from bonmun.serve.jobs.upload import add_lines, line_groups, whole
from bonmun.serve.problems import Problem, problem_responses
from bonmun.serve.service import Service
from bonmun.store.job_pages import JobPage

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])

NDJSON = "application/x-ndjson"
_NDJSON_TYPES = (NDJSON, "application/jsonl", "application/x-jsonlines", "application/ndjson")
JobId = Annotated[str, Path(pattern="^[0-9a-f]{12}$", description="The `id` of a job.")]
LastEventId = Annotated[str | None, Header(max_length=100, description="The last event that the client has seen.")]
_READ, _WRITE = [Depends(needs("read"))], [Depends(needs("write"))]
_MISSING, _CONFLICT = problem_responses(404, 501), problem_responses(404, 409, 501)
_EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["job", "failure", "removed", "end"]},
        "id": {"type": "string"},
        "data": {"type": "string", "description": "JSON: `Job` of the event `job`."},
    },
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events.", "content": {"text/event-stream": {"schema": _EVENT}}}
}
_LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "One result on a line.", "content": {NDJSON: {"schema": {"type": "string"}}}}
}
_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/CrawlInput"}},
        NDJSON: {"schema": {"type": "string", "description": "On each line a page: `BatchLine`."}},
    },
}
_LARGEST_CRAWL = 16 << 20
"""Bytes of a request for a crawl: a thousand long addresses."""
_RESULTS = 50
"""Results that are read from the store at a time."""


@router.post(
    "",
    status_code=201,
    dependencies=_WRITE,
    responses=problem_responses(415, 501, 507),
    openapi_extra={"requestBody": _BODY},
)
async def add(request: Request, service: TheService, options: Annotated[BatchOptions, Query()]) -> Job:
    """Start a crawl (JSON), or a batch (NDJSON: on each line `html`, and optionally `id` and `url`).

    A batch has its options in the query; those of a crawl stand in its body.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type in _NDJSON_TYPES:
        return await _add_batch(request, service, options)
    if media_type != "application/json":
        detail = f"a body of application/json or {NDJSON}, not {media_type or 'none'}"
        raise Problem(415, "unsupported media type", detail)
    require(request, "fetch")
    if not service.settings.fetch:
        raise Problem(403, "fetching is off", "this service does not fetch pages; send them as a batch")
    asked: CrawlInput = validated(CrawlInput, await whole(request.stream(), _LARGEST_CRAWL), "body")
    given = options.model_dump(exclude=asked.model_fields_set, exclude_unset=True)
    return Job.of(await asyncio.to_thread(service.jobs.add_crawl, asked.model_copy(update=given)))


async def _add_batch(request: Request, service: Service, options: BatchOptions) -> Job:
    jobs, settings = service.jobs, service.settings
    record = await asyncio.to_thread(jobs.begin_batch, options)
    try:
        count = 0
        async for lines in line_groups(request.stream(), jobs.longest_line, settings.jobs.upload):
            count += await asyncio.to_thread(add_lines, jobs, record.id, lines)
        if not count:
            raise Problem(422, "invalid request", "the batch has no line; send one page on each")
        return Job.of(await asyncio.to_thread(jobs.complete, record.id))
    except BaseException as error:
        await asyncio.shield(asyncio.to_thread(jobs.discard, record.id))
        if isinstance(error, ClientDisconnect):
            raise Problem(400, "upload was cut off", "the client closed the connection") from None
        raise


@router.get("", dependencies=_READ, responses=problem_responses(501))
async def list_jobs(
    service: TheService,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> JobList:
    """Return some jobs, the newest first."""
    total, records = await asyncio.to_thread(service.jobs.list, limit, offset)
    return JobList(total=total, jobs=[Job.of(record) for record in records])


@router.get("/events", dependencies=_READ, response_class=StreamingResponse, responses=_EVENTS | problem_responses(501))
async def events(service: TheService, last_event_id: LastEventId = None) -> Response:
    """Return the changes of all jobs as server-sent events, without end.

    `job`: a job that has changed (at first the last hundred); `removed`: the `id` of one that is gone.
    """
    await asyncio.to_thread(service.jobs.changed, 0, 1)  # the store's error is an answer, not a broken stream
    return _stream(all_events(service.jobs, last_event_id))


@router.get("/{id}", dependencies=_READ, responses=_MISSING)
async def get(id: JobId, service: TheService) -> Job:
    """Return a job."""
    return Job.of(await asyncio.to_thread(service.jobs.get, id))


@router.get("/{id}/events", dependencies=_READ, response_class=StreamingResponse, responses=_EVENTS | _MISSING)
async def events_of(id: JobId, service: TheService, last_event_id: LastEventId = None) -> Response:
    """Return the changes of a job as server-sent events.

    `job`: its state, at most four times a second; `failure`: a page that has failed since; `end`: nothing more will
    come, close the connection.
    """
    record = await asyncio.to_thread(service.jobs.get, id)
    return _stream(job_events(service.jobs, record, last_event_id))


@router.post("/{id}/cancel", dependencies=_WRITE, responses=_CONFLICT)
async def cancel(id: JobId, service: TheService) -> Job:
    """Stop a job: what it has is kept. The answer may still say `stopping`."""
    return Job.of(await asyncio.to_thread(service.jobs.cancel, id))


@router.post("/{id}/resume", dependencies=_WRITE, responses=_CONFLICT)
async def resume(id: JobId, service: TheService) -> Job:
    """Go on with a job that was cancelled or interrupted, or has failed."""
    return Job.of(await asyncio.to_thread(service.jobs.resume, id))


@router.post("/{id}/retry", dependencies=_WRITE, responses=_CONFLICT)
async def retry(id: JobId, service: TheService, which: Annotated[RetryInput | None, Body()] = None) -> Job:
    """Try the failed pages and sources of a job again, all or those of a stage and an error."""
    stage, error = (which.stage, which.error) if which is not None else (None, None)
    return Job.of(await asyncio.to_thread(service.jobs.retry, id, stage, error))


@router.get("/{id}/failures", dependencies=_READ, responses=_MISSING)
async def failures(id: JobId, service: TheService) -> JobFailureList:
    """Return the failures of a job by reason, the most frequent first."""
    total, groups = await asyncio.to_thread(service.jobs.failures, id)
    shown = [JobFailures(**{**{name: getattr(one, name) for name in _GROUP}, "urls": list(one.urls)}) for one in groups]
    return JobFailureList(total=total, failures=shown)


_GROUP = ("stage", "error", "message", "count")


@router.get("/{id}/results", dependencies=_READ, response_class=StreamingResponse, responses=_LINES | _CONFLICT)
async def results(
    id: JobId,
    service: TheService,
    after: Annotated[int, Query(ge=0, le=10_000_000, description="Only lines after this one.")] = 0,
    limit: Annotated[int, Query(ge=1, le=100_000)] = 100_000,
) -> Response:
    """Return the results of a batch in the order of its lines, up to the first that is not done yet.

    On each line an object as `POST /v1/batch` answers it: `line`, `id`, `status`, `confidence` and `document`; or
    `problem`.
    """
    record = await asyncio.to_thread(service.jobs.get, id)
    if record.kind != "batch":
        detail = f"job {id} is a crawl: its documents are at /v1/documents?source={record.source}"
        raise Problem(409, "not a batch", detail, "urn:bonmun:problem:not-a-batch")
    return StreamingResponse(_results(service.jobs, id, after, limit), media_type=NDJSON, headers=_NO_SNIFFING)


@router.delete("/{id}", status_code=204, dependencies=_WRITE, responses=_CONFLICT)
async def remove(id: JobId, service: TheService) -> None:
    """Remove a job that does not run, with its results; the documents that it stored stay."""
    await asyncio.to_thread(service.jobs.remove, id)


_NO_SNIFFING = {"X-Content-Type-Options": "nosniff"}


async def _results(jobs: Jobs, id: str, after: int, limit: int) -> AsyncIterator[bytes]:
    while limit > 0 and (pages := await asyncio.to_thread(jobs.results, id, after, min(limit, _RESULTS))):
        yield await asyncio.to_thread(_lines, pages)
        after, limit = pages[-1].number, limit - len(pages)


def _lines(pages: Sequence[JobPage]) -> bytes:
    return b"".join(map(_line, pages))


def _line(page: JobPage) -> bytes:
    head = json.dumps({"line": page.number, "id": json.loads(page.label) if page.label else None})[:-1]
    return f"{head}, ".encode() + zlib.decompress(page.result or b"")[1:] + b"\n"


def _stream(events: AsyncIterator[bytes]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)
