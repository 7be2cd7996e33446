"""The store: documents in a database, with their versions, found by full-text search."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from bonmun.middleware.exchange import NetworkFacts, Request
from bonmun.model.document import Document
from bonmun.model.valid_text import valid_text
from bonmun.store import finding, queue, reading, saving, upkeep
from bonmun.store.address import parse, without_password
from bonmun.store.clock import now, stamp
from bonmun.store.database import Database, check_file
from bonmun.store.diff import Diff, diff
from bonmun.store.export import export, format_of
from bonmun.store.index import NO_FILTERS, Filters
from bonmun.store.jobs import JobTable
from bonmun.store.label_calls import LabelCalls
from bonmun.store.migrations import migrate
from bonmun.store.results import (
    Facets,
    FailureRecord,
    Hits,
    NearDuplicate,
    Pruned,
    Saved,
    Stats,
    StoredDocument,
    Timing,
    Version,
)
from bonmun.store.schema import DOCUMENTS, FAILURES, QUEUE
from bonmun.store.site_calls import SiteCalls
from bonmun.store.upsert import insert_replacing
from bonmun.store.urls import normalized, url_key

if TYPE_CHECKING:
    from bonmun.workers.failure import Failure

_NO_TIMINGS: Mapping[str, float] = MappingProxyType({})
_LONGEST_MESSAGE = 2_000


class Store(SiteCalls, LabelCalls):
    """Pages in a database: SQLite or PostgreSQL, with the same results. Thread-safe; several processes may share one.

    Every call is one transaction: when it returns, what it wrote survives a crash of the process. All errors are
    `StoreError`.

    >>> import bonmun
    >>> from bonmun.store import open_store
    >>> with open_store(":memory:") as store:
    ...     doc = bonmun.extract("<title>Tea</title><p>She reported that the tea was made of leaves.")
    ...     store.save(doc, url="https://example.org/tea").outcome
    ...     [hit.snippet.marked("[", "]") for hit in store.search("report leaf -coffee")]
    ...     [hit.snippet.marked("[", "]") for hit in store.search("report leaves")]
    'new'
    []
    ['She [reported] that the tea was made of [leaves].']
    """

    def __init__(self, address: str | Path, *, create: bool = True, analyse: bool = False) -> None:
        parsed = parse(address)
        check_file(parsed, create=create)
        self.name = parsed.name
        """The address, without password."""
        self._analyse = analyse
        self._database = Database(parsed)
        try:
            migrate(self._database)
        except BaseException:
            self._database.close()
            raise

    def save(
        self,
        document: Document,
        *,
        url: str,
        source: str = "",
        html_size: int = 0,
        timings: Mapping[str, float] = _NO_TIMINGS,
        network: NetworkFacts | None = None,
    ) -> Saved:
        """Store a page: a new one, a new version of a changed one, or the stamp that an unchanged one was seen.

        Its request leaves the queue in the same transaction.
        """
        record = saving.Record(document, url, source, html_size, timings, network, self._analyse)
        with self._database.reading() as connection:
            unchanged = saving.is_unchanged(connection, record)
        return self.save_prepared(record if unchanged else record.prepared())

    def save_prepared(self, page: "saving.PreparedPage | saving.Record") -> Saved:
        """Store a page that `prepare` computed, perhaps in another process."""
        return self._database.write(lambda connection: saving.write(connection, page))

    def fail(self, url: str, source: str, stage: str, error: "BaseException | Failure | str") -> None:
        """Record that a page failed; its request leaves the queue in the same transaction."""
        kind, message = _described(error)
        moment = now()
        row = {"key": url_key(url), "url": normalized(url), "stage": valid_text(stage), "error": kind}
        row |= {"message": message, "first_at": moment, "last_at": moment}

        def work(connection: Connection) -> None:
            connection.execute(QUEUE.delete().where(QUEUE.c.key == row["key"]))
            found = {**row, "source_id": saving.source_id(connection, source), "count": 1}
            changed = {"message": message, "last_at": moment, "count": FAILURES.c.count + 1}
            insert_replacing(connection, FAILURES, found, ("key", "stage", "error"), changed)

        self._database.write(work)

    def has(self, url: str) -> bool:
        """Whether a page is stored."""
        with self._database.reading() as connection:
            found = select(DOCUMENTS.c.id).where(DOCUMENTS.c.key == url_key(url))
            return connection.execute(found).scalar() is not None

    def search(
        self,
        query: str,
        limit: int = 20,
        offset: int = 0,
        *,
        language: str | None = None,
        source: str | None = None,
        host: str | None = None,
        since: date | None = None,
    ) -> Hits:
        """Find pages by words, which all have to occur, "phrases" and -excluded words; ranked by BM25."""
        filters = _filters(language, source, host, since)
        with self._database.reading() as connection:
            return finding.search(connection, query, filters, limit, offset)

    def find(
        self, query: str = "", limit: int = 20, offset: int = 0, *, filters: Filters = NO_FILTERS, prefix: bool = False
    ) -> Hits:
        """Like `search`, with more filters; without a query, all pages, those seen last first.

        With `prefix`, the last word of the query is unfinished: it stands for all words that begin so.
        """
        with self._database.reading() as connection:
            if not query.strip():
                return finding.latest(connection, filters, limit, offset)
            return finding.search(connection, query, filters, limit, offset, prefix=prefix)

    def facets(self, query: str = "", *, filters: Filters = NO_FILTERS, prefix: bool = False) -> Facets:
        """Count the pages that `find` finds, by host and by language."""
        with self._database.reading() as connection:
            return finding.facets(connection, query, filters, prefix=prefix)

    def show(self, page: str | int, version: int | None = None) -> StoredDocument:
        """Return a page by its URL or id, in its current or another version; raise `NotStored`."""
        with self._database.reading() as connection:
            return reading.show(connection, page, version)

    def near_duplicates(self, page: str | int) -> tuple[NearDuplicate, ...]:
        """Return the other pages of a page's group of near-duplicates; raise `NotStored`."""
        with self._database.reading() as connection:
            return reading.near_duplicates(connection, page)

    def versions(self, page: str | int) -> tuple[Version, ...]:
        """Return the history of a page, oldest first; raise `NotStored`."""
        with self._database.reading() as connection:
            return reading.versions(connection, page)

    def diff(self, page: str | int, old: int | None = None, new: int | None = None) -> Diff:
        """Compare two versions of a page; by default the last two."""
        return diff(*self.version_pair(page, old, new))

    def version_pair(
        self, page: str | int, old: int | None = None, new: int | None = None
    ) -> tuple[StoredDocument, StoredDocument]:
        """Return two versions of a page to compare; by default the last two; raise `NotStored`."""
        with self._database.reading() as connection:
            numbers = [version.number for version in reading.versions(connection, page)]
            new = numbers[-1] if new is None else new
            old = max((number for number in numbers if number < new), default=new) if old is None else old
            return reading.show(connection, page, old), reading.show(connection, page, new)

    def documents(
        self,
        *,
        language: str | None = None,
        source: str | None = None,
        host: str | None = None,
        since: date | None = None,
    ) -> Iterator[StoredDocument]:
        """Yield the current version of every page, in the order they were first stored."""
        return reading.documents(self._database, _filters(language, source, host, since))

    def export(
        self,
        path: str | Path,
        format: str | None = None,
        *,
        language: str | None = None,
        source: str | None = None,
        host: str | None = None,
        since: date | None = None,
    ) -> int:
        """Write pages as JSON lines (.jsonl), Parquet (.parquet) or Markdown (a folder); return their number."""
        path = Path(path)
        chosen = self.documents(language=language, source=source, host=host, since=since)
        return export(chosen, path, format or format_of(path))

    def failures(self, limit: int = 100, offset: int = 0) -> tuple[FailureRecord, ...]:
        """Return the failed pages, the latest first."""
        with self._database.reading() as connection:
            return reading.failures(connection, limit, offset)

    def failure_count(self) -> int:
        """Return the number of failed pages."""
        with self._database.reading() as connection:
            return reading.failure_count(connection)

    def timings(self) -> Iterator[Timing]:
        """Yield the seconds of each stage with the sizes of the page, for every version that was timed."""
        return reading.timings(self._database)

    def latest_timings(self, limit: int = 2_000) -> tuple[Timing, ...]:
        """Return the timings of the versions stored last, the latest first."""
        with self._database.reading() as connection:
            return reading.latest_timings(connection, limit)

    def stats(self) -> Stats:
        """Count documents, versions, failures and the rest."""
        with self._database.reading() as connection:
            return upkeep.stats(connection)

    def delete(self, page: str | int) -> None:
        """Remove a page by its URL or id, with all its versions; raise `NotStored`."""

        def work(connection: Connection) -> None:
            upkeep.delete_document(connection, reading.document_id(connection, page))

        self._database.write(work)

    def prune(
        self,
        *,
        keep_versions: int | None = None,
        unseen_for: timedelta | None = None,
        failures_older_than: timedelta | None = None,
        compact: bool = False,
    ) -> Pruned:
        """Remove old versions, pages not seen for a time, and old failures; `compact` gives the space back."""
        removed = {"documents": 0, "versions": 0, "failures": 0}
        write = self._database.write
        if unseen_for is not None:
            before = _ago(unseen_for)
            while batch := write(lambda connection: upkeep.prune_documents(connection, before)):
                removed["documents"] += batch
        if keep_versions is not None:
            keep = max(1, keep_versions)
            removed["versions"] = write(lambda connection: upkeep.prune_versions(connection, keep))
        if failures_older_than is not None:
            old = _ago(failures_older_than)
            removed["failures"] = write(lambda connection: upkeep.prune_failures(connection, old))
        if compact:
            self._database.outside_transactions("VACUUM")
        return Pruned(**removed)

    def enqueue(self, requests: Iterable[Request]) -> int:
        """Add requests to the queue; return how many were not in it yet."""
        return queue.enqueue(self._database, requests)

    def claim(self, most: int = 1, lease: float = 600.0) -> tuple[Request, ...]:
        """Take the oldest free requests; after `lease` seconds without `save`, `fail` or `done` they are free again."""
        return self._database.write(lambda connection: queue.claim(connection, most, lease))

    def done(self, *urls: str) -> None:
        """Take requests off the queue; `save` and `fail` do so on their own."""
        self._database.write(lambda connection: queue.done(connection, urls))

    def release(self) -> int:
        """Free all claimed requests at once, as after a crash; return their number."""
        return self._database.write(queue.release)

    def pending(self) -> int:
        """Return the number of requests in the queue, claimed ones included."""
        with self._database.reading() as connection:
            return queue.pending(connection)

    @property
    def jobs(self) -> JobTable:
        """The jobs of the service."""
        return JobTable(self._database)

    def close(self) -> None:
        """Close the connections; the store cannot be used any more."""
        self._database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _filters(language: str | None, source: str | None, host: str | None, since: date | None) -> Filters:
    return Filters(language, source, host, since.isoformat()[:10] if since else None)


def _ago(age: timedelta) -> str:
    return stamp(datetime.now(UTC) - age)


def _described(error: "BaseException | Failure | str") -> tuple[str, str]:
    """Return the name of an error's type and its message, without passwords."""
    if isinstance(error, str):
        kind, message = "Error", error
    elif isinstance(error, BaseException):
        kind = next(base.__name__ for base in type(error).__mro__ if not base.__name__.startswith("_"))
        message = str(error)
    else:
        kind, message = error.kind, error.message
    return valid_text(kind), valid_text(without_password(message))[:_LONGEST_MESSAGE]
