"""The search index: one interface, and which database has which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection

from bonmun.model.valid_text import valid_text
from bonmun.store.query import Query
from bonmun.store.tokens import MOST_TITLE_TOKENS, tokens

TITLE_WEIGHT = 4.0
"""How much more a word in the title counts than one in the text."""
_OF_VERSION = "SELECT {} FROM versions WHERE versions.id = documents.version_id"
_DAY = "substr(coalesce(versions.published, documents.first_seen), 1, 10)"


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on documents besides the query; `None` for none.

    >>> Filters(language="ko", since="2026-11-01").host is None
    True
    """

    language: str | None = None
    source: str | None = None
    host: str | None = None
    since: str | None = None
    """The earliest day of publication, in ISO 8601; of a page without one, of its first sight."""
    until: str | None = None
    """The latest day."""
    min_confidence: float | None = None
    """Of the current version."""

    def conditions(self) -> tuple[str, dict[str, Any]]:
        """Return the conditions on the table `documents`, as SQL, with their parameters."""
        clauses: list[str] = []
        given: dict[str, Any] = {}
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
            clauses.append(f"({_OF_VERSION.format(_DAY)}) >= :since")
            given["since"] = self.since
        if self.until is not None:
            clauses.append(f"({_OF_VERSION.format(_DAY)}) <= :until")
            given["until"] = self.until
        if self.min_confidence is not None:
            clauses.append(f"({_OF_VERSION.format('versions.confidence')}) >= :min_confidence")
            given["min_confidence"] = self.min_confidence
        valid = {name: valid_text(value) if isinstance(value, str) else value for name, value in given.items()}
        return "".join(f" AND {clause}" for clause in clauses), valid


NO_FILTERS = Filters()


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

    def matching(self, query: Query) -> tuple[str, dict[str, Any]]:
        """Return the ids of all matching documents as a query, with its parameters."""
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
