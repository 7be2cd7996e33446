"""Documents in a database: SQLite in one file, or PostgreSQL by URL."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.store.store import Store


def open_store(address: str | Path, *, create: bool = True, analyse: bool = False) -> "Store":
    """Open a store: ``news.db``, ``sqlite:///news.db``, ``postgresql://user@host/database``, or ``:memory:``.

    A missing file is made unless `create` is false. An older schema is migrated. With `analyse`, keywords and a summary
    are kept of every document.

    >>> with open_store(":memory:") as store:
    ...     store.stats().documents
    0
    """
    from bonmun.errors import MissingExtra

    if find_spec("sqlalchemy") is None or find_spec("rensa") is None:
        raise MissingExtra("stores", "store")
    from bonmun.store.store import Store

    return Store(address, create=create, analyse=analyse)
