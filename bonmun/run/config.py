"""The configuration of ``bonmun run``: every class is a table, every field a key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.rendering.settings import RenderSettings
from bonmun.run.reading import Duration, Reading, read_file

DEFAULT_NETWORK: Final = NetworkSettings()


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """A source of pages: `"feed:https://example.org/rss"`, or a table."""

    source: str = ""
    """The one-line form: `feed:https://…`, `sitemap:https://…`, `site:https://…`, `watch:folder`, a file …"""
    use: str = ""
    """Instead of it, a plug-in: `module:Class`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the source's class, such as `limit` of a feed."""
    name: str = ""
    """The name in logs, metrics and the store; defaults to `source` or `use`."""
    every: Duration | None = None
    """Overrides that of the schedule."""
    jitter: Duration | None = None
    revisit: bool = False
    """Whether pages that are stored already are fetched again."""

    def __post_init__(self) -> None:
        if bool(self.source.strip()) == bool(self.use.strip()):
            raise ValueError("a source needs either 'source' or 'use'")

    @property
    def label(self) -> str:
        """The source's name."""
        return self.name or self.source or self.use


@dataclass(frozen=True, slots=True)
class ScheduleConfig:
    """When sources are read; without `every`, once."""

    every: Duration | None = None
    """The time from one start to the next."""
    jitter: Duration | None = None
    """A random delay of up to this is added, so that many processes do not ask at the same moment."""

    def __post_init__(self) -> None:
        if self.every is not None and self.every <= 0:
            raise ValueError("'every' must be longer than 0 seconds")


@dataclass(frozen=True, slots=True)
class WrapperConfig:
    """A wrapper: `"module:Class"` or the name of an entry point, or a table."""

    wrapper: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the class."""


@dataclass(frozen=True, slots=True)
class SitesConfig:
    """Templates of sites, learned on the fly and watched for drift."""

    learn_after: int = 0
    """The pages of a host after which its templates are learned; 0 learns none."""
    most_hosts: int = 100
    """The maximum number of hosts whose pages are collected at the same time."""

    def __post_init__(self) -> None:
        if self.learn_after and self.learn_after < 3:
            raise ValueError("'learn_after' must be 0 or at least 3: a template needs three pages")


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """The HTTP endpoint for Prometheus."""

    address: str = "127.0.0.1:9464"
    """Host and port; port 0 takes a free one."""
    most_hosts: int = 100
    """The maximum number of hosts with labels of their own; the rest is `other`."""

    def __post_init__(self) -> None:
        host, _, port = self.address.rpartition(":")
        if not host or not port.isdigit() or int(port) > 65535:
            raise ValueError(f'\'address\' must be host:port such as "127.0.0.1:9464", not "{self.address}"')

    @property
    def host(self) -> str:
        """The host; an IPv6 address without its brackets."""
        return self.address.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port."""
        return int(self.address.rpartition(":")[2])


@dataclass(frozen=True, slots=True)
class LogConfig:
    """Where log lines go; by default to standard error."""

    file: Path | None = None
    format: Literal["auto", "json", "text"] = "auto"
    """`auto` is text on a terminal and JSON lines otherwise."""
    level: Literal["debug", "info", "warning", "error"] = "info"


@dataclass(frozen=True, slots=True)
class ExtractConfig:
    """How main text is extracted."""

    method: str = "auto"
    prefer: Literal["precision", "balance", "recall"] = "balance"
    abstain_below: float = 0.0
    workers: int = 0
    """Worker processes; 0 is one per core."""


@dataclass(frozen=True, slots=True)
class RunConfig:
    """All of a configuration.

    Paths are relative to the folder of the file.
    """

    sources: tuple[SourceConfig, ...]
    store: str = "news.db"
    """A file of SQLite or a URL: `postgresql://…`."""
    wrappers: tuple[WrapperConfig, ...] = ()
    schedule: ScheduleConfig = ScheduleConfig()
    extract: ExtractConfig = ExtractConfig()
    render: RenderSettings | None = None
    """Draw every page in a browser first; `javascript` runs its scripts."""
    limits: Limits = DEFAULT_LIMITS
    output: Output = DEFAULT_OUTPUT
    network: NetworkSettings = DEFAULT_NETWORK
    sites: SitesConfig = SitesConfig()
    metrics: MetricsConfig | None = None
    log: LogConfig = LogConfig()

    def __post_init__(self) -> None:
        if not self.sources:
            raise ValueError("'sources' is empty")
        labels = [source.label for source in self.sources]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise ValueError(f"'sources' has {twice!r} twice; give one of them another 'name'")


def read_config(path: str | Path) -> Reading[RunConfig]:
    """Read a configuration; `ConfigError` names the line of a mistake."""
    return read_file(Path(path), RunConfig)
