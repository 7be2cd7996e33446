"""Pages on Ray Data: `extract_batch` in actors, each with a worker process that a page may kill (extra `ray`)."""

from bonmun.errors import MissingExtra
from bonmun.scale.settings import DEFAULT_BATCH, BatchSettings

try:
    import pyarrow as pa
    from ray.data import ActorPoolStrategy, Dataset

    from bonmun.scale.killable import BatchPool
except ModuleNotFoundError as error:
    raise MissingExtra("datasets of Ray", "ray") from error

_PAGES = 50
"""Pages that an actor gets at once: some megabytes."""


def extract(
    dataset: Dataset, settings: BatchSettings = DEFAULT_BATCH, *, concurrency: int | tuple[int, int] = 1
) -> Dataset:
    """Return the answers to a dataset of pages, with the columns of `bonmun.scale.output_schema`.

    `concurrency` is the number of actors, or its bounds; each takes one core. A page that fails is a row with its
    error, also one that hangs or kills its process:

        pages = ray.data.read_parquet("pages/")
        bonmun.scale.ray.extract(pages, concurrency=16).write_parquet("texts/")
    """
    least, most = (concurrency, concurrency) if isinstance(concurrency, int) else concurrency
    return dataset.map_batches(
        _Extraction,
        fn_constructor_args=(settings,),
        batch_format="pyarrow",
        batch_size=_PAGES,
        compute=ActorPoolStrategy(min_size=least, max_size=most),
    )


class _Extraction:
    """What an actor keeps: the pool, whose worker process ends with the actor."""

    def __init__(self, settings: BatchSettings) -> None:
        self._pool = BatchPool(settings)

    def __call__(self, pages: pa.Table) -> pa.Table:
        return pa.Table.from_batches(self._pool.map(pages.combine_chunks().to_batches()))
