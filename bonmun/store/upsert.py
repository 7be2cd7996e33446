"""INSERT … ON CONFLICT, which both databases have and SQLAlchemy spells twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_ignoring(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], *key: str) -> int:
    """Insert the rows whose key is not there yet; return their number."""
    statement = _insert(connection, table).values(list(rows)).on_conflict_do_nothing(index_elements=list(key))
    return len(connection.execute(statement.returning(table.c.id)).all())


def insert_replacing(
    connection: Connection, table: Table, row: Mapping[str, Any], key: Sequence[str], changed: Mapping[str, Any]
) -> None:
    """Insert a row; if there is one of the same key, set the changed columns of that one."""
    statement = _insert(connection, table).values(**row)
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(changed)))


def _insert(connection: Connection, table: Table) -> Any:
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
