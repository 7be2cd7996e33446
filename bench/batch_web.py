"""`bonmun batch` on web archives: `python bench/batch_web.py [--pages N] [--warcs N] [--jobs N] [--kills N]`.

The pages of the development sets, repeated under other hosts, are written as WARCs into a temporary folder. Measured on
them, each in a process of its own and in this order:

- one process that reads, calls `extract_batch`, and writes Parquet;
- `bonmun batch --jobs N`: its throughput against that of one process, its CPU time, and its memory (PSS of all its
  processes, the most in each quarter of the time);
- trafilatura and `extract_batch` on the same `--sample` pages: CPU time of a page. Neither pays for reading WARCs.

With `--kills N`, `bonmun batch` is run again and its process group killed by SIGKILL at N random moments, spread over
the shards, one in five of them while it starts. Resumed each time, it must leave the same files as the run before.
"""

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pyarrow as pa

from bench.web_archives import write_archives
from bonmun.scale import BatchSettings, extract_batch
from bonmun.scale.reading import PAGE_SCHEMA, read_shard
from bonmun.scale.schema import output_schema
from bonmun.scale.shards import gather

ROOT = Path(__file__).parents[1]
STEADY = BatchSettings(timings=False)
_SAMPLE_SECONDS = 0.25
_EARLY = 0.2
"""The share of kills while the process starts."""
_PATIENCE = 600.0
"""Seconds until a run must have finished its next shard."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a process took."""

    seconds: float
    cpu: float
    memory: list[int]
    """Bytes of all its processes, a sample every quarter of a second."""
    last_line: str

    @property
    def quarters(self) -> list[int]:
        """The most memory in each quarter of the time, in megabytes."""
        cuts = [len(self.memory) * part // 4 for part in range(5)]
        return [max(self.memory[low : max(high, low + 1)]) >> 20 for low, high in pairwise(cuts)]


def measured(command: Sequence[str], log: Path) -> Measured:
    """Run a command to its end."""
    started, memory = time.monotonic(), [0]
    with log.open("wb") as errors:
        process = _start(command, errors.fileno())
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            memory.append(_memory_of_group(process.pid))
            time.sleep(_SAMPLE_SECONDS)
    seconds, usage = time.monotonic() - started, ended[2]
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [""]
    if process.returncode not in (0, 1):  # 1: some page failed, which the account says
        raise SystemExit(f"{' '.join(command[:4])} … ended with status {process.returncode}: {lines[-1]}")
    return Measured(seconds, usage.ru_utime + usage.ru_stime, memory[1:] or memory, lines[-1])


def _start(command: Sequence[str], errors: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, *command], env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=errors
    )


def _memory_of_group(group: int) -> int:
    """The proportional set size of all processes of a group."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):  # a process that has just ended
            if int((folder / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                fields = dict(line.split()[:2] for line in (folder / "smaps_rollup").read_text().splitlines()[1:])
                total += int(fields["Pss:"]) << 10
    return total


def one_process(archives: Path, output: Path) -> None:
    """Read, extract and write, one after the other."""
    from pyarrow.parquet import ParquetWriter

    for number, shard in enumerate(gather([str(archives)])):
        with ParquetWriter(output / f"{number}.parquet", output_schema(PAGE_SCHEMA, STEADY), compression="zstd") as out:
            group: list[pa.RecordBatch] = []
            for batch in read_shard(shard):
                group.append(extract_batch(batch, STEADY))
                if len(group) == 32:
                    out.write_table(pa.Table.from_batches(group))
                    group = []
            if group:
                out.write_table(pa.Table.from_batches(group))


def peer_ratio(archives: Path, size: int) -> tuple[float, float]:
    """CPU seconds of trafilatura and of `extract_batch` for a page, on the same pages."""
    import trafilatura

    batches = list(_sampled(archives, size))
    pages = sum(batch.num_rows for batch in batches)
    extract_batch(batches[0].slice(0, 1), STEADY)
    started = time.process_time()
    for batch in batches:
        extract_batch(batch, STEADY)
    ours = time.process_time() - started
    started = time.process_time()
    for batch in batches:
        for row in batch.select(["html", "url"]).to_pylist():
            trafilatura.extract(row["html"], url=row["url"])
    return (time.process_time() - started) / pages, ours / pages


def _sampled(archives: Path, size: int) -> Iterator[pa.RecordBatch]:
    """The first batches of the archives, up to a number of pages."""
    for shard in gather([str(archives)]):
        for batch in read_shard(shard):
            if size <= 0:
                return
            yield batch.slice(0, size)
            size -= batch.num_rows


def kill_and_resume(command: Sequence[str], output: Path, shards: int, kills: int, seconds: float, seed: int) -> int:
    """Run a command with kills, then to its end; return how many of the kills came before its end."""
    rng = random.Random(seed)
    early_enough = 0
    for number in range(kills):
        early = rng.random() < _EARLY
        wanted = 0 if early else number * shards // kills
        process = _start(command)
        try:
            _wait_for(output, wanted, process)
            time.sleep(rng.uniform(0.0, 2.0 if early else seconds / shards))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        done = _done(output)
        early_enough += done < shards
        print(f"kill {number + 1}: {done} of {shards} shards done", file=sys.stderr)
    last = _start(command)
    if last.wait(100 * _PATIENCE) not in (0, 1):
        raise SystemExit(f"the last run ended with status {last.returncode}")
    return early_enough


def _done(output: Path) -> int:
    return len(list(output.rglob("part-*.done.json")))


def _wait_for(output: Path, shards: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _PATIENCE
    while _done(output) < shards and process.poll() is None:
        if time.monotonic() > end:
            raise SystemExit(f"{_done(output)} shards are done after {_PATIENCE:g} seconds, {shards} were expected")
        time.sleep(0.02)


def digests(folder: Path) -> dict[str, str]:
    """The checksums of all files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def main() -> int:
    """Parse arguments, measure, print a table; 1 if a killed run left other files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--warcs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=1000, help="pages for trafilatura; 0 for none")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--one-process", nargs=2, type=Path, metavar=("ARCHIVES", "OUTPUT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one_process:
        one_process(*given.one_process)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder), given)


def _measure(folder: Path, given: argparse.Namespace) -> int:
    archives, alone, together = (folder / name for name in ("archives", "alone", "together"))
    archives.mkdir()
    alone.mkdir()
    size = write_archives(archives, given.pages, given.warcs)
    print(f"{given.pages:,} pages, {size / 1e6:,.0f} MB, in {given.warcs} WARCs; {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    one = measured([__file__, "--one-process", str(archives), str(alone)], folder / "alone.log")
    command = ["-m", "bonmun", "batch", str(archives), "--jobs", str(given.jobs), "--output"]
    many = measured([*command, str(together)], folder / "together.log")
    _print_table(one, many, given)
    if given.sample:
        theirs, ours = peer_ratio(archives, given.sample)
        times = f"trafilatura {1e3 * theirs:.1f} ms, Bonmun {1e3 * ours:.1f} ms"
        print(f"CPU of a page: {times}, ratio {theirs / ours:.1f}", flush=True)
    return _kill_test(folder, command, many, given) if given.kills else 0


def _print_table(one: Measured, many: Measured, given: argparse.Namespace) -> None:
    print(f"{'':24}{'seconds':>9}{'CPU s':>9}{'pages/s':>9}{'CPU ms/page':>13}  MB by quarter")
    for name, run in (("one process", one), (f"bonmun batch --jobs {given.jobs}", many)):
        rate, each = given.pages / run.seconds, 1e3 * run.cpu / given.pages
        print(f"{name:24}{run.seconds:9.1f}{run.cpu:9.1f}{rate:9.0f}{each:13.2f}  {run.quarters}")
    print(
        f"throughput {one.seconds / many.seconds:.2f} ×, CPU {many.cpu / one.cpu:.3f} ×; load {os.getloadavg()[0]:.1f}"
    )
    print(many.last_line, flush=True)


def _kill_test(folder: Path, command: Sequence[str], whole: Measured, given: argparse.Namespace) -> int:
    output, expected = folder / "killed", digests(folder / "together")
    begun = kill_and_resume([*command, str(output)], output, given.warcs, given.kills, whole.seconds, given.seed)
    found = digests(output)
    differing = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    parts = sum(name.endswith(".parquet") for name in found)
    print(f"killed {given.kills} times, {begun} of them with shards to do: {parts} parts, "
          f"{len(differing)} of {len(expected)} files differ {' '.join(differing[:8])}")  # fmt: skip
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
