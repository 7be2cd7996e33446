import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bonmun.cli.commands import commands
from bonmun.store import open_store
from tests.store.documents import document

URL = "https://example.org/tea"


@pytest.fixture
def bonmun(folder):
    """Run the command in this process: a new one takes a second to load the database's drivers."""

    def run(*arguments):
        done = CliRunner().invoke(commands, arguments, prog_name="bonmun")
        return SimpleNamespace(code=done.exit_code, out=done.stdout, err=done.stderr)

    return run


@pytest.fixture
def news(folder):
    """A store of three pages, one of them in two versions, and a failure."""
    with open_store("news.db") as store:
        store.save(document("Coffee is made of beans.", "Coffee"), url="https://example.org/coffee", source="feed")
        store.save(document("한국은행에서 기준금리를 올렸다.", "금리"), url="https://example.org/rate")
        store.save(document("Tea is made of leaves.\x1b[31m", "Tea"), url=URL)
        store.save(document("Tea is made of young leaves.", "Tea"), url=URL)
        store.fail("https://example.org/broken", "feed", "fetch", "503\x1b[2J")
    return "news.db"


def test_search_prints_ranked_snippets(bonmun, news):
    done = bonmun("store", "search", news, "은행")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "1 document",
        "",
        "  1  금리",
        "     https://example.org/rate",
        f"     {re.search(r'[0-9.]+$', done.out.splitlines()[4])[0]}",
        "     한국은행에서 기준금리를 올렸다.",
    ]
    assert "nothing found" in bonmun("store", "search", news, "nowhere").out


def test_search_takes_exclusions_filters_and_json(bonmun, news):
    found = json.loads(bonmun("store", "search", news, '"made of" -bean', "--json").out)
    assert [hit["url"] for hit in found["hits"]] == [URL]
    snippet = found["hits"][0]["snippet"]
    assert [snippet["text"][start:end] for start, end in snippet["places"]] == ["made of"]
    assert json.loads(bonmun("store", "search", news, "made", "--source", "feed", "--json").out)["total"] == 1
    assert "2 documents, 2 to 2" in bonmun("store", "search", news, "made", "--limit", "1", "--offset", "1").out


def test_show_prints_a_page_in_any_version_and_format(bonmun, news):
    shown = bonmun("store", "show", news, URL).out
    assert shown.startswith("Tea\n")
    assert shown.endswith("Tea is made of young leaves.\n")
    assert "versions  1 of " in shown
    assert bonmun("store", "show", news, URL, "--version", "1", "--format", "text").out.startswith(
        "Tea is made of leaves."
    )
    assert json.loads(bonmun("store", "show", news, "3", "--format", "json").out)["version"] == 2


def test_diff_shows_the_changed_words(bonmun, news):
    assert "~ Tea is made of {+young +}leaves." in bonmun("store", "diff", news, URL).out
    assert json.loads(bonmun("store", "diff", news, URL, "--json").out)["old"] == 1


def test_export_writes_files_and_standard_output(bonmun, news):
    done = bonmun("store", "export", news, "-o", "out.jsonl")
    assert (done.code, done.err) == (0, "bonmun: 3 documents written to out.jsonl\n")
    assert len(Path("out.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    assert len(bonmun("store", "export", news, "-o", "-", "--source", "feed").out.splitlines()) == 1
    assert bonmun("store", "export", news, "-o", "-", "--format", "parquet").code == 2


def test_stats_and_failures_are_listed_without_control_characters(bonmun, news):
    stats = bonmun("store", "stats", news).out
    assert "documents  3 in 4 versions" in stats
    assert json.loads(bonmun("store", "stats", news, "--json").out)["failures"] == {"Error": 1}
    failures = bonmun("store", "failures", news).out
    assert "https://example.org/broken  fetch: Error: 503" in failures
    assert "\x1b" not in failures


def test_prune_removes_what_is_asked(bonmun, news):
    assert bonmun("store", "prune", news, "--keep-versions", "1", "--unseen-for", "1d").out.startswith(
        "removed 0 documents, 1 versions, 0 failures"
    )
    assert "removed 3 documents" in bonmun("store", "prune", news, "--unseen-for", "0h", "--compact").out
    assert bonmun("store", "prune", news).code == 2
    assert bonmun("store", "prune", news, "--unseen-for", "soon").code == 2


def test_errors_are_one_line_and_make_no_file(bonmun, folder):
    done = bonmun("store", "stats", "missing.db")
    assert (done.code, done.err) == (1, "bonmun: StoreUnreachable: missing.db: no such file\n")
    assert not Path("missing.db").exists()
    done = bonmun("store", "stats", "postgresql://me:secret@127.0.0.1:1/news")
    assert done.code == 1
    assert "secret" not in done.err
    assert bonmun("store").code == 2
    with open_store("news.db"):
        pass
    assert bonmun("store", "show", "news.db", "https://example.org/x").err == (
        "bonmun: NotStored: no document https://example.org/x in this store\n"
    )


def test_labelled_pages_are_a_corpus_that_train_takes(bonmun, folder):
    pytest.importorskip("lightgbm", reason="training needs the extra train")
    from bonmun.limits import Limits
    from bonmun.serve.given_page import GivenPage
    from bonmun.serve.labelling import LabelWork
    from tests.training.small import small_corpus

    with open_store("news.db") as store:
        for line in small_corpus(folder / "small.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            page = GivenPage(record["html"].encode(), f"https://{record['domain']}/{record['id']}")
            count = record["html"].count("<li>"), record["html"].count("<p>"), record["html"].count("<p class=foot>")
            keep = (False,) * count[0] + (True,) * count[1] + (False,) * count[2]
            store.save_label(LabelWork(page, keep, "auto", "balance", "", Limits()).run())
    done = bonmun("store", "labels", "news.db", "--output", "labels.jsonl.zst")
    assert (done.code, done.err) == (0, "bonmun: 24 labelled pages written to labels.jsonl.zst\n")
    assert len(bonmun("store", "labels", "news.db", "--output", "-").out.splitlines()) == 24
    done = bonmun("train", "--corpus", "labels.jsonl.zst", "--output", "out", "--folds", "2", "--trees", "3")
    assert done.code == 0, done.err
    assert "labels: word F1 " in done.out
    assert Path("out/model.safetensors").exists()
