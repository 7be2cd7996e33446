import json
from pathlib import Path

import pytest

from bonmun.errors import SourceError, UnknownName
from bonmun.store.store import Store
from tests.store.documents import document


@pytest.fixture
def two(sqlite_store: Store) -> Store:
    sqlite_store.save(
        document("Tea is made of leaves.", "Tea: an introduction"), url="https://example.org/1", source="a"
    )
    sqlite_store.save(document("차는 잎으로 만든다.", "차/茶"), url="https://example.org/2", source="b")
    return sqlite_store


def test_json_lines_have_every_page_once(two: Store, tmp_path: Path) -> None:
    path = tmp_path / "out" / "news.jsonl"
    assert two.export(path) == 2
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(row["url"], row["text"], row["source"]) for row in rows] == [
        ("https://example.org/1", "Tea is made of leaves.", "a"),
        ("https://example.org/2", "차는 잎으로 만든다.", "b"),
    ]
    assert two.export(path, source="b") == 1


def test_a_large_store_is_exported_in_batches(sqlite_store: Store, tmp_path: Path) -> None:
    for number in range(105):
        sqlite_store.save(document(f"Page {number}."), url=f"https://example.org/{number}", timings={"parse": 0.1})
    assert sqlite_store.export(tmp_path / "news.jsonl") == 105
    assert len({json.loads(line)["url"] for line in (tmp_path / "news.jsonl").read_text().splitlines()}) == 105
    assert len({timing.url for timing in sqlite_store.timings()}) == 105


def test_markdown_files_have_front_matter_and_safe_names(two: Store, tmp_path: Path) -> None:
    assert two.export(tmp_path / "pages") == 2
    files = sorted((tmp_path / "pages").iterdir())
    assert [file.name for file in files] == ["000001-tea-an-introduction.md", "000002-차-茶.md"]
    content = files[0].read_text(encoding="utf-8")
    assert content.startswith('---\ntitle: "Tea: an introduction"\n')
    assert content.endswith("---\n\nTea is made of leaves.\n")


def test_parquet_has_typed_columns(two: Store, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    assert two.export(tmp_path / "news.parquet") == 2
    table = parquet.read_table(tmp_path / "news.parquet")
    assert table.column("title").to_pylist() == ["Tea: an introduction", "차/茶"]
    assert str(table.schema.field("version").type) == "int64"
    assert str(table.schema.field("tags").type).startswith("list")


def test_an_unknown_format_or_place_is_an_error(two: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="csv"):
        two.export(tmp_path / "x", "csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="cannot write"):
        two.export(tmp_path / "file" / "news.jsonl")
