"""A batch run: parts, markers, resume, and what it refuses."""

import json
import os
import shutil
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.dataset

from bonmun import Site
from bonmun.errors import OutputDiffers, OutputLocked, SourceError, WrongAccount
from bonmun.scale import Account, BatchSettings, RunSettings, run_batch
from bonmun.scale.run.account import Tally
from bonmun.scale.run.folder import OutputFolder
from tests.scale.crawls import PAGE, contents, page, record, write_warc

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # fastwarc imports its own
ONE_JOB = RunSettings(BatchSettings(timings=False, method="xpath-robust"), jobs=1)


class Notes:
    """The lines that a run says."""

    def __init__(self):
        self.lines = []

    def begin(self, plan):
        self.lines += plan.notes

    def learning(self, stage, done, total):
        pass

    def pages(self, shard, count, position):
        pass

    def finished(self, shard):
        pass

    def note(self, line):
        self.lines.append(line)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with three archives and the output of a run; tests work on copies."""
    home = tmp_path_factory.mktemp("finished")
    for number in range(3):
        write_warc(home / "in" / f"{number}.warc.gz", range(number * 20, number * 20 + 20))
    where = Path.cwd()
    os.chdir(home)
    try:
        account = run_batch(["in"], "out", ONE_JOB)
    finally:
        os.chdir(where)
    return home, account


@pytest.fixture
def copy(finished, tmp_path, monkeypatch):
    shutil.copytree(finished[0], tmp_path / "copy")  # with modification times
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


def inputs():
    return sorted(Path("in").iterdir())


def test_every_shard_becomes_a_part_with_a_row_for_each_page(finished):
    home, account = finished
    assert (account.pages, account.statuses, account.shards, account.is_clean) == (60, {"ok": 60}, 3, True)
    assert sorted(path.name for path in (home / "out").iterdir()) == [
        "_bonmun",
        "part-00000.parquet",
        "part-00001.parquet",
        "part-00002.parquet",
    ]
    rows = pyarrow.dataset.dataset(home / "out").to_table().to_pylist()  # markers are no part of the data set
    assert [row["url"] for row in rows] == [f"https://example.org/{number}" for number in range(60)]
    assert "road number 59 was gone" in rows[59]["text"]
    assert rows[0]["timings"] is None


def test_the_marker_says_what_was_read_and_what_was_written(finished):
    home, _ = finished
    marker = json.loads((home / "out/_bonmun/part-00001.done.json").read_text())
    part = home / "out" / marker["part"]["name"]
    assert (marker["pages"], marker["statuses"], marker["part"]["rows"]) == (20, {"ok": 20}, 20)
    assert marker["part"]["bytes"] == part.stat().st_size
    assert json.loads((home / "out/_bonmun/account.json").read_text())["pages"] == 60


def test_a_finished_shard_is_not_read_again(copy):
    before = contents(Path("out"))
    for path in inputs():
        times, size = path.stat(), path.stat().st_size
        path.write_bytes(bytes(size))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    account = run_batch(["in"], "out", ONE_JOB)
    assert (account.pages, account.resumed, account.new_pages) == (60, 3, 0)
    assert contents(Path("out")) == before


def test_a_changed_shard_is_done_anew_and_the_others_are_left_alone(copy):
    others = [Path("out/part-00000.parquet"), Path("out/part-00002.parquet")]
    times = [path.stat().st_mtime_ns for path in others]
    write_warc(Path("in/1.warc.gz"), range(100, 105))
    notes = Notes()
    account = run_batch(["in"], "out", ONE_JOB, progress=notes)
    assert (account.pages, account.resumed, account.new_pages) == (45, 2, 5)
    assert notes.lines == ["in/1.warc.gz: changed since it was done: it is done anew"]
    assert [path.stat().st_mtime_ns for path in others] == times
    assert json.loads(Path("out/_bonmun/account.json").read_text())["pages"] == 45


def test_parts_and_markers_that_are_lost_are_made_anew(copy):
    write_warc(Path("in/3.warc.gz"), range(3))
    run_batch(["in"], "out", ONE_JOB)
    before = contents(Path("out"))
    Path("out/part-00000.parquet").unlink()
    cut = Path("out/part-00001.parquet")
    cut.write_bytes(cut.read_bytes()[:-1])
    Path("out/_bonmun/part-00002.done.json").unlink()
    Path("out/_bonmun/part-00003.done.json").write_text('{"shard": ')
    notes = Notes()
    assert run_batch(["in"], "out", ONE_JOB, progress=notes).new_pages == 63
    assert contents(Path("out")) == before
    assert notes.lines == [
        f"in/{number}.warc.gz: part-0000{number}.parquet is missing or cut: it is done anew" for number in (0, 1)
    ]


def test_what_a_killed_run_left_is_removed(copy):
    before = contents(Path("out"))
    Path("out/.part-00001.parquet.part").write_bytes(b"half")
    Path("out/_bonmun/.part-00001.done.json.part").write_bytes(b"half")
    Path("out/part-00007.parquet").write_bytes(b"without its marker")
    assert run_batch(["in"], "out", ONE_JOB).new_pages == 0
    assert contents(Path("out")) == before


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        (RunSettings(replace(ONE_JOB.batch, texts=("text", "html"))), "texts was text, is now text,html"),
        (RunSettings(ONE_JOB.batch, format="jsonl"), "format was parquet, is now jsonl"),
        (RunSettings(), "method was xpath-robust, is now auto"),
    ],
    ids=["texts", "format", "method"],
)  # fmt: skip
def test_other_settings_are_refused_by_name(copy, settings, difference):
    before = contents(Path("out"))
    with pytest.raises(OutputDiffers, match=difference):
        run_batch(["in"], "out", settings)
    assert contents(Path("out")) == before


def test_another_schema_is_refused(copy):
    record = Path("out/_bonmun/batch.json")
    record.write_text(record.read_text().replace('"schema": ', '"schema": 9'))
    with pytest.raises(OutputDiffers, match="schema was 9"):
        run_batch(["in"], "out", ONE_JOB)


def test_shards_may_be_added_but_not_removed_or_moved(copy):
    write_warc(Path("in/9.warc.gz"), range(200, 203))
    assert run_batch(["in"], "out", ONE_JOB).new_pages == 3
    write_warc(Path("in/00.warc.gz"), range(300, 303))
    with pytest.raises(OutputDiffers, match=r"shard 1 was in/1\.warc\.gz, is now in/00\.warc\.gz"):
        run_batch(["in"], "out", ONE_JOB)
    with pytest.raises(OutputDiffers, match=r"shard 1 was in/1\.warc\.gz, is now missing"):
        run_batch(["in/0.warc.gz"], "out", ONE_JOB)


def test_restart_removes_what_a_batch_wrote_and_nothing_else(copy):
    Path("out/notes.txt").write_text("mine")
    Path("out/part-1.parquet").write_text("mine")
    settings = RunSettings(ONE_JOB.batch, format="jsonl", jobs=1, restart=True)
    run_batch(["in/0.warc.gz"], "out", settings)
    there = set(contents(Path("out")))
    assert {"notes.txt", "part-1.parquet", "part-00000.jsonl"} == {name for name in there if "/" not in name}
    assert "_bonmun/part-00001.done.json" not in there


def test_parts_of_another_program_are_not_overwritten(copy):
    Path("other").mkdir()
    Path("other/part-00000.parquet").write_text("another's")
    with pytest.raises(OutputDiffers, match=r"part-00000\.parquet has no record"):
        run_batch(["in"], "other", RunSettings(restart=True))
    assert Path("other/part-00000.parquet").read_text() == "another's"


def test_a_second_run_in_one_folder_is_refused(copy):
    with OutputFolder(Path("out"), ".parquet"):
        for settings in (ONE_JOB, RunSettings(ONE_JOB.batch, part=(1, 2))):
            with pytest.raises(OutputLocked, match="another run writes to this folder"):
                run_batch(["in"], "out", settings)
    assert run_batch(["in"], "out", ONE_JOB).resumed == 3


def test_parts_of_a_job_array_share_a_folder_and_give_what_one_run_gives(copy):
    with OutputFolder(Path("shared"), ".parquet", (2, 2)):  # the second job has just begun
        first = run_batch(["in"], "shared", RunSettings(ONE_JOB.batch, jobs=1, part=(1, 2)))
        for part in ((2, 2), (1, 3)):
            with pytest.raises(OutputLocked):
                run_batch(["in"], "shared", RunSettings(ONE_JOB.batch, part=part))
    assert (first.pages, first.shards) == (40, 2)
    assert not Path("shared/_bonmun/account.json").exists()
    assert run_batch(["in"], "shared", RunSettings(ONE_JOB.batch, jobs=1, part=(2, 2))).pages == 20
    assert contents(Path("shared")) == contents(Path("out"))


def test_a_truncated_archive_is_named_and_the_rest_is_done(copy):
    path = Path("in/1.warc.gz")
    path.write_bytes(path.read_bytes()[:-30])
    notes = Notes()
    account = run_batch(["in"], "out", ONE_JOB, progress=notes)
    assert not account.is_clean
    assert account.shards == 3
    assert 58 <= account.pages < 60 + 1
    assert len(account.damages) == 1 and "in/1.warc.gz" in account.damages[0] and "truncated" in account.damages[0]
    assert account.damages[0] in notes.lines
    again = run_batch(["in"], "out", ONE_JOB)
    assert (again.resumed, again.damages) == (3, account.damages)


def test_failed_pages_are_rows_and_counted(tmp_path):
    page = record("https://example.org/pdf", b"%PDF-1.7 no page at all")
    (tmp_path / "a.warc.gz").write_bytes(page)
    account = run_batch([str(tmp_path / "a.warc.gz")], tmp_path / "out", ONE_JOB)
    assert account.statuses == {"failed": 1}
    [row] = pyarrow.dataset.dataset(tmp_path / "out").to_table().to_pylist()
    assert row["error"]["type"] == "NotAPage"


def test_a_source_without_shards_is_an_error(tmp_path):
    with pytest.raises(SourceError):
        run_batch([str(tmp_path / "missing.warc.gz")], tmp_path / "out", ONE_JOB)


def test_an_account_adds_up(finished):
    account = finished[1]
    assert isinstance(account, Account)
    assert account.pages == sum(account.statuses.values()) + sum(account.filtered.values())


@pytest.mark.parametrize(
    ("tally", "written", "format", "what"),
    [
        (Tally(3, Counter(ok=2, failed=1)), 2, "parquet", "3 rows to write, 2 in the file"),
        (Tally(3, Counter(ok=2, failed=1)), 3, "wet", "2 rows to write, 3 in the file"),
        (Tally(3, Counter(ok=2), Counter({"too short": 2})), 2, "parquet", "3 pages read, 4 accounted for"),
        (Tally(1, Counter(lost=1)), 1, "parquet", "pages with a status 'lost'"),
    ],
    ids=["rows", "texts", "pages", "status"],
)
def test_an_account_that_does_not_add_up_is_an_error(tally, written, format, what):
    with pytest.raises(WrongAccount, match=f"a.warc.gz: the account is wrong: {what}; please report this"):
        tally.check("a.warc.gz", written, format)


@pytest.fixture
def two_sites(tmp_path, monkeypatch):
    """Archives of two hosts, whose pages a template can be learned from."""
    monkeypatch.chdir(tmp_path)
    menu = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>The news of this week and of the last</a></ul>"
    for shard in range(2):
        records = [
            record(f"https://{host}.example.org/{shard}/{number}", page(100 * shard + number, menu))
            for number in range(4)
            for host in ("one", "two")
        ]
        Path(f"{shard}.warc.gz").write_bytes(b"".join(records))
    return ["0.warc.gz", "1.warc.gz"]


def test_sites_are_learned_first_once_and_anew_from_other_inputs(two_sites):
    settings = RunSettings(BatchSettings(timings=False), jobs=1, learn_sites=True)
    notes = Notes()
    run_batch(two_sites, "out", settings, progress=notes)
    assert notes.lines == ["2 of 2 sites learned from 16 pages, 0 failed"]
    before = contents(Path("out"))
    assert "_bonmun/sites/one.example.org.json" in before
    Path("out/_bonmun/part-00001.done.json").unlink()
    assert run_batch(two_sites, "out", settings).new_pages == 8
    assert contents(Path("out")) == before
    os.utime(two_sites[1])
    notes = Notes()
    assert run_batch(two_sites, "out", settings, progress=notes).new_pages == 16
    assert notes.lines[0] == "0.warc.gz and 1 more: sites are learned anew, from other inputs: they are done anew"


def test_other_sites_are_other_settings(two_sites):
    def settings(sites):
        return RunSettings(BatchSettings(timings=False, sites=sites), jobs=1)

    first = [PAGE.format(number, "") for number in range(5)]
    second = [PAGE.format(number, "<p>More of it, every day of the week.</p>") for number in range(5)]
    run_batch(two_sites, "out", settings(Site.learn(first, host="one.example.org")))
    assert run_batch(two_sites, "out", settings(Site.learn(first, host="one.example.org"))).new_pages == 0
    with pytest.raises(OutputDiffers, match=r"sites was [0-9a-f]{16}, is now [0-9a-f]{16}"):
        run_batch(two_sites, "out", settings(Site.learn(second, host="two.example.org")))


def test_a_shard_that_cannot_be_read_has_no_marker_and_is_tried_again(copy):
    path = Path("in/1.warc.gz")
    content, times = path.read_bytes(), path.stat()
    path.write_bytes(b"no archive at all")
    account = run_batch(["in"], "out", ONE_JOB)
    assert (account.pages, account.shards, len(account.failed_shards)) == (40, 2, 1)
    assert "in/1.warc.gz" in account.failed_shards[0]
    assert not Path("out/part-00001.parquet").exists()
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run_batch(["in"], "out", ONE_JOB).new_pages == 20


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text here")
def test_a_shard_may_have_a_name_that_is_not_utf_8(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xe9.warc.gz")
    write_warc(Path(name), range(2))
    settings = RunSettings(ONE_JOB.batch, format="wet", jobs=1)
    assert run_batch([name], "out", settings).new_pages == 2
    assert run_batch([name], "out", settings).resumed == 1


def test_an_output_among_the_sources_is_not_read(copy):
    write_warc(Path("in/out.warc.gz"), range(2))
    account = run_batch(["."], "out", replace(ONE_JOB, restart=True))
    assert account.pages == 62
    assert run_batch(["."], "out", ONE_JOB).new_pages == 0
