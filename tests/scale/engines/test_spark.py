"""Spark on a real cluster of two executors."""

import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from pyspark.sql import DataFrame, SparkSession

from bonmun.inputs.member import Damage
from bonmun.scale import BatchSettings, extract_batch
from bonmun.scale.reading import read_shard
from bonmun.scale.shards import gather
from bonmun.scale.sites.learn_sites import learn_sites as learn_sites_locally
from bonmun.scale.sites.settings import SiteSettings
from bonmun.scale.spark import extract, read_pages
from bonmun.scale.spark_sites import learn_sites, site_files
from tests.scale.engines.pages import Fragile, Waiting, article, batch, deadly_page, sheet, warc
from tests.scale.engines.spark_cluster import executor_of, executors, spark_cluster

pytestmark = [
    pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning"),  # fastwarc imports its own
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # pyspark 4.0
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


def different(rows: list[dict[str, object]], others: list[dict[str, object]]) -> list[object]:
    """The values that differ, with those of the other row."""
    pairs = zip(rows, others, strict=True)
    return [(name, row[name], other[name]) for row, other in pairs for name in other if row[name] != other[name]]


def test_warcs_give_the_rows_of_a_local_run(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for shard in range(3):
        Path(f"{shard}.warc.gz").write_bytes(warc(range(shard, 180, 3)))
    whole = Path("2.warc.gz").read_bytes()
    Path("2.warc.gz").write_bytes(whole[: len(whole) * 3 // 4])
    local, damages = [], []
    for shard in gather(["."]):
        for found in read_shard(shard):
            if isinstance(found, Damage):
                damages.append(found.where)
            else:
                local += extract_batch(found, REPEATABLE).to_pylist()
    pages = read_pages(spark, ["."])
    assert pages.rdd.getNumPartitions() == 3
    answers = [row.asDict(recursive=True) for row in extract(pages, REPEATABLE).collect()]
    damaged = [row for row in answers if row["error"] and row["error"]["type"] == "Damage"]
    assert [row["source"] for row in damaged] == damages
    assert len(damages) == 1
    assert len(local) > 150
    assert different([row for row in answers if row not in damaged], local) == []


def test_an_executor_that_is_killed_changes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    pages = batch([article(number) for number in range(120)])
    settings = BatchSettings(timings=False, method=Waiting("Glass 72", tmp_path))
    with ThreadPoolExecutor() as threads:
        found = threads.submit(rows, extract(frame(spark, pages), settings))
        killed = executor_of(settings.method.waiting_process())
        os.kill(killed, signal.SIGKILL)
        settings.method.go_on()
        assert found.result(timeout=300) == extract_batch(pages, settings).to_pylist()
    assert killed not in executors()


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


def test_sites_are_those_of_a_local_run_and_decide_on_the_executors(spark: SparkSession, tmp_path: Path) -> None:
    sheets = [sheet(number) for number in range(60)]
    pages = batch(sheets + sheets[:10])  # some pages are at two addresses
    for name in ("spark", "local"):
        (tmp_path / name).mkdir()
    settings = SiteSettings(most_pages=12, safe=False)  # figures are taken for products
    given = frame(spark, pages)
    learned = learn_sites(given, tmp_path / "spark", settings)
    local = learn_sites_locally([pages], tmp_path / "local", settings)
    assert "WindowGroupLimit" in plan(site_files(given, settings))  # before the shuffle, so that no host is a straggler
    assert learned.counts == replace(local.counts, pages=3 * 12)
    assert learned.counts.learned == 3
    assert files(tmp_path / "spark") == files(tmp_path / "local" / "sites")
    shutil.rmtree(tmp_path / "spark")  # The executors have the sites without the files.
    wanted = extract_batch(pages, BatchSettings(timings=False, sites=local.sites)).to_pylist()
    assert rows(extract(given, BatchSettings(timings=False, sites=learned.sites))) == wanted
    assert wanted != extract_batch(pages, REPEATABLE).to_pylist()


def plan(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().executedPlan())


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
