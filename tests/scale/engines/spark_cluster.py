"""A Spark session on a real cluster of this machine: a master, two workers, and an executor process in each."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest import mock

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[3]
_EXECUTOR = b"CoarseGrainedExecutorBackend"
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
    with mock.patch.dict(os.environ, environment):
        session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
        try:
            session.sparkContext.setLogLevel("OFF")  # What is lost with an executor is said in many lines.
            yield session
        finally:
            session.stop()


def executor_of(process: int) -> int:
    """Return the executor that started a process."""
    return next(above for above in _ancestors(process) if _is_executor(above))


def executors() -> list[int]:
    """Return the executors that this process started, through its driver."""
    return [process for process in descendants() if _is_executor(process)]


def descendants() -> list[int]:
    """Return this process, and all that it started, directly or not."""
    processes = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [process for process in processes if os.getpid() in _ancestors(process)]


def _ancestors(process: int) -> Iterator[int]:
    with suppress(FileNotFoundError, ProcessLookupError):  # It has just ended.
        while process:
            yield process
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def _is_executor(process: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return _EXECUTOR in Path(f"/proc/{process}/cmdline").read_bytes()
    return False
