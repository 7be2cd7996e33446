"""Who may use a service, and how much."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bonmun.serve.access.rates import Rate


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """What the operator of a service allows.

    >>> AccessSettings(allow_origins=("https://notes.example.org",)).token_file is None
    True
    """

    token_file: Path | None = None
    """The file of tokens: every request needs one. `None`: everybody who reaches the service gets in."""
    without_tokens: bool = False
    """Whether everybody gets in even if other machines can reach the service."""
    allow_hosts: tuple[str, ...] = ()
    """Names of this service in the Host header, besides those of the loopback interface."""
    allow_origins: tuple[str, ...] = ()
    """Origins of other sites whose pages may use the API (CORS)."""
    rate: Rate | None = None
    """Requests of a client: a token, or an address if there are no tokens. A token may have its own."""
    concurrency: int = 64
    """Requests of a client at the same time."""
    streams: int = 16
    """Event streams of a client at the same time."""
    max_bytes: int | None = None
    """Bytes of a request; `None`: those of the page limits."""

    def __post_init__(self) -> None:
        for origin in self.allow_origins:
            if not is_origin(origin):
                raise ValueError(f"not an origin: {origin!r}; name every site as scheme and host: https://example.org")
        for host in self.allow_hosts:
            if not host or set(host) & set("/*@ "):
                raise ValueError(f"not a host name: {host!r}; give the name alone, such as bonmun.example.org")


OPEN_ACCESS: Final = AccessSettings()


def is_origin(text: str) -> bool:
    """Whether a text is an origin as browsers send it; `*` and `null` are none.

    >>> is_origin("https://example.org"), is_origin("http://localhost:3000"), is_origin("*"), is_origin("https://a/b")
    (True, True, False, False)
    """
    parts = urlsplit(text)
    return bool(parts.scheme and parts.netloc) and f"{parts.scheme}://{parts.netloc}" == text and "*" not in text
