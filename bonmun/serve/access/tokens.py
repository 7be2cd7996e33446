"""A token: a secret that its owner keeps, of which we keep the hash."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bonmun.serve.access.rates import Rate
from bonmun.serve.access.scopes import SCOPES

PREFIX: Final = "bonmun_"
"""Makes a token that leaked into a repository or a log recognisable to scanners."""
SECRET: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


@dataclass(frozen=True, slots=True)
class Token:
    """What the token file keeps of a token."""

    name: str
    """Its owner in logs, jobs and labels."""
    hash: str
    """SHA-256 of the secret, in hexadecimal. The secret is 256 random bits: no salt or slow hash is needed."""
    scopes: frozenset[str]
    created: datetime
    expires: datetime | None = None
    rate: Rate | None = None
    """`None`: that of the service. So for the next two."""
    concurrency: int | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"'name' must be 1 to 64 letters, digits or . _ @ -, not {self.name!r}")
        if not self.scopes or not self.scopes <= SCOPES:
            raise ValueError(f"'scopes' must be some of {', '.join(sorted(SCOPES))}")

    def is_valid(self, now: datetime) -> bool:
        """Whether it has not expired."""
        return self.expires is None or now < self.expires


def new_secret() -> str:
    """Return a new secret.

    >>> SECRET.fullmatch(new_secret()) is not None
    True
    """
    return PREFIX + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return the hash of a secret.

    >>> hash_of("bonmun_")[:8]
    '18955818'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def find(tokens: tuple[Token, ...], hashed: str) -> Token | None:
    """Return the valid token with this hash; takes the same time whether there is one or not."""
    found = None
    for token in tokens:
        if secrets.compare_digest(token.hash, hashed):
            found = token
    return found if found and found.is_valid(datetime.now(UTC)) else None


def without_secrets(text: str) -> str:
    """Return text with tokens cut after their prefix: for logs.

    >>> without_secrets(f"/r/{PREFIX}{'x' * 43}/")
    '/r/bonmun_…/'
    """
    return SECRET.sub(f"{PREFIX}…", text)
