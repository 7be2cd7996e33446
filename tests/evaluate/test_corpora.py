import gzip
import json

import pytest

from bonmun.errors import SourceError, UnknownName
from bonmun.evaluate.corpora import CorpusError, open_corpus


def test_compressed_and_plain_json_lines_are_the_same(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    text = json.dumps({"id": 7, "html": "<p>차", "gold_text": "차", "lang": "ko", "url": "http://www.a.kr/1"}) + "\n"
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "b.jsonl.zst").write_bytes(zstandard.compress(text.encode()))
    plain, packed = (next(open_corpus(tmp_path / name).cases()) for name in ("a.jsonl", "b.jsonl.zst"))
    assert plain == packed
    assert (plain.id, plain.golds, plain.domain, plain.lang) == ("7", ("차",), "a.kr", "ko")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: invalid JSON"),
        ("[1]", "line 2: not a JSON object"),
        ('{"id": "2"}', "line 2: 'html' is missing"),
        ('{"id": "2", "html": 5}', "line 2: 'html' is a number, not text"),
        ('{"id": "2", "html": ""}', "line 2: 'html' is empty"),
        ('{"id": "2", "html": "x", "with": "snippet"}', "line 2: 'with' must be a list of texts"),
        ('{"id": "1", "html": "x"}', "line 2: duplicate id '1', first in line 1"),
    ],
)
def test_a_malformed_record_is_named_by_file_and_line(tmp_path, line, complaint):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "1", "html": "<p>ok"}\n' + line + "\n")
    with pytest.raises(CorpusError, match=complaint) as raised:
        list(open_corpus(path).cases())
    assert "bad.jsonl" in str(raised.value)


def test_invalid_utf_8_and_invalid_zstd_name_the_file(tmp_path):
    pytest.importorskip("zstandard")
    (tmp_path / "a.jsonl").write_bytes(b'{"id": "1", "html": "x"}\n\xff\xfe\n')
    (tmp_path / "b.jsonl.zst").write_bytes(b"no zstd at all")
    for name in ("a.jsonl", "b.jsonl.zst"):
        with pytest.raises(CorpusError, match=name):
            list(open_corpus(tmp_path / name).cases())


def test_the_wcxb_layout(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "ground-truth").mkdir()
    (tmp_path / "html" / "0001.html.gz").write_bytes(gzip.compress(b"<p>Tea"))
    truth = {
        "url": "https://www.example.org/tea",
        "ground_truth": {"main_content": "Tea", "with": ["Tea"], "without": ["Log in"]},
        "_internal": {"page_type": {"primary": "article"}},
    }
    (tmp_path / "ground-truth" / "0001.json").write_text(json.dumps(truth))
    (case,) = open_corpus(tmp_path).cases()
    assert (case.id, case.html, case.golds, case.page_type) == ("0001", "<p>Tea", ("Tea",), "article")
    assert (case.domain, case.present, case.absent) == ("example.org", ("Tea",), ("Log in",))


def test_a_truth_file_without_its_page_is_named(tmp_path):
    (tmp_path / "ground-truth").mkdir()
    (tmp_path / "ground-truth" / "0002.json").write_text("{}")
    with pytest.raises(CorpusError, match=r"0002\.json: no page"):
        open_corpus(tmp_path)


def test_the_marks_of_cleaneval_golds_are_removed(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "txt").mkdir()
    (tmp_path / "html" / "12.html").write_text("<h1>Tea</h1><p>It is hot.")
    (tmp_path / "txt" / "12-cleaned.txt").write_text("URL: http://a.org/\n\n<h>Tea\n<p>It is <i>hot</i>.\n<l>One")
    (case,) = open_corpus(tmp_path).cases()
    assert case.golds[0].split() == ["Tea", "It", "is", "<i>hot</i>.", "One"]


def test_cleaneval_pairs_in_one_folder(tmp_path):
    (tmp_path / "a.html").write_text("<p>Tea")
    (tmp_path / "a.txt").write_text("Tea")
    assert [case.id for case in open_corpus(tmp_path).cases()] == ["a"]


def test_the_golden_case_layout(tmp_path):
    (tmp_path / "tea").mkdir()
    (tmp_path / "tea" / "page.html").write_text("<p>Tea")
    (tmp_path / "tea" / "truth.json").write_text('{"text": "Tea", "lang": "en"}')
    (case,) = open_corpus(tmp_path).cases()
    assert (case.id, case.golds, case.lang) == ("tea", ("Tea",), "en")


def test_other_files_and_folders_are_refused(tmp_path):
    (tmp_path / "page.html").write_text("<p>Tea")
    for path in (tmp_path, tmp_path / "page.html", tmp_path / "nowhere"):
        with pytest.raises(SourceError, match="corpus"):
            open_corpus(path)


def test_filters_and_every_nth_page(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = ({"id": str(n), "html": "x", "lang": "ko" if n % 2 else "en"} for n in range(8))
    path.write_text("\n".join(map(json.dumps, rows)))
    korean = open_corpus(path, ["lang=ko"])
    assert [case.id for case in korean.cases()] == ["1", "3", "5", "7"]
    assert [case.id for case in korean.cases(every=2)] == ["1", "5"]
    assert korean.title == "a (lang ko)"
    with pytest.raises(CorpusError, match=r"a\.jsonl: no pages in a \(lang ja\)"):
        list(open_corpus(path, ["lang=ja"]).cases())
    with pytest.raises(UnknownName, match="colour"):
        open_corpus(path, ["colour=red"])


def test_headlines_can_be_removed(tmp_path):
    path = tmp_path / "a.jsonl"
    records = [
        {"id": "1", "html": "x", "gold_text": "Tea!\n\nTea is hot.\nTea"},
        {"id": "2", "html": "x", "gold_text": "Milk is cold.", "title": "Milk"},
        {"id": "3", "html": "x", "gold_text": None},
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    corpus = open_corpus(path, headlines=False)
    one, two, three = corpus.cases()
    assert (one.golds, one.headline) == (("\nTea is hot.\nTea",), "Tea!")
    assert (two.golds, two.headline) == (("Milk is cold.",), "Milk")
    assert (three.golds, three.headline) == ((), None)
    assert corpus.title == "a (without headlines)"


def test_missing_golds_are_none_and_equal_golds_are_one(tmp_path):
    path = tmp_path / "a.jsonl"
    records = [
        {"id": "1", "html": "x", "gold_text": None},
        {"id": "2", "html": "x", "gold_text": "a", "gold_core_text": "a"},
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    assert [case.golds for case in open_corpus(path).cases()] == [(), ("a",)]
