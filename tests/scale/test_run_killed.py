"""A batch that is killed, or runs out of space: nothing half-written, and the same files in the end."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bonmun.errors import OutputError, OutputFull
from bonmun.scale import BatchSettings, RunSettings, run_batch
from bonmun.scale.run import durable
from tests.scale.crawls import contents, page, record, write_warc
from tests.scale.slow_batch import settings

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # fastwarc imports its own
TREE = str(Path(__file__).parents[2])
COMMAND = [sys.executable, "-m", "tests.scale.slow_batch", "in"]
SHARDS = 6
ONE_JOB = RunSettings(BatchSettings(timings=False, method="xpath-robust"), jobs=1)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Archives with duplicates across them, and the output of an undisturbed run."""
    home = tmp_path_factory.mktemp("crawl")
    (home / "in").mkdir()
    chance = random.Random(18)
    for shard in range(SHARDS):
        numbers = [chance.randrange(400) for _ in range(100)]
        pages = (record(f"https://example.org/{shard}/{number}", page(number)) for number in numbers)
        (home / "in" / f"{shard}.warc.gz").write_bytes(b"".join(pages))
    with started(home, "whole") as process:
        assert process.wait(120) == 0
    return home, contents(home / "whole")


@contextmanager
def started(home, output, jobs=2):
    process = subprocess.Popen(
        [*COMMAND, output, str(jobs)], cwd=home, env={**os.environ, "PYTHONPATH": TREE}, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)


def wait_for(condition, process):
    """Poll until something is so, or the process has ended."""
    end = time.monotonic() + 100
    while not condition() and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.005)


def markers(folder):
    return len(list((folder / "_bonmun").glob("part-*.done.json")))


def workers_of(process):
    """The worker processes of a run, which threads of it have started."""
    found = set()
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, task.read_text().split()))
    commands = {pid: Path(f"/proc/{pid}/cmdline") for pid in found}
    return {pid for pid, path in commands.items() if path.exists() and b"spawn_main" in path.read_bytes()}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_after_kill_9_at_random_moments_the_files_are_those_of_an_undisturbed_run(crawl):
    home, whole = crawl
    chance = random.Random(9)
    folder, workers, kills = home / "killed", set(), 0
    for goal in (0, 2):
        with started(home, "killed") as process:
            wait_for(lambda: markers(folder) >= goal and workers_of(process), process)  # noqa: B023
            time.sleep(chance.uniform(0, 0.6 if goal == 0 else 0.1))
            workers |= workers_of(process)
            process.send_signal(signal.SIGKILL)
            kills += process.wait(60) == -signal.SIGKILL
    assert kills
    with started(home, "killed") as process:
        assert process.wait(120) == 0
    assert contents(folder) == whole
    gone = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < gone, "a worker outlived its run"
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_a_worker_that_is_killed_changes_nothing(crawl):
    home, whole = crawl
    with started(home, "worker", jobs=1) as process:
        wait_for(lambda: markers(home / "worker") >= 1, process)
        killed = [os.kill(pid, signal.SIGKILL) for pid in workers_of(process)]
        assert process.wait(120) == 0
    assert killed
    assert contents(home / "worker") == whole


def test_where_duplicates_are_removed_a_lost_shard_and_those_after_it_are_done_anew(crawl, monkeypatch):
    home, whole = crawl
    shutil.copytree(home / "whole", home / "lost")
    (home / "lost/_bonmun/part-00004.done.json").unlink()
    (home / "lost/part-00005.parquet").write_bytes(b"not what the run without a break wrote")
    monkeypatch.chdir(home)
    account = run_batch(["in"], "lost", settings(jobs=1))
    assert account.resumed == 4
    assert sum(account.filtered.values()) > 50
    assert contents(home / "lost") == whole


@pytest.fixture
def shards(tmp_path):
    for number in range(3):
        write_warc(tmp_path / "in" / f"{number}.warc.gz", range(number * 300, number * 300 + 300))
    return str(tmp_path / "in")


@contextmanager
def small_disk(folder, kilobytes):
    """A file system of a size; skips the test where none may be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_leaves_finished_shards_and_nothing_half_written(shards, tmp_path):
    disk = tmp_path / "disk"
    jsonl = RunSettings(ONE_JOB.batch, format="jsonl", jobs=1)
    with small_disk(disk, 230):
        with pytest.raises(OutputFull, match=r"disk/out: no space for part-00001\.jsonl.*run the same again"):
            run_batch([shards], disk / "out", jsonl)
        left = {name for name in contents(disk / "out") if not name.endswith("batch.json")}
        assert left == {"part-00000.jsonl", "_bonmun/part-00000.done.json"}
        subprocess.run(["mount", "-o", "remount,size=4000k", str(disk)], check=True)
        account = run_batch([shards], disk / "out", jsonl)
        assert (account.resumed, account.statuses) == (1, {"ok": 900})
        assert sum(part.count(b"\n") for name, part in contents(disk / "out").items() if "/" not in name) == 900


def test_a_file_beyond_the_limit_of_the_process_is_no_space(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OutputFull), durable.writing(tmp_path, "part-00000.jsonl"):
            durable.write_durably(tmp_path / "part-00000.jsonl", bytes(500_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(tmp_path.iterdir()) == []


class Remove:
    """Removes the output once the first shard is done."""

    def __init__(self, folder):
        self.folder = folder

    def begin(self, plan):
        pass

    def pages(self, shard, count, position):
        pass

    def finished(self, shard):
        shutil.rmtree(self.folder)

    def note(self, line):
        pass


def test_a_folder_that_is_deleted_meanwhile_is_one_clear_error(shards, tmp_path):
    with pytest.raises(OutputError, match=r"out: cannot write part-00001\.parquet: No such file or directory"):
        run_batch([shards], tmp_path / "out", ONE_JOB, progress=Remove(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_one_clear_error(shards, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match="file: cannot write _bonmun: Not a directory"):
        run_batch([shards], tmp_path / "file", ONE_JOB)
