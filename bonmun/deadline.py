"""The time limit of an extraction or of one output, checked inside loops."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

from bonmun.errors import LimitExceeded


class _Deadline:
    """The end and the limit in seconds of the work in progress."""

    __slots__ = ("end", "limit", "outer")

    def __init__(self, end: float, limit: float, outer: "_Deadline | None") -> None:
        self.end, self.limit, self.outer = end, limit, outer


_deadline = ContextVar[_Deadline | None]("deadline", default=None)


class within:  # noqa: N801  # used like a function
    """Limit the time of a block of code; inside another limit, the earlier end holds.

    >>> with within(0.0):
    ...     check()
    Traceback (most recent call last):
    bonmun.errors.LimitExceeded: the page takes more than 0 seconds (Limits.seconds)
    """

    __slots__ = ("_seconds", "_token")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        outer, seconds = _deadline.get(), self._seconds
        end = monotonic() + seconds
        if outer is not None and outer.end <= end:
            end, seconds = outer.end, outer.limit
        self._token = _deadline.set(_Deadline(end, seconds, outer))

    def __exit__(self, *error: object) -> None:
        _deadline.reset(self._token)


@contextmanager
def paused() -> Iterator[None]:
    """Do not count the time of a block of code that has a limit of its own, such as a browser's.

    >>> with within(0.0), paused():
    ...     check()
    """
    started, deadline = monotonic(), _deadline.get()
    token = _deadline.set(None)
    try:
        yield
    finally:
        _deadline.reset(token)
        passed = monotonic() - started
        while deadline is not None:
            deadline.end += passed
            deadline = deadline.outer


def seconds_left() -> float:
    """The seconds until the time is over, for compiled code; infinite without a limit."""
    deadline = _deadline.get()
    return inf if deadline is None else deadline.end - monotonic()


def exceeded() -> LimitExceeded:
    """The error of compiled code that ran out of the time that `seconds_left` gave it."""
    deadline = _deadline.get()
    limit = 0.0 if deadline is None else deadline.limit
    return LimitExceeded("seconds", limit, limit)


def check() -> None:
    """Raise `LimitExceeded` if the time is over. A tenth of a microsecond: cheap enough for every block of a page."""
    deadline = _deadline.get()
    if deadline is not None and monotonic() >= deadline.end:
        raise LimitExceeded("seconds", deadline.limit, deadline.limit)
