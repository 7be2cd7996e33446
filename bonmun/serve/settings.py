"""The settings of a service."""

from dataclasses import dataclass
from typing import Final

from bonmun.limits import Limits
from bonmun.serve.access.settings import OPEN_ACCESS, AccessSettings
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
    request_bytes: int = 64 << 20
    """Maximum size of a request; a batch is streamed and has none, but each of its lines has."""
    fetch: bool = True
    """Whether pages may be fetched by URL."""
    fetches: int = 16
    """Pages that are fetched at a time; as many may wait, further ones are answered 503."""
    allow_private: bool = False
    """Whether private and loopback addresses may be fetched: for tests."""
    cached_pages: int = 64 << 20
    """Bytes of pages kept for further requests on the same page."""
    batches: int = 8
    """Batches at a time; further ones are answered 503."""
    patience: float = 30.0
    """Seconds that running work is given at shutdown before its worker is ended."""
    access: AccessSettings = OPEN_ACCESS
    """Who may use it, and how much."""
    jobs: JobSettings = DEFAULT_JOB_SETTINGS
    """How crawls and long batches run."""


DEFAULT_SETTINGS: Final = ServeSettings()
