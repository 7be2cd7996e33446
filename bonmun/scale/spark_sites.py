"""Sites learned on Spark, host by host: the first pass of a batch (extra `spark`)."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from bonmun.errors import MissingExtra
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.library import SiteLibrary
from bonmun.sites.site import Site
from bonmun.workers.failure import Failure

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, Window, functions
    from pyspark.sql.pandas.types import from_arrow_schema

    from bonmun.scale.sites.learn_sites import LearnedSites, SiteCounts, learn_hosts
    from bonmun.scale.sites.sample import SAMPLE_SCHEMA, chosen, sampled
except ModuleNotFoundError as error:
    raise MissingExtra("DataFrames of Spark", "spark") from error

_SAMPLE = pa.schema([field.with_type(pa.binary()) if field.name == "key" else field for field in SAMPLE_SCHEMA])
"""Spark has no binary values of fixed size."""
_SITE = pa.schema([("host", pa.string()), ("pages", pa.int32()), ("site", pa.binary()), ("failure", pa.string())])

Batches = Iterable[pa.RecordBatch]


def site_files(df: DataFrame, settings: SiteSettings = DEFAULT_SITES) -> DataFrame:
    """Return the site files that are learned from a DataFrame of pages: a row for each host with enough of them.

    `site` is null for a host whose pages have nothing in common, or whose learning failed for the reason in `failure`.
    A task gives at most `settings.most_pages` of a host to the shuffle. Of very many shards, give each task several:
    `df.coalesce(n)`.
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

        learned = bonmun.scale.spark_sites.learn_sites(pages, "sites")
        bonmun.scale.spark.extract(pages, BatchSettings(sites=learned.sites))
    """
    library = SiteLibrary(folder)
    return _saved(site_files(df, settings).toLocalIterator(), library)


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
