"""The queue of requests that are not answered yet: what a restarted run goes on with."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice

from sqlalchemy import Connection, delete, func, or_, select, update

from bonmun.middleware.exchange import Request
from bonmun.model.valid_text import valid_text
from bonmun.store.clock import now, stamp
from bonmun.store.database import Database
from bonmun.store.schema import QUEUE
from bonmun.store.upsert import insert_ignoring
from bonmun.store.urls import normalized, url_key

_BATCH = 500


def enqueue(database: Database, requests: Iterable[Request]) -> int:
    """Add requests in batches, each a transaction; return how many were not in the queue."""
    added, stream = 0, iter(requests)
    while batch := list(islice(stream, _BATCH)):
        rows = {url_key(request.url): request for request in batch}

        def add(connection: Connection, rows: dict[str, Request] = rows) -> int:
            return insert_ignoring(connection, QUEUE, [_row(key, request) for key, request in rows.items()], "key")

        added += database.write(add)
    return added


def _row(key: str, request: Request) -> dict[str, str]:
    return {"key": key, "url": normalized(request.url), "source": valid_text(request.source), "added_at": now()}


def claim(connection: Connection, most: int, lease: float) -> tuple[Request, ...]:
    """Claim the oldest requests that are free; they are free again after `lease` seconds."""
    free = or_(QUEUE.c.claimed_until.is_(None), QUEUE.c.claimed_until < now())
    found = select(QUEUE.c.id, QUEUE.c.url, QUEUE.c.source).where(free).order_by(QUEUE.c.id).limit(most)
    rows = connection.execute(found.with_for_update(skip_locked=True)).all()
    until = stamp(datetime.now(UTC) + timedelta(seconds=lease))
    connection.execute(update(QUEUE).where(QUEUE.c.id.in_([row.id for row in rows])).values(claimed_until=until))
    return tuple(Request(row.url, row.source) for row in rows)


def done(connection: Connection, urls: Iterable[str]) -> None:
    """Take requests off the queue."""
    connection.execute(delete(QUEUE).where(QUEUE.c.key.in_([url_key(url) for url in urls])))


def release(connection: Connection) -> int:
    """Free all claimed requests; return their number."""
    return connection.execute(
        update(QUEUE).where(QUEUE.c.claimed_until.is_not(None)).values(claimed_until=None)
    ).rowcount


def pending(connection: Connection) -> int:
    """Return the number of requests in the queue."""
    count: int = connection.execute(select(func.count()).select_from(QUEUE)).scalar_one()
    return count
