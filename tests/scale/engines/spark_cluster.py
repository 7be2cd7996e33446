"""A Spark session on a real cluster of this machine: a master, two workers, and an executor process in each."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[3]
_FAST_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@contextmanager
def spark_cluster(folder: Path) -> Iterator[SparkSession]:
    """Yield a session on `local-cluster[2,1,1024]`, whose files are in a folder.

    pip's pyspark has all that such a cluster needs, but writes to its own folder unless it is told another.
    """
    environment = {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
    }
    settings = {
        "spark.executorEnv.PYTHONPATH": str(ROOT),
        "spark.executor.memory": "512m",
        "spark.driver.extraJavaOptions": _FAST_START,
        "spark.executor.extraJavaOptions": _FAST_START,
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
        try:
            session.sparkContext.setLogLevel("OFF")  # What is lost with an executor is said in many lines.
            yield session
        finally:
            session.stop()


def executor_of(process: int) -> int:
    """Return the process of the executor that a process was started by."""
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process


def alive(process: int) -> bool:
    """Return whether a process is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
