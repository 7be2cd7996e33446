"""The settings of a service."""

from dataclasses import dataclass
from typing import Final

from bonmun.limits import Limits
from bonmun.serve.jobs.settings import DEFAULT_JOB_SETTINGS, JobSettings

SERVE_LIMITS: Final = Limits(seconds=10.0)


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What a service is started with.

    >>> ServeSettings(port=9000).host
    '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: int = 8117
    store: str = "bonmun.db"
    """The address of the store: an SQLite file, `:memory:`, or `postgresql://…`."""
    workers: int = 0
    """Worker processes; 0 for one on each core."""
    queue: int = 32
    """Pages that may wait for a worker; further ones are answered 503."""
    memory: int | None = 2 << 30
    """Maximum address space of a worker process in bytes (Linux only)."""
    limits: Limits = SERVE_LIMITS
    """Limits on one page; a request may ask for lower ones."""
    fetch: bool = True
    """Whether pages may be fetched by URL."""
    allow_private: bool = False
    """Whether private and loopback addresses may be fetched: for tests."""
    cached_pages: int = 64 << 20
    """Bytes of pages kept for further requests on the same page."""
    jobs: JobSettings = DEFAULT_JOB_SETTINGS
    """How crawls and long batches run."""


DEFAULT_SETTINGS: Final = ServeSettings()
