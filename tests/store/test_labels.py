import json
from pathlib import Path

import pytest

from bonmun.errors import NotStored, SourceError
from bonmun.evaluate.corpora import open_corpus
from bonmun.store.label_calls import Label, LabelTotals
from bonmun.store.store import Store


def label(name: str, keep: str = "01", before: str = "00", url: str | None = None, **more: str) -> Label:
    flags = [tuple(digit == "1" for digit in digits) for digits in (keep, before)]
    address = f"https://{name}.example/1" if url is None else url
    return Label(name, f"<p>Menu<p>Tea {name} 본문", *flags, url=address, gold_text=f"Tea {name} 본문", **more)


def test_a_label_is_kept_with_all_that_is_known_of_it(store: Store) -> None:
    saved = label("a", segmentation="0a", language="ko", title="차", method="auto", model="1+ab", note="menu")
    id = store.save_label(saved)
    assert store.label(id) == saved
    (record,) = store.labels()
    assert (record.id, record.host, record.title, record.note) == (id, "a.example", "차", "menu")
    assert (record.blocks, record.kept, record.corrections) == (2, 1, 1)


def test_a_second_label_of_a_page_replaces_the_first(store: Store) -> None:
    first = store.save_label(label("a"))
    store.save_label(label("b"))
    assert store.save_label(label("a", keep="11", before="01")) == first
    assert [record.key for record in store.labels()] == ["a", "b"]
    assert store.label(first).keep == (True, True)


def test_totals_count_pages_sites_and_corrections(store: Store) -> None:
    assert store.label_totals() == LabelTotals()
    for name, url in {"a": "https://a.example/1", "b": "https://a.example/2", "c": "", "d": ""}.items():
        store.save_label(label(name, keep="11", url=url))
    assert store.stats().labels == 4
    assert store.label_totals() == LabelTotals(pages=4, sites=3, blocks=8, kept=8, corrections=8)
    assert [record.key for record in store.labels(limit=2, offset=1)] == ["c", "b"]


def test_a_deleted_label_is_gone(store: Store) -> None:
    id = store.save_label(label("a"))
    store.delete_label(id)
    for call in (store.label, store.delete_label):
        with pytest.raises(NotStored, match=f"no label {id} in this store"):
            call(id)
    with pytest.raises(NotStored):
        store.label(2**80)


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.jsonl.zst"])
def test_an_export_is_a_corpus(store: Store, tmp_path: Path, name: str) -> None:
    for number in range(45):
        store.save_label(label(f"site{number}", segmentation="0a", language="ko-KR"))
    assert store.export_labels(tmp_path / name) == 45
    cases = list(open_corpus(tmp_path / name).cases())
    assert len({case.id for case in cases}) == 45
    case = cases[7]
    assert (case.html, case.golds, case.domain) == ("<p>Menu<p>Tea site7 본문", ("Tea site7 본문",), "site7.example")
    assert (case.lang, case.page_type, case.keep, case.segmentation) == ("ko", "unknown", (False, True), "0a")


def test_texts_that_no_database_takes_are_mended(store: Store, tmp_path: Path) -> None:
    store.save_label(label("a", url="https://me:secret@a.example/\x00", note="\x00\ud800", title="\ud800"))
    (line,) = store.label_lines()
    assert "secret" not in line
    assert json.loads(line)["url"].startswith("https://a.example/")


def test_an_export_to_another_kind_of_file_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="must end in"):
        store.export_labels(tmp_path / "labels.csv")
    with pytest.raises(SourceError, match="cannot write"):
        (tmp_path / "file").touch()
        store.export_labels(tmp_path / "file" / "labels.jsonl")
