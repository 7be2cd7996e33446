"""The drivers' exceptions as errors of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bonmun.errors import NotAStore, StoreError, StoreFull, StoreLocked, StoreUnreachable
from bonmun.store.address import Address, without_password

_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_UNWRITTEN = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
)
"""A write beyond a quota or the largest allowed file is an I/O error."""
_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
_BY_STATE = {
    "53100": (StoreFull, "no space left on the server's disk; the page in flight is not stored"),
    "55P03": (StoreLocked, "locked by another process; try again later"),
    "40P01": (StoreLocked, "locked by another process; try again later"),
    "40001": (StoreLocked, "locked by another process; try again later"),
    "3D000": (StoreUnreachable, "no such database; create it with createdb"),
    "42501": (StoreUnreachable, "no permission"),
}
"""By the SQLSTATE of PostgreSQL."""


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Raise a `StoreError` for every exception of SQLAlchemy, SQLite or psycopg."""
    try:
        yield
    except SQLAlchemyError as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        raise _error(address, original or error) from None
    except sqlite3.Error as error:
        raise _error(address, error) from None


def _error(address: Address, error: BaseException) -> StoreError:
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(address, error)
    kind, what = _BY_STATE.get(getattr(error, "sqlstate", None) or "", (None, ""))
    if kind is not None:
        return kind(f"{address.name}: {what}")
    message = without_password(" ".join(str(error).split()))
    if type(error).__name__ in ("OperationalError", "ConnectionTimeout", "InterfaceError"):
        return StoreUnreachable(f"{address.name}: the server cannot be reached: {message}")
    return StoreError(f"{address.name}: {message}")


def _of_sqlite(address: Address, error: sqlite3.Error) -> StoreError:
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    if code in _LOCKED:
        return StoreLocked(f"{address.name}: locked by another process; try again later")
    if code in _DAMAGED:
        return NotAStore(f"{address.name}: {error}; restore it from a backup or choose another file")
    if code == sqlite3.SQLITE_FULL or extended in _UNWRITTEN:
        return StoreFull(f"{address.name}: no space left ({error}); the page in flight is not stored")
    if code in _CLOSED:
        return StoreUnreachable(f"{address.name}: {error}; check the path and its permissions")
    return StoreError(f"{address.name}: {error}")
