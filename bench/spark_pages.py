"""Pages on Spark against `bonmun batch`: the same rows, also when an executor is killed mid-way.

bonmun batch warcs --output out/batch                            first
python bench/spark_pages.py warcs out/batch                      then the same on local-cluster[2,1,1024]
python bench/spark_pages.py warcs out/batch --kill               with kill -9 of an executor after a third of the tasks

Needs the extra `spark`, and Java. Prints the rows that are equal, differ or are missing, and pages a second.
"""

import argparse
import os
import shutil
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from bonmun.scale import BatchSettings
from bonmun.scale.spark import extract, read_pages
from tests.scale.engines.spark_cluster import descendants, executors, spark_cluster

Rows = dict[str, dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", help="WARCs or folders, then the output of bonmun batch for them")
    parser.add_argument("--kill", action="store_true", help="kill an executor after a third of the tasks")
    parser.add_argument("--output", type=Path, help="keep the rows of Spark in this folder, which is replaced")
    wanted = parser.parse_args()
    *sources, batch = wanted.sources
    with TemporaryDirectory(prefix="bonmun-spark-") as folder:
        output = wanted.output or Path(folder, "texts")
        shutil.rmtree(output, ignore_errors=True)
        with spark_cluster(Path(folder)) as spark:
            seconds, cpu = run(spark, sources, output.resolve(), wanted.kill)
        found = rows(output)
    damaged = {key for key, row in found.items() if row["error"] and row["error"]["type"] == "Damage"}
    each = f"{len(found) / seconds:.0f} pages a second, {cpu * 1000 / len(found):.1f} ms of CPU each"
    print(f"{len(found):,} rows in {seconds:.0f} s on two executors of one core: {each}")
    sys.exit(compare({key: row for key, row in found.items() if key not in damaged}, rows(Path(batch)), len(damaged)))


def run(spark: SparkSession, sources: list[str], output: Path, kill: bool) -> tuple[float, float]:
    """Extract and write the pages; return the seconds that it took, and those of all processes on the CPU."""
    answers = extract(read_pages(spark, sources), BatchSettings(timings=False))
    ended = threading.Event()
    killer = threading.Thread(target=kill_one, args=(spark, answers.rdd.getNumPartitions(), ended))
    start, used = perf_counter(), cpu_seconds()
    if kill:
        killer.start()
    try:
        answers.write.parquet(str(output))
    finally:
        ended.set()
        if kill:
            killer.join()
    return perf_counter() - start, cpu_seconds() - used


def cpu_seconds() -> float:
    """CPU time of this process, of all that it started, and of those that they have waited for; not of a killed one."""
    ticks = 0
    for process in descendants():
        with suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def kill_one(spark: SparkSession, tasks: int, ended: threading.Event) -> None:
    """Kill an executor once a third of the tasks is done and others run."""
    tracker = spark.sparkContext.statusTracker()
    while not ended.is_set():
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numCompletedTasks >= tasks / 3 and stage.numActiveTasks for stage in stages):
            victim = executors()[0]
            os.kill(victim, signal.SIGKILL)
            print(f"killed executor {victim} after {max(stage.numCompletedTasks for stage in stages)} of {tasks} tasks")
            return
        sleep(0.05)
    print("no executor was killed: the job was too short")


def rows(folder: Path) -> Rows:
    """The rows of the Parquet files of a folder, by their source, which a page that was captured twice has twice."""
    found: Rows = {}
    times: Counter[str] = Counter()
    for row in (row for path in sorted(folder.glob("*.parquet")) for row in _rows(path)):
        times[row["source"]] += 1
        found[f"{row['source']} ({times[row['source']]})"] = row
    return found


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for batch in pq.ParquetFile(path).iter_batches():
        yield from batch.to_pylist()


def compare(found: Rows, wanted: Rows, damaged: int) -> int:
    """Print how many rows are equal; return 1 if not all are."""
    both = found.keys() & wanted.keys()
    different = sorted(key for key in both if found[key] != wanted[key])
    missing, extra = len(wanted.keys() - both), len(found.keys() - both)
    print(f"{len(both) - len(different):,} rows equal, {len(different):,} differ, {missing:,} missing, {extra:,} extra")
    print(f"{damaged:,} damaged parts")
    for key in different[:5]:
        names = [name for name, value in wanted[key].items() if found[key].get(name) != value]
        print(f"  {key}: {', '.join(names)}")
    return int(bool(different or missing or extra or not both))


if __name__ == "__main__":
    main()
