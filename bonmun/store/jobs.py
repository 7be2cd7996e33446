"""The jobs of the service: what was asked for, how far it is, and which process works on it."""

import json
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from bonmun.errors import NotStored
from bonmun.model.valid_text import valid_text
from bonmun.store.clock import now
from bonmun.store.database import Database
from bonmun.store.job_pages import JobPages
from bonmun.store.schema import JOBS

_ADVISORY_LOCK = 0x4A4F4253
"""JOBS; revisions become visible in their order, so that who asks for later ones misses none."""
_HIDDEN = ("uploading", "deleted")
"""States of jobs that are not listed: not complete yet, or a tombstone for those who watch."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job as it is stored."""

    id: str
    name: str
    kind: str
    """`crawl` or `batch`."""
    spec: Mapping[str, Any]
    state: str
    message: str
    created_at: str
    started_at: str | None
    ended_at: str | None
    counts: Mapping[str, int]
    rate: float
    """Pages a second."""
    revision: int
    """Grows with every change of any job."""
    holder: str | None
    """The process that works on it."""
    held_until: str | None
    """After this moment, the process is taken for dead."""

    @property
    def source(self) -> str:
        """The source of the documents that the job saves."""
        return f"job:{self.id}"


class JobTable:
    """All jobs of a store. Every call is one transaction.

    >>> from bonmun.store import open_store
    >>> with open_store(":memory:") as store:
    ...     job = store.jobs.add("tea", "crawl", {"sources": ["site:https://example.org/"]}, "waiting")
    ...     store.jobs.get(job.id).state, store.jobs.claim("this process", "2100-01-01").state
    ('waiting', 'running')
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(self, job_id: str) -> JobPages:
        """Return the pages of a job."""
        return JobPages(self._database, job_id)

    def add(
        self, name: str, kind: str, spec: Mapping[str, Any], state: str, *, holder: str | None = None,
        held_until: str | None = None,
    ) -> JobRecord:  # fmt: skip
        """Add a job; it gets an id."""
        row: dict[str, Any] = {
            "id": secrets.token_hex(6),
            "name": valid_text(name),
            "kind": kind,
            "spec": json.dumps(spec),
        }
        row |= {"state": state, "message": "", "created_at": now(), "counts": "{}", "rate": 0.0}
        row |= {"holder": holder, "held_until": held_until}

        def work(connection: Connection) -> JobRecord:
            connection.execute(insert(JOBS), {**row, "revision": _next_revision(connection)})
            return _get(connection, row["id"])

        return self._database.write(work)

    def get(self, job_id: str) -> JobRecord:
        """Return a job; raise `NotStored`."""
        with self._database.reading() as connection:
            return _get(connection, job_id)

    def list(self, limit: int, offset: int = 0) -> tuple[int, tuple[JobRecord, ...]]:
        """Return the number of jobs and some of them, the newest first."""
        shown = JOBS.c.state.not_in(_HIDDEN)
        order = (JOBS.c.created_at.desc(), JOBS.c.id)
        with self._database.reading() as connection:
            total: int = connection.execute(select(func.count()).select_from(JOBS).where(shown)).scalar_one()
            rows = connection.execute(select(JOBS).where(shown).order_by(*order).limit(limit).offset(offset)).all()
            return total, tuple(map(_record, rows))

    def changed(self, after: int, most: int) -> tuple[JobRecord, ...]:
        """Return the jobs that changed last, of those changed after a revision; in the order of change.

        Jobs that were removed are among them, in the state `deleted`.
        """
        is_changed = (JOBS.c.revision > after, JOBS.c.state != "uploading")
        with self._database.reading() as connection:
            rows = connection.execute(select(JOBS).where(*is_changed).order_by(JOBS.c.revision.desc()).limit(most))
            return tuple(map(_record, rows))[::-1]

    def in_states(self, states: Collection[str]) -> tuple[JobRecord, ...]:
        """Return all jobs in some states, those first that have been for the longest time."""
        with self._database.reading() as connection:
            rows = connection.execute(select(JOBS).where(JOBS.c.state.in_(states)).order_by(JOBS.c.revision))
            return tuple(map(_record, rows))

    def change(self, job_id: str, allowed: Collection[str], **values: object) -> JobRecord | None:
        """Set some columns of a job that is in one of the allowed states; `None` if it is in another."""
        if isinstance(values.get("counts"), Mapping):
            values["counts"] = json.dumps(values["counts"])
        if isinstance(values.get("message"), str):
            values["message"] = valid_text(str(values["message"]))

        def work(connection: Connection) -> JobRecord | None:
            changed = {**values, "revision": _next_revision(connection)}
            if _get(connection, job_id).state not in allowed:
                return None
            connection.execute(update(JOBS).where(JOBS.c.id == job_id).values(**changed))
            return _record(connection.execute(select(JOBS).where(JOBS.c.id == job_id)).one())

        return self._database.write(work)

    def claim(self, holder: str, held_until: str) -> JobRecord | None:
        """Take the job that has waited for the longest time; `None` if there is none."""

        def work(connection: Connection) -> JobRecord | None:
            revision = _next_revision(connection)
            waiting = select(JOBS.c.id, JOBS.c.started_at).where(JOBS.c.state == "waiting").order_by(JOBS.c.revision)
            row = connection.execute(waiting.limit(1)).first()
            if row is None:
                return None
            values: dict[str, Any] = {"state": "running", "message": "", "holder": holder, "held_until": held_until}
            values |= {"started_at": row.started_at or now(), "ended_at": None}
            connection.execute(update(JOBS).where(JOBS.c.id == row.id).values(**values, revision=revision))
            return _get(connection, row.id)

        return self._database.write(work)

    def beat(self, job_id: str, holder: str, held_until: str, counts: Mapping[str, int], rate: float) -> str | None:
        """Note how far a job is and that its process lives; return the state, `None` if another process has it."""

        def work(connection: Connection) -> str | None:
            own = (JOBS.c.id == job_id, JOBS.c.holder == holder)
            values = {"held_until": held_until, "counts": json.dumps(counts), "rate": rate}
            values["revision"] = _next_revision(connection)
            connection.execute(update(JOBS).where(*own).values(**values))
            state: str | None = connection.execute(select(JOBS.c.state).where(*own)).scalar()
            return state

        return self._database.write(work)

    def remove(self, *job_ids: str) -> None:
        """Remove jobs with all that belongs to them."""
        self._database.write(lambda connection: connection.execute(delete(JOBS).where(JOBS.c.id.in_(job_ids))))


def _next_revision(connection: Connection) -> int:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
    revision: int = connection.execute(select(func.coalesce(func.max(JOBS.c.revision), 0) + 1)).scalar_one()
    return revision


def _get(connection: Connection, job_id: str) -> JobRecord:
    row = connection.execute(select(JOBS).where(JOBS.c.id == job_id, JOBS.c.state != "deleted")).first()
    if row is None:
        raise NotStored(f"no job {job_id} in this store")
    return _record(row)


def _record(row: Row[Any]) -> JobRecord:
    values = dict(row._mapping)
    return JobRecord(**{**values, "spec": json.loads(values["spec"]), "counts": json.loads(values["counts"])})
