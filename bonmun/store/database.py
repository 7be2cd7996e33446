"""Connections with one rule for transactions: reads see one state, writes are all or nothing, and wait in line."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from threading import RLock
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, StaticPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from bonmun.errors import StoreError, StoreLocked, StoreUnreachable
from bonmun.store.address import Address
from bonmun.store.driver_errors import translated

SCHEMA = "bonmun"
"""The schema of PostgreSQL that has our tables."""
_BUSY_SECONDS = 10.0
"""How long SQLite waits for another process before a try of a transaction fails."""
_TRIES = 6
"""Tries of a transaction: with the waits, a minute on SQLite."""
_CONNECT_SECONDS = 10
_CACHE_KB = 64_000
"""SQLite's page cache; the default of 2 MB reads the search index from the file again and again."""

Result = TypeVar("Result")


class Database:
    """An engine, and its transactions with typed errors."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.dialect = address.dialect
        self._lock = RLock()
        """Writers of one process take turns here; SQLite's own waiting is unfair."""
        with translated(address):
            self._engine = _engine(address)
        self._reads_wait = address.dialect == "sqlite" and address.path is None  # one connection for all threads

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that only reads."""
        turn = self._lock if self._reads_wait else nullcontext()
        with turn, translated(self.address), self._engine.connect() as connection:
            if self.dialect == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do some work in a transaction of its own, again if another process was in the way."""
        for left in reversed(range(_TRIES)):
            try:
                with self._writing() as connection:
                    return work(connection)
            except StoreLocked:
                if not left:
                    raise
                time.sleep(0.05 * (_TRIES - left))
        raise AssertionError("unreachable")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._lock, translated(self.address), self._engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    def use_wal(self) -> None:
        """Let readers and a writer work at the same time; the file remembers it."""
        if self.address.path is None:
            return
        for left in reversed(range(_TRIES)):
            try:
                self.outside_transactions("PRAGMA journal_mode=WAL")
                break
            except StoreLocked:  # SQLite does not wait here
                if not left:
                    raise
                time.sleep(0.1 * (_TRIES - left))

    def outside_transactions(self, statement: str) -> None:
        """Run a statement such as VACUUM, which no transaction may hold."""
        with self._lock, translated(self.address):
            if self.dialect == "sqlite":
                with closing(self._engine.raw_connection()) as connection:
                    connection.cursor().execute(statement).close()
            else:
                with self._engine.connect() as autocommitting:
                    autocommitting.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(statement)

    def close(self) -> None:
        """Close all connections."""
        with translated(self.address):
            self._engine.dispose()


def _engine(address: Address) -> Engine:
    return _sqlite(address) if address.dialect == "sqlite" else _postgresql(address)


def _sqlite(address: Address) -> Engine:
    def connect() -> sqlite3.Connection:
        # The driver's own transaction control is switched off: it begins late, and a late writer cannot wait.
        connection = sqlite3.connect(
            address.path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in ("foreign_keys=ON", "synchronous=NORMAL", f"cache_size=-{_CACHE_KB}", "temp_store=MEMORY"):
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection

    pool: dict[str, Any] = {"poolclass": StaticPool} if address.path is None else {"max_overflow": -1}
    engine = create_engine("sqlite://" if address.path is None else "sqlite:///file", creator=connect, **pool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(address: Address) -> Engine:
    try:
        url = make_url(address.url)
        engine = create_engine(
            url,
            connect_args={
                "connect_timeout": _CONNECT_SECONDS,
                "options": f"{url.query.get('options', '')} -c search_path={SCHEMA} -c client_min_messages=warning",
            },
            pool_pre_ping=True,
            max_overflow=-1,
        )
    except (ArgumentError, ValueError):
        raise StoreError(f"{address.name}: not a valid URL; use postgresql://user@host/database") from None
    except ModuleNotFoundError:
        from bonmun.errors import MissingExtra

        raise MissingExtra("stores on PostgreSQL", "postgresql") from None
    return engine


def check_file(address: Address, *, create: bool) -> None:
    """Raise `StoreUnreachable` where no database file is, or none can be made."""
    path = address.path
    if path is None:
        return
    if path.is_dir():
        raise StoreUnreachable(f"{address.name}: a folder, not a file")
    if not path.parent.is_dir():
        raise StoreUnreachable(f"{address.name}: no such folder: {path.parent}")
    if not create and not path.exists():
        raise StoreUnreachable(f"{address.name}: no such file")
