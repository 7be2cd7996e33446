"""Who asks: the token of a request, or the session that stands for it."""

import asyncio
import ipaddress
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from bonmun.errors import InputError
from bonmun.run.logs import note
from bonmun.serve.access.paths import is_open
from bonmun.serve.access.rates import Rate, RateLimiter
from bonmun.serve.access.scopes import SCOPES
from bonmun.serve.access.sessions import COOKIE, Sessions
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.access.slots import Slots
from bonmun.serve.access.token_file import TokenFile
from bonmun.serve.access.tokens import Token, find, hash_of
from bonmun.serve.problems import Problem

LOGGER: Final = logging.getLogger("bonmun.serve")
FAILURES: Final = Rate(30, 60)
"""Wrong tokens from one address. Nobody guesses 256 bits: this keeps the log short."""
_SUBNET: Final = 64
"""Bits of an IPv6 address that tell clients apart: everybody has the rest to choose from."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """On whose behalf a request comes, and how much they may ask."""

    owner: str
    """The name of the token; empty without one."""
    scopes: frozenset[str]
    key: str
    """Whom limits are counted for."""
    rate: Rate | None
    concurrency: int
    max_bytes: int | None
    token: str | None = None
    """The hash of the token."""


class Gatekeeper:
    """Knows tokens, sessions and how much each client asked. One for each application."""

    def __init__(self, settings: AccessSettings) -> None:
        self.settings = settings
        self.sessions = Sessions()
        self.rates = RateLimiter()
        self.requests = Slots()
        self.streams = Slots()
        self._file = TokenFile(settings.token_file) if settings.token_file else None
        self._open_streams: set[asyncio.Future[None]] = set()

    @property
    def needs_tokens(self) -> bool:
        """Whether requests need a token."""
        return self._file is not None

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return who asks; raise a problem: 401 without a valid token, 429 after too many wrong ones."""
        address = address_of(connection)
        if not self.needs_tokens:
            return self._stranger(address, SCOPES)
        token = self._presented(connection)
        if token is not None:
            return self._holder(token)
        if is_open(connection.url.path):
            return self._stranger(address, frozenset())
        raise self.refusal(address, given="authorization" in connection.headers)

    def holder_of(self, secret: str) -> Token | None:
        """Return the token of a secret, if it is valid now."""
        return self._known(hash_of(secret))

    def is_valid(self, visitor: Visitor) -> bool:
        """Whether a visitor who was let in would be let in again: its token may have been revoked."""
        try:
            return visitor.token is None or self._known(visitor.token) is not None
        except Problem:  # the tokens cannot be read
            return False

    @contextmanager
    def listed(self, stream: "asyncio.Future[None]") -> Iterator[None]:
        """Have an event stream ended with the service."""
        self._open_streams.add(stream)
        try:
            yield
        finally:
            self._open_streams.discard(stream)

    def end_streams(self) -> None:
        """End all event streams: their clients would listen for ever."""
        for stream in tuple(self._open_streams):
            stream.cancel()

    def refusal(self, address: str, *, given: bool) -> Problem:
        """Return the problem of a request without a valid token; `given`: it had an invalid one."""
        if given and not (allowance := self.rates.take(f"refused {address}", FAILURES)).allowed:
            wait = {"Retry-After": str(round(allowance.wait) + 1)}
            return Problem(
                429, "too many requests", "too many wrong tokens", "urn:bonmun:problem:too-many-requests", wait
            )
        error = ', error="invalid_token"' if given else ""
        detail = "the token is unknown, expired or revoked" if given else "send a token: Authorization: Bearer bonmun_…"
        challenge = {"WWW-Authenticate": f'Bearer realm="bonmun"{error}'}
        return Problem(401, "token needed", detail, "urn:bonmun:problem:token-needed", challenge)

    def _presented(self, connection: HTTPConnection) -> Token | None:
        authorization = connection.headers.get("authorization")
        if authorization is not None:
            scheme, _, secret = authorization.partition(" ")
            return self.holder_of(secret.strip()) if scheme.lower() == "bearer" else None
        cookie = connection.cookies.get(COOKIE)
        hashed = self.sessions.token_of(cookie) if cookie else None
        return self._known(hashed) if hashed else None

    def _known(self, hashed: str) -> Token | None:
        assert self._file is not None
        try:
            return find(self._file.tokens(), hashed)
        except InputError as error:
            note(LOGGER, logging.ERROR, "cannot read tokens", error=str(error))
            raise Problem(
                503, "tokens unreadable", "the service cannot read its tokens; its log says why",
                "urn:bonmun:problem:tokens-unreadable", {"Retry-After": "60"},
            ) from error  # fmt: skip

    def _holder(self, token: Token) -> Visitor:
        settings = self.settings
        return Visitor(
            token.name, token.scopes, f"token {token.name}", token.rate or settings.rate,
            token.concurrency or settings.concurrency, token.max_bytes or settings.max_bytes, token.hash,
        )  # fmt: skip

    def _stranger(self, address: str, scopes: frozenset[str]) -> Visitor:
        settings = self.settings
        return Visitor("", scopes, f"address {address}", settings.rate, settings.concurrency, settings.max_bytes)


def address_of(connection: HTTPConnection) -> str:
    """Return the address of a client: of IPv6 its network, `local` behind a Unix socket.

    >>> address_of(HTTPConnection({"type": "http", "client": ("2001:db8::7", 5), "headers": []}))
    '2001:db8::/64'
    """
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host or "local"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(address), _SUBNET), strict=False))
    return str(address)
