"""A small benchmark from start to end, and the four forms of its report."""

import io
import json
import re
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bonmun.evaluate.benchmark import VISUAL, Bench, Roster, roster, run_bench, run_table
from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.report import text
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.scoring import score
from bonmun.evaluate.tables import TABLES
from tests.browser import chromium
from tests.evaluate.records import SENTENCE, record

ADVERT = "<script>alert(1)</script><p>Buy now, buy here, buy twice and save.</p>"


@contextmanager
def quiet(title, total):
    yield lambda count: None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def corpus(folder):
    records = [
        record(
            number,
            page_type=("article", "forum")[number % 2],
            lang=("en", "fr")[number % 2],
            url=f"https://a.org/?{number}&<b>",
        )
        for number in range(12)
    ]
    records[3]["html"] = f"<body>{ADVERT * 9}<div><p>{SENTENCE}</p></div></body>"
    records[3]["id"] = "<b>3/&"
    path = folder / "small.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return open_corpus(path)


@pytest.fixture(scope="module")
def bench(folder, corpus):
    return Bench([corpus], roster(["auto", "xpath", "resiliparse"]), list(METRICS.values()), folder, time_every=4)


@pytest.fixture(scope="module")
def report(bench):
    return run_bench(bench, quiet)


def test_the_json_holds_everything(report, folder):
    data = json.loads((folder / "report.json").read_text())
    (small,) = data["corpora"]
    assert (small["pages"], small["sites"], small["main"]) == (12, 3, "word_f1")
    assert {row["system"] for row in small["rows"]} == {"auto", "xpath", "resiliparse"}
    assert {row["name"]: row["pages"] for row in small["parts"]["type"]} == {"article": 6, "forum": 6}
    assert set(small["rows"][0]["figures"]) == {figure.key for metric in METRICS.values() for figure in metric.figures}
    assert sum(small["rows"][0]["histogram"]) == 12
    assert small["comparisons"]["auto"]["xpath"]["probability"] is not None
    assert data["made"] and data["machine"] and data["python"]
    assert all(row["version"] for row in small["rows"])


def test_systems_are_ranked_by_the_first_metric(report):
    values = [row.figures["word_f1"].value for row in report.corpora[0].rows]
    assert values == sorted(values, reverse=True)
    assert all(row.figures["word_f1"].low <= row.figures["word_f1"].value for row in report.corpora[0].rows)


def test_the_markdown_has_the_table_and_the_date(report, folder):
    text = (folder / "report.md").read_text()
    assert re.search(r"\| auto \| \S+ \| [.\d]+ \| \[", text)
    assert "Measured 20" in text


def test_the_html_has_no_scripts_and_no_external_resources(report, folder):
    html = (folder / "report.html").read_text()
    assert not re.search(r"<script|<link|<img|@import|url\(|src=", html)
    assert set(re.findall(r'href="([^"]*)"', html)) == {
        f"explain/{path.name.replace('%', '%25')}" for path in (folder / "explain").iterdir()
    }
    assert html.count("<svg") >= 8


def test_the_html_opens_in_a_browser_and_links_to_explain_views(report, folder):
    with chromium() as browser:
        page = browser.new_page()
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("dialog", lambda dialog: messages.append(dialog.message))
        page.goto((folder / "report.html").as_uri())
        assert page.locator("svg").first.bounding_box()["width"] > 200
        for width in (1280, 400):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        row = page.locator("tr", has_text="<b>3/&").first
        row.get_by_role("link", name="why").click()
        page.wait_for_load_state()
        assert "river rose" in page.content()
        assert messages == []


def test_a_second_run_uses_stored_answers(report, bench, folder, monkeypatch):
    def refuse(*_):
        raise AssertionError("asked again")

    monkeypatch.setattr("bonmun.evaluate.system_worker.SystemWorker.ask", refuse)
    assert run_bench(bench, quiet).corpora[0].rows == report.corpora[0].rows


@pytest.mark.parametrize("name", sorted(TABLES.keys() - {VISUAL}))
def test_each_papers_table_is_printed_by_its_name(name, bench, report, monkeypatch):
    """Peers that may not be installed are replaced by resiliparse."""
    others = {"readability-lxml", "trafilatura", "boilerpy3", "readability.js"}
    swapped = tuple("resiliparse" if system in others else system for system in TABLES[name].systems)
    monkeypatch.setitem(TABLES, name, replace(TABLES[name], systems=swapped))
    (table,) = run_table(bench, name, quiet)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.rows
    text = table.markdown()
    assert all(system in text for system in swapped)
    assert name != "xtractor-3" or "html/body" in text


def test_a_third_party_method_is_a_column_of_a_papers_table(bench, report, third_party, monkeypatch):
    monkeypatch.setitem(TABLES, "logical-4", replace(TABLES["logical-4"], systems=("resiliparse",)))
    third_party("teahouse")
    (table,) = run_table(replace(bench, roster=roster(["teahouse"])), "logical-4", quiet)
    assert table.columns == ("", "resiliparse", "teahouse")
    assert all(re.match(r"[.\d]+ \[", row[2]) for row in table.rows)


def test_errors_are_listed_with_an_example_page(echo, lines, tmp_path):
    corpus = lines(*(record(number, html=html) for number, html in enumerate(["fine", "raise", "crash", "raise it"])))
    report = run_bench(Bench([corpus], Roster((echo(),)), [METRICS["words"]], tmp_path / "out"), quiet)
    (row,) = report.corpora[0].rows
    assert row.troubles[0] == ("ValueError: no number", 2, "1")
    assert row.troubles[1][0].startswith("its process was killed by SIGABRT")
    for name in ("report.md", "report.html"):
        assert "ValueError: no number" in (tmp_path / "out" / name).read_text()


def test_a_sample_is_timed_on_its_own_pages(echo, lines, tmp_path, asked):
    corpus = lines(*(record(number, html=f"page {number}") for number in range(12)))
    who = Roster((echo(),))
    run_bench(Bench([corpus], who, [METRICS["words"]], tmp_path / "out", every=3, time_every=2), quiet)
    assert set(asked()) == {"page 0", "page 3", "page 6", "page 9"}
    assert asked().count("page 6") == 1 + 3
    assert asked().count("page 3") == 1


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_table_fits_a_narrow_terminal_and_cuts_no_name(report, width):
    from rich.console import Console

    from bonmun.evaluate.report.terminal import show

    console = Console(width=width, record=True, file=io.StringIO())
    show([text.ranking(report.corpora[0]), text.speed(report.corpora[0])], console)
    shown = console.export_text()
    assert all(len(line) <= width for line in shown.splitlines())
    assert shown.count("resiliparse") == 2
    assert shown.count("word F1") == 1
    assert ("Columns left out for lack of width: version" in shown) == (width < 200)


def test_failures_are_counted_in_the_table(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(json.dumps(record(number, html="<p></p>")) for number in range(2)))
    report = run_bench(Bench([open_corpus(path)], roster(["auto"]), [METRICS["words"]], tmp_path / "out"), quiet)
    (row,) = report.corpora[0].rows
    assert (row.pages, row.empty, row.figures["word_f1"].value) == (2, 2, 0.0)


def test_a_failure_scores_nothing_on_a_page_without_gold(echo, lines, store):
    pages = [record(1, html="raise"), record(2, html="nothing"), record(3, html="words")]
    for page in pages:
        page["gold_text"] = None
    run = BenchRun(lines(*pages), [echo()])
    collect(run, store)
    score(run, [METRICS["words"]], store)
    scores = store.scores(run.systems[0], "small", "words")
    assert {page: values[2] for page, (_, values) in scores.items()} == {"1": 0.0, "2": 1.0, "3": 0.0}
