"""Records, manifests, filters and the end line of `bonmun extract`, run for real."""

import csv
import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.cli.conftest import PAGE, SENTENCE
from tests.cli.test_process import on_terminal

PDF = b"%PDF-1.7\n"


def records(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def mixed(page):
    """Two pages, and a PDF between them."""
    page("d/1.html", "One")
    Path("d/2.html").write_bytes(PDF)
    page("d/3.html", "Three")
    return "d"


def test_chunks_are_one_json_line_each_with_their_source(bonmun, mixed):
    done = bonmun("extract", mixed, "--format", "chunks", "--max-tokens", "10")
    lines = records(done.out)
    assert len(lines) > 3
    assert [line["source"] for line in lines if line.get("status") == "error"] == ["d/2.html"]
    chunk = lines[0]
    assert (chunk["source"], chunk["title"]) == ("d/1.html", "One")
    assert chunk["end"] - chunk["start"] == len(chunk["text"])
    assert chunk["xpaths"][0].startswith("/html/body/")
    assert all(line["tokens"] <= 10 for line in lines if "tokens" in line)


def test_chunks_of_a_folder_are_one_file_in_an_output_directory(bonmun, mixed):
    bonmun("extract", mixed, "--format", "chunks", "--output", "out/")
    assert sorted(path.name for path in Path("out").iterdir()) == ["chunks.jsonl", "manifest.jsonl"]


def test_a_limit_of_tokens_and_fields_do_not_go_with_other_formats(bonmun, page):
    page("a.html")
    assert "--max-tokens needs --format chunks" in bonmun("extract", "a.html", "--max-tokens", "5").err
    assert "--fields needs" in bonmun("extract", "a.html", "--format", "chunks", "--fields", "text").err


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json_lines_carry_the_source_and_failures_have_their_line_in_order(bonmun, mixed, format):
    done = bonmun("extract", mixed, "--format", format, "--jobs", "2")
    one, two, three = records(done.out)
    assert done.code == 1
    assert [(record["source"], record["status"]) for record in (one, two, three)] == [
        ("d/1.html", "ok"),
        ("d/2.html", "error"),
        ("d/3.html", "ok"),
    ]
    assert two["error"] == {"type": "NotAPage", "message": "not a web page: PDF document"}
    assert one["metadata"]["title"] == "One"


def test_arguments_that_fail_have_their_line_too(bonmun, page):
    done = bonmun(
        "extract", "missing.html", page("a.html"), "nothing/*.html", "--format", "jsonl", "--output", "all.jsonl"
    )
    assert (done.code, done.out) == (1, "")
    assert [(record["source"], record["status"]) for record in records(Path("all.jsonl").read_text())] == [
        ("missing.html", "error"),
        ("a.html", "ok"),
        ("nothing/*.html", "error"),
    ]


def test_fields_make_compact_records(bonmun, mixed):
    done = bonmun("extract", mixed, "--format", "jsonl", "--fields", "title,date,text")
    one, two, _ = records(done.out)
    assert one == {"source": "d/1.html", "title": "One", "date": None, "text": one["text"]}
    assert SENTENCE in one["text"]
    assert two["status"] == "error"
    alone = bonmun("extract", "d/1.html", "--format", "json", "--fields", "title,status")
    assert json.loads(alone.out) == {"title": "One", "status": "ok"}


def test_csv_has_a_header_and_a_row_for_each_page(bonmun, mixed):
    done = bonmun("extract", mixed, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == ["source", "status", "url", "title", "author", "date", "language", "text", "error"]
    assert [(row["source"], row["status"], row["title"]) for row in rows] == [
        ("d/1.html", "ok", "One"),
        ("d/2.html", "error", ""),
        ("d/3.html", "ok", "Three"),
    ]
    assert rows[1]["error"] == "NotAPage: not a web page: PDF document"
    assert bonmun("extract", mixed, "--format", "csv", "--fields", "title", "--output", "t.csv").code == 1
    assert Path("t.csv").read_bytes() == b"source,title\r\nd/1.html,One\r\nd/3.html,Three\r\n"


def test_parquet_has_a_row_for_each_page(bonmun, mixed):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert bonmun("extract", mixed, "--format", "parquet", "--output", "out/").code == 1
    rows = parquet.read_table("out/documents.parquet").to_pylist()
    assert [(row["source"], row["status"], row["title"]) for row in rows] == [
        ("d/1.html", "ok", "One"),
        ("d/2.html", "error", None),
        ("d/3.html", "ok", "Three"),
    ]
    again = bonmun(
        "extract", "out/documents.parquet", "--html-field", "text", "--format", "jsonl", "--fields", "status"
    )
    assert [record["source"] for record in records(again.out)] == [f"out/documents.parquet, row {n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "parquet"], "--output FILE"),
        (["--format", "jsonl", "--fields", "colour"], "no field named 'colour'; there are: "),
        (["--format", "text", "--fields", "title"], "--fields needs --format json"),
        (["--near-duplicates", "2"], "--near-duplicates"),
        (["--urls", "missing.txt"], "--urls missing.txt: No such file"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(bonmun, page, arguments, message):
    done = bonmun("extract", page("a.html"), *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_the_manifest_maps_outputs_to_sources(bonmun, mixed):
    assert bonmun("extract", mixed, "--output", "out", "--format", "md").code == 1
    assert records(Path("out/manifest.jsonl").read_text()) == [
        {"source": "d/1.html", "output": "1.md", "status": "ok", "title": "One", "error": None},
        {
            "source": "d/2.html",
            "output": None,
            "status": "error",
            "title": None,
            "error": {"type": "NotAPage", "message": "not a web page: PDF document"},
        },
        {"source": "d/3.html", "output": "3.md", "status": "ok", "title": "Three", "error": None},
    ]


def test_the_pages_of_a_container_are_numbered_in_a_directory_of_its_name(bonmun, folder):
    lines = [{"html": PAGE.format(title=title), "url": f"https://example.org/{title}"} for title in ("One", "Two")]
    Path("pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    assert bonmun("extract", "pages.jsonl.gz", "--output", ".").code == 0
    assert "Two" in Path("pages/000002.txt").read_text()
    assert [line["output"] for line in records(Path("manifest.jsonl").read_text())] == [
        "pages/000001.txt",
        "pages/000002.txt",
    ]
    piped = bonmun("extract", "-", "--format", "jsonl", "--fields", "url", stdin=Path("pages.jsonl.gz").read_bytes())
    assert records(piped.out)[1] == {"source": "-, line 2", "url": "https://example.org/Two"}
    assert bonmun("extract", "-", stdin=Path("pages.jsonl.gz").read_bytes()).out.count("==> -, line ") == 2


def test_a_damaged_container_does_not_stop_the_others(bonmun, page):
    with tarfile.open("x.tar.gz", "w:gz") as archive:
        archive.add(page("b.html"))
    Path("x.tar.gz").write_bytes(Path("x.tar.gz").read_bytes()[:-60])
    done = bonmun("extract", "x.tar.gz", page("a.html"), "--format", "jsonl", "--fields", "title")
    assert done.code == 1
    assert [record.get("title", record.get("status")) for record in records(done.out)] == ["error", "One"]
    assert done.err.startswith("bonmun: x.tar.gz: SourceError: cannot read x.tar.gz: ")


def test_a_list_of_urls_is_fetched(bonmun, site):
    Path("list").write_text(f"# a remark\n{site.url}/a.html\n{site.url}/nowhere\n")
    done = bonmun("extract", "--urls", "list", "--allow-private", "--format", "jsonl", "--fields", "title")
    assert [record.get("title", record.get("status")) for record in records(done.out)] == ["Web", "error"]
    piped = bonmun("extract", "--urls", "-", "--allow-private", stdin=Path("list").read_bytes())
    assert piped.out.startswith(f"==> {site.url}/a.html <==\n")


# ── filters ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_filters_drop_documents_and_the_manifest_says_why(bonmun, page):
    words = [f"word{number}" for number in range(200)]

    def text(name, text, language="en"):
        Path(f"d/{name}.html").write_text(
            f"<html lang={language}><title>{name}</title><p>{text}.</p>", encoding="utf-8"
        )

    Path("d").mkdir()
    text("1", " ".join(words))
    text("2", "이 글은 한국어로 쓰인 글이며 읽는 사람이 많지는 않다. 그래도 적는다", "ko")
    text("3", "Too short")
    text("4", " ".join(words * 5))
    text("5", " ".join(words))
    text("6", " ".join([*words[:199], "other"]))
    text("7", " ".join(reversed(words)))
    options = "--language en,ja --min-chars 20 --max-chars 4000 --unique --near-duplicates 0.8".split()
    done = bonmun("extract", "d", *options, "--output", "out")
    assert (done.code, done.out) == (0, "")
    assert {line["source"][2]: line.get("reason") for line in records(Path("out/manifest.jsonl").read_text())} == {
        "1": None,
        "2": "language: ko",
        "3": "too short: 10 characters",
        "4": "too long: 7,450 characters",
        "5": "duplicate: of d/1.html",
        "6": "near duplicate: of d/1.html",
        "7": None,
    }
    assert sorted(path.name for path in Path("out").iterdir()) == ["1.txt", "7.txt", "manifest.jsonl"]


def test_a_terminal_gets_an_end_line(mixed, bonmun):
    shown, _ = on_terminal("extract", mixed, "--min-chars", "10000", "--format", "jsonl")
    assert "bonmun: 0 ok, 2 filtered (2 too short), 1 failed in " in shown
