"""Search by PostgreSQL: a tsvector of our tokens, found by a GIN index and ranked by BM25 like SQLite's.

PostgreSQL has no statistics of lexemes, so a query counts the documents of each of its tokens first. A phrase counts by
its tokens, where FTS5 counts it as a whole.
"""

from collections.abc import Sequence
from math import log
from typing import Any

from sqlalchemy import Connection, text

from bonmun.store.index import TITLE_WEIGHT, DocumentTokens, Filters, Ranked
from bonmun.store.query import Query, Term

_LAST_POSITION, _MOST_POSITIONS = 16_383, 255
"""Limits of a tsvector."""
_MOST_RANKED = 5_000
"""Documents of a query that are ranked, the newest: a score needs the document's whole tsvector."""
_MOST_RANKED_BY_PREFIX = 500
"""The same for a query with the start of a word: all tokens of a document are compared with it, 1 ms each."""
_ADD = text(
    "INSERT INTO search (document_id, tokens, title_length, length, is_long)"
    " VALUES (:id, CAST(:tokens AS tsvector), :title_length, :length, :is_long)"
)
_REMOVE = text("DELETE FROM search WHERE document_id = :id")
_COUNT = text("SELECT count(*) FROM search WHERE tokens @@ CAST(:query AS tsquery)")
_SIZE = text("SELECT count(*), coalesce(avg(length), 1) FROM search")
_WANTED_PART = "ts_filter(setweight(tokens, 'B', CAST(:lexemes AS text[])), '{b}')"
"""The few wanted tokens of a document, found without a look at the others."""
_RANKED = """
    WITH found AS MATERIALIZED (
        SELECT search.document_id, tokens, title_length, length FROM search {conditions}
    ), ranked AS (
        SELECT * FROM found ORDER BY document_id DESC LIMIT :most
    ), wanted AS (
        SELECT * FROM unnest(CAST(:lexemes AS text[]), CAST(:prefixes AS boolean[]), CAST(:idfs AS float8[]))
            AS wanted (lexeme, is_prefix, idf)
    ), counted AS (
        SELECT document_id, length, idf, sum(
            (SELECT sum(CASE WHEN place <= title_length THEN :title ELSE 1 END) FROM unnest(positions) AS place)
        ) AS tf
        FROM ranked CROSS JOIN LATERAL unnest({tokens}) AS held
        JOIN wanted ON held.lexeme = wanted.lexeme OR (is_prefix AND starts_with(held.lexeme, wanted.lexeme))
        GROUP BY document_id, length, wanted.lexeme, is_prefix, idf
    ), scored AS (
        SELECT document_id,
            sum(idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / CAST(:average AS float8)))) AS score
        FROM counted GROUP BY document_id ORDER BY score DESC, document_id LIMIT :limit OFFSET :offset
    )
    SELECT total, document_id, score FROM (SELECT count(*) AS total FROM found) AS totals LEFT JOIN scored ON true
    ORDER BY score DESC, document_id
"""
"""BM25 with the constants of FTS5: k1 = 1.2, b = 0.75."""


class PostgresqlIndex:
    """The index of a PostgreSQL database."""

    def add(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Add a document."""
        connection.execute(_ADD, {"id": document_id, **_vector(tokens.title, tokens.body)})

    def remove(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Remove a document."""
        connection.execute(_REMOVE, {"id": document_id})

    def matching(self, query: Query) -> tuple[str, dict[str, Any]]:
        """Return the ids of all matching documents as a query, with its parameters."""
        matches, parameters = _matches(query)
        return f"SELECT document_id FROM search WHERE {matches}", parameters

    def search(self, connection: Connection, query: Query, filters: Filters, limit: int, offset: int) -> Ranked:
        """Return the matching documents, ranked by BM25."""
        if not query.wanted:
            return Ranked(0, ())
        conditions, given = filters.conditions()
        joined = "JOIN documents ON documents.id = search.document_id " if conditions else ""
        matches, parameters = _matches(query)
        weights = _weights(connection, query)
        ranked = _RANKED.format(
            conditions=f"{joined}WHERE {matches}{conditions}",
            tokens="tokens" if any(weights["prefixes"]) else _WANTED_PART,
        )
        rows = connection.execute(
            text(ranked), {**given, **parameters, **weights, "limit": limit, "offset": offset}
        ).all()
        return Ranked(rows[0].total, [(row.document_id, float(row.score)) for row in rows if row.document_id])


def _vector(title: Sequence[str], body: Sequence[str]) -> dict[str, object]:
    """Return the columns of a document. Of a long one, not all positions fit: its phrases are found by words."""
    places: dict[str, list[str]] = {}
    for position, token in enumerate(title, 1):
        places.setdefault(token, []).append(str(position))
    for position, token in enumerate(body, len(title) + 2):  # no phrase goes from the title into the text
        places.setdefault(token, []).append(str(min(position, _LAST_POSITION)))
    length = len(title) + len(body)
    is_long = length >= _LAST_POSITION or any(len(held) > _MOST_POSITIONS for held in places.values())
    vector = " ".join(f"'{token}':{','.join(held[:_MOST_POSITIONS])}" for token, held in places.items())
    return {"tokens": vector, "title_length": len(title), "length": length, "is_long": is_long}


def _matches(query: Query) -> tuple[str, dict[str, Any]]:
    """Return the condition of a query, with its parameters. Phrases of a long document are found by words."""
    exact, loose = tsquery(query, " <-> "), tsquery(query, " & ")
    matches = "tokens @@ CAST(:query AS tsquery)"
    if exact == loose:
        return matches, {"query": exact}
    return f"({matches} OR (is_long AND tokens @@ CAST(:loose AS tsquery)))", {"query": exact, "loose": loose}


def tsquery(query: Query, follows: str) -> str:
    """Return a query in the syntax of tsquery.

    >>> from bonmun.store.query import parse
    >>> tsquery(parse('한국은행 세 -"interest rates"'), " <-> ")
    "('한국' <-> '국은' <-> '은행') & ('세':*) & !('interest' <-> 'rat')"
    """
    wanted = [_phrase(term, follows) for term in query.wanted]
    return " & ".join([*wanted, *(f"!{_phrase(term, ' <-> ')}" for term in query.unwanted)])


def _phrase(term: Term, follows: str) -> str:
    *first, _ = (f"'{token}'" for token in term.tokens)
    return f"({follows.join([*first, _last(term)])})"


def _last(term: Term) -> str:
    """Return the last token of a term with all that it may become."""
    last = f"'{term.tokens[-1]}'{':*' if term.is_prefix else ''}"
    others = [f"'{other}'" for other in term.others]
    return f"({' | '.join([last, *others])})" if others else last


def _weights(connection: Connection, query: Query) -> dict[str, Any]:
    """Return the tokens of a query with their inverse document frequencies."""
    documents, average = connection.execute(_SIZE).one()
    wanted: dict[tuple[str, bool], float] = {}
    for term in query.wanted:
        *first, last = term.tokens
        for token in first:
            wanted[token, False] = _idf(connection, f"'{token}'", documents)
        wanted[last, term.is_prefix] = rarity = _idf(connection, _last(term), documents)
        wanted |= {(other, False): rarity for other in term.others}
    lexemes, prefixes = zip(*wanted, strict=True)
    return {
        "lexemes": list(lexemes),
        "prefixes": list(prefixes),
        "idfs": list(wanted.values()),
        "average": float(average) or 1.0,
        "title": int(TITLE_WEIGHT),
        "most": _MOST_RANKED_BY_PREFIX if any(prefixes) else _MOST_RANKED,
    }


def _idf(connection: Connection, token: str, documents: int) -> float:
    frequency = connection.execute(_COUNT, {"query": token}).scalar_one()
    return max(log((documents - frequency + 0.5) / (frequency + 0.5)), 1e-6)
