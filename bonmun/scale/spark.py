"""Pages on Spark: `extract_batch` by `mapInArrow`, in a process beside each task (extra `spark`)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bonmun.errors import MissingExtra
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type
    from pyspark.sql.types import NullType, StructType

    from bonmun.scale.killable import BatchPool
    from bonmun.scale.schema import ERROR, output_schema
except ModuleNotFoundError as error:
    raise MissingExtra("DataFrames of Spark", "spark") from error

_PAGES = 50
"""Pages that the worker process gets at once, whatever the size of Spark's batches."""


def extract(
    df: DataFrame, settings: BatchSettings = DEFAULT_BATCH, *, html: str | None = None, url: str | None = None
) -> DataFrame:
    """Return the answers to a DataFrame of pages, with the columns of `bonmun.scale.output_schema`.

    `html` and `url` name its columns, if `settings` does not. A page that fails is a row with its error: one that hangs
    or kills its process costs this row, and not the task. ::

        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 50)
        bonmun.scale.spark.extract(spark.read.parquet("pages/"), html="content").write.parquet("texts/")
    """
    settings = replace(settings, html=html or settings.html, url=url or settings.url)

    def extracted(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with BatchPool(settings) as pool:
            yield from pool.map(_small(batches))

    return df.mapInArrow(extracted, _answers(df.schema, settings))


def _answers(given: StructType, settings: BatchSettings) -> StructType:
    """The columns of the answers; those that are carried over keep their types."""
    kinds = [ERROR if field.dataType == from_arrow_type(ERROR) else pa.null() for field in given]
    schema = output_schema(pa.schema(zip(given.names, kinds, strict=True)), settings)
    fields = from_arrow_schema(schema).fields
    return StructType([given[field.name] if field.dataType == NullType() else field for field in fields])


def _small(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from (batch.slice(start, _PAGES) for start in range(0, batch.num_rows, _PAGES))
