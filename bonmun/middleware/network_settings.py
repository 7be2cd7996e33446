"""The settings of the network manager."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ada_url import URL

from bonmun.middleware.hops import default_user_agent

_OWN = frozenset({"host", "connection", "accept-encoding", "transfer-encoding", "content-length", "user-agent"})


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """How the network manager fetches; the defaults are polite.

    >>> NetworkSettings(delay=2.5).per_host
    1
    >>> NetworkSettings(retries=-1)
    Traceback (most recent call last):
    ValueError: NetworkSettings.retries must be at least 0, not -1
    """

    per_host: int = 1
    """Requests to one host at a time."""
    delay: float = 1.0
    """Seconds between a host's response and the next request to it; a longer crawl delay of its robots.txt wins."""
    concurrency: int = 16
    """Requests of one stream at a time, over all hosts; as many finished pages wait for a slow consumer."""
    ahead: int = 1000
    """Requests of one stream read ahead of the network."""
    seconds: float = 20.0
    """Time on the network of one fetch, redirects and retries included; the wait for the host's turn is not counted."""
    max_bytes: int = 20_000_000
    """Maximum size of a body, before and after decompression."""
    redirects: int = 5
    """Maximum number of redirects of one fetch."""
    retries: int = 2
    """Further attempts after 429, a server error, or a broken connection."""
    backoff: float = 1.0
    """Seconds before the first retry; doubled for each further one, and shortened at random by up to a half."""
    max_wait: float = 120.0
    """Upper bound of back-off, `Retry-After` and crawl delay."""
    honour_robots: bool = True
    """Whether robots.txt is fetched and obeyed."""
    user_agent: str = default_user_agent()
    """The User-Agent header; robots.txt is matched by the product names in it."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further request headers, such as Accept-Language; sent to every host, so nothing secret."""
    proxy: str | None = None
    """`http://[user:password@]host:port` of a proxy. The environment's proxy settings are not used."""
    cache: str | Path | None = None
    """An SQLite file for the HTTP cache, `:memory:` for one in memory, `None` for none."""
    allow_private: bool = False
    """Whether private, loopback and other non-public addresses may be fetched."""

    def __post_init__(self) -> None:
        for name, least in (("per_host", 1), ("concurrency", 1), ("ahead", 1), ("max_bytes", 0), ("redirects", 0)):
            self._require_at_least(name, least)
        for name in ("retries", "delay", "seconds", "backoff", "max_wait"):
            self._require_at_least(name, 0)
        for name, value in self.headers.items():
            if name.lower() in _OWN or not f"{name}{value}".isprintable():
                raise ValueError(f"NetworkSettings.headers: {name!r} cannot be set")
        if self.proxy is not None and not _is_proxy(self.proxy):
            raise ValueError("NetworkSettings.proxy must be a URL such as http://127.0.0.1:3128")

    def _require_at_least(self, name: str, least: int) -> None:
        value = getattr(self, name)
        if math.isnan(value) or value < least:
            raise ValueError(f"NetworkSettings.{name} must be at least {least}, not {value}")


def _is_proxy(text: str) -> bool:
    try:
        return URL(text).protocol == "http:"
    except ValueError:
        return False
