"""The settings of jobs."""

from dataclasses import dataclass, field
from typing import Final

from bonmun.middleware.network_settings import NetworkSettings


@dataclass(frozen=True, slots=True)
class JobSettings:
    """How jobs run beside the requests of people.

    >>> JobSettings(running=1).workers
    1
    """

    running: int = 2
    """Jobs that run at once; further ones wait."""
    waiting: int = 100
    """Jobs that may wait; further ones are answered 429."""
    workers: int = 1
    """Worker processes of each."""
    nice: int = 10
    """How much lower the priority of these processes is."""
    network: NetworkSettings = field(default_factory=NetworkSettings)
    """How crawls fetch; `allow_private` and the maximum size of a page are those of the service."""
    patience: float = 10.0
    """Seconds in which a job that is stopped may still store the pages that it has fetched."""
    resume: bool = True
    """Whether jobs that were interrupted by the end of the service go on at its next start."""
    upload: int = 256 << 20
    """Maximum size of a batch in bytes."""
    lines: int = 100_000
    """Maximum number of pages of a batch."""


DEFAULT_JOB_SETTINGS: Final = JobSettings()
