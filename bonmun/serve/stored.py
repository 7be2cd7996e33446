"""Calls of the store from routes: they block, so they run in threads."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import Path, Query

from bonmun.serve.service import Service

if TYPE_CHECKING:
    from bonmun.store.store import Store

T = TypeVar("T")
LARGEST = 2**63 - 1
"""The largest integer of a database."""

RowId = Annotated[int, Path(ge=1, le=LARGEST)]
Limit = Annotated[int, Query(ge=1, le=100)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]


async def in_store(service: Service, call: "Callable[[Store], T]") -> T:
    """Return the result of a call that is given the store; also its first opening is not in the event loop."""
    return await asyncio.to_thread(lambda: call(service.store))
