"""The drivers' exceptions never leak, passwords are never shown, and a full disk leaves an intact database."""

import os
import resource
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bonmun.errors import NotAStore, StoreError, StoreLocked, StoreUnreachable
from bonmun.store import database, open_store
from bonmun.store.store import Store
from tests.store.documents import document

ROOT = Path(__file__).parents[2]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Tea is made of leaves. " * 100)
    with pytest.raises(NotAStore, match=r"notes\.txt: file is not a database"):
        open_store(path)


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        for number in range(50):
            store.save(document(f"Tea {number}. " * 50), url=f"https://example.org/{number}")
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(NotAStore, match=r"store\.db"), open_store(path) as store:
        store.search("tea")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("missing/store.db", "no such folder: missing"),
        (".", "a folder, not a file"),
        ("postgresql://me:secret@/news?host=/nonexistent", "the server cannot be reached"),
        ("postgresql://me:secret@127.0.0.1:1/news", "the server cannot be reached"),
        ("postgresql:///news?user=me&password=secret&host=/nonexistent", "the server cannot be reached"),
    ],
)
def test_what_cannot_be_reached_is_named_without_password(address: str, message: str) -> None:
    with pytest.raises(StoreUnreachable, match=message) as raised:
        open_store(address)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("address", ["mysql://me:secret@host/news", "", "postgresql://me:secret@host:port/x"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(StoreError) as raised:
        open_store(address)
    assert "secret" not in str(raised.value)


def test_a_missing_database_or_user_of_a_server_is_named(postgresql: str) -> None:
    with pytest.raises(StoreUnreachable, match="nothing"):
        open_store(postgresql.replace("/postgres?", "/nothing?"))
    with pytest.raises(StoreUnreachable, match="somebody"):
        open_store(postgresql.replace("//bonmun@", "//somebody@"))


def test_a_lost_connection_is_made_again(postgresql: str) -> None:
    import psycopg

    with open_store(postgresql) as store:
        documents = store.stats().documents
        with psycopg.connect(postgresql, autocommit=True) as other:
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'bonmun'"
            other.execute(f"SELECT pg_terminate_backend(pid) {others}")
        assert store.stats().documents == documents


def test_without_create_a_missing_file_stays_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreachable, match="no such file"):
        open_store(tmp_path / "store.db", create=False)
    assert not list(tmp_path.iterdir())


def test_a_lock_that_is_never_released_is_an_error(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlite_store.close()
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.05)
    other = sqlite3.connect(sqlite_store.name, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with open_store(sqlite_store.name) as store, pytest.raises(StoreLocked, match="locked by another process"):
            store.save(document("Tea."), url="https://example.org/")
    finally:
        other.close()


def test_a_writer_waits_for_another(sqlite_store: Store) -> None:
    other = sqlite3.connect(sqlite_store.name, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    timer.start()
    try:
        assert sqlite_store.save(document("Tea."), url="https://example.org/").outcome == "new"
    finally:
        timer.join()
        other.close()


_FILL = """
import resource, sys
from bonmun.errors import StoreFull
from bonmun.store import open_store
from tests.store.documents import document, story
with open_store(sys.argv[1]) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
    for number in range(10_000):
        try:
            store.save(document(story(number, 2_000)), url=f"https://example.org/{number}")
        except StoreFull as error:
            print(number, error)
            break
    store.stats(), store.search("word")
"""


def test_a_full_disk_is_an_error_and_loses_only_the_page_in_flight(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    done = subprocess.run([sys.executable, "-c", _FILL, path], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    saved, _, message = done.stdout.partition(" ")
    assert int(saved) > 3
    assert "no space left" in message
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == limit
    with open_store(path) as store:
        assert store.stats().documents == int(saved)
        assert store.save(document("Tea."), url="https://example.org/tea").outcome == "new"
    assert intact(path)


def intact(path: Path) -> bool:
    connection = sqlite3.connect(path)
    try:
        whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        return whole and not connection.execute("PRAGMA foreign_key_check").fetchall()
    finally:
        connection.rollback()
        connection.close()
