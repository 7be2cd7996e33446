"""Both databases for real: a file of SQLite, and a PostgreSQL server in a temporary folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.postgresql_server import binaries, emptied, server
from bonmun.store import open_store
from bonmun.store.store import Store


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a running server."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: no initdb")
    with server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return emptied(request.getfixturevalue("postgresql"))


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def filled(store: Store) -> Callable[..., Store]:
    """Store one text per URL path."""
    from tests.store.documents import document

    def fill(**texts: str) -> Store:
        for name, text in texts.items():
            store.save(document(text), url=f"https://example.org/{name}")
        return store

    return fill
