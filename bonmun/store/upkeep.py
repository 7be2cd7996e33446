"""Counts of a store, and the removal of what is old."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, text

from bonmun.store.database import SCHEMA
from bonmun.store.index import DocumentTokens, index_of
from bonmun.store.near_duplicates import ungroup
from bonmun.store.queue import pending
from bonmun.store.results import Stats
from bonmun.store.schema import DOCUMENTS, FAILURES, GROUPS, LABELS, MIGRATIONS, SITES, SOURCES, VERSIONS

_MOST_HOSTS = 10
_BATCH = 100


def stats(connection: Connection) -> Stats:
    """Count everything."""

    def count(table: Any, *conditions: ColumnElement[bool]) -> int:
        found: int = connection.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one()
        return found

    with_sources = DOCUMENTS.outerjoin(SOURCES, SOURCES.c.id == DOCUMENTS.c.source_id)
    return Stats(
        documents=count(DOCUMENTS),
        versions=count(VERSIONS),
        sources=_tally(connection, SOURCES.c.name, with_sources),
        languages=_tally(connection, DOCUMENTS.c.language, DOCUMENTS),
        hosts=_tally(connection, DOCUMENTS.c.host, DOCUMENTS, _MOST_HOSTS),
        failures=_tally(connection, FAILURES.c.error, FAILURES),
        groups=count(GROUPS),
        grouped=count(DOCUMENTS, DOCUMENTS.c.group_id.is_not(None)),
        pending=pending(connection),
        sites=count(SITES),
        labels=count(LABELS),
        bytes=_bytes(connection),
        schema=connection.execute(select(func.max(MIGRATIONS.c.number))).scalar_one(),
    )


def _tally(connection: Connection, column: Any, table: Any, most: int | None = None) -> dict[str, int]:
    """Count rows by the value of a column, most frequent first."""
    number = func.count()
    found = select(column, number).select_from(table).group_by(column).order_by(number.desc(), column).limit(most)
    counts = {value or "": count for value, count in connection.execute(found)}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))  # the databases sort NULL differently


def _bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        size = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
    else:
        size = text(
            "SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) FROM pg_class JOIN pg_namespace"
            f" ON pg_namespace.oid = relnamespace WHERE nspname = '{SCHEMA}' AND relkind = 'r'"
        )
    return int(connection.execute(size).scalar_one())


def prune_documents(connection: Connection, before: str) -> int:
    """Remove a batch of the documents that were last seen before a moment; return their number."""
    return _remove(connection, DOCUMENTS.c.last_seen < before)


def delete_document(connection: Connection, document_id: int) -> None:
    """Remove a document with all its versions."""
    _remove(connection, DOCUMENTS.c.id == document_id)


def _remove(connection: Connection, condition: ColumnElement[bool]) -> int:
    """Remove a batch of documents, also from the index and from their groups."""
    columns = (DOCUMENTS.c.id, VERSIONS.c.title, VERSIONS.c.text)
    found = select(*columns).join(VERSIONS, VERSIONS.c.id == DOCUMENTS.c.version_id)
    rows = connection.execute(found.where(condition).order_by(DOCUMENTS.c.id).limit(_BATCH)).all()
    index = index_of(connection)
    for document_id, title, body in rows:
        index.remove(connection, document_id, DocumentTokens.of(title, body))
        ungroup(connection, document_id)
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.id.in_([row.id for row in rows])))
    return len(rows)


def prune_versions(connection: Connection, keep: int) -> int:
    """Remove all but the latest versions of each page; return the number removed."""
    newer = VERSIONS.alias()
    later = select(func.count()).where(
        newer.c.document_id == VERSIONS.c.document_id, newer.c.number > VERSIONS.c.number
    )
    return connection.execute(delete(VERSIONS).where(later.scalar_subquery() >= keep)).rowcount


def prune_failures(connection: Connection, before: str) -> int:
    """Remove the failures that last happened before a moment; return their number."""
    return connection.execute(delete(FAILURES).where(FAILURES.c.last_at < before)).rowcount
