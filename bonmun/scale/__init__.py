"""Many pages as Arrow record batches: one function, run by a local pool, Spark, Ray or datatrove.

>>> import pyarrow
>>> from bonmun.scale import extract_batch
>>> page = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
>>> pages = pyarrow.RecordBatch.from_pydict({"url": ["https://example.org/tea"], "html": [page]})
>>> extract_batch(pages).to_pylist()[0]["text"]
'Tea is made of leaves, and of water that has just boiled.'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.scale.batch import extract_batch
    from bonmun.scale.killable import BatchPool
    from bonmun.scale.reading import PAGE_SCHEMA, Damage, read_shard
    from bonmun.scale.run.account import Account
    from bonmun.scale.run.process import run_batch
    from bonmun.scale.run.settings import RunSettings
    from bonmun.scale.schema import SCHEMA_VERSION, output_schema
    from bonmun.scale.settings import BatchSettings
    from bonmun.scale.shards import Shard, gather
    from bonmun.scale.sieve.filters import Filters
    from bonmun.scale.sieve.sieve import Sieve
    from bonmun.scale.sites.learn_host import learn_host
    from bonmun.scale.sites.learn_sites import learn_sites
    from bonmun.scale.sites.settings import SiteSettings

__all__ = [
    "PAGE_SCHEMA",
    "SCHEMA_VERSION",
    "Account",
    "BatchPool",
    "BatchSettings",
    "Damage",
    "Filters",
    "RunSettings",
    "Shard",
    "Sieve",
    "SiteSettings",
    "extract_batch",
    "gather",
    "learn_host",
    "learn_sites",
    "output_schema",
    "read_shard",
    "run_batch",
]

_MODULES = {
    "extract_batch": "bonmun.scale.batch",
    "BatchPool": "bonmun.scale.killable",
    "PAGE_SCHEMA": "bonmun.scale.reading",
    "Damage": "bonmun.scale.reading",
    "read_shard": "bonmun.scale.reading",
    "Shard": "bonmun.scale.shards",
    "gather": "bonmun.scale.shards",
    "BatchSettings": "bonmun.scale.settings",
    "Filters": "bonmun.scale.sieve.filters",
    "Sieve": "bonmun.scale.sieve.sieve",
    "SiteSettings": "bonmun.scale.sites.settings",
    "learn_host": "bonmun.scale.sites.learn_host",
    "learn_sites": "bonmun.scale.sites.learn_sites",
    "SCHEMA_VERSION": "bonmun.scale.schema",
    "output_schema": "bonmun.scale.schema",
    "Account": "bonmun.scale.run.account",
    "RunSettings": "bonmun.scale.run.settings",
    "run_batch": "bonmun.scale.run.process",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use; without pyarrow, say which extra has it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        from bonmun.errors import MissingExtra

        raise MissingExtra("record batches", "scale") from None
