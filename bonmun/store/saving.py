"""From a document to its rows: what is computed before the transaction, and the transaction itself."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from bonmun.errors import BonmunError
from bonmun.middleware.exchange import NetworkFacts
from bonmun.model.document import Document
from bonmun.model.valid_text import valid_text
from bonmun.store.clock import now
from bonmun.store.index import DocumentTokens, index_of
from bonmun.store.near_duplicates import group, signature
from bonmun.store.results import Outcome, Saved
from bonmun.store.schema import DOCUMENTS, QUEUE, SOURCES, TIMINGS, VERSIONS
from bonmun.store.upsert import insert_ignoring
from bonmun.store.urls import host_of, normalized, url_key


@dataclass(frozen=True)
class Record:
    """A page to store. Its heavy parts are computed at first access: an unchanged page needs none of them."""

    document: Document
    url: str
    source: str = ""
    html_size: int = 0
    timings: Mapping[str, float] | None = None
    network: NetworkFacts | None = None
    analyse: bool = False

    @cached_property
    def key(self) -> str:
        """The identity of the page."""
        return url_key(self.url)

    @cached_property
    def title(self) -> str:
        """The title, an empty string for none."""
        return valid_text(self.document.title or "")

    @cached_property
    def text(self) -> str:
        """The main text."""
        return valid_text(self.document.text)

    @cached_property
    def hash(self) -> str:
        """The identity of the content: title and text."""
        return sha256(f"{self.title}\0{self.text}".encode()).hexdigest()

    @cached_property
    def tokens(self) -> DocumentTokens:
        """What the search index gets."""
        return DocumentTokens.of(self.title, self.text)

    @cached_property
    def signature(self) -> bytes:
        """The MinHash signature of the text."""
        return signature(self.tokens.body)

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The columns of a version."""
        document, metadata = self.document, self.document.metadata
        known: dict[str, Any] = {
            name: getattr(metadata, name) for name in ("author", "language", "site", "description", "canonical_url")
        }
        return known | self._analysed() | {
            "hash": self.hash,
            "title": self.title,
            "text": self.text,
            "markdown": valid_text(document.markdown),
            "published": metadata.iso_published or (metadata.date.isoformat() if metadata.date else None),
            "modified": metadata.iso_modified,
            "tags": _json(metadata.tags),
            "page_type": document.page_type,
            "method": document.method,
            "status": str(document.status),
            "confidence": document.confidence,
            "network": _json(asdict(self.network)) if self.network else None,
            "html_size": self.html_size,
            "page_size": sum(document.page.blocks.chars),
            "text_size": len(self.text),
        }  # fmt: skip

    def _analysed(self) -> dict[str, str]:
        if not self.analyse:
            return {}
        try:
            keywords, summary = self.document.keywords(), self.document.summary()
        except (BonmunError, MemoryError):  # beyond the time limit, or that of a worker's memory: stored without them
            return {}
        return {"keywords": _json([str(one) for one in keywords]), "summary": _json([str(one) for one in summary])}

    @cached_property
    def requested(self) -> list[str]:
        """The keys that the request may have in the queue."""
        urls = {self.url, *((self.network.requested_url, *self.network.redirects) if self.network else ())}
        return [url_key(url) for url in urls]

    def prepared(self) -> "PreparedPage":
        """Compute the heavy parts, so that the transaction is short."""
        names = [field.name for field in fields(PreparedPage)]
        return PreparedPage(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """The rows of a page: plain data, ready for the transaction. Picklable."""

    key: str
    url: str
    source: str
    hash: str
    tokens: DocumentTokens
    signature: bytes
    columns: Mapping[str, Any]
    timings: Mapping[str, float] | None
    requested: Sequence[str]


def is_unchanged(connection: Connection, record: Record) -> bool:
    """Whether the store has this content as the page's current version."""
    current = select(VERSIONS.c.hash).join(DOCUMENTS, DOCUMENTS.c.version_id == VERSIONS.c.id)
    return connection.execute(current.where(DOCUMENTS.c.key == record.key)).scalar() == record.hash


def write(connection: Connection, record: Record | PreparedPage) -> Saved:
    """Store a page and take its request off the queue, in the caller's transaction."""
    connection.execute(delete(QUEUE).where(QUEUE.c.key.in_(record.requested)))
    document_id = _document(connection, record)
    current = _current(connection, document_id)
    if current is not None and current.hash == record.hash:
        connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(last_seen=now()))
        return Saved("unchanged", document_id, current.number)
    index = index_of(connection)
    if current is not None:
        index.remove(connection, document_id, DocumentTokens.of(current.title, current.text))
    number = _add_version(connection, document_id, record)
    index.add(connection, document_id, record.tokens)
    nearest = group(connection, document_id, record.signature)
    outcome: Outcome = "changed" if current is not None else "new" if nearest is None else "duplicate"
    return Saved(outcome, document_id, number, _url(connection, nearest))


def source_id(connection: Connection, name: str) -> int | None:
    """Return the id of a source, added if it is new; `None` for the empty name."""
    if not name:
        return None
    name = valid_text(name)
    found = select(SOURCES.c.id).where(SOURCES.c.name == name)
    known: int | None = connection.execute(found).scalar()
    if known is None:
        insert_ignoring(connection, SOURCES, [{"name": name, "first_seen": now()}], "name")
        known = connection.execute(found).scalar_one()
    return known


def _document(connection: Connection, record: Record | PreparedPage) -> int:
    """Return the id of the page's row, which is locked; it is added if it is missing."""
    found = select(DOCUMENTS.c.id).where(DOCUMENTS.c.key == record.key).with_for_update()
    known: int | None = connection.execute(found).scalar()
    if known is not None:
        return known
    moment = now()
    row = {
        "key": record.key,
        "url": normalized(record.url),
        "host": host_of(record.key),
        "source_id": source_id(connection, record.source),
        "first_seen": moment,
        "last_seen": moment,
        "changed_at": moment,
    }
    insert_ignoring(connection, DOCUMENTS, [row], "key")  # another process may have been faster
    added: int = connection.execute(found).scalar_one()
    return added


def _current(connection: Connection, document_id: int) -> Any:
    columns = (VERSIONS.c.number, VERSIONS.c.hash, VERSIONS.c.title, VERSIONS.c.text)
    found = select(*columns).join(DOCUMENTS, DOCUMENTS.c.version_id == VERSIONS.c.id)
    return connection.execute(found.where(DOCUMENTS.c.id == document_id)).first()


def _add_version(connection: Connection, document_id: int, record: Record | PreparedPage) -> int:
    last = select(func.coalesce(func.max(VERSIONS.c.number), 0)).where(VERSIONS.c.document_id == document_id)
    number: int = connection.execute(last).scalar_one() + 1
    moment = now()
    row = {**record.columns, "document_id": document_id, "number": number, "saved_at": moment}
    version_id = connection.execute(insert(VERSIONS).values(row).returning(VERSIONS.c.id)).scalar_one()
    current = {"version_id": version_id, "language": row["language"], "last_seen": moment, "changed_at": moment}
    connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(current))
    stages = [{"version_id": version_id, "stage": valid_text(stage), "seconds": float(seconds)}
              for stage, seconds in (record.timings or {}).items()]  # fmt: skip
    if stages:
        connection.execute(insert(TIMINGS), stages)
    return number


def _url(connection: Connection, document_id: int | None) -> str | None:
    if document_id is None:
        return None
    return str(connection.execute(select(DOCUMENTS.c.url).where(DOCUMENTS.c.id == document_id)).scalar_one())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
