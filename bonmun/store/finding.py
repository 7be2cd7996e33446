"""Finding documents: the hits of a query, or the latest; and their counts by host and language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, select, text

from bonmun.store.clock import moment
from bonmun.store.index import Filters, Ranked, index_of
from bonmun.store.query import Query, parse
from bonmun.store.results import Facets, Hit, Hits
from bonmun.store.schema import DOCUMENTS, SOURCES, VERSIONS
from bonmun.store.snippets import SEARCHED, snippet

_LARGEST = 2**63 - 1
_MOST_HOSTS, _MOST_LANGUAGES = 20, 200


def search(
    connection: Connection, query: str, filters: Filters, limit: int, offset: int, *, prefix: bool = False
) -> Hits:
    """Return a part of the ranked results of a query."""
    parsed = parse(query, prefix)
    ranked = index_of(connection).search(connection, parsed, filters, *_bounded(limit, offset))
    return _hits(connection, query, parsed, ranked)


def latest(connection: Connection, filters: Filters, limit: int, offset: int) -> Hits:
    """Return a part of all documents, those seen last first."""
    conditions, given = filters.conditions()
    found = f" FROM documents WHERE version_id IS NOT NULL{conditions}"
    total = connection.execute(text(f"SELECT count(*){found}"), given).scalar_one()
    limit, offset = _bounded(limit, offset)
    listed = text(f"SELECT id{found} ORDER BY last_seen DESC, id DESC LIMIT :limit OFFSET :offset")
    ids = connection.execute(listed, {**given, "limit": limit, "offset": offset}).scalars()
    return _hits(connection, "", parse(""), Ranked(total, [(found, 0.0) for found in ids]))


def facets(connection: Connection, query: str, filters: Filters, *, prefix: bool = False) -> Facets:
    """Count the documents of a query by host and by language; of an empty query, all."""
    matching, given = "", dict[str, str]()
    if query.strip():
        parsed = parse(query, prefix)
        if not parsed.wanted:
            return Facets({}, {})
        ids, given = index_of(connection).matching(parsed)
        matching = f" AND documents.id IN ({ids})"

    def counted(column: str, others: Filters, most: int) -> Mapping[str, int]:
        conditions, values = others.conditions()
        rows = connection.execute(
            text(
                f"SELECT coalesce({column}, '') AS value, count(*) AS number FROM documents"
                f" WHERE version_id IS NOT NULL{matching}{conditions} GROUP BY value ORDER BY number DESC, value"
            ),
            {**given, **values},
        )
        return dict(map(tuple, rows.fetchmany(most)))

    return Facets(
        counted("documents.host", replace(filters, host=None), _MOST_HOSTS),
        counted("documents.language", replace(filters, language=None), _MOST_LANGUAGES),
    )


def _bounded(limit: int, offset: int) -> tuple[int, int]:
    return min(max(limit, 0), _LARGEST), min(max(offset, 0), _LARGEST)


def _hits(connection: Connection, query: str, parsed: Query, ranked: Ranked) -> Hits:
    rows = _hit_rows(connection, [found for found, _ in ranked.documents])
    hits = tuple(_hit(rows[found], score, parsed) for found, score in ranked.documents if found in rows)
    return Hits(query, ranked.total, hits)


def _hit_rows(connection: Connection, ids: Sequence[int]) -> dict[int, Any]:
    start = func.substr(VERSIONS.c.text, 1, SEARCHED).label("text")
    of_document = [DOCUMENTS.c[name] for name in ("id", "url", "host", "last_seen", "group_id")]
    of_version = [VERSIONS.c[name] for name in ("title", "language", "published", "page_type", "confidence")]
    found = (
        select(*of_document, *of_version, SOURCES.c.name.label("source"), start)
        .join(VERSIONS, VERSIONS.c.id == DOCUMENTS.c.version_id)
        .outerjoin(SOURCES, SOURCES.c.id == DOCUMENTS.c.source_id)
    )
    return {row.id: row for row in connection.execute(found.where(DOCUMENTS.c.id.in_(ids)))}


def _hit(row: Any, score: float, query: Query) -> Hit:
    return Hit(
        document_id=row.id,
        url=row.url,
        title=row.title or "",
        language=row.language or "",
        published=row.published or "",
        source=row.source or "",
        score=score,
        snippet=snippet(row.text, query.wanted),
        group=row.group_id,
        host=row.host,
        last_seen=moment(row.last_seen),
        page_type=row.page_type or "",
        confidence=row.confidence or 0.0,
    )
