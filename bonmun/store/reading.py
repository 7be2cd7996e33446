"""Reading stored pages: one, its history, all of them; failures and timings."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select, text

from bonmun.errors import NotStored
from bonmun.store.clock import moment
from bonmun.store.database import Database
from bonmun.store.index import Filters
from bonmun.store.results import FailureRecord, NearDuplicate, StoredDocument, Timing, Version
from bonmun.store.schema import DOCUMENTS, FAILURES, SOURCES, TIMINGS, VERSIONS
from bonmun.store.urls import url_key

_BATCH = 100
_LARGEST = 2**63 - 1


def document_id(connection: Connection, page: str | int) -> int:
    """Return the id of a page, given its URL or its id; raise `NotStored`."""
    wanted = DOCUMENTS.c.id == _number(page) if isinstance(page, int) else DOCUMENTS.c.key == url_key(page)
    found: int | None = connection.execute(select(DOCUMENTS.c.id).where(wanted)).scalar()
    if found is None:
        raise NotStored(f"no document {page} in this store")
    return found


def show(connection: Connection, page: str | int, version: int | None) -> StoredDocument:
    """Return a page in its current or another version."""
    found = document_id(connection, page)
    wanted = VERSIONS.c.id == DOCUMENTS.c.version_id if version is None else VERSIONS.c.number == _number(version)
    row = connection.execute(_documents().where(DOCUMENTS.c.id == found, wanted)).first()
    if row is None:
        raise NotStored(f"no version {version} of document {page} in this store")
    return _stored(row, _duplicates(connection, row))


def _number(number: int) -> int:
    """Return a number that a database can compare with; -1, which no row has, for one that is too large."""
    return number if 0 <= number <= _LARGEST else -1


def _documents() -> Select[Any]:
    """Select documents with every version of theirs."""
    other = VERSIONS.alias()
    count = select(func.count()).where(other.c.document_id == DOCUMENTS.c.id).scalar_subquery().label("versions")
    of_document = [DOCUMENTS.c[name] for name in ("url", "host", "group_id", "first_seen", "last_seen")]
    return (
        select(VERSIONS, *of_document, SOURCES.c.name.label("source"), count)
        .join(DOCUMENTS, DOCUMENTS.c.id == VERSIONS.c.document_id)
        .outerjoin(SOURCES, SOURCES.c.id == DOCUMENTS.c.source_id)
    )


def _duplicates(connection: Connection, row: Any) -> tuple[str, ...]:
    if row.group_id is None:
        return ()
    others = select(DOCUMENTS.c.url).where(DOCUMENTS.c.group_id == row.group_id, DOCUMENTS.c.id != row.document_id)
    return tuple(connection.execute(others.order_by(DOCUMENTS.c.id)).scalars())


def _stored(row: Any, duplicates: tuple[str, ...] = ()) -> StoredDocument:
    texts = "title author published modified language site description canonical_url page_type method status".split()
    return StoredDocument(
        document_id=row.document_id,
        url=row.url,
        host=row.host,
        source=row.source or "",
        version=row.number,
        versions=row.versions,
        first_seen=moment(row.first_seen),
        last_seen=moment(row.last_seen),
        saved_at=moment(row.saved_at),
        **{name: getattr(row, name) or "" for name in texts},
        tags=_list(row.tags),
        confidence=row.confidence or 0.0,
        text=row.text,
        markdown=row.markdown,
        keywords=_list(row.keywords),
        summary=_list(row.summary),
        html_size=row.html_size,
        duplicates=duplicates,
    )


def _list(column: str | None) -> tuple[str, ...]:
    return tuple(json.loads(column)) if column else ()


def versions(connection: Connection, page: str | int) -> tuple[Version, ...]:
    """Return the history of a page, oldest first."""
    columns = (VERSIONS.c.number, VERSIONS.c.saved_at, VERSIONS.c.title, VERSIONS.c.hash, VERSIONS.c.text_size)
    found = select(*columns).where(VERSIONS.c.document_id == document_id(connection, page)).order_by(VERSIONS.c.number)
    rows = connection.execute(found)
    return tuple(Version(row.number, moment(row.saved_at), row.title or "", row.hash, row.text_size) for row in rows)


def documents(database: Database, filters: Filters) -> Iterator[StoredDocument]:
    """Yield the current version of every page, in short transactions."""
    conditions, given = filters.conditions()
    found = _documents().where(VERSIONS.c.id == DOCUMENTS.c.version_id).order_by(DOCUMENTS.c.id).limit(_BATCH)
    if conditions:
        found = found.where(text(conditions.removeprefix(" AND ")))
    last = 0
    while True:
        with database.reading() as connection:
            rows = connection.execute(found.where(DOCUMENTS.c.id > last), given).all()
        yield from map(_stored, rows)
        if len(rows) < _BATCH:
            return
        last = rows[-1].document_id


def near_duplicates(connection: Connection, page: str | int) -> tuple[NearDuplicate, ...]:
    """Return the other pages of a page's group of near-duplicates."""
    found = document_id(connection, page)
    group = select(DOCUMENTS.c.group_id).where(DOCUMENTS.c.id == found).scalar_subquery()
    others = (
        select(DOCUMENTS.c.id, DOCUMENTS.c.url, VERSIONS.c.title)
        .join(VERSIONS, VERSIONS.c.id == DOCUMENTS.c.version_id)
        .where(DOCUMENTS.c.group_id == group, DOCUMENTS.c.id != found)
    )
    rows = connection.execute(others.order_by(DOCUMENTS.c.id))
    return tuple(NearDuplicate(row.id, row.url, row.title or "") for row in rows)


def failure_count(connection: Connection) -> int:
    """Return the number of failed pages."""
    count: int = connection.execute(select(func.count()).select_from(FAILURES)).scalar_one()
    return count


def failures(connection: Connection, limit: int, offset: int = 0) -> tuple[FailureRecord, ...]:
    """Return the failed pages, the latest first."""
    found = select(FAILURES, SOURCES.c.name.label("source")).outerjoin(SOURCES, SOURCES.c.id == FAILURES.c.source_id)
    latest = found.order_by(FAILURES.c.last_at.desc(), FAILURES.c.id.desc())
    rows = connection.execute(latest.limit(limit).offset(offset))
    return tuple(
        FailureRecord(
            url=row.url,
            source=row.source or "",
            stage=row.stage,
            error=row.error,
            message=row.message,
            count=row._mapping["count"],  # `row.count` is the method of a tuple
            first_at=moment(row.first_at),
            last_at=moment(row.last_at),
        )
        for row in rows
    )


def timings(database: Database) -> Iterator[Timing]:
    """Yield the timings of all versions that have some, in short transactions."""
    found, last = _timed().order_by(VERSIONS.c.id), 0
    while True:
        with database.reading() as connection:
            rows = connection.execute(found.where(VERSIONS.c.id > last).limit(_BATCH)).all()
            timed = list(_timings(connection, rows))
        yield from timed
        if len(rows) < _BATCH:
            return
        last = rows[-1].id


def latest_timings(connection: Connection, limit: int) -> tuple[Timing, ...]:
    """Return the timings of the versions stored last, the latest first."""
    has_some = select(TIMINGS.c.version_id).where(TIMINGS.c.version_id == VERSIONS.c.id).exists()
    rows = connection.execute(_timed().where(has_some).order_by(VERSIONS.c.id.desc()).limit(limit)).all()
    return tuple(_timings(connection, rows))


def _timed() -> Select[Any]:
    columns = (VERSIONS.c.id, VERSIONS.c.document_id, DOCUMENTS.c.url, VERSIONS.c.number)
    sizes = (VERSIONS.c.html_size, VERSIONS.c.page_size, VERSIONS.c.text_size)
    return select(*columns, *sizes).join(DOCUMENTS, DOCUMENTS.c.id == VERSIONS.c.document_id)


def _timings(connection: Connection, rows: Sequence[Any]) -> Iterator[Timing]:
    seconds: dict[int, dict[str, float]] = {}
    for start in range(0, len(rows), _BATCH):
        ids = [row.id for row in rows[start : start + _BATCH]]
        for version_id, stage, taken in connection.execute(select(TIMINGS).where(TIMINGS.c.version_id.in_(ids))):
            seconds.setdefault(version_id, {})[stage] = taken
    for row in rows:
        if row.id in seconds:
            sizes = (row.html_size, row.page_size, row.text_size)
            yield Timing(row.url, row.number, *sizes, seconds[row.id], row.document_id)
