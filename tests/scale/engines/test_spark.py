"""Spark on a real cluster of two executors."""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from pyspark.sql import DataFrame, SparkSession

from bonmun.scale import BatchSettings, extract_batch
from bonmun.scale.spark import extract
from tests.scale.engines.pages import Fragile, Waiting, article, batch, deadly_page
from tests.scale.engines.spark_cluster import alive, executor_of, spark_cluster

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not shutil.which("java"), reason="no Java"),
]
REPEATABLE = BatchSettings(timings=False)


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    with spark_cluster(tmp_path_factory.mktemp("spark")) as session:
        yield session


def frame(spark: SparkSession, pages: pa.RecordBatch, partitions: int = 4) -> DataFrame:
    return spark.createDataFrame(pa.Table.from_batches([pages])).repartition(partitions)


def rows(answers: DataFrame) -> list[dict[str, object]]:
    found = [row.asDict(recursive=True) for row in answers.collect()]
    return sorted(found, key=lambda row: int(str(row["url"]).rpartition("/")[2]))


def test_the_rows_are_those_of_extract_batch(spark: SparkSession) -> None:
    pages = batch([article(number) for number in range(230)])
    assert rows(extract(frame(spark, pages), REPEATABLE)) == extract_batch(pages, REPEATABLE).to_pylist()


def test_an_executor_that_is_killed_changes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    pages = batch([article(number) for number in range(120)])
    settings = BatchSettings(timings=False, method=Waiting("Glass 72", tmp_path))
    with ThreadPoolExecutor() as threads:
        found = threads.submit(rows, extract(frame(spark, pages), settings))
        killed = executor_of(settings.method.waiting_process())
        os.kill(killed, signal.SIGKILL)
        settings.method.go_on()
        assert found.result(timeout=120) == extract_batch(pages, settings).to_pylist()
    assert not alive(killed)


def test_a_page_that_kills_its_process_costs_a_row(spark: SparkSession) -> None:
    pages = [article(0), deadly_page(), article(1)]
    settings = BatchSettings(timings=False, method=Fragile())
    good, bad, other = rows(extract(frame(spark, batch(pages), 1), settings))
    assert bad["error"]["type"] == "WorkerDied"
    assert [good["title"], other["title"]] == ["Tea 0", "Bread 1"]


def test_other_columns_keep_their_types(spark: SparkSession) -> None:
    schema = "address string, body string, at timestamp_ntz, seen timestamp, links array<struct<to: string, n: int>>"
    value = ("https://example.org/0", article(0).decode(), datetime(2026, 11, 15), datetime(2026, 1, 2), [("/a", 1)])
    given = spark.createDataFrame([value], schema)
    settings = BatchSettings(texts=("text", "markdown"), blocks=True)
    answers = extract(given, settings, html="body", url="address")
    kinds = dict(answers.dtypes)
    assert [kinds[name] for name in ("at", "seen", "links")] == [kind for _, kind in given.dtypes[2:]]
    [row] = answers.collect()
    assert (row.url, row.at, row.seen, row.links[0].to) == (value[0], value[2], value[3], "/a")
    assert [block.text for block in row.blocks] == row.text.split("\n\n")
    assert "**made**" in row.markdown
