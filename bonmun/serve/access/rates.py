"""A rate of requests, and the token bucket that keeps clients to it."""

import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_UNITS: Final = {"s": 1, "sec": 1, "min": 60, "h": 3600, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9]\d{0,8})\s*/\s*([a-z]+)")
MAX_CLIENTS: Final = 10_000
"""Buckets in memory; 2 MB. A client that was forgotten starts with a full bucket."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds; all of them may come at once.

    >>> Rate.parse("60/min"), str(Rate(5, 1))
    (Rate(requests=60, seconds=60), '5/s')
    """

    requests: int
    seconds: int

    def __post_init__(self) -> None:
        if self.requests < 1 or self.seconds not in _UNITS.values():
            raise ValueError(f"not a rate: {self.requests} requests in {self.seconds} seconds")

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """Read a rate such as `60/min`; raise `ValueError`."""
        match = _RATE.fullmatch(text.strip().lower())
        if match is None or match[2] not in _UNITS:
            raise ValueError(f"not a rate: {text!r}; use a number and a unit, such as 5/s, 60/min, 1000/h or 10000/day")
        return cls(int(match[1]), _UNITS[match[2]])

    def __str__(self) -> str:
        return f"{self.requests}/{next(unit for unit, seconds in _UNITS.items() if seconds == self.seconds)}"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a client may still do after a request."""

    allowed: bool
    remaining: int
    """Requests that it may send at once."""
    wait: float
    """Seconds until it may send the next; 0 if there are some left."""


class TokenBucket:
    """Holds up to `rate.requests` tokens, refilled evenly; a request takes one.

    >>> bucket = TokenBucket(Rate(2, 60), now=0)
    >>> [bucket.take(now).allowed for now in (0, 1, 2, 31)]
    [True, True, False, True]
    """

    __slots__ = ("_level", "_updated", "rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate = rate
        self._level = float(rate.requests)
        self._updated = now

    def take(self, now: float) -> Allowance:
        """Take a token if there is one."""
        if now > self._updated:
            refilled = (now - self._updated) * self.rate.requests / self.rate.seconds
            self._level = min(float(self.rate.requests), self._level + refilled)
            self._updated = now
        allowed = self._level >= 1
        self._level -= allowed
        wait = max(0.0, 1 - self._level) * self.rate.seconds / self.rate.requests
        return Allowance(allowed, math.floor(self._level), wait)


class RateLimiter:
    """A bucket for each client, of the clients seen last. For one event loop.

    >>> limiter = RateLimiter(clock=lambda: 0.0)
    >>> [limiter.take(client, Rate(1, 1)).allowed for client in ("me", "me", "you")]
    [True, False, True]
    """

    def __init__(self, *, clients: int = MAX_CLIENTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._clients = clients
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str, rate: Rate) -> Allowance:
        """Count a request of a client; a changed rate starts a new bucket."""
        now = self._clock()
        bucket = self._buckets.get(client)
        if bucket is None or bucket.rate != rate:
            bucket = self._buckets[client] = TokenBucket(rate, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        return bucket.take(now)
