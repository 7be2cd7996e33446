import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bonmun.errors import NewerStore, NotAStore
from bonmun.store import open_store
from bonmun.store.address import parse
from bonmun.store.database import Database
from bonmun.store.migrations import LATEST, MIGRATIONS_IN_ORDER, migrate
from bonmun.store.store import Store
from tests.store.documents import document, story

ROOT = Path(__file__).parents[2]


def old_store(address: str, version: int, *texts: str) -> None:
    """Make a store of an older schema, with one document for each text."""
    database = Database(parse(address))
    migrate(database, latest=version)

    def add(connection) -> None:  # type: ignore[no-untyped-def]
        for number, text in enumerate(texts, 1):
            moment = "2026-01-01T00:00:00.000000+00:00"
            connection.exec_driver_sql(
                "INSERT INTO documents (key, url, host, version_id, first_seen, last_seen, changed_at) VALUES"
                f" ('https://a.example/{number}', 'https://a.example/{number}', 'a.example', {number},"
                f" '{moment}', '{moment}', '{moment}')"
            )
            connection.exec_driver_sql(
                "INSERT INTO versions (document_id, number, hash, saved_at, title, method, status, text, markdown,"
                f" html_size, page_size, text_size) VALUES ({number}, 1, 'x', '{moment}', 'Old', 'auto', 'ok',"
                f" '{text}', '', 0, 0, 0)"
            )

    database.write(add)
    database.close()


@pytest.mark.parametrize("version", range(1, LATEST))
def test_an_older_store_is_migrated_with_its_documents(address: str, version: int) -> None:
    if version > 1:
        old_store(address, version)
    else:
        old_store(address, version, story(1), story(1) + " 한국은행에서", story(2))
    with open_store(address) as store:
        assert store.stats().schema == LATEST
        if version == 1:
            assert [hit.url for hit in store.search("은행")] == ["https://a.example/2"]
            assert store.show("https://a.example/1").duplicates == ("https://a.example/2",)
            assert store.show("https://a.example/3").duplicates == ()
        assert store.save(document("은행"), url="https://a.example/9").outcome == "new"


def test_migrations_are_numbered_without_gaps() -> None:
    assert [migration.number for migration in MIGRATIONS_IN_ORDER] == list(range(1, LATEST + 1))


def test_a_failed_migration_leaves_the_old_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "store.db")
    old_store(path, 1, story(1))

    def full(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bonmun.store.near_duplicates.group", full)
    with pytest.raises(MemoryError):
        open_store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT max(number) FROM migrations").fetchone() == (1,)
        assert not connection.execute("SELECT * FROM sqlite_master WHERE name = 'search'").fetchall()
    connection.close()
    monkeypatch.undo()
    with open_store(path) as store:
        assert store.search(story(1, 3)).total == 1


def test_a_newer_store_is_refused_by_both_versions(address: str, filled: Callable[..., Store]) -> None:
    filled(a="Tea.").close()
    database = Database(parse(address))
    database.write(
        lambda connection: connection.exec_driver_sql(f"INSERT INTO migrations VALUES ({LATEST + 4}, 'new', '')")
    )
    database.close()
    with pytest.raises(NewerStore, match=rf"schema version {LATEST + 4} is newer than {LATEST}"):
        open_store(address)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NotAStore, match="another program"):
        open_store(path)
    assert path.read_bytes() == before


def test_several_processes_may_open_a_new_store_at_once(address: str) -> None:
    script = "import sys; from bonmun.store import open_store; open_store(sys.argv[1]).close()"
    processes = [
        subprocess.Popen([sys.executable, "-c", script, address], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(2)
    ]
    for process in processes:
        assert process.communicate(timeout=300)[1] == b""
        assert process.returncode == 0
    with open_store(address) as store:
        assert store.stats().schema == LATEST
