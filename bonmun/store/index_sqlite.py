"""Search by SQLite's FTS5: a table without content, whose tokenizer splits our tokens at spaces and no more."""

from typing import Any

from sqlalchemy import Connection, text

from bonmun.store.index import TITLE_WEIGHT, DocumentTokens, Filters, Ranked
from bonmun.store.query import Query, Term

_ADD = text("INSERT INTO search (rowid, title, body) VALUES (:id, :title, :body)")
_REMOVE = text("INSERT INTO search (search, rowid, title, body) VALUES ('delete', :id, :title, :body)")
_RANK = f"bm25({TITLE_WEIGHT}, 1.0)"


class SqliteIndex:
    """The index of a SQLite file."""

    def add(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Add a document."""
        connection.execute(_ADD, _row(document_id, tokens))

    def remove(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Remove a document: FTS5 takes its tokens out again."""
        connection.execute(_REMOVE, _row(document_id, tokens))

    def matching(self, query: Query) -> tuple[str, dict[str, Any]]:
        """Return the ids of all matching documents as a query, with its parameters."""
        return "SELECT rowid FROM search WHERE search MATCH :query", {"query": match_expression(query)}

    def search(self, connection: Connection, query: Query, filters: Filters, limit: int, offset: int) -> Ranked:
        """Return the matching documents, ranked by FTS5's BM25."""
        if not query.wanted:
            return Ranked(0, ())
        conditions, given = filters.conditions()
        joined = " CROSS JOIN documents ON documents.id = search.rowid" if conditions else ""
        found = f" FROM search{joined} WHERE search MATCH :query{conditions}"
        parameters = {**given, "query": match_expression(query)}
        total = connection.execute(text(f"SELECT count(*){found}"), parameters).scalar_one()
        ranked = f"SELECT search.rowid, rank{found} AND rank MATCH '{_RANK}' ORDER BY rank LIMIT :limit OFFSET :offset"
        rows = connection.execute(text(ranked), {**parameters, "limit": limit, "offset": offset})
        return Ranked(total, [(document_id, -rank) for document_id, rank in rows])


def _row(document_id: int, tokens: DocumentTokens) -> dict[str, object]:
    return {"id": document_id, "title": " ".join(tokens.title), "body": " ".join(tokens.body)}


def match_expression(query: Query) -> str:
    """Return a query in the syntax of FTS5.

    >>> from bonmun.store.query import parse
    >>> match_expression(parse('한국은행 세 -"interest rates"'))
    '("한국 국은 은행" AND "세" *) NOT "interest rat"'
    """
    wanted = " AND ".join(map(_phrase, query.wanted))
    unwanted = "".join(f" NOT {_phrase(term)}" for term in query.unwanted)
    return f"({wanted}){unwanted}" if unwanted else wanted


def _phrase(term: Term) -> str:
    phrase = f'"{" ".join(term.tokens)}"{" *" if term.is_prefix else ""}'
    others = [f'"{" ".join((*term.tokens[:-1], other))}"' for other in term.others]
    return f"({' OR '.join([phrase, *others])})" if others else phrase
