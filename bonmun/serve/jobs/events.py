"""The changes of jobs as server-sent events."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

from bonmun.errors import NotStored
from bonmun.serve.jobs.answers import RESTING, Job
from bonmun.serve.jobs.jobs import Jobs
from bonmun.store.job_pages import JobPage
from bonmun.store.jobs import JobRecord

HEARTBEAT: Final = 10.0
"""Seconds after which a comment is sent if nothing else is: a client that is gone is noticed."""
_FAILURES: Final = 20
"""Failures that are sent at once; those before are in the list of failures."""
_JOBS: Final = 100
"""Jobs that are sent first."""
_COMMENT: Final = b":\n\n"
_ID: Final = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


def event(name: str, data: str, id: str) -> bytes:
    r"""Return an event as it is sent.

    >>> event("end", "{}", "7-1")
    b'event: end\nid: 7-1\ndata: {}\n\n'
    """
    return f"event: {name}\nid: {id}\ndata: {data}\n\n".encode()


def last_id(header: str | None) -> tuple[int, int | None]:
    """Return revision and place of the last event that a client has seen; another server's ids are ignored.

    >>> last_id("12-3"), last_id(None), last_id("tea")
    ((12, 3), (0, None), (0, None))
    """
    match = _ID.fullmatch(header or "")
    return (int(match[1]), int(match[2]) if match[2] else None) if match else (0, None)


async def job_events(jobs: Jobs, record: JobRecord, header: str | None) -> AsyncIterator[bytes]:
    """Yield the state of a job, then its changes and failures, and `end` when the job rests."""
    revision, settled = last_id(header)
    async with jobs.watch.listening() as listener:
        found = [await asyncio.to_thread(_latest, jobs, record)]
        if settled is None:
            settled = await asyncio.to_thread(jobs.last_settled, record.id)
        failed = -1
        while found and found[-1].state != "deleted":
            record = found[-1]
            before, failed = failed, _failed(record)
            if before != failed:
                for failure in await asyncio.to_thread(jobs.failed_after, record.id, settled, _FAILURES):
                    settled = failure.settled or settled
                    yield event("failure", _failure(failure), f"{revision}-{settled}")
            if record.revision != revision:
                revision = record.revision
                yield event("job", Job.of(record).model_dump_json(), f"{revision}-{settled}")
            if record.state in RESTING:
                break
            while not (found := listener.after(revision, record.id)) and not listener.is_closed:
                if not await listener.wait(HEARTBEAT):
                    yield _COMMENT
        if found:  # else the service closes, and the client connects again
            yield event("end", "{}", f"{revision}-{settled}")


async def all_events(jobs: Jobs, header: str | None) -> AsyncIterator[bytes]:
    """Yield the jobs that changed last, then every change; jobs that are gone as `removed`."""
    revision, _ = last_id(header)
    async with jobs.watch.listening() as listener:
        last = await asyncio.to_thread(jobs.changed, 0, 1)
        if not last or last[0].revision < revision:  # the id is of another store
            revision = 0
        found = list(await asyncio.to_thread(jobs.changed, revision, _JOBS))
        if not revision:
            found = [record for record in found if record.state != "deleted"]
        while not listener.is_closed:
            for record in found:
                revision = record.revision
                if record.state == "deleted":
                    yield event("removed", json.dumps({"id": record.id}), str(revision))
                else:
                    yield event("job", Job.of(record).model_dump_json(), str(revision))
            while not (found := listener.after(revision)) and not listener.is_closed:
                if not await listener.wait(HEARTBEAT):
                    yield _COMMENT


def _latest(jobs: Jobs, record: JobRecord) -> JobRecord:
    try:
        return jobs.get(record.id)
    except NotStored:  # removed meanwhile
        return replace(record, state="deleted")


def _failed(record: JobRecord) -> int:
    return record.counts.get("failed", 0) + record.counts.get("sources_failed", 0)


def _failure(page: JobPage) -> str:
    shown = {"url": page.url, "line": page.number or None, "stage": page.stage, "error": page.error}
    return json.dumps({**shown, "message": page.message})
