"""`bonmun batch`: what it prints, its exit codes, and how it ends."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from tests.scale.crawls import contents, record, write_warc
from tests.signals import heed_interrupts

COMMAND = [sys.executable, "-m", "bonmun", "batch"]
TREE = str(Path(__file__).parents[2])
SLOW = """
import time

class Slow:
    name = "slow"
    def judge(self, page):
        from bonmun import registry
        time.sleep(0.05)
        return registry.method("xpath-robust").judge(page)
"""


def test_the_last_line_is_the_account_and_other_settings_are_refused_in_one(bonmun, folder):
    write_warc(folder / "a.warc.gz", range(3))
    done = bonmun("batch", "a.warc.gz", "--output", "out", "--method", "xpath-robust", "--format", "jsonl")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("bonmun: 3 pages in = 3 ok; 1 shard; ")
    assert done.err.count("\n") == 1
    assert len(Path("out/part-00000.jsonl").read_text().splitlines()) == 3
    again = bonmun("batch", "a.warc.gz", "--output", "out", "--method", "xpath-robust", "--format", "jsonl", "--blocks")
    assert again.code == 1
    assert again.err == (
        "bonmun: OutputDiffers: out has the results of another run: blocks was False, is now True; "
        "use another folder, or start anew with --restart\n"
    )


def test_failed_pages_damages_and_filters_are_in_the_account_and_the_code_is_1(bonmun, folder):
    write_warc(folder / "a.warc.gz", range(5))
    pdf = record("https://example.org/pdf", b"%PDF-1.7 no page at all")
    whole = write_warc(folder / "b.warc.gz", range(3)).read_bytes()
    Path("b.warc.gz").write_bytes(pdf + whole[:-40])
    options = ("--method", "xpath-robust", "--jobs", "1", "--unique", "--min-chars", "20", "--texts", "markdown")
    done = bonmun("batch", "a.warc.gz", "b.warc.gz", "--output", "out", *options)
    *damages, account = done.err.splitlines()
    assert done.code == 1
    assert len(damages) == 1 and damages[0].startswith("bonmun: b.warc.gz")
    assert "5 ok + 1 failed + " in account and "filtered (" in account and "2 shards, 1 damaged place" in account
    import pyarrow.parquet

    table = pyarrow.parquet.read_table("out/part-00001.parquet")
    assert table.column("status").to_pylist() == ["failed"]
    assert "text" not in table.schema.names and "sieve" not in table.schema.names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--output", "out", "--part", "4/3"), "K/N with K from 1 to N"),
        (("--output", "out", "--part", "1/2", "--unique"), "duplicates are removed across all shards"),
        (("--output", "out", "--part", "1/2", "--restart"), "restart removes the results of all parts"),
        (("--output", "out", "--texts", "pdf"), "no output column named 'pdf'"),
        (("--output", "out", "--method", "magic"), "no method named 'magic'"),
        (("--output", "out", "--format", "wet", "--texts", "html"), "needs 'text' in the texts"),
        ((), "Missing option '--output'"),
    ],
    ids=["part", "part-unique", "part-restart", "texts", "method", "wet", "output"],
)
def test_wrong_usage_is_one_line_and_2(folder, options, message):
    from click.testing import CliRunner

    from bonmun.cli.commands import commands

    done = CliRunner().invoke(commands, ["batch", "a.warc.gz", *options])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not Path("out").exists()


@pytest.fixture
def slow(folder):
    """An environment with a method that takes 50 ms a page, and archives for half a minute."""
    (folder / "slow.py").write_text(SLOW)
    package = folder / "slow-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[bonmun.methods]\nslow = slow:Slow\n")
    for number in range(3):
        write_warc(folder / "in" / f"{number}.warc.gz", range(2 if number == 0 else 300))
    return {**os.environ, "PYTHONPATH": os.pathsep.join((TREE, str(folder)))}


def wait_for(condition, process):
    end = time.monotonic() + 100
    while not condition():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_at_once_with_one_line_and_nothing_half_written(slow, number):
    process = subprocess.Popen(
        [*COMMAND, "in", "--output", "out", "--method", "slow", "--jobs", "1"],
        env=slow,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    wait_for(Path("out/.part-00001.parquet.part").exists, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    words = "interrupted" if number == signal.SIGINT else "ended by SIGTERM"
    assert err == f"bonmun: {words}: finished shards stay; the same command goes on with the rest\n"
    assert set(contents(Path("out"))) == {
        "part-00000.parquet",
        "_bonmun/batch.json",
        "_bonmun/part-00000.done.json",
    }


def test_a_terminal_has_a_bar_with_shards_pages_and_rate(slow):
    terminal, stderr = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "in/0.warc.gz", "in/1.warc.gz", "--output", "out", "--method", "slow", "--jobs", "2"],
        env={**slow, "TERM": "xterm", "COLUMNS": "120"},
        stderr=stderr,
    )
    os.close(stderr)
    shown = b""
    try:
        while not re.search(rb"1 of 2 shards, \d+ pages, \d+ pages/s, about \d+", shown):
            shown += os.read(terminal, 4096)
    finally:
        process.kill()
        process.wait(60)
        os.close(terminal)


def test_the_course_is_told_by_the_bytes_of_shards():
    from bonmun.cli.batch_progress import Course
    from bonmun.scale.run.plan import Plan
    from bonmun.scale.shards import Shard

    first, second = Shard("a", Path("a"), 300, 0), Shard("b", Path("b"), 700, 0)
    course = Course()
    course.begin(Plan(todo={0: first, 1: second}))
    assert course.line() == "0 of 2 shards, 0 pages, 0 pages/s"
    course.pages(first, 64, 400)  # reading is ahead of the answers
    assert (course.bytes_done, course.bytes) == (300, 1000)
    course.finished(first)
    course.pages(second, 64, 350)
    assert course.bytes_done == 650
    assert course.line().startswith("1 of 2 shards, 128 pages, ")
    assert course.seconds_left is not None
