"""The settings of a container."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.registry import Method, SiteLookup

if TYPE_CHECKING:
    from bonmun.rendering.settings import RenderSettings


@dataclass(frozen=True, slots=True)
class ContainerSettings:
    """How a container extracts and delivers.

    >>> ContainerSettings(jobs=2, ordered=True).method
    'auto'
    """

    method: str | Method = "auto"
    """The method that decides, as in `extract`."""
    methods: tuple[str | Method, ...] = ()
    """Other methods whose verdicts a data set has."""
    sites: SiteLookup | None = None
    """Known sites, whose templates decide on their pages; asked for every page when it goes to a worker."""
    render: "RenderSettings | None" = None
    """Draw every page in a browser first; a method that needs the layout does it anyway, without scripts."""
    limits: Limits = DEFAULT_LIMITS
    """Limits on one page. The seconds hold for reading, judging, metadata and text together."""
    prefer: str = "balance"
    abstain_below: float = 0.0
    documents: bool = True
    """Whether workers send the documents, an eighth of their time. Without them, `NewsDataSet.document` reads the page
    again when it is asked for; title, metadata, text and timings come in any case. A store needs them."""
    jobs: int = 0
    """Worker processes; 0 for one on each core."""
    memory: int | None = None
    """Maximum address space of a worker process in bytes (Linux only)."""
    nice: int = 0
    """How much lower the priority of the worker processes is (POSIX only)."""
    ordered: bool = False
    """Deliver in the order in which pages were taken from the sources, not as they complete."""
    in_flight: int = 500
    """Maximum number of pages of one source that were taken and have not ended. In order of taking, this is also how
    many data sets can wait for a slow page."""
    queue: int = 32
    """The length of each queue between the stages."""
    patience: float = 10.0
    """Seconds after `stop` in which pages that were fetched may still be delivered."""
    skip_stored: bool = False
    """Do not take pages whose URL the store has."""

    def __post_init__(self) -> None:
        for name, least in (("jobs", 0), ("in_flight", 1), ("queue", 1), ("patience", 0)):
            if not getattr(self, name) >= least:
                raise ValueError(f"ContainerSettings.{name} must be {least} or more, not {getattr(self, name)}")


DEFAULT_SETTINGS: Final = ContainerSettings()
