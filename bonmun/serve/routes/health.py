"""``/healthz``, ``/readyz`` and ``/metrics``: for those who watch the service."""

import asyncio
from typing import Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.responses import PlainTextResponse, Response

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import TheService
from bonmun.serve.metrics import MEDIA_TYPE
from bonmun.serve.problems import problem_responses, unavailable

router = APIRouter(tags=["health"])
_STORE_SECONDS = 5.0


class Health(BaseModel):
    """The state of the service."""

    status: Literal["alive", "ready"]


@router.get("/healthz")
async def healthz() -> Health:
    """Return 200 as long as the process answers."""
    return Health(status="alive")


@router.get("/readyz", responses=problem_responses(507))
async def readyz(service: TheService) -> Health:
    """Return 200 if workers have started and the store can be read; 503 while the service starts or shuts down."""
    service.check_ready()
    try:
        async with asyncio.timeout(_STORE_SECONDS):
            await asyncio.to_thread(lambda: service.store.has("https://example.org/"))
    except TimeoutError:
        raise unavailable("store is slow", f"the store did not answer in {_STORE_SECONDS:g} seconds") from None
    return Health(status="ready")


@router.get(
    "/metrics",
    dependencies=[Depends(needs("read"))],
    response_class=PlainTextResponse,
    responses={200: {"description": "Prometheus' text format.", "content": {"text/plain": {}}}},
)
async def metrics(service: TheService) -> Response:
    """Return the metrics of the service."""
    return Response(service.metrics.text(), media_type=MEDIA_TYPE)
