"""Pages on Spark: shards read and pages extracted by `mapInArrow` (extra `spark`)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bonmun.errors import MissingExtra
from bonmun.inputs.member import Damage, Reading
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type
    from pyspark.sql.types import NullType, StructType

    from bonmun.scale.killable import BatchPool
    from bonmun.scale.reading import PAGE_SCHEMA, read_shard
    from bonmun.scale.schema import ERROR, output_schema
    from bonmun.scale.shards import Shard, gather
except ModuleNotFoundError as error:
    raise MissingExtra("DataFrames of Spark", "spark") from error

_PAGES = 50
"""Pages that the worker process gets at once, whatever the size of Spark's batches."""
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
