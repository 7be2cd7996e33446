"""Pages on Spark: shards read, sites learned and pages extracted by `mapInArrow` (extra `spark`)."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from bonmun.errors import MissingExtra
from bonmun.inputs.member import Damage, Reading
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.library import SiteLibrary
from bonmun.sites.site import Site
from bonmun.workers.failure import Failure

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession, Window, functions
    from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type
    from pyspark.sql.types import NullType, StructType

    from bonmun.scale.killable import BatchPool
    from bonmun.scale.reading import PAGE_SCHEMA, read_shard
    from bonmun.scale.schema import ERROR, output_schema
    from bonmun.scale.shards import Shard, gather
    from bonmun.scale.sites.learn_sites import LearnedSites, SiteCounts, learn_hosts
    from bonmun.scale.sites.sample import SAMPLE_SCHEMA, chosen, sampled
except ModuleNotFoundError as error:
    raise MissingExtra("DataFrames of Spark", "spark") from error

_PAGES = 50
"""Pages that the worker process gets at once, whatever the size of Spark's batches."""
_SAMPLE = pa.schema([field.with_type(pa.binary()) if field.name == "key" else field for field in SAMPLE_SCHEMA])
"""Spark has no binary values of fixed size."""
_SITE = pa.schema([("host", pa.string()), ("pages", pa.int32()), ("site", pa.binary()), ("failure", pa.string())])
_READING = Reading()

Batches = Iterable[pa.RecordBatch]


def extract(
    df: DataFrame, settings: BatchSettings = DEFAULT_BATCH, *, html: str | None = None, url: str | None = None
) -> DataFrame:
    """Return the answers to a DataFrame of pages, with the columns of `bonmun.scale.output_schema`.

    `html` and `url` name its columns, if `settings` does not. A page that fails is a row with its error: one that hangs
    or kills its process costs this row, and not the task:

        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 50)
        bonmun.scale.spark.extract(spark.read.parquet("pages/"), html="content").write.parquet("texts/")
    """
    settings = replace(settings, html=html or settings.html, url=url or settings.url)

    def extracted(batches: Batches) -> Iterator[pa.RecordBatch]:
        small = (batch.slice(start, _PAGES) for batch in batches for start in range(0, batch.num_rows, _PAGES))
        with BatchPool(settings) as pool:
            yield from pool.map(small)

    return df.mapInArrow(extracted, _answers(df.schema, settings))


def read_pages(spark: SparkSession, sources: Sequence[str], reading: Reading = _READING) -> DataFrame:
    """Return the pages of files, folders, patterns and lists, as `bonmun batch` reads them: one task for each shard.

    The executors open the files, at the same paths. A part of a shard that cannot be read is a row without a page,
    whose `failure` has the type `Damage`: unlike an accumulator, it is there once, however often a task is tried:

        pages = bonmun.scale.spark.read_pages(spark, ["/crawl/*.warc.gz"])
        bonmun.scale.spark.extract(pages).write.parquet("/texts")
    """
    shards = [_absolute(shard) for shard in gather(sources)]

    def read(numbers: Batches) -> Iterator[pa.RecordBatch]:
        for number in (number for batch in numbers for number in batch.column("id").to_pylist()):
            for found in read_shard(shards[number], reading):
                yield _damaged(found) if isinstance(found, Damage) else found

    return spark.range(0, len(shards), 1, len(shards)).mapInArrow(read, from_arrow_schema(PAGE_SCHEMA))


def site_files(df: DataFrame, settings: SiteSettings = DEFAULT_SITES) -> DataFrame:
    """Return the site files that are learned from a DataFrame of pages: a row for each host with enough of them.

    `site` is null for a host whose pages have nothing in common, or whose learning failed for the reason in `failure`.
    A task gives at most `settings.most_pages` of a host to the shuffle: a host with millions of pages is no straggler.
    """

    def sample(batches: Batches) -> Iterator[pa.RecordBatch]:
        return (sampled(batch, settings).cast(_SAMPLE) for batch in batches)

    def learn(batches: Batches) -> Iterator[pa.RecordBatch]:
        counts: deque[int] = deque()
        for host, site in learn_hosts(_hosts(batches, settings, counts), settings, jobs=1):
            failure = f"{site.kind}: {site.message}" if isinstance(site, Failure) else None
            row = {"host": host, "pages": counts.popleft(), "site": None if failure else site, "failure": failure}
            yield pa.RecordBatch.from_pylist([row], _SITE)

    by_host = Window.partitionBy("host").orderBy(functions.substring("key", 1, 8))  # the hash of the URL
    ranked = df.mapInArrow(sample, from_arrow_schema(_SAMPLE)).withColumn("rank", functions.dense_rank().over(by_host))
    first = ranked.where(functions.col("rank") <= settings.most_pages).sortWithinPartitions("host")
    return first.mapInArrow(learn, from_arrow_schema(_SITE))


def learn_sites(df: DataFrame, folder: str | Path, settings: SiteSettings = DEFAULT_SITES) -> LearnedSites:
    """Learn the sites of a DataFrame of pages, host by host: site files in an existing folder of the driver.

    The library of the answer has all sites in memory, and so takes them to the executors in `BatchSettings.sites`. Of
    more than some thousands, let the executors read the files: `SiteLibrary(folder, most_cached=256)`. `counts.pages`
    are those that sites were learned from:

        learned = bonmun.scale.spark.learn_sites(pages, "sites")
        bonmun.scale.spark.extract(pages, BatchSettings(sites=learned.sites))
    """
    library = SiteLibrary(folder)
    return _saved(site_files(df, settings).toLocalIterator(), library)


def _answers(given: StructType, settings: BatchSettings) -> StructType:
    """The columns of the answers; those that are carried over keep their types."""
    kinds = [ERROR if field.dataType == from_arrow_type(ERROR) else pa.null() for field in given]
    schema = output_schema(pa.schema(zip(given.names, kinds, strict=True)), settings)
    fields = from_arrow_schema(schema).fields
    return StructType([given[field.name] if field.dataType == NullType() else field for field in fields])


def _absolute(shard: Shard) -> Shard:
    """The shard, whose name stays as given, for executors: they run in folders of their own."""
    return replace(shard, path=shard.path.absolute(), pages=tuple(path.absolute() for path in shard.pages))


def _damaged(damage: Damage) -> pa.RecordBatch:
    pages = "" if damage.pages is None else f" ({damage.pages:,} pages)"
    row = {"source": damage.where, "failure": {"type": "Damage", "message": f"{damage.where}: {damage.what}{pages}"}}
    return pa.RecordBatch.from_pylist([row], PAGE_SCHEMA)


def _hosts(batches: Batches, settings: SiteSettings, counts: deque[int]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The hosts of sorted rows that have enough pages, and these; their number goes to `counts`."""
    rows = (row for batch in batches for row in batch.to_pylist())
    for host, found in groupby(rows, itemgetter("host")):
        pages = pa.RecordBatch.from_pylist(list(found), SAMPLE_SCHEMA)
        count = len(chosen(pages.column("key").to_pylist(), settings.most_pages))
        if count >= settings.least_pages:
            counts.append(count)
            yield host, pages


def _saved(rows: Iterable[Any], library: SiteLibrary) -> LearnedSites:
    """Write the site files; the library loads each."""
    pages = hosts = learned = 0
    failures = []
    for row in rows:
        hosts, pages = hosts + 1, pages + row.pages
        if row.failure:
            failures.append(f"{row.host}: {row.failure}")
        elif row.site and library.path(row.host) is not None:
            library.add(Site.from_json(row.site.decode()))
            learned += 1
    counts = SiteCounts(pages, hosts, learned, hosts - learned - len(failures), len(failures))
    return LearnedSites(library, counts, tuple(failures))
