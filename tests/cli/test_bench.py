import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz", reason="the metrics need rapidfuzz")

SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."


@pytest.fixture
def corpus(folder):
    def write(count=6, name="small.jsonl"):
        rows = ({"id": str(n), "html": f"<body><p>{SENTENCE} {n}</p></body>", "gold_text": f"{SENTENCE} {n}",
                 "domain": f"site{n % 3}.org", "lang": "en"} for n in range(count))  # fmt: skip
        Path(name).write_text("\n".join(map(json.dumps, rows)))
        return name

    return write


def test_a_bench_prints_its_table_and_writes_its_report(bonmun, corpus):
    done = bonmun(
        "bench", "--corpus", corpus(), "--systems", "auto,resiliparse", "--metrics", "words,lcs", "--output", "out"
    )
    assert (done.code, done.err) == (0, "")
    assert "small: 6 pages of 3 sites" in done.out
    assert re.search(r"auto\s+│\s+0\.\d", done.out)
    assert {"bench.sqlite", "report.html", "report.md", "report.json"} <= {path.name for path in Path("out").iterdir()}
    figures = json.loads(Path("out/report.json").read_text())["corpora"][0]["rows"][0]["figures"]
    assert next(iter(figures)) == "word_f1"
    assert "rouge_f1" not in figures


def test_the_first_metric_ranks(bonmun, corpus):
    bonmun("bench", "--corpus", corpus(), "--systems", "auto", "--metrics", "lcs,words", "--output", "out")
    assert json.loads(Path("out/report.json").read_text())["corpora"][0]["main"] == "lcs_f1"


def test_by_language_prints_the_metric_for_each_language(bonmun, corpus):
    arguments = ("--corpus", corpus(), "--systems", "auto", "--metrics", "lcs", "--by", "language", "--drop-headlines")
    done = bonmun("bench", *arguments, "--output", "out")
    assert (done.code, done.err) == (0, "")
    assert "small (without headlines): char F1 by language" in " ".join(done.out.split())
    assert "en (6)" in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "give at least one --corpus"),
        (("--corpus", "nowhere"), "no such corpus: nowhere"),
        (("--corpus", "small.jsonl", "--systems", "magic"), "no system named 'magic'"),
        (("--corpus", "small.jsonl", "--metrics", "bleu"), "no metric named 'bleu'"),
        (("--corpus", "small.jsonl", "--table", "nine"), "no table named 'nine'"),
        (("--corpus", "small.jsonl", "--only", "colour=red"), "no field to limit pages by named 'colour'"),
        (("--corpus", "small.jsonl", "--systems", "auto", "--folds", "no"), "--folds is for the system out-of-fold"),
        (("--corpus", "small.jsonl", "--systems", "out-of-fold"), "needs the folder with its models: --folds DIR"),
        (("--corpus", "small.jsonl", "--systems", "out-of-fold", "--folds", "no"), "cannot read no/folds.json"),
        (("--corpus", "bad.jsonl", "--systems", "auto", "--output", "out"), "bad.jsonl, line 1: 'html' is missing"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(bonmun, corpus, arguments, complaint):
    corpus()
    Path("bad.jsonl").write_text('{"id": "1"}\n')
    done = bonmun("bench", *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_table_prints_the_table_of_a_paper(bonmun, corpus):
    done = bonmun("bench", "--corpus", corpus(12), "--table", "xtractor-3", "--output", "out")
    assert (done.code, done.err) == (0, "")
    assert re.search(r"site0\.org\s+│\s+4 │\s+1 │.*html/body/p", done.out)


def test_other_commands_do_not_load_the_evaluation(bonmun):
    check = "import sys; import bonmun.cli.commands; print([name for name in sys.modules if 'evaluate' in name])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, cwd=_ROOT)
    assert done.stdout.strip() == "[]"


def test_a_killed_bench_continues_where_it_stopped(corpus):
    arguments = ["bench", "--corpus", corpus(60), "--systems", "xpath", "--metrics", "words", "--output", "out"]
    command = [sys.executable, "-m", "bonmun", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    while _stored() < 5 and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    process.wait()
    before = _times()
    assert before
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = _times()
    assert len(after) == 60
    assert before.items() <= after.items()


_ROOT = Path(__file__).parents[2]


def _stored():
    return len(_times())


def _times():
    """CPU times of stored answers: none would stay the same if its page were read again."""
    import sqlite3

    if not Path("out/bench.sqlite").exists():
        return {}
    database = sqlite3.connect("out/bench.sqlite")
    try:
        return dict(database.execute("SELECT page, cpu || '/' || wall FROM answers").fetchall())
    except sqlite3.OperationalError:
        return {}
    finally:
        database.close()
