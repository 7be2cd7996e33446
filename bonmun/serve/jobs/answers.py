"""Jobs as the API shows them."""

from datetime import datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from bonmun.serve.jobs.progress import COUNTS
from bonmun.serve.jobs.spec import SHOWN_SOURCES
from bonmun.serve.request_model import RequestModel
from bonmun.store.jobs import JobRecord

State = Literal["waiting", "running", "stopping", "done", "cancelled", "failed", "interrupted"]
RESTING: Final = frozenset({"done", "cancelled", "failed", "interrupted"})
"""States in which nothing happens until somebody asks for it."""


class JobCounts(BaseModel):
    """How far the pages of a job are. `taken` are found; each ends as `stored` or `failed`."""

    taken: int
    skipped: int = Field(description="Pages that were stored before, and are not fetched again.")
    fetched: int
    extracted: int
    stored: int
    failed: int
    sources: int = Field(description="Feeds, sitemaps and sites.")
    sources_read: int
    sources_failed: int


class Job(BaseModel):
    """A crawl or a batch."""

    id: str
    name: str
    kind: Literal["crawl", "batch"]
    state: State
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    counts: JobCounts
    rate: float = Field(description="Pages a second that ended, over the last minute.")
    pending: int = Field(description="Pages that were found and have not ended.")
    message: str = Field(description="Why the job failed or was interrupted; else empty.")
    method: str
    sources: list[str] = Field(description=f"The first {SHOWN_SOURCES} sources of a crawl.")
    source: str = Field(description="The source of its documents: `GET /v1/documents?source=…` lists them.")

    @classmethod
    def of(cls, record: JobRecord) -> "Job":
        """Return the job of a record."""
        counts = {name: record.counts.get(name, 0) for name in COUNTS}
        shown: dict[str, Any] = {
            name: getattr(record, name)
            for name in ("id", "name", "kind", "state", "created_at", "started_at", "ended_at", "rate", "message")
        }
        return cls(
            **shown,
            counts=JobCounts(**counts),
            pending=max(0, counts["taken"] - counts["stored"] - counts["failed"]),
            method=record.spec["method"],
            sources=record.spec.get("sources", []),
            source=record.source,
        )


class JobList(BaseModel):
    """Some jobs, the newest first."""

    total: int
    jobs: list[Job]


class JobFailures(BaseModel):
    """Pages that failed for the same reason."""

    stage: str = Field(description="`source`, `fetch`, `parsing`, `store`; `input` for lines that are no page.")
    error: str
    message: str
    count: int
    urls: list[str] = Field(description="Some of them.")


class JobFailureList(BaseModel):
    """The failures of a job by reason, the most frequent first."""

    total: int = Field(description="Pages that failed.")
    failures: list[JobFailures]


class RetryInput(RequestModel):
    """Which failed pages are tried again; without a field, all."""

    stage: str | None = Field(None, max_length=100)
    error: str | None = Field(None, max_length=200)
