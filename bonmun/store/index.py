"""The search index: one interface, and which database has which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection

from bonmun.store.query import Query
from bonmun.store.tokens import MOST_TITLE_TOKENS, tokens

TITLE_WEIGHT = 4.0
"""How much more a word in the title counts than one in the text."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on documents besides the query; `None` for none."""

    language: str | None = None
    source: str | None = None
    host: str | None = None
    since: str | None = None
    """The earliest day of publication; of a page without one, of its first sight."""

    def conditions(self) -> tuple[str, dict[str, str]]:
        """Return the conditions on the table `documents`, as SQL, with their parameters."""
        clauses: list[str] = []
        given: dict[str, str] = {}
        if self.language is not None:
            clauses.append("(documents.language = :language OR documents.language LIKE :regional ESCAPE '!')")
            given |= {"language": self.language, "regional": f"{_escaped(self.language)}-%"}
        if self.source is not None:
            clauses.append("documents.source_id = (SELECT id FROM sources WHERE name = :source)")
            given["source"] = self.source
        if self.host is not None:
            clauses.append("(documents.host = :host OR documents.host LIKE :subdomains ESCAPE '!')")
            given |= {"host": self.host, "subdomains": f"%.{_escaped(self.host)}"}
        if self.since is not None:
            published = "SELECT coalesce(versions.published, documents.first_seen) FROM versions"
            clauses.append(f"({published} WHERE versions.id = documents.version_id) >= :since")
            given["since"] = self.since
        return "".join(f" AND {clause}" for clause in clauses), given


def _escaped(text: str) -> str:
    """Return a text for LIKE … ESCAPE '!' in which no character is a wildcard."""
    return "".join(f"!{char}" if char in "!%_" else char for char in text)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A part of the ranked results."""

    total: int
    documents: Sequence[tuple[int, float]]
    """Ids and scores, the best first."""


@dataclass(frozen=True, slots=True)
class DocumentTokens:
    """The tokens of a document."""

    title: Sequence[str]
    body: Sequence[str]

    @classmethod
    def of(cls, title: str | None, body: str) -> "DocumentTokens":
        """Return the tokens of a title and a text."""
        return cls(tokens(title or "", MOST_TITLE_TOKENS), tokens(body))


class Index(Protocol):
    """The index of one kind of database. All calls take place in the caller's transaction."""

    def add(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Add a document."""
        ...

    def remove(self, connection: Connection, document_id: int, tokens: DocumentTokens) -> None:
        """Remove a document, given what was added."""
        ...

    def search(self, connection: Connection, query: Query, filters: Filters, limit: int, offset: int) -> Ranked:
        """Return the matching documents, ranked by BM25."""
        ...


def index_of(connection: Connection) -> Index:
    """Return the index of a connection's database."""
    if connection.dialect.name == "sqlite":
        from bonmun.store.index_sqlite import SqliteIndex

        return SqliteIndex()
    from bonmun.store.index_postgresql import PostgresqlIndex

    return PostgresqlIndex()
