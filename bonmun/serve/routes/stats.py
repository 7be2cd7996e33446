"""``/v1/stats``, ``/v1/failures``, ``/v1/timings``: the store in numbers."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import TheService
from bonmun.serve.stored import Limit, Offset, in_store

router = APIRouter(prefix="/v1", tags=["documents"], dependencies=[Depends(needs("read"))])
MOST_POINTS = 2_000


class StatsAnswer(BaseModel):
    """Counts of the store."""

    documents: int
    versions: int
    sources: dict[str, int]
    languages: dict[str, int]
    hosts: dict[str, int] = Field(description="The ten largest.")
    failures: dict[str, int] = Field(description="Failed pages by the type of error.")
    groups: int = Field(description="Groups of near-duplicates.")
    grouped: int = Field(description="Documents in these groups.")
    pending: int = Field(description="Requests in the queue.")
    sites: int
    labels: int = Field(description="Labelled pages.")
    bytes: int
    schema_version: int


class FailureAnswer(BaseModel):
    """A page that could not be stored."""

    url: str
    source: str
    stage: str
    error: str
    message: str
    count: int
    first_at: datetime
    last_at: datetime


class FailureList(BaseModel):
    """A part of the failures, the latest first."""

    total: int
    failures: list[FailureAnswer]


class TimingPoint(BaseModel):
    """The time of a page against its size."""

    id: int = Field(description="The document.")
    url: str
    version: int
    html_size: int = Field(description="Bytes of the page.")
    text_size: int = Field(description="Characters of all text of the page.")
    main_size: int = Field(description="Characters of the main text.")
    seconds: dict[str, float] = Field(description="By stage: fetch, read, judge, metadata, text.")


@router.get("/stats")
async def stats(service: TheService) -> StatsAnswer:
    """Count documents, versions, failures and the rest."""
    counts = await in_store(service, lambda store: store.stats())
    names = set(StatsAnswer.model_fields) - {"schema_version"}
    return StatsAnswer(schema_version=counts.schema, **{name: getattr(counts, name) for name in names})


@router.get("/failures")
async def failures(service: TheService, limit: Limit = 20, offset: Offset = 0) -> FailureList:
    """Return the pages that could not be stored, the latest first."""
    total, found = await in_store(service, lambda store: (store.failure_count(), store.failures(limit, offset)))
    names = list(FailureAnswer.model_fields)
    shown = [FailureAnswer(**{name: getattr(one, name) for name in names}) for one in found]
    return FailureList(total=total, failures=shown)


@router.get("/timings")
async def timings(
    service: TheService, limit: Annotated[int, Query(ge=1, le=MOST_POINTS)] = MOST_POINTS
) -> list[TimingPoint]:
    """Return the time of each stage with the sizes of the page, for the versions stored last."""
    found = await in_store(service, lambda store: store.latest_timings(limit))
    return [
        TimingPoint(
            id=one.document_id, url=one.url, version=one.version, html_size=one.html_size, text_size=one.page_size,
            main_size=one.text_size, seconds=dict(one.seconds),
        )
        for one in found
    ]  # fmt: skip
